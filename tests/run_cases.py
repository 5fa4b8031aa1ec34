"""Runs files of cases through the public API: ``python tests/run_cases.py FILE...``.

A file is a JSON list of cases with ``id``, ``area``, ``input`` and ``expected``. Each case that fails is printed with
what was expected and what came; the last line is ``N passed, N failed``. Exits 1 if any failed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.case_areas import Case, Check, Runner, runners


def outcome(case: Case, table: dict[str, Runner]) -> Check:
    """Runs one case. A crash fails the case, not the run."""
    runner = table.get(case["area"])
    if runner is None:
        return Check(False, f"no runner for area {case['area']}")
    try:
        return runner(case)
    except Exception as error:  # noqa: BLE001 - the one place where whatever a case does to the code becomes a failure
        return Check(False, f"crashes with {type(error).__name__}: {error}")


def cases(files: list[str]) -> Iterator[Case]:
    """The cases of all files."""
    for file in files:
        yield from json.loads(Path(file).read_text(encoding="utf-8"))


def main(files: list[str]) -> int:
    """Runs the files; the exit code."""
    table = runners()
    passed = failed = 0
    for case in cases(files):
        check = outcome(case, table)
        passed += check.passed
        failed += not check.passed
        if not check.passed:
            expected = json.dumps(case["expected"], ensure_ascii=False)
            print(f"FAILED {case['id']}\n  expected {expected}\n  actual   {_shown(check.actual)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not files else 0


def _shown(actual: object) -> str:
    return actual if isinstance(actual, str) else json.dumps(actual, ensure_ascii=False, default=str)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
