"""Cases of a field against its document: locales, signs, dates, units, line ends, folds, flags, lists, sources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.case_areas import Case
from tests.case_areas.evidence import run

CASES: list[Case] = json.loads((Path(__file__).parent / "held_out.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_held_out(case: Case) -> None:
    check = run(case)
    assert check.passed, (case["input"], case["expected"], check.actual)
