"""Dates and clock times in running text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from functools import cache

from halt_rag.text.quantities.model import Day, Quantity, Reading
from halt_rag.text.spans import Span

_MONTHS = {
    1: "january jan januar jänner janvier janv enero",
    2: "february feb februar février févr febrero",
    3: "march mar märz mär mars marzo",
    4: "april apr avril avr abril",
    5: "may mai mayo",
    6: "june jun juni juin junio",
    7: "july jul juli juillet juil julio",
    8: "august aug août agosto",
    9: "september sept sep septembre septiembre setiembre",
    10: "october oct oktober okt octobre octubre",
    11: "november nov novembre noviembre",
    12: "december dec dezember dez décembre déc diciembre dic",
}
_NUMERIC = re.compile(
    r"(?<![\w/.,-])(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?![\w/]|[-.]\d)|(?<![\w/.,-])(\d{4})([-/])(\d{1,2})(?![\w/-])"
)
_GERMAN_DAY = re.compile(r"(?<![\w.,])(\d{1,2})\.(\d{1,2})\.(?=\s(?!\d))")
_COMPACT = re.compile(r"(?<![\w.-])((?:19|20)\d{2})(\d{2})(\d{2})(?=T\d{2}|(?![\w.-]))")
_CJK = re.compile(
    r"(\d{4})\s?[年년](?:\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日일号號])?)?|(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_DAY_BEFORE = re.compile(
    r"(?<![\d.,/])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]*(?:of\s+|de\s+|day of\s+)?$", re.IGNORECASE
)
_DAYS_BEFORE = re.compile(
    r"(?<![\d.,/])(\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:[-–]|and|to|und|bis|et|au|y|al)\s?$", re.IGNORECASE
)
_DAY_AFTER = re.compile(
    r"\.?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?:\s?(?:[-–]|and|to)\s?(\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?![\d:%])(?![.,]\d)",
    re.IGNORECASE,
)
_YEAR_AFTER = re.compile(r"\.?[\s,-]*(?:de\s+|del\s+|of\s+|in\s+)?(\d{4}|['’]\d{2})(?![\d%])(?![.,]\d)", re.IGNORECASE)
_YEAR_BEFORE = re.compile(r"(?<![\d.,])(\d{4})[\s,-]*$")
_IN_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|from|of|to|through|during|early|late|mid|last|next|this|between|and|before|after|im|"
    r"seit|bis|ab|anfang|mitte|ende|en|depuis|jusqu['’]en|fin|début|desde|hasta|de|a)[\s-]+$",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"\b(?:[QT]([1-4])|(first|second|third|fourth|1st|2nd|3rd|4th|ersten?|zweiten?|dritten?|vierten?|[1-4]\.|premier|"
    r"deuxième|troisième|quatrième|[1-4]e|primer|segundo|tercer|cuarto)\s+(?:quarter|quartals?|trimestre))\b"
    r"(?:[\s,/-]*(?:of\s+|de\s+|del\s+|in\s+|FY\s?)?((?:19|20)\d{2})\b)?",
    re.IGNORECASE,
)
_QUARTERS = {
    "first": 1, "1st": 1, "ersten": 1, "erste": 1, "1.": 1, "premier": 1, "1e": 1, "primer": 1, "second": 2, "2nd": 2,
    "zweiten": 2, "zweite": 2, "2.": 2, "deuxième": 2, "2e": 2, "segundo": 2, "third": 3, "3rd": 3, "dritten": 3,
    "dritte": 3, "3.": 3, "troisième": 3, "3e": 3, "tercer": 3, "fourth": 4, "4th": 4, "vierten": 4, "vierte": 4,
    "4.": 4, "quatrième": 4, "4e": 4, "cuarto": 4,
}  # fmt: skip
_DECADE = re.compile(
    r"(?<![\w.,'’])((?:1[0-9]|20)\d0)['’]?(?:s|er)\b|(?<!\w)['’](\d0)s\b|\bannées\s+((?:19|20)?\d0)\b", re.IGNORECASE
)
_CENTURY = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th|e|ème|\.)[\s-]+(?:century|jahrhunderts?|siècle)\b|\b([a-zéè]{5,11})[\s-]century\b"
    r"|\b(?:siglo\s+([IVX]{1,5})|([IVX]{1,5})e\s+siècle)\b",
    re.IGNORECASE,
)
_CENTURIES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI".split()
_ZONE = r"(?:\s?(Z|UTC|GMT|CET|CEST|EST|EDT|ET|PST|PDT|PT|MST|MDT|MEZ|MESZ|BST|IST|JST|\+\d{2}:?\d{2})(?![\w:]))?"
_CLOCK = re.compile(
    rf"(?<![\d:.,])([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{{1,9}})?)?(?![\d:])(?:\s?([ap])(?:m\b|\.\s?m\.))?{_ZONE}",
    re.IGNORECASE,
)
_HOUR = re.compile(rf"(?<![\w:.,/])(1[0-2]|0?[1-9])(?:\.([0-5]\d))?\s?([ap])(?:m\b|\.\s?m\.){_ZONE}", re.IGNORECASE)
_UHR = re.compile(rf"(?<![\w:.,/])([01]?\d|2[0-4])(?:[.:]([0-5]\d))?\s+Uhr(?:\s+([0-5]\d)\b)?{_ZONE}")
_H = re.compile(
    r"(?<![\w:.,/])([01]?\d|2[0-4])\s?h\s?([0-5]\d)(?!\s?(?:min|m\b)|\w)|\bà\s+([01]?\d|2[0-4])\s?(?:h\b|heures\b)"
)
_COMPACT_DURATION = re.compile(r"(?<![\w.,:])(\d{1,4})h ?([0-5]?\d)m(?:in)?(?: ?([0-5]?\d)s)?\b")
_NAMED = re.compile(r"\b(noon|midday|midnight|mitternacht|minuit|mediodía|medianoche)\b", re.IGNORECASE)
_NAMED_TIMES = {"noon": 720, "midday": 720, "mediodía": 720}
_MINUTE = Decimal(1)


@cache
def _months() -> dict[str, int]:
    return {name: number for number, names in _MONTHS.items() for name in names.split()}


def dates_and_times(text: str) -> list[Quantity]:
    """The dates and times of a text with plain digits, without overlap, in order; years alone are left to others."""
    finders: tuple[Callable[[str], Iterator[Quantity]], ...] = (_numeric, _named, _periods, _times)
    every = [quantity for finder in finders for quantity in finder(text)]
    kept: list[Quantity] = []
    for quantity in sorted(every, key=lambda one: (one.span.start, -one.span.end)):
        if not kept or quantity.span.start >= kept[-1].span.end:
            kept.append(quantity)
    return kept


def day_quantity(start: int, end: int, days: frozenset[Day], unit: str = "day") -> Quantity:
    """A date with the given readings."""
    return Quantity(Span(start, end), "date", dimension="date", unit=unit, days=days)


def _real(readings: list[Day]) -> frozenset[Day]:
    """Those readings that are dates in the calendar, as far as they go."""
    kept = set()
    for year, month, day in readings:
        try:
            date(year or 2000, month or 1, day or 1)
        except ValueError:
            continue
        kept.add((year, month, day))
    return frozenset(kept)


def _numeric(text: str) -> Iterator[Quantity]:
    for match in _NUMERIC.finditer(text):
        days = (
            _real([(int(match[5]), int(match[7]), 0)]) if match[5] else _ordered(match[1], match[2], match[3], match[4])
        )
        if match[5] and not 1000 <= int(match[5]) <= 2200:
            continue
        if days:
            yield day_quantity(match.start(), match.end(), days)
    for match in _GERMAN_DAY.finditer(text):
        days = _real([(0, int(match[2]), int(match[1]))])
        if days:
            yield day_quantity(match.start(), match.end(), days)
    for match in _COMPACT.finditer(text):
        days = _real([(int(match[1]), int(match[2]), int(match[3]))])
        if days and int(match[2]) and int(match[3]):
            yield day_quantity(match.start(), match.end(), days)
    for match in _CJK.finditer(text):
        year, month, day = int(match[1] or 0), int(match[2] or match[4] or 0), int(match[3] or match[5] or 0)
        days = _real([(year, month, day)])
        if days:
            yield day_quantity(match.start(), match.end(), days)


def _ordered(first: str, mark: str, second: str, third: str) -> frozenset[Day]:
    if len(first) == 4:
        return _real([(int(first), int(second), int(third))]) if len(third) <= 2 else frozenset()
    if len(first) > 2 or len(third) not in (2, 4):
        return frozenset()
    if len(third) == 2 and (len(first) < 2 or len(second) < 2) and mark != "/":
        return frozenset()  # 1.2.34 is a version.
    one, two = int(first), int(second)
    return _real(
        [(year, month, day) for year in _years(third) for month, day in ((two, one), (one, two)) if month and day]
    )


def _years(digits: str) -> list[int]:
    """Two digits name a year of either century."""
    digits = digits.strip("'’")
    return [int(digits)] if len(digits) == 4 else [1900 + int(digits), 2000 + int(digits)]


def _named(text: str) -> Iterator[Quantity]:
    """Dates with the month as a word: ``4 March 2026``, ``March 4``, ``March 2026``, ``in March``."""
    months = _months()
    for match in _WORD.finditer(text):
        month = months.get(match[0].lower())
        if month is None or not (match[0][0].isupper() or _lower_case_language(text, match)):
            continue
        start, end = match.span()
        before = _DAY_BEFORE.search(text[max(0, start - 16) : start])
        after = _DAY_AFTER.match(text, end) if not before else None
        year = _YEAR_AFTER.match(text, after.end() if after else end)
        earlier = None if year else _YEAR_BEFORE.search(text[max(0, start - 8) : start])
        day = int((before or after)[1]) if before or after else 0  # type: ignore[index] # one of them is there
        if not (day or year or earlier):
            if not match[0][0].isupper() or not _IN_MONTH.search(text[max(0, start - 12) : start]):
                continue
            if match[0].lower() in ("mar", "mai") and text[end : end + 1] != ".":
                continue
        days = _real(
            [(one, month, day) for one in (_years(year[1]) if year else [int(earlier[1])] if earlier else [0])]
        )
        if not days:
            continue
        first = before.start(1) - before.end() if before else earlier.start(1) - earlier.end() if earlier else 0
        stop = max(end, after.end(1) if after else 0, year.end() if year and not (after and after[2]) else 0)
        yield day_quantity(start + first, stop, days)
        if after and after[2] and _real([(0, month, int(after[2]))]):
            yield day_quantity(after.start(2), after.end(2), _real([(one, month, int(after[2])) for one, _, _ in days]))
        two = _DAYS_BEFORE.search(text[max(0, start + first - 12) : start + first]) if before else None
        if two and 1 <= int(two[1]) <= 31:
            at = start + first - two.end() + two.start(1)
            yield day_quantity(at, at + len(two[1]), _real([(one, month, int(two[1])) for one, _, _ in days]))


def _lower_case_language(text: str, match: re.Match[str]) -> bool:
    """Whether the month has a day or "de" beside it, as in French and Spanish, which write months small."""
    before = text[max(0, match.start() - 5) : match.start()]
    return bool(re.search(r"\d(?:er)?(?: de)? $", before)) or bool(
        re.match(r" (?:de(?:l)? )?\d{4}\b", text[match.end() : match.end() + 10])
    )


def _periods(text: str) -> Iterator[Quantity]:
    for match in _QUARTER.finditer(text):
        number = int(match[1]) if match[1] else _QUARTERS.get(match[2].lower(), 0)
        if match[1] and not match[3] and match[0][0] != "Q":
            continue
        if number:
            yield day_quantity(*match.span(), frozenset({(int(match[3] or 0), number, 0)}), "quarter")
    for match in _DECADE.finditer(text):
        digits = match[1] or match[2] or match[3]
        years = [int(digits)] if len(digits) == 4 else [1900 + int(digits)]
        yield day_quantity(*match.span(), frozenset((year, 0, 0) for year in years), "decade")
    for match in _CENTURY.finditer(text):
        number = _century(match)
        if 0 < number <= 21:
            yield day_quantity(*match.span(), frozenset({(number, 0, 0)}), "century")


def _century(match: re.Match[str]) -> int:
    if match[1]:
        return int(match[1])
    if match[2]:
        word = match[2].lower()
        return _CENTURIES.index(word) + 1 if word in _CENTURIES else 0
    roman = (match[3] or match[4]).upper()
    return _ROMAN.index(roman) + 1 if roman in _ROMAN else 0


def _times(text: str) -> Iterator[Quantity]:
    for match in _COMPACT_DURATION.finditer(text):
        seconds = Decimal(int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3] or 0))
        total = Reading(seconds, Decimal(1) if match[3] else Decimal(60))
        hours = total.times(1 / Decimal(3600))
        yield Quantity(Span(*match.span()), "duration", (hours,), (total,), "time", "h")
    for match in _CLOCK.finditer(text):
        yield _time(match, int(match[1]), int(match[2]), match[4], zone=match[5], seconds=int(match[3] or 0))
    for match in _HOUR.finditer(text):
        yield _time(match, int(match[1]), int(match[2] or 0), match[3], zone=match[4])
    for match in _UHR.finditer(text):
        yield _time(match, int(match[1]), int(match[2] or match[3] or 0), "x", zone=match[4])
    for match in _H.finditer(text):
        yield _time(match, int(match[1] or match[3]), int(match[2] or 0), "x")
    for match in _NAMED.finditer(text):
        minutes = _NAMED_TIMES.get(match[1].lower(), 0)
        yield _time(match, minutes // 60, 0, "x")


def _time(
    match: re.Match[str], hour: int, minute: int, half: str | None, *, zone: str | None = None, seconds: int = 0
) -> Quantity:
    """A clock time in minutes since midnight; an hour up to twelve without a.m. or p.m. may be either."""
    half = half.lower() if half else None
    if half in ("a", "p") and hour <= 12:
        hours = [hour % 12 + (12 if half == "p" else 0)]
    elif half is None and 1 <= hour <= 12 and not match[0].startswith("0"):
        hours = [hour % 24, (hour + 12) % 24]
    else:
        hours = [hour % 24]
    step = _MINUTE
    readings = tuple(Reading(Decimal(one * 60 + minute) + Decimal(seconds) / 60, step) for one in sorted(set(hours)))
    end = match.end() if not match[0].endswith(" ") else match.end() - 1
    unit = (zone or "").upper()
    return Quantity(Span(match.start(), end), "time", readings, readings, "clock", unit)
