"""Amounts with a currency and quantities with a unit."""

from __future__ import annotations

import importlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from halt_rag.contracts.evidence.values.currencies import Mention, mentions
from halt_rag.contracts.evidence.values.numbers import decimal_text, one
from halt_rag.contracts.evidence.values.numerals import Numeral, numerals
from halt_rag.contracts.evidence.values.verdict import ValueRules, Verdict, best
from halt_rag.contracts.strict_json import shown
from halt_rag.errors import MissingExtraError

_CODE = re.compile("[A-Z]{3}")
_NEAR = re.compile(r"[\s(]*[-−+]?[\s(]*")
_MARKS = "°µμ%‰′″/·"
_UNIT_ENDS = r"(?!\w|\s?[/·⋅]\s?[^\W\d_])"  # The unit of "5 mg/kg" is not "mg".
_UNIT = re.compile(
    rf"[\s-]?\s?((?:[^\W\d_]|[{_MARKS}]){{1,24}}[²³23]?(?!\w))(?: ((?:[^\W\d_]|/){{1,24}}[²³23]?(?!\w)))?"
)
# What reaches the expression parser of pint: words, products and quotients, no numbers.
_READABLE = re.compile(rf"(?:[^\W\d_]|[{_MARKS} ²³⁻¹*-]){{1,48}}[23]?")
_WIDEST_GAP = 4
_COMMON = frozenset({"a", "an", "and", "are", "as", "at", "by", "for", "in", "is", "of", "on", "or", "per", "to", "us"})


def _parts(value: object, unit: str) -> tuple[Decimal, str] | None:
    if not isinstance(value, Mapping) or not isinstance(value.get(unit), str) or not value[unit].strip():
        return None
    number = decimal_text(value.get("amount"))
    return None if number is None else (number, value[unit])


def check_amount(value: object, quote: str, rules: ValueRules) -> Verdict:
    """An amount ``{amount, currency}``; the currency is an ISO 4217 code."""
    parts = _parts(value, "currency")
    if parts is None or not _CODE.fullmatch(parts[1]):
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no amount with a currency code")
    number, currency = parts
    found, marks = numerals(quote, rules.locale), mentions(quote, rules.locale)
    near = [_adjacent(quote, numeral, marks) for numeral in found]
    taken = {at for some in near for at in some}
    loose = {mark[2] for at, mark in enumerate(marks) if at not in taken}
    verdicts = []
    for numeral, some in zip(found, near, strict=True):
        verdict = one(number, numeral, rules)
        if verdict.code not in ("VALUE_NOT_IN_QUOTE", "VALUE_AMBIGUOUS"):
            # Explicit codes say more than symbols; a currency named once, apart, holds for unmarked numbers.
            explicit = [marks[at][2] for at in some if _CODE.fullmatch(quote[marks[at][0] : marks[at][1]])]
            stated = explicit or [marks[at][2] for at in some] or list(loose)
            verdict = _currency(verdict, currency, stated)
        verdicts.append(verdict)
    return best(verdicts)


def _currency(verdict: Verdict, currency: str, stated: list[frozenset[str]]) -> Verdict:
    if any(codes == {currency} for codes in stated) and all(currency in codes for codes in stated):
        return verdict
    if stated and all(currency in codes for codes in stated):
        return Verdict("VALUE_AMBIGUOUS", "the currency mark stands for several currencies; name a locale")
    return Verdict("CURRENCY_NOT_IN_QUOTE", f"currency {currency}")


def _adjacent(text: str, numeral: Numeral, marks: list[Mention]) -> list[int]:
    """Positions of the currency marks that touch a numeral, blanks, signs and an opening bracket between."""
    near = []
    at = bisect_right(marks, numeral.start, key=lambda mark: mark[1]) - 1
    if at >= 0 and _touches(text, marks[at][1], numeral.start):
        near.append(at)
    for end in {numeral.end, numeral.partner_end}:
        at = bisect_left(marks, end, key=lambda mark: mark[0])
        if at < len(marks) and _touches(text, end, marks[at][0]) and not _opens_another(text, end, marks[at]):
            near.append(at)
    return near


def _opens_another(text: str, end: int, mark: Mention) -> bool:
    """Whether a currency in brackets is the next amount's: ``EUR 5 (USD 5.40)``, not ``500 (EUR)``."""
    return "(" in text[end : mark[0]] and not text[mark[1] : mark[1] + 2].lstrip().startswith(")")


def _touches(text: str, start: int, end: int) -> bool:
    return end - start <= _WIDEST_GAP and _NEAR.fullmatch(text[start:end]) is not None


def check_quantity(value: object, quote: str, rules: ValueRules) -> Verdict:
    """A quantity ``{amount, unit}``, in the quote's own unit or exactly converted from it."""
    parts = _parts(value, "unit")
    if parts is None:
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no quantity with a unit")
    number, unit = parts
    return best(_quantity(number, unit.strip(), quote, numeral, rules) for numeral in numerals(quote, rules.locale))


def _quantity(number: Decimal, unit: str, quote: str, numeral: Numeral, rules: ValueRules) -> Verdict:
    verdict = one(number, numeral, rules)
    units = [found for end in {numeral.end, numeral.partner_end} for found in _units(quote, end, unit)]
    if verdict.code != "VALUE_NOT_IN_QUOTE" and (unit in units or any(_same_unit(unit, found) for found in units)):
        return verdict
    for found in units:
        for reading in numeral.values if len(numeral.values) == 1 else ():
            if converted(reading, found, unit) == number:
                return one(reading, numeral, rules)
    return Verdict("UNIT_NOT_IN_QUOTE", f"unit {unit}") if not verdict.code else verdict


def _units(text: str, end: int, wanted: str) -> list[str]:
    """What may be the unit after a numeral: the wanted one if it stands there, one word, two words."""
    exact = re.compile(rf"[\s-]?\s?{re.escape(wanted)}{_UNIT_ENDS}").match(text, end)
    match = _UNIT.match(text, end)
    if match is None:
        return [wanted] if exact else []
    words = [match[1]] + ([f"{match[1]} {match[2]}"] if match[2] else [])
    return [wanted, *words] if exact else words


def _same_unit(left: str, right: str) -> bool:
    return right not in _COMMON and converted(Decimal(1), right, left) == 1


@lru_cache(maxsize=1)
def _registry() -> Any:
    try:
        pint: Any = importlib.import_module("pint")
    except ImportError:
        raise MissingExtraError("pint", "contracts") from None
    return pint.UnitRegistry(non_int_type=Decimal)


def converted(number: Decimal, unit: str, to: str) -> Decimal | None:
    """A quantity in another unit, or None if either is unknown or they measure different things.

    Raises:
        MissingExtraError: If pint is not installed.
    """
    if unit in _COMMON or not (_READABLE.fullmatch(unit) and _READABLE.fullmatch(to)):
        return None
    registry = _registry()
    try:
        result: Decimal = registry.Quantity(number, registry.parse_units(unit)).to(to).magnitude
    except _unit_errors():
        return None
    return result


@lru_cache(maxsize=1)
def _unit_errors() -> tuple[type[Exception], ...]:
    """What pint raises for words that are no units, and for units that do not convert."""
    errors: Any = importlib.import_module("pint.errors")
    # A word such as "/x" breaks pint's expression parser rather than its table of units.
    # Converting an amount of hundreds of digits ends in an arithmetic error.
    return (errors.PintError, ArithmeticError, AttributeError, ValueError, TypeError, AssertionError, SyntaxError)
