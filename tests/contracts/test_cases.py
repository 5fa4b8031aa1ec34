"""The contracts, sentence numbers and pipelines, driven by ``cases.json``; and the runner that does so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.case_areas import Case, runners
from tests.run_cases import main, outcome

FILE = Path(__file__).with_name("cases.json")
CASES: list[Case] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    check = outcome(case, runners())
    assert check.passed, f"{case['why']}: {check.actual}"


def test_the_runner_prints_failures_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = {"id": "right", "area": "contract", "input": {"contract": "citations", "raw": "[]"}}
    right["expected"] = {"outcome": "ok", "value": {"items": []}}
    wrong = {**right, "id": "wrong", "expected": {"outcome": "ok", "value": {"items": [1]}}}
    silent = {**right, "id": "silent", "expected": {"outcome": "raise", "error": "value_error"}}
    other = {**right, "id": "other", "area": "astrology"}
    broken = {**right, "id": "broken", "input": {}}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([right, wrong, silent, other, broken]), encoding="utf-8")
    assert main([str(file)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "1 passed, 4 failed"
    assert [line.split()[1] for line in printed if line.startswith("FAILED")] == ["wrong", "silent", "other", "broken"]
    assert '  expected {"outcome": "ok", "value": {"items": [1]}}' in printed
    assert '  actual   {"items": []}' in printed
    assert "  actual   no runner for area astrology" in printed
    assert "  actual   crashes with KeyError: 'contract'" in printed


@pytest.mark.parametrize("error", ["value_error", "type_error", "schema_mismatch"])
def test_the_runner_tells_errors_apart(error: str) -> None:
    case: Case = {"id": "x", "area": "contract", "input": {"contract": "citations", "raw": "[{}]"}}
    case["expected"] = {"outcome": "raise", "error": error, "message_contains": ["citation_begin"]}
    assert outcome(case, runners()).passed == (error == "schema_mismatch")
    case["expected"]["message_contains"] = ["something else"]
    assert not outcome(case, runners()).passed


def test_the_runner_is_a_command() -> None:
    command = [sys.executable, "tests/run_cases.py", str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"{len(CASES)} passed, 0 failed"
