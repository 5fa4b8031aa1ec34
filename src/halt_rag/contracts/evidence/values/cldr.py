"""How a locale writes numbers, dates, currencies and units, from the Unicode CLDR through Babel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from halt_rag.errors import ConfigurationError, MissingExtraError

if TYPE_CHECKING:
    from babel import Locale

_LETTERS = re.compile(r"[^\W\d_]+\.?")


@dataclass(frozen=True)
class LocaleFacts:
    """What is read from a locale.

    Attributes:
        decimal: The decimal mark.
        group: The grouping mark; any blank if the locale groups by blanks.
        months: Month number by lower-case name or abbreviation.
        date_order: The order of a numeric date: ``dmy``, ``mdy`` or ``ymd``.
        percent: Lower-case words for percent.
        durations: ISO 8601 designator (``Y M W D h m s``) by lower-case unit name.
        currencies: Currency codes by symbol or lower-case name.
    """

    tag: str
    decimal: str
    group: str
    months: dict[str, int]
    date_order: str
    percent: frozenset[str]
    durations: dict[str, str]
    currencies: dict[str, frozenset[str]]

    def parse(self, text: str) -> Decimal | None:
        """The number that an unsigned numeral with ASCII digits means in this locale, or None."""
        numbers = _babel("babel.numbers")
        if self.group == "'" and "'" in text:
            # Babel reads what it formats itself, where two apostrophes enclose a literal and vanish.
            grouped = re.fullmatch(rf"\d{{1,3}}(?:'\d{{3}})+(?:{re.escape(self.decimal)}\d+)?", text, re.ASCII)
            return Decimal(text.replace("'", "").replace(self.decimal, ".")) if grouped else None
        try:
            value: Decimal = numbers.parse_decimal(text, locale=_locale(self.tag), strict=True)
        except numbers.NumberFormatError:
            return None
        return value


@lru_cache
def facts(tag: str) -> LocaleFacts:
    """The facts of a locale.

    Raises:
        MissingExtraError: If Babel is not installed.
        ConfigurationError: If there is no such locale.
    """
    locale = _locale(tag)
    symbols = locale.number_symbols["latn"]
    return LocaleFacts(
        tag,
        str(symbols["decimal"]),
        str(symbols["group"]),
        _months(locale),
        _date_order(locale),
        frozenset(_unit_words(locale, "concentr-percent")),
        _durations(locale),
        _currencies(locale),
    )


def _babel(name: str) -> Any:
    import importlib

    try:
        module: ModuleType = importlib.import_module(name)
    except ImportError:
        raise MissingExtraError("babel", "contracts") from None
    return module


@lru_cache
def _locale(tag: str) -> Locale:
    core = _babel("babel.core")
    try:
        found: Locale = core.Locale.parse(tag.replace("_", "-"), sep="-")
    except (core.UnknownLocaleError, ValueError) as error:
        raise ConfigurationError(
            f"{tag!r} is no known locale: {error}", hint="Give a BCP 47 tag such as de-DE."
        ) from None
    return found


def _months(locale: Locale) -> dict[str, int]:
    names: dict[str, int] = {}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in locale.months[context][width].items():
                if any(char.isalpha() for char in name):
                    names.setdefault(name.lower().rstrip("."), number)
    return names


def _date_order(locale: Locale) -> str:
    letters = re.sub(r"[^dmy]", "", str(locale.date_formats["short"].pattern).lower())
    return "".join(dict.fromkeys(letters))


def _unit_words(locale: Locale, unit: str) -> set[str]:
    format_unit = _babel("babel.units").format_unit
    words = set()
    for length in ("long", "short", "narrow"):
        for number in (0, 1, 2, 3, 5, 11, 1.5):
            found = _LETTERS.findall(format_unit(number, unit, length=length, locale=locale))
            if len(found) == 1:
                words.add(found[0].lower().rstrip("."))
    return words


def _durations(locale: Locale) -> dict[str, str]:
    units = {"year": "Y", "month": "M", "week": "W", "day": "D", "hour": "h", "minute": "m", "second": "s"}
    return {word: letter for unit, letter in units.items() for word in _unit_words(locale, f"duration-{unit}")}


def _currencies(locale: Locale) -> dict[str, frozenset[str]]:
    get_name = _babel("babel.numbers").get_currency_name
    found: dict[str, set[str]] = {}
    for code, symbol in locale.currency_symbols.items():
        found.setdefault(str(symbol).rstrip("."), set()).add(str(code))
    for code in locale.currencies:
        for count in (None, 1, 2, 5):
            found.setdefault(str(get_name(code, count, locale)).lower(), set()).add(str(code))
    return {name: frozenset(codes) for name, codes in found.items()}
