"""Citations into a bibliography: numbers and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from halt_rag.scan.corpus import Corpus, Paper
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.tree import MemoryTree
from tests.scan.support import TODAY, bare, examined

LIST = "\n\n## References\n\n1. A book.\n2. Another.\n3. A third.\n"
BIB = "@book{misic2015, author = {Ana Mišić}, year = 2015}\n"
FRONT = "---\nbibliography: refs.bib\n---\n"


def statuses(text: str, rule: str, known: Knowledge | None = None, path: str = "docs/page.md") -> list[tuple[str, str]]:
    document, found = examined(text, known=known, path=path)
    assert found.crashed == []
    items = [item for item in found.items if item.rule.name == rule]
    return [(item.outcome.span.of(document.text), item.outcome.reason or item.outcome.status) for item in items]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Shown before [12].", [("[12]", "no_bibliography")]),
        (f"Shown before [12]. And [2].{LIST}", [("[12]", "detected"), ("[2]", "verified")]),
        (f"Shown [1, 3] and [2-5].{LIST}", [("[1, 3]", "verified"), ("[2-5]", "detected")]),
        ("Shown [4].\n\n[1] A. Author, a book.\n[2] B. Author.\n", [("[4]", "detected")]),
        ("Shown [1].\n\n[1]: https://example.org/a\n", [("[1]", "verified")]),
        ("Siehe [4].\n\n## Literatur\n\n1. Ein Buch.\n", [("[4]", "detected")]),
        ("Voir [4].\n\n## Bibliographie\n\n1. Un livre.\n", [("[4]", "detected")]),
        (f"In the range [1, 9], in [0, 1], `a[7]`, b[8], x ∈ [4, 6], [9](x.md), [8][2], - [ ] [x]{LIST}", []),
        ("1. One\n2. Two\n\nThese steps [7] are no bibliography.\n", [("[7]", "no_bibliography")]),
        ("See [7]_ there.\n\n.. [3] A book.\n", []),
    ],
)
def test_numbers(text: str, wanted: list[tuple[str, str]]) -> None:
    assert statuses(text, "citation-number") == wanted


def test_several_numbers_are_less_sure_than_one() -> None:
    _, found = examined(f"Shown [9]. Shown [2, 9].{LIST}")
    assert [item.severity.value for item in found.having("detected")] == ["high", "medium"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Known [@misic2015].", [("misic2015", "verified")]),
        ("Known [see @misic2015, p. 3; @novak2020].", [("misic2015", "verified"), ("novak2020", "detected")]),
        ("Known [-@novak2020].", [("novak2020", "detected")]),
        ("Known \\citep[p.~3]{misic2015,novak2020}.", [("misic2015", "verified"), ("novak2020", "detected")]),
        (
            "\\textbf{novak2020} `[@novak2020]` [@fig-one] [@octocat] [@org/team] [@novak2020](x.md) [@a1]\n\n"
            "[@a1]: /x",
            [],
        ),
    ],
)
def test_keys(text: str, wanted: list[tuple[str, str]]) -> None:
    known = replace(bare(), corpus=Corpus([Paper("misic2015"), Paper("REF-021")]))
    assert statuses(text, "citation-key", known) == wanted


def test_keys_of_sphinx() -> None:
    known = replace(bare(), corpus=Corpus([Paper("misic2015")]))
    text = "Known :cite:p:`misic2015, novak2020` there.\n"
    wanted = [("misic2015", "verified"), ("novak2020", "detected")]
    assert statuses(text, "citation-key", known, "page.rst") == wanted


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"docs/refs.bib": BIB}, "detected"),
        ({"refs.bib": BIB}, "detected"),
        ({"docs/refs.bib": BIB.replace("misic2015", "novak2020")}, "verified"),
        ({}, "no_bibliography"),
    ],
)
def test_the_front_matter_names_a_bibliography(files: dict[str, str], wanted: str) -> None:
    known = Knowledge(files=MemoryTree(["docs/page.md"], files), today=TODAY)
    assert statuses(f"{FRONT}Known [@novak2020].\n", "citation-key", known) == [("novak2020", wanted)]


def test_a_near_key_is_suggested() -> None:
    known = replace(bare(), corpus=Corpus([Paper("misic2015")]))
    _, found = examined("Known [@misic2016].\n", known=known)
    (item,) = found.having("detected")
    assert item.outcome.suggestion == "Did you mean misic2015?"
    assert item.severity == "critical"
