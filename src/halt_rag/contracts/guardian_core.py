"""Whether a text shows the risk it was checked for: ``guardian-core``. The key is ``guardian.score``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from halt_rag.contracts.base import Fault, ObjectContract, Record
from halt_rag.contracts.strict_json import kind


def _check(record: Record) -> Iterator[Fault]:
    inner = record["guardian"]
    if not isinstance(inner, dict):
        yield "guardian", f"must be an object, not {kind(inner)}"
    elif "score" not in inner:
        yield "guardian.score", "is missing"


CONTRACT: Final = ObjectContract("guardian-core", frozenset({"guardian"}), check=_check)
"""Checks both keys, outer and inner."""
