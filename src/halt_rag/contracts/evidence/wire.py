"""Pydantic models of the wire format, and the way back from accepted values to the declaring model."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, create_model
from pydantic import Field as PydanticField

from halt_rag.contracts.evidence.fields import Field
from halt_rag.contracts.evidence.report import Validated

M = TypeVar("M", bound=BaseModel)


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class WireEvidence(_Wire):
    """Where a value was read."""

    source: str | None
    line_start: int
    line_end: int
    quote: str


class WireAmount(_Wire):
    """An amount with its ISO 4217 currency code."""

    amount: str
    currency: str


class WireQuantity(_Wire):
    """An amount with its unit."""

    amount: str
    unit: str


_TYPES: dict[str, Any] = {
    "integer": int,
    "number": float,
    "percent": float,
    "ratio": float,
    "boolean": bool,
    "amount": WireAmount,
    "quantity": WireQuantity,
}


def wire_name(name: str) -> str:
    """A contract's name as clients and servers take one: letters, digits, ``_`` and ``-``, at most 64."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "record"


def wire_model(name: str, fields: Sequence[Field]) -> type[BaseModel]:
    """A closed model with every member required, so that clients derive a strict schema from it.

    A field whose name cannot be an attribute has it as its alias, and ``field_`` with its number as its attribute.
    """
    members: dict[str, Any] = {}
    for number, field in enumerate(fields):
        alias = None if _attribute(field.name) else field.name
        described = PydanticField(description=field.description or None, alias=alias)
        members[f"field_{number}" if alias else field.name] = (
            _member(f"{name}_{number}_{field.name}", field),
            described,
        )
    return create_model(wire_name(name), __base__=_Wire, **members)


def _attribute(name: str) -> bool:
    reserved = name.startswith(("_", "model_", "field_")) or keyword.iskeyword(name) or hasattr(_Wire, name)
    return name.isidentifier() and not reserved


def _member(name: str, field: Field) -> type[BaseModel]:
    if field.type == "object":
        return wire_model(name, field.fields)
    flags: dict[str, Any] = {"answer_found": (bool, ...), "complete_answer_found": (bool, ...)}
    if field.items is not None:
        items: Any = list[_member(f"{name}_item", field.items)]  # type: ignore[misc] # made at run time
        return create_model(wire_name(name), __base__=_Wire, items=(items, ...), **flags)
    value: Any = Literal[field.enum] if field.type == "enum" else _TYPES.get(field.type, str)
    found: dict[str, Any] = {"value": (value | None, ...), "evidence": (list[WireEvidence], ...)}
    return create_model(wire_name(name), __base__=_Wire, **found, **flags)


def model_instance(model: type[M], fields: Sequence[Field], validated: Validated) -> M:
    """The declaring model, with accepted values and their evidence; what was dropped has no value."""
    record = validated.report.record if isinstance(validated.report.record, Mapping) else {}
    return model.model_validate({f.name: _filled(f, record.get(f.name), validated, f.name) for f in fields})


def _filled(field: Field, output: Any, validated: Validated, path: str) -> Any:
    if field.type == "object":
        output = output if isinstance(output, Mapping) else {}
        return {f.name: _filled(f, output.get(f.name), validated, f"{path}.{f.name}") for f in field.fields}
    if path in validated.dropped or not isinstance(output, Mapping):
        empty: dict[str, Any] = {"value": None, "evidence": [], "answer_found": False, "complete_answer_found": False}
        return [] if field.items else empty
    if field.items is not None:
        return [
            _filled(field.items, item, validated, f"{path}[{at}]")
            for at, item in enumerate(output["items"])
            if f"{path}[{at}]" not in validated.dropped
        ]
    evidence = output.get("evidence") or []
    value = output["value"]
    # Binary floats would gain digits on their way to a decimal.
    value = Decimal(repr(value)) if isinstance(value, float) else value
    return {**output, "value": value, "evidence": evidence if isinstance(evidence, list) else [evidence]}
