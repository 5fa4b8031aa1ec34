"""Numbers and appeals to research: which are statements, in four languages, and where their source may stand."""

from __future__ import annotations

import pytest

from tests.case_areas.scan import known_from
from tests.scan.support import examined

KNOWN = known_from({"base": "default"})


def found(text: str, path: str = "docs/page.md") -> list[tuple[str, str, str]]:
    document, findings = examined(text, known=KNOWN, path=path)
    assert findings.crashed == []
    kept = ("percent", "percent-counts", "speedup", "studies", "date")
    return [
        (item.rule.name, item.outcome.span.of(document.text), item.outcome.reason or item.outcome.status)
        for item in findings.items
        if item.rule.name in kept
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Die Latenz wurde um 40 % gesenkt.", ("percent", "40 %")),
        ("Der Durchsatz stieg um 12,5 Prozent.", ("percent", "12,5 Prozent")),
        ("La latence a baissé de 40 %.", ("percent", "40 %")),
        ("Le débit augmente de 12,5 pour cent.", ("percent", "12,5 pour cent")),
        ("La latencia se redujo un 40 %.", ("percent", "40 %")),
        ("El rendimiento aumentó un 12,5 por ciento.", ("percent", "12,5 por ciento")),
        ("Neue Studien haben gezeigt, dass es hilft.", ("studies", "Studien haben gezeigt")),
        ("Des études récentes montrent que cela aide.", ("studies", "études récentes montrent")),
        ("Los estudios demuestran que ayuda.", ("studies", "estudios demuestran")),
        ("Der Router ist 10-mal schneller.", ("speedup", "10-mal schneller")),
        ("Le routeur est 10 fois plus rapide.", ("speedup", "10 fois plus rapide")),
        ("El router es diez veces más rápido.", ("speedup", "diez veces más rápido")),
        ("Bestanden: 49/59 (93 %).", ("percent-counts", "93 %")),
        ("Es geschah am 31. Februar 2024.", ("date", "31. Februar 2024")),
        ("C'était le 31 février 2024.", ("date", "31 février 2024")),
        ("Fue el 31 de febrero de 2024.", ("date", "31 de febrero de 2024")),
    ],
)
def test_other_languages(text: str, wanted: tuple[str, str]) -> None:
    assert found(text) == [(*wanted, "detected")]


@pytest.mark.parametrize(
    "text",
    [
        "Der Durchsatz soll um 40 % steigen.",
        "L'objectif est une baisse de 40 %.",
        "El objetivo es que baje un 40 %.",
        "Unsere Experimente zeigen es.",
        "Our experiments show that it works.",
        "Ownership of fifty percent (50%) or more of the shares.",
        "Parse failures are left out, and 83% of answers have to be parseable.",
        "A low accuracy (e.g., 50%) signals a problem.",
        "Goals:\n\n- latency falls by 40%\n- cost falls by 20%\n",
        "She said: “You make it ten times worse by crabbing.”",
        'The model wrote "the share is 10% there" in its answer.',
    ],
)
def test_what_is_no_statement(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Laut Hersteller sank sie um 40 %.", "verified"),
        ("Selon le rapport, elle a baissé de 40 %.", "verified"),
        ("Según el informe, bajó un 40 %.", "verified"),
        ("Author-reported score: 40%", "verified"),
        ("## Paper\n\nOn Queues\nhttps://example.org/p\n\nIt reduces latency by 40%.", "verified"),
        ("Title: On Queues\n\nAbstract: https://example.org/p\n\nIt reduces latency by 40%.", "verified"),
        ("Paper: https://example.org/p\n\n## Abstract\n\nIt reduces latency by 40%.", "verified"),
        ("The set (https://example.org/p) has three parts:\n\n- music\n- art\n- sports, which rose 40%\n", "verified"),
        ("It reduces latency by 40%.\n\nSource: https://example.org/p\n", "verified"),
        ("Our page is https://example.org/p.\n\nIt reduces latency by 40%.", "detected"),
        ("Paper: https://example.org/p\n\n## Results\n\nIt reduces latency by 40%.", "detected"),
        ("The open source release cut latency by 40%.", "detected"),
        ("It reduces latency by 40% (Smith et al., 2024).", "source_in_question"),
        ("It reduces latency by 40% (Shinn et al., 2023).", "verified"),
        ("It reduces latency by 40% [12].", "source_in_question"),
        ("It reduces latency by 40% [@shinn2023].", "source_in_question"),
        ("It reduces latency by 40% (Shinn et al., 2031).", "source_in_question"),
        ("It reduces latency by 40% [1].\n\n## References\n\n1. A book.\n", "verified"),
        ("| Prompt | Accuracy | Results CSV |\n|---|---|---|\n| a | 40% | `runs/a.csv` |\n", "verified"),
        ("| Prompt | Source share |\n|---|---|\n| a | 40% |\n", "detected"),
    ],
)
def test_where_a_source_may_stand(text: str, state: str) -> None:
    assert [(name, claim, status) for name, claim, status in found(text) if name == "percent"] == [
        ("percent", "40%" if "40%" in text else "40 %", state)
    ]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("It rose from 50% to 90% (+40%).", ["50% to 90%"]),
        ("It rose by 1,234.5%.", ["1,234.5%"]),
        ("Es stieg um 1.234,5 %.", ["1.234,5 %"]),
        ("Sie stieg von 5 bis 7 %.", ["5 bis 7 %"]),
    ],
)
def test_numbers_are_read_whole(text: str, claims: list[str]) -> None:
    assert [claim for _, claim, _ in found(text)] == claims
