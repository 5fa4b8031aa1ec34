from __future__ import annotations

from typing import Any

from halt_rag.contracts.evidence.fields import parse_field
from halt_rag.contracts.evidence.result import FieldResult
from halt_rag.contracts.evidence.source import Source
from halt_rag.contracts.evidence.validate import as_sources, validate_field

ABSENT: dict[str, Any] = {"value": None, "evidence": [], "answer_found": False, "complete_answer_found": False}


def grounded(value: object, first: int, quote: str, last: int | None = None, **more: Any) -> dict[str, Any]:
    """A field on the wire with one piece of evidence."""
    evidence = {"line_start": first, "line_end": first if last is None else last, "quote": quote}
    return {"value": value, "evidence": [evidence], "answer_found": True, "complete_answer_found": True, **more}


def check(document: str | list[Source], output: object, **declared: Any) -> FieldResult:
    """The verdict on one field; a list's own verdict."""
    field = parse_field({"name": "field", **declared})
    return validate_field(field, output, as_sources(document))[0]


def verdict(result: FieldResult) -> str:
    """Status and codes in one string."""
    return " ".join([result.status, *sorted(result.codes)])
