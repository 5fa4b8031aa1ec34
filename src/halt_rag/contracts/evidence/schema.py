"""The JSON Schema of a contract's records, within what strict structured outputs accept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from halt_rag.contracts.evidence.fields import Field

_SHAPES: dict[str, tuple[str, str]] = {
    "string": ("string", "verbatim"),
    "integer": ("integer", ""),
    "number": ("number", ""),
    "percent": ("number", "the percentage as written: 40 for 40%"),
    "ratio": ("number", "as a decimal: 0.4 for 40%"),
    "date": ("string", "YYYY-MM-DD"),
    "datetime": ("string", "RFC 3339, such as 2026-03-04T23:30:00Z"),
    "duration": ("string", "ISO 8601, such as P30D, P2W or PT90M; weeks do not mix with other units"),
    "boolean": ("boolean", ""),
    "version": ("string", "as written"),
}
_PARTS = {
    "amount": ("currency", "ISO 4217 code, such as EUR"),
    "quantity": ("unit", "the unit as written"),
}
_FLAGS = {
    "answer_found": {"type": "boolean", "description": "Whether the source states this at all."},
    "complete_answer_found": {"type": "boolean", "description": "Whether everything the source states is given."},
}


def record_schema(fields: Sequence[Field], *, description: str = "", several_sources: bool = False) -> dict[str, Any]:
    """The schema of a record: every property required, no others allowed, nothing beyond the strict subset.

    Args:
        fields: The fields.
        description: What the record is.
        several_sources: Whether evidence names its source.
    """
    schema = _closed({field.name: _field(field) for field in fields}, description)
    return {**schema, "$defs": {"evidence": _evidence(several_sources)}}


def _closed(properties: dict[str, Any], description: str = "") -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    schema |= {"required": list(properties), "additionalProperties": False}
    return {**schema, "description": description} if description else schema


def _evidence(several_sources: bool) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "line_start": {"type": "integer", "description": "First line of the quote, from 1."},
        "line_end": {"type": "integer", "description": "Last line of the quote, inclusive."},
        "quote": {"type": "string", "description": "Characters copied from these lines, without the line numbers."},
    }
    if several_sources:
        properties = {"source": {"type": "string", "description": "Name of the source."}, **properties}
    return _closed(properties, "Where the value was read.")


def _field(field: Field) -> dict[str, Any]:
    if field.type == "object":
        return _closed({member.name: _field(member) for member in field.fields}, field.description)
    if field.type == "list" and field.items:
        return _closed({"items": {"type": "array", "items": _field(field.items)}, **_FLAGS}, field.description)
    evidence = {"type": "array", "items": {"$ref": "#/$defs/evidence"}}
    return _closed({"value": _value(field), "evidence": evidence, **_FLAGS}, field.description)


def _value(field: Field) -> dict[str, Any]:
    # Null is always allowed on the wire: a model that found nothing must be able to say so.
    if field.type == "enum":
        return {"type": ["string", "null"], "enum": [*field.enum, None]}
    if field.type in _PARTS:
        part, meaning = _PARTS[field.type]
        amount = {"type": "string", "description": "Decimal number with a point and without grouping: 1250.00"}
        return {
            "anyOf": [_closed({"amount": amount, part: {"type": "string", "description": meaning}}), {"type": "null"}]
        }
    kind, meaning = _SHAPES[field.type]
    return {"type": [kind, "null"], "description": meaning} if meaning else {"type": [kind, "null"]}
