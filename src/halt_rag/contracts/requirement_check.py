"""How far a response meets a requirement: ``requirement-check``.

``requirement_check.score`` is a number from 0 (not met) to 1 (met), both included; a boolean, a string, ``NaN`` or an
infinity is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from halt_rag.contracts.base import Fault, ObjectContract, Record
from halt_rag.contracts.strict_json import kind, shown


def _check(record: Record) -> Iterator[Fault]:
    inner = record["requirement_check"]
    if not isinstance(inner, dict):
        yield "requirement_check", f"must be an object, not {kind(inner)}"
    elif "score" not in inner:
        yield "requirement_check.score", "is missing"
    else:
        score = inner["score"]
        if isinstance(score, bool) or not isinstance(score, int | float):
            yield "requirement_check.score", f"must be a number, not {kind(score)}"
        elif not 0 <= score <= 1:
            yield "requirement_check.score", f"must be from 0 to 1, not {shown(score)}"


CONTRACT: Final = ObjectContract("requirement-check", frozenset({"requirement_check"}), check=_check)
"""Checks the keys, and that the score is a finite number from 0 to 1."""
