"""The fields of a contract, and how they are declared in plain JSON or YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from halt_rag.contracts.evidence.markup import MARKUP
from halt_rag.contracts.evidence.quote import QuotePolicy
from halt_rag.contracts.evidence.values import CHECKS, ValueRules
from halt_rag.errors import ConfigurationError, UnknownNameError
from halt_rag.text.folds import FOLDS, TYPOGRAPHIC

TYPES = (*CHECKS, "list", "object")
"""The types that a field can have; ``list[TYPE]`` is short for a list with items of that type."""

_LIST = re.compile(r"list\[(.+)\]")
_ALL_FOLDS = (*(name for names in MARKUP.values() for name in names), *FOLDS)
_KEYS = {
    "name", "type", "description", "nullable", "derived", "enum", "items", "fields", "presence_probe", "match", "folds",
    "allow_ellipsis", "allow_range", "min_quote_chars", "locale",
}  # fmt: skip


_PLAIN = (
    "description", "nullable", "derived", "presence_probe", "allow_ellipsis", "allow_range", "min_quote_chars",
    "locale",
)  # fmt: skip


@dataclass(frozen=True)
class Field:
    """One field of a contract.

    Attributes:
        name: Its key in the record.
        type: One of :data:`TYPES`.
        description: What to look for, for the prompt.
        nullable: Whether the answer may be absent; if not, a null value is ``NULL_NOT_ALLOWED``.
        derived: Whether the value is inferred and has no verbatim span by nature. Such a field is never ``valid``.
        enum: The members, for type ``enum``.
        items: What a list holds, for type ``list``; its name is not used.
        fields: The members of an ``object``.
        presence_probe: A regular expression (RE2 syntax) that hits where the source has such a value: hits refute a
            claimed absence, and more hits than items refute a claimed completeness.
        folds: The folds allowed for quotes and string values; None means all that the content type allows, an empty
            tuple means verbatim only.
        allow_ellipsis: Whether the parts around an ellipsis in a quote are checked one by one.
        allow_range: Whether one end of a range may stand for the value.
        min_quote_chars: Shorter quotes are noted as ``QUOTE_TOO_SHORT``.
        locale: How numbers and dates are written, such as ``de-DE``; None reads only what no locale reads otherwise.
    """

    name: str
    type: str = "string"
    description: str = ""
    nullable: bool = False
    derived: bool = False
    enum: tuple[str, ...] = ()
    items: Field | None = None
    fields: tuple[Field, ...] = ()
    presence_probe: str | None = None
    folds: tuple[str, ...] | None = None
    allow_ellipsis: bool = False
    allow_range: bool = True
    min_quote_chars: int = 2
    locale: str | None = None

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise UnknownNameError("field type", self.type, TYPES)
        for name in self.folds or ():
            if name not in _ALL_FOLDS:
                raise UnknownNameError("fold", name, _ALL_FOLDS)
        wants = {"enum": self.enum, "list": self.items, "object": self.fields}
        if self.type in wants and not wants[self.type]:
            part = {"list": "items", "object": "fields"}.get(self.type, "enum")
            raise ConfigurationError(f"Field {self.name!r} of type {self.type} needs {part!r}.")
        names = [member.name for member in self.fields]
        if len(set(names)) != len(names):
            raise ConfigurationError(f"Field {self.name!r} names a member twice: {', '.join(names)}.")

    @cached_property
    def policy(self) -> QuotePolicy:
        """How far quotes of this field may differ from the source."""
        return QuotePolicy(self.folds, self.allow_ellipsis, self.min_quote_chars)

    @cached_property
    def rules(self) -> ValueRules:
        """How its value is compared with a quote from plain text."""
        folds = TYPOGRAPHIC if self.folds is None else self.folds
        return ValueRules(self.type, self.locale, self.enum, self.allow_range, folds)

    def walk(self) -> Iterator[Field]:
        """This field and all below it."""
        yield self
        for child in (*self.fields, *((self.items,) if self.items else ())):
            yield from child.walk()


def parse_field(declared: object, *, locale: str | None = None) -> Field:
    """Reads one field from its JSON form.

    Args:
        declared: ``{"name": ..., "type": ..., ...}`` with the attributes of :class:`Field`; ``match: "exact"`` is
            short for no folds.
        locale: The contract's locale, for fields without their own.

    Raises:
        ConfigurationError: If a key is unknown or a value is of the wrong kind.
    """
    if not isinstance(declared, Mapping):
        raise ConfigurationError(f"A field is declared by an object, not by {declared!r}.")
    unknown = sorted(set(declared) - _KEYS)
    if unknown:
        raise UnknownNameError("field setting", str(unknown[0]), _KEYS)
    settings: dict[str, Any] = {"locale": locale, **declared}
    name, kind = settings.get("name"), settings.get("type", "string")
    if not isinstance(name, str) or not name or not isinstance(kind, str):
        raise ConfigurationError(f"A field needs a name and a type, both strings, not {dict(declared)!r}.")
    settings |= _nested(name, kind, settings)
    if settings.pop("match", "normalized") == "exact":
        settings["folds"] = ()
    _check_kinds(name, settings)
    for key in ("enum", "folds"):
        if settings.get(key) is not None:
            settings[key] = tuple(settings[key])
    return Field(**settings)


def _nested(name: str, kind: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with nested fields read; what a list says about quotes holds for its items."""
    locale = settings["locale"]
    short = _LIST.fullmatch(kind)
    if short:
        shared = ("enum", "match", "folds", "allow_ellipsis", "allow_range", "min_quote_chars", "derived", "fields")
        given = {key: settings[key] for key in shared if key in settings}
        item = parse_field({"name": name, "type": short[1], **given}, locale=locale)
        return {"type": "list", "items": item, "enum": (), "fields": ()}
    nested: dict[str, Any] = {}
    if settings.get("items") is not None:
        nested["items"] = parse_field({"name": name, **settings["items"]}, locale=locale)
    if settings.get("fields") is not None:
        nested["fields"] = tuple(parse_field(member, locale=locale) for member in settings["fields"])
    return nested


def _check_kinds(name: str, settings: dict[str, Any]) -> None:
    for key in ("nullable", "derived", "allow_ellipsis", "allow_range"):
        if not isinstance(settings.get(key, False), bool):
            raise ConfigurationError(f"{key!r} of field {name!r} is true or false, not {settings[key]!r}.")
    for key in ("enum", "folds"):
        value = settings.get(key)
        if value is not None and not (isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)):
            raise ConfigurationError(f"{key!r} of field {name!r} is a list of strings, not {value!r}.")
    for key in ("description", "presence_probe", "locale"):
        if not isinstance(settings.get(key), str | None):
            raise ConfigurationError(f"{key!r} of field {name!r} is a string, not {settings[key]!r}.")
    least = settings.get("min_quote_chars", 2)
    if isinstance(least, bool) or not isinstance(least, int) or least < 0:
        raise ConfigurationError(f"'min_quote_chars' of field {name!r} is a number from 0 on, not {least!r}.")


def to_json(declared: Field) -> dict[str, Any]:
    """The JSON form of a field; defaults are left out."""
    plain: dict[str, Any] = {"name": declared.name, "type": declared.type}
    plain |= {key: getattr(declared, key) for key in _PLAIN if getattr(declared, key) != getattr(Field, key)}
    if declared.enum:
        plain["enum"] = list(declared.enum)
    if declared.folds is not None:
        plain["folds"] = list(declared.folds)
    if declared.items:
        plain["items"] = to_json(declared.items)
    if declared.fields:
        plain["fields"] = [to_json(member) for member in declared.fields]
    return plain
