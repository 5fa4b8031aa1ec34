"""The rules, driven by ``cases.json``: a hit and a non-hit for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from halt_rag.errors import UnknownNameError
from halt_rag.scan.docs import HEADINGS, docstring_of, summary_of
from halt_rag.scan.outcome import DetectionType, Rule
from halt_rag.scan.rules import MODULES, RULES, chosen
from tests.case_areas import Case, runners
from tests.case_areas.scan import actual_of, known_from
from tests.run_cases import outcome

CASES: list[Case] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    check = outcome(case, runners())
    assert check.passed, f"{case['why']}: {check.actual}"


def test_the_runner_fails_on_any_difference() -> None:
    case: Case = json.loads(json.dumps(next(case for case in CASES if case["expected"]["detections"])))
    for key, value in (("line", 9), ("column", 99), ("type", "contradiction"), ("severity", "low"), ("match", "x")):
        wrong = json.loads(json.dumps(case))
        wrong["expected"]["detections"][0][key] = value
        assert not outcome(wrong, runners()).passed
    fewer = {**case, "expected": {"detections": []}}
    assert not outcome(fewer, runners()).passed


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_every_rule_documents_itself(rule: Rule) -> None:
    text = docstring_of(rule)
    places = [text.index(f"## {heading}") for heading in HEADINGS]
    assert places == sorted(places)
    assert summary_of(rule).endswith(".")


def test_codes_and_names_are_unique_and_every_type_has_a_rule() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES) == len(MODULES)
    types = {rule.type for rule in RULES}
    assert types == set(DetectionType)


def test_codes_stay_as_they_are() -> None:
    codes = {rule.name: rule.code for rule in RULES}
    assert codes["doi"] == "HR101"
    assert codes["paper-id"] == "HR105"
    assert codes["path"] == "HR301"
    assert codes["import"] == "HR401"


def test_rules_are_chosen_by_code_name_and_type() -> None:
    assert [rule.code for rule in chosen(["HR101"])] == ["HR101"]
    assert [rule.name for rule in chosen(["doi", "year"])] == ["doi", "year"]
    assert {rule.code for rule in chosen(["invalid_api"])} == {"HR401", "HR402", "HR405"}
    assert chosen([]) == RULES
    with pytest.raises(UnknownNameError, match="HR101"):
        chosen(["HR1O1"])


def test_notes_explain() -> None:
    notes = {
        "Full text: @docs/references/REF-021-reflexion.md\n": "REF-021 exists under another slug",
        "Latency fell by 40%[^2].\n": "footnote 2 is not defined",
        "Overall: 49/59 tests passing (93%).\n": "49/59 is 83.1%",
        "Read @../../etc/passwd first.\n": "outside the root",
    }
    for text, note in notes.items():
        given: dict[str, Any] = {"path": "docs/page.md", "text": text, "context": {"base": "default"}}
        (detection,) = actual_of(given)[0]["detections"]
        assert detection["note"] == note


def test_what_is_not_known_is_not_detected() -> None:
    text = "REF-999, Smith et al. (2024), UC-999, #9999, 10.1000/x.\n\n```js\nimport x from 'nope';\n```\n"
    context = {"base": "none", "set": {"files": ["docs/page.md"]}}
    actual, _ = actual_of({"path": "docs/page.md", "text": text, "context": context})
    assert actual["detections"] == []
    reasons = {entry["reason"] for entry in actual["abstained"]}
    assert reasons == {"no_corpus", "no_requirements", "no_tracker", "offline", "no_package_index"}
    assert known_from(context).papers is None
