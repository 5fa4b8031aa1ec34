"""Finds the quantities of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from halt_rag.text.quantities.bounds import bound_of
from halt_rag.text.quantities.classify import Draft, classified, measure
from halt_rag.text.quantities.dates import dates_and_times, day_quantity
from halt_rag.text.quantities.language import is_english, is_surely_english
from halt_rag.text.quantities.masks import masked
from halt_rag.text.quantities.model import Quantity, Reading
from halt_rag.text.quantities.numerals import Marks, Numeral, digit_numerals, marks_of, plain_digits
from halt_rag.text.quantities.units import unit_named
from halt_rag.text.quantities.words import word_numerals
from halt_rag.text.spans import Span

_STERLING = re.compile(r"£|\bGBP\b|\bsterling\b", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\s*\(\s*")
_CLOSING = re.compile(r"\s*\)")
_DASH = re.compile(r"\s?[-–—~〜]\s?")
_TO = re.compile(r"\s(?:to|bis|à|au|hasta|through)\s|\s(?:a|al)\s")
_AND = re.compile(r"\s(?:and|und|et|y)\s")
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre)\s+(?:[$€£¥]|US\$)?$", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|von|vom|de|du|desde|del)\s+(?:[$€£¥]|US\$)?$", re.IGNORECASE)
_JOIN = re.compile(r"\s?,?\s?(?:and\s|und\s|et\s|y\s)?")
_COMPOUND = frozenset({"time", "months", "length", "mass"})


def find_quantities(text: str) -> list[Quantity]:
    """The quantities of a text, in order, without overlap; linear in its length.

    Read are digits of any script, number words in English, German, French and Spanish, scales, fractions, percent,
    percentage and basis points, money, units, dates, times, durations, versions and ranges. Section and list numbers,
    codes ("ISO 9001", "A4", "COVID-19"), phone numbers and addresses are no quantities.

    A mark that may divide thousands or decimals ("1.250") is read as the text's other numerals show; where they show
    nothing, the quantity has both readings.

    Example:
        >>> [(q.kind, str(q.value)) for q in find_quantities("About 1.2 million people, 3/4 of them in 5 km.")]
        [('number', '1200000.0'), ('number', '0.75'), ('measure', '5000')]
    """
    hidden = masked(plain_digits(text))
    dated = dates_and_times(hidden)
    rest = _without(hidden, dated)
    sterling = _STERLING.search(text) is not None
    drafts: list[Draft] = []
    reach = -1
    for numeral in _numerals(rest):
        if numeral.start < reach:
            continue
        draft = classified(rest, numeral, reach, sterling=sterling)
        if draft is not None:
            drafts.append(draft)
            reach = draft.quantity.span.end
    every = sorted([*drafts, *map(Draft, dated)], key=lambda draft: draft.quantity.span)
    joined = _ranges(hidden, _compounds(hidden, every))
    return [
        replace(one, bound=bound_of(hidden, one.span.start, one.span.end, dated=one.dimension in ("date", "clock")))
        for one in joined
    ]


def _without(text: str, quantities: Iterable[Quantity]) -> str:
    pieces: list[str] = []
    place = 0
    for quantity in quantities:
        pieces += text[place : quantity.span.start], "\0" * len(quantity.span)
        place = quantity.span.end
    return "".join([*pieces, text[place:]])


def _numerals(text: str) -> list[Numeral]:
    """Numbers in digits and in words; "thirty (30)" is one of them."""
    english = is_english(text)
    marks = marks_of(text)
    if marks.point is marks.comma and is_surely_english(text):  # "1,250" is 1250 there, and "1.250" is 1.25.
        marks = Marks(point=True, comma=False)
    digits = digit_numerals(text, marks, blanks=not english or marks.comma)
    found = sorted(digits + word_numerals(text, english=english), key=lambda numeral: numeral.start)
    result: list[Numeral] = []
    for numeral in found:
        last = result[-1] if result else None
        if last and last.words and not numeral.words and not last.ordinal:
            close = _CLOSING.match(text, numeral.end)
            values = {reading.value for reading in numeral.readings}
            if close and _IN_BRACKETS.fullmatch(text[last.end : numeral.start]) and last.readings[0].value in values:
                result[-1] = replace(last, end=close.end())
                continue
        result.append(numeral)
    return result


def _compounds(text: str, drafts: list[Draft]) -> list[Draft]:
    """``1 h 30 min`` and ``2 years and 6 months`` as one."""
    result: list[Draft] = []
    for draft in drafts:
        last = result[-1].quantity if result else None
        now = draft.quantity
        if last and _continues(text, last, now):
            total = Reading(last.normals[0].value + now.normals[0].value, now.normals[0].step)
            number = total.times(1 / _unit_size(last))
            joined = replace(last, span=Span(last.span.start, now.span.end), numbers=(number,), normals=(total,))
            result[-1] = Draft(joined)
        else:
            result.append(draft)
    return result


def _continues(text: str, last: Quantity, now: Quantity) -> bool:
    return (
        last.dimension in _COMPOUND
        and last.dimension == now.dimension
        and now.span.start - last.span.end < 8
        and len(last.normals) == len(now.normals) == 1
        and _unit_size(last) > _unit_size(now)
        and last.normals[0].value % _unit_size(last) == 0
        and now.normals[0].value < _unit_size(last)
        and _JOIN.fullmatch(text[last.span.end : now.span.start]) is not None
    )


def _unit_size(quantity: Quantity) -> Decimal:
    unit = unit_named(quantity.unit)
    return unit.factors[0] if unit else Decimal(1)


def _ranges(text: str, drafts: list[Draft]) -> list[Quantity]:
    result: list[Quantity] = []
    at = 0
    while at < len(drafts):
        pair = _ends(text, drafts[at], drafts[at + 1]) if at + 1 < len(drafts) else None
        if pair is None:
            result.append(drafts[at].quantity)
            at += 1
            continue
        low, high, whole = pair
        if whole:
            span = Span(low.span.start, high.span.end)
            result.append(Quantity(span, "range", dimension=high.dimension, unit=high.unit, ends=(low, high)))
        else:
            result += low, high
        at += 2
    return result


def _ends(text: str, left: Draft, right: Draft) -> tuple[Quantity, Quantity, bool] | None:
    """The two ends of a range, the unit that one of them leaves out filled in, and whether they are one."""
    one, two = left.quantity, right.quantity
    gap = text[one.span.end : two.span.start]
    if len(gap) > 9 or "version" in (one.kind, two.kind):
        return None
    before = text[max(0, one.span.start - 14) : one.span.start]
    if _DASH.fullmatch(gap):
        whole = True
    elif _TO.fullmatch(gap):
        whole = one.dimension == "date" or _FROM.search(before) is None
    elif _AND.fullmatch(gap) and _BETWEEN.search(before):
        whole = True
    else:
        return None
    filled = _filled(text, left, right)
    return (*filled, whole) if filled else None


def _filled(text: str, left: Draft, right: Draft) -> tuple[Quantity, Quantity] | None:
    one, two = left.quantity, right.quantity
    if one.dimension == two.dimension == "date":
        return one, two
    if one.dimension == "date" and _is_short_year(one, two, text):
        year = next(iter(one.days))[0]
        return one, day_quantity(
            two.span.start, two.span.end, frozenset({(year - year % 100 + int(two.numbers[0].value), 0, 0)})
        )
    if one.dimension == "count" and two.dimension == "date":
        year = int(one.numbers[0].value)
        if len(one.span) == 4 and 1000 <= year < 2200:
            return day_quantity(one.span.start, one.span.end, frozenset({(year, 0, 0)})), two
        return None
    if one.dimension == "clock" and two.dimension == "clock":
        return one, two
    if one.dimension == "count" and two.dimension not in ("count", "date", "clock", "ordinal"):
        return _like(one, two, right.scale if not left.scale else 0), two
    if one.dimension == "money" and two.dimension == "count":
        scaled = _scaled(one, right.scale if not left.scale else 0)
        return scaled, replace(two, kind="money", dimension="money", unit=one.unit, currencies=one.currencies)
    if one.dimension == two.dimension:
        return _scaled(one, right.scale if not left.scale else 0), two
    return None


def _is_short_year(one: Quantity, two: Quantity, text: str) -> bool:
    days = list(one.days)
    return (
        two.dimension == "count"
        and len(days) == 1
        and days[0][1:] == (0, 0)
        and len(two.span) == 2
        and two.span.of(text).isdigit()
        and int(two.numbers[0].value) > days[0][0] % 100
    )


def _like(one: Quantity, two: Quantity, scale: int) -> Quantity:
    """A bare number with the unit of the number that ends its range."""
    numbers = _scaled(one, scale).numbers
    normals = numbers
    unit = unit_named(two.unit) if two.kind in ("measure", "duration") else None
    if unit:
        return measure(one.span.start, one.span.end, numbers, unit)
    if two.dimension in ("share", "points") and two.numbers and two.numbers[0].value:
        factor = two.normals[0].value / two.numbers[0].value
        normals = tuple(reading.times(factor) for reading in numbers)
    return replace(two, span=one.span, numbers=numbers, normals=normals)


def _scaled(one: Quantity, scale: int) -> Quantity:
    """``3`` of "3 to 5 million" may be three million."""
    if not scale:
        return one
    numbers = one.numbers + tuple(reading.times(Decimal(10) ** scale) for reading in one.numbers)
    return replace(one, numbers=numbers, normals=numbers if one.dimension in ("count", "money") else one.normals)
