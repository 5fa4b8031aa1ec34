"""Integers, numbers, percentages and ratios."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from halt_rag.contracts.evidence.values.cldr import facts
from halt_rag.contracts.evidence.values.numerals import Numeral, numerals
from halt_rag.contracts.evidence.values.verdict import ValueRules, Verdict, best, endpoint
from halt_rag.contracts.strict_json import shown

_PERCENT = re.compile(r"\s*(?:[%％٪﹪]|-?(?:percent|per\s+cent|pct|percentage\s+points?)\b)", re.IGNORECASE)
_PERCENT_BEFORE = re.compile(r"[%％٪]\s?[-−]?$")
_RATIO = re.compile(r"\s*(?:[:/]|out of|of|in|to|per)\s*", re.IGNORECASE)
_FRACTION = re.compile(r"(?<![\d.,])(\d{1,12}+)\s*+[:/]\s*+(\d{1,12}+)(?![\d.,]*\d)")
_WIDEST_RATIO = 12
_MOST_BITS = 1024  # As many as the range of a binary float: no document states more.


def decimal(value: object) -> Decimal | None:
    """A finite number as a decimal with the digits that were sent, or None; booleans and strings are no numbers.

    An integer beyond the range of a binary float is none either.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return number if number.is_finite() else None


def decimal_text(value: object) -> Decimal | None:
    """Like :func:`decimal`, and reads a plain decimal numeral in a string, as amounts are sent."""
    if isinstance(value, str):
        return Decimal(value) if re.fullmatch(r"-?\d{1,40}(?:\.\d{1,40})?", value, re.ASCII) else None
    return decimal(value)


def compare(value: Decimal, found: Iterable[Numeral], rules: ValueRules) -> Verdict:
    """Whether one of the numerals is the value, and only that."""
    return best(one(value, numeral, rules) for numeral in found)


def one(value: Decimal, numeral: Numeral, rules: ValueRules) -> Verdict:
    """Whether a numeral is the value, and only that."""
    if value not in numeral.values:
        if numeral.bracketed and value.copy_negate() in numeral.values:
            return Verdict("VALUE_AMBIGUOUS", "the brackets may stand for a minus sign or for nothing")
        return Verdict("VALUE_NOT_IN_QUOTE")
    if len(numeral.values) > 1:
        others = ", ".join(str(other) for other in sorted(numeral.values))
        return Verdict("VALUE_AMBIGUOUS", f"it reads as {others}; name a locale")
    if not numeral.in_range:
        return Verdict()
    return endpoint(rules)


def check_number(value: object, quote: str, rules: ValueRules) -> Verdict:
    """A number, with a fraction or not, in any unit."""
    number = decimal(value)
    if number is None or (rules.type == "integer" and number != number.to_integral_value()):
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no {rules.type}")
    found = [numeral for numeral in numerals(quote, rules.locale) if not numeral.glued]
    return compare(number, found, rules)


def check_percent(value: object, quote: str, rules: ValueRules) -> Verdict:
    """A percentage as written: 40 for ``40%``."""
    number = decimal(value)
    if number is None:
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no number")
    found = numerals(quote, rules.locale)
    verdict = compare(number, (numeral for numeral in found if _is_percent(quote, numeral, rules.locale)), rules)
    if verdict.code == "VALUE_NOT_IN_QUOTE" and not compare(number, found, rules).code:
        return Verdict("UNIT_NOT_IN_QUOTE", "the number is no percentage there")
    return verdict


def _is_percent(text: str, numeral: Numeral, locale: str | None) -> bool:
    ends = (numeral.end, numeral.partner_end)
    if _PERCENT_BEFORE.search(text[max(0, numeral.start - 3) : numeral.start]):
        return True
    if any(_PERCENT.match(text, end) for end in ends):
        return True
    words = facts(locale).percent if locale else frozenset()
    return any(text[end : end + 40].lstrip().lower().startswith(word) for end in ends for word in words)


def check_ratio(value: object, quote: str, rules: ValueRules) -> Verdict:
    """A ratio: 0.4 or ``"2:5"`` for ``40%``, ``2/5``, ``2:5``, ``2 out of 5`` or ``0.4``.

    A fraction without an exact decimal is met by its value rounded to three places or more.
    """
    wanted, places = _as_ratio(value)
    if wanted is None:
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no ratio")
    found = numerals(quote, rules.locale)
    verdicts = [
        Verdict()
        for ratio in _ratios(quote, found)
        if ratio == wanted or (places >= 3 and _rounds(ratio, wanted, places))
    ]
    plain = Decimal(wanted.numerator) / Decimal(wanted.denominator)
    return best(
        [
            *verdicts,
            *(one(plain * 100 if _is_percent(quote, each, rules.locale) else plain, each, rules) for each in found),
        ]
    )


def _as_ratio(value: object) -> tuple[Fraction | None, int]:
    if isinstance(value, str):
        match = _FRACTION.fullmatch(value.strip())
        return (Fraction(int(match[1]), int(match[2])), 0) if match and int(match[2]) else (None, 0)
    number = decimal(value)
    if number is None:
        return None, 0
    exponent = number.as_tuple().exponent
    return Fraction(number), max(0, -exponent) if isinstance(exponent, int) else 0


def _rounds(ratio: Fraction, wanted: Fraction, places: int) -> bool:
    nearest = Fraction(round(ratio * 10**places), 10**places)
    return nearest == wanted


def _ratios(text: str, found: list[Numeral]) -> Iterator[Fraction]:
    for match in _FRACTION.finditer(text):
        if int(match[2]):
            yield Fraction(int(match[1]), int(match[2]))
    for left, right in pairwise(found):
        between = text[left.end : right.start]
        if len(between) <= _WIDEST_RATIO and _RATIO.fullmatch(between):
            for above in left.values:
                for below in right.values:
                    if below:
                        yield Fraction(above) / Fraction(below)
