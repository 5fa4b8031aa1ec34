"""The types of a contract in the pydantic idiom: ``total: Grounded[Money]``."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict

from halt_rag.contracts.evidence.fields import Field
from halt_rag.errors import ConfigurationError

T = TypeVar("T")


@dataclass(frozen=True)
class Kind:
    """Marks a Python type with the contract type that it stands for."""

    type: str


Percent = Annotated[Decimal, Kind("percent")]
"""A percentage as written: 40 for ``40%``."""
Ratio = Annotated[Decimal, Kind("ratio")]
"""A ratio: 0.4 for ``40%``, ``2/5`` or ``0.4``."""
Version = Annotated[str, Kind("version")]
"""A version, part by part as written."""
Duration = Annotated[str, Kind("duration")]
"""An ISO 8601 duration. Not ``timedelta``: a month has no fixed length."""


class Money(BaseModel):
    """An amount with its ISO 4217 currency code."""

    model_config = ConfigDict(frozen=True)
    amount: Decimal
    currency: str


class Quantity(BaseModel):
    """An amount with its unit."""

    model_config = ConfigDict(frozen=True)
    amount: Decimal
    unit: str


class EvidenceSpan(BaseModel):
    """Where a value was read: lines from 1, both inclusive, and the words there."""

    model_config = ConfigDict(frozen=True)
    source: str | None = None
    line_start: int
    line_end: int
    quote: str


class Grounded(BaseModel, Generic[T]):
    """A value with its evidence and whether it was found, wholly or in part."""

    model_config = ConfigDict(frozen=True)
    value: T | None
    evidence: list[EvidenceSpan]
    answer_found: bool
    complete_answer_found: bool


@dataclass(frozen=True)
class Rules:
    """What a field of a model declares beyond its type, inside ``Annotated[Grounded[str], Rules(...)]``.

    The attributes are those of :class:`halt_rag.contracts.evidence.fields.Field`.
    """

    derived: bool = False
    presence_probe: str | None = None
    folds: tuple[str, ...] | None = None
    allow_ellipsis: bool = False
    allow_range: bool = True
    min_quote_chars: int = 2
    locale: str | None = None


_PLAIN: dict[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    Decimal: "number",
    bool: "boolean",
    datetime.date: "date",
    datetime.datetime: "datetime",
    Money: "amount",
    Quantity: "quantity",
}


def fields_of(model: type[BaseModel], *, locale: str | None = None) -> tuple[Field, ...]:
    """The fields of a pydantic model whose members are ``Grounded``, lists of them, or such models.

    Raises:
        ConfigurationError: If a member is something else.
    """
    return tuple(_members(model, locale))


def _members(model: type[BaseModel], locale: str | None) -> Iterator[Field]:
    for name, info in model.model_fields.items():
        rules = next((one for one in info.metadata if isinstance(one, Rules)), Rules(locale=locale))
        try:
            yield _field(name, info.annotation, rules, description=info.description or "", locale=locale)
        except ConfigurationError as error:
            raise ConfigurationError(f"{model.__name__}.{name}: {error}") from None


def _field(name: str, annotation: Any, rules: Rules, *, description: str, locale: str | None) -> Field:
    annotation, nullable = _without_none(annotation)
    if get_origin(annotation) is Annotated:
        annotation, *metadata = get_args(annotation)
        rules = next((one for one in metadata if isinstance(one, Rules)), rules)
    settings: dict[str, Any] = {"name": name, "description": description, "nullable": nullable}
    if get_origin(annotation) is list:
        each = replace(rules, presence_probe=None)
        items = _field(name, get_args(annotation)[0], each, description="", locale=locale)
        return Field(**settings, type="list", items=items, presence_probe=rules.presence_probe)
    if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        raise ConfigurationError(
            f"{annotation!r} is not Grounded[...].", hint="Write Grounded[T], list[...] or a model."
        )
    if not issubclass(annotation, Grounded):
        return Field(**settings, type="object", fields=fields_of(annotation, locale=locale))
    inner = annotation.__pydantic_generic_metadata__["args"]
    if not inner:
        raise ConfigurationError("Grounded needs the type of its value, such as Grounded[str].")
    kind, members = _kind(inner[0])
    declared = {key: getattr(rules, key) for key in Rules.__dataclass_fields__}
    return Field(**settings, type=kind, enum=members, **(declared | {"locale": rules.locale or locale}))


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) not in (Union, UnionType):
        return annotation, False
    options = [option for option in get_args(annotation) if option is not NoneType]
    if len(options) != 1:
        raise ConfigurationError(f"A field has one type, not one of {len(options)}.")
    return options[0], True


def _kind(inner: Any) -> tuple[str, tuple[str, ...]]:
    if get_origin(inner) is Annotated:
        base, *metadata = get_args(inner)
        marked = next((one.type for one in metadata if isinstance(one, Kind)), None)
        return (marked, ()) if marked else _kind(base)
    if get_origin(inner) is Literal and all(isinstance(member, str) for member in get_args(inner)):
        return "enum", get_args(inner)
    if isinstance(inner, type) and issubclass(inner, enum.Enum):
        return "enum", tuple(str(member.value) for member in inner)
    if inner not in _PLAIN:
        raise ConfigurationError(
            f"Grounded[{inner!r}] is no type of a contract.",
            hint=f"Use {', '.join(sorted(one.__name__ for one in _PLAIN))}, Percent, Ratio, Version, Duration, "
            "a Literal of strings or an Enum.",
        )
    return _PLAIN[inner], ()
