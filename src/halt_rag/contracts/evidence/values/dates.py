"""Dates and instants: ISO 8601 values against the ways in which people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import chain

from halt_rag.contracts.evidence.values.cldr import facts
from halt_rag.contracts.evidence.values.verdict import ValueRules, Verdict, best, endpoint
from halt_rag.contracts.strict_json import shown

_MONTHS = "january february march april may june july august september october november december".split()
_ENGLISH = {name: at for at, name in enumerate(_MONTHS, 1)} | {name[:3]: at for at, name in enumerate(_MONTHS, 1)}
_ENGLISH["sept"] = 9
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?![\d/]|[-.]\d)")
_COMPACT = re.compile(r"(?<![\w.-])(\d{4})(\d{2})(\d{2})(?=T\d{2}|(?![\w.-]))")
_CJK = re.compile(r"(\d{4})\s*[年년]\s*(?:(\d{1,2})\s*[月월]\s*)?(?:(\d{1,2})\s*[日일号])?")
_YEAR_MONTH = re.compile(r"(?<![\d/.-])(\d{4})[-/](\d{1,2})(?![\d/-])")
_WORD = re.compile(r"[^\W\d_]{3,}")
_DAY_BEFORE = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]*(?:of\s+|de\s+|day of\s+)?$", re.IGNORECASE)
_DAY_AFTER = re.compile(
    r"\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–—]\s?(\d{1,2})(?:st|nd|rd|th)?)?(?!\d)", re.IGNORECASE
)
_OTHER_DAY = re.compile(
    r"(?<![\d./-])(\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:[-–—]|\b(?:to|through|until|bis)\b)\s?$", re.IGNORECASE
)
_YEAR_AFTER = re.compile(r"\.?[\s,-]*(?:de\s+|of\s+|in\s+)?'?(\d{4}|\d{2})(?!\d)", re.IGNORECASE)
_YEAR_BEFORE = re.compile(r"(?<!\d)(\d{4})[\s,-]*$")
_YEAR = re.compile(r"(?<![\d/.,-])(\d{4})(?![\d/-]|[.,]\d)")
_TIME = re.compile(
    r"(?:T|,?\s{1,3}(?:(?:at|um|à)\s{1,3})?)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?"
    r"(?:\s?([ap])\.?m\.?(?!\w))?(?:\s?(Z|UTC|GMT|[+-−]\d{1,2}:?\d{2})(?!\w)|\s([A-Z]{2,5})(?!\w))?",
    re.IGNORECASE,
)
# The basic form of ISO 8601, after a date without hyphens; its groups are those of _TIME.
_BASIC_TIME = re.compile(r"T(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?()(Z|[+-]\d{2}:?\d{2})?()(?!\w)")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_ISO_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Written:
    """A date in a text.

    Attributes:
        end: Where it ends.
        readings: ``(year, month, day)``, 0 for what it does not say; several if the order is not known.
        other: The other end of a range of days, such as ``4–9 March 2026``; 0 if it is none.
    """

    end: int
    readings: frozenset[tuple[int, int, int]]
    other: int = 0


def check_date(value: object, quote: str, rules: ValueRules) -> Verdict:
    """A date ``YYYY-MM-DD``."""
    wanted = _parse_date(value)
    if wanted is None:
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no date YYYY-MM-DD")
    return best(_compare(wanted, found, rules) for found in written(quote, rules.locale))


def _parse_date(value: object) -> date | None:
    if not isinstance(value, str) or not _ISO_DATE.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def _compare(wanted: date, found: Written, rules: ValueRules) -> Verdict:
    key = (wanted.year, wanted.month, wanted.day)
    if found.other and any(
        (year, month) == key[:2] and key[2] in (day, found.other) for year, month, day in found.readings
    ):
        return endpoint(rules)
    if key in found.readings:
        if len(found.readings) == 1:
            return Verdict()
        others = ", ".join("-".join(f"{part:02}" for part in reading) for reading in sorted(found.readings))
        return Verdict("VALUE_AMBIGUOUS", f"it reads as {others}; name a locale")
    for year, month, day in found.readings:
        if year == wanted.year and not day and month in (0, wanted.month):
            return Verdict("VALUE_OVERPRECISE", "the quote does not say the day")
    return Verdict("VALUE_NOT_IN_QUOTE")


def check_datetime(value: object, quote: str, rules: ValueRules) -> Verdict:
    """An instant in RFC 3339 form; the same instant in another zone is the same value."""
    wanted = _parse_datetime(value)
    if wanted is None:
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no date and time YYYY-MM-DDThh:mm:ss")
    return best(_compare_time(wanted, quote, found, rules) for found in written(quote, rules.locale))


def _parse_datetime(value: object) -> datetime | None:
    if not isinstance(value, str) or not _ISO_TIME.fullmatch(value):
        return None
    try:
        return datetime.fromisoformat(value.upper())
    except ValueError:
        return None


def _compare_time(wanted: datetime, quote: str, found: Written, rules: ValueRules) -> Verdict:
    time = _TIME.match(quote, found.end) or _BASIC_TIME.match(quote, found.end)
    if time is None:
        verdict = _compare(wanted.date(), found, rules)
        return Verdict("VALUE_OVERPRECISE", "the quote does not say the time") if not verdict.code else verdict
    matching = []
    for reading in found.readings:
        moment = _moment(reading, time)
        if moment is not None and _same_instant(wanted, moment):
            matching.append(moment)
    if not matching:
        return Verdict("VALUE_NOT_IN_QUOTE")
    if len(found.readings) > 1:
        return Verdict("VALUE_AMBIGUOUS", "the order of day and month is not known; name a locale")
    if (wanted.tzinfo is None) != (matching[0].tzinfo is None):
        if wanted.tzinfo is None or time[7]:
            return Verdict(
                "VALUE_AMBIGUOUS", "the quote names a zone that the value does not, or one that is not unique"
            )
        return Verdict("VALUE_OVERPRECISE", "the quote does not say the zone")
    if time[3] is None and (wanted.second or wanted.microsecond):
        return Verdict("VALUE_OVERPRECISE", "the quote does not say the second")
    return Verdict()


def _moment(reading: tuple[int, int, int], time: re.Match[str]) -> datetime | None:
    hour, minute, second = int(time[1]), int(time[2]), int(time[3] or 0)
    if time[5]:
        hour = hour % 12 + (12 if time[5].lower() == "p" else 0)
    try:
        moment = datetime(*reading, hour, minute, second, int((time[4] or "0").ljust(9, "0")[:6]))
    except ValueError:
        return None
    zone = time[6]
    if zone is None:
        return moment
    if zone.upper() in ("Z", "UTC", "GMT"):
        return moment.replace(tzinfo=UTC)
    digits = zone[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:-2]), minutes=int(digits[-2:]))
    if offset >= timedelta(hours=24):
        return None
    return moment.replace(tzinfo=timezone(-offset if zone[0] in "-−" else offset))


def _same_instant(left: datetime, right: datetime) -> bool:
    if (left.tzinfo is None) == (right.tzinfo is None):
        same: bool = (
            left == right if right.second or right.microsecond else left.replace(second=0, microsecond=0) == right
        )
        return same
    return left.replace(tzinfo=None, second=0, microsecond=0) == right.replace(tzinfo=None, second=0, microsecond=0)


def written(text: str, locale: str | None) -> list[Written]:
    """The dates of a text, each at its fullest: a year inside a date is no date of its own."""
    kept: list[Written] = []
    reach = 0
    for start, found in sorted(chain.from_iterable(_all(text, locale)), key=lambda item: (item[0], -item[1].end)):
        if start >= reach:
            kept.append(found)
            reach = found.end
    return kept


def _all(text: str, locale: str | None) -> Iterator[Iterator[tuple[int, Written]]]:
    yield ((m.start(), Written(m.end(), _numeric(m, locale))) for m in _NUMERIC.finditer(text))
    yield ((m.start(), Written(m.end(), _real([_parts(m, 1, 2, 3)]))) for m in _COMPACT.finditer(text))
    yield ((m.start(), Written(m.end(), _real([_parts(m, 1, 2, 3)]))) for m in _CJK.finditer(text))
    yield _named(text, locale)
    yield ((m.start(), Written(m.end(), _real([_parts(m, 1, 2)]))) for m in _YEAR_MONTH.finditer(text))
    yield ((m.start(), Written(m.end(), _real([_parts(m, 1)]))) for m in _YEAR.finditer(text))


def _parts(match: re.Match[str], *groups: int) -> tuple[int, int, int]:
    numbers = [int(match[group] or 0) for group in groups]
    year, month, day = (*numbers, 0, 0)[:3]
    return year, month, day


def _real(readings: list[tuple[int, int, int]]) -> frozenset[tuple[int, int, int]]:
    """Those readings that are dates in the calendar, as far as they go."""
    kept = set()
    for year, month, day in readings:
        try:
            date(year, month or 1, day or 1)
        except ValueError:
            continue
        kept.add((year, month, day))
    return frozenset(kept)


def _numeric(match: re.Match[str], locale: str | None) -> frozenset[tuple[int, int, int]]:
    first, second, third = match[1], match[3], match[4]
    if len(first) > 2:
        return _real([(int(first), int(second), int(third))]) if len(first) == 4 and len(third) <= 2 else frozenset()
    readings = _ordered((first, second, third), (facts(locale).date_order,)) if locale else frozenset()
    # Where the locale's order gives no date (25/04 with months first), the text has another.
    return readings or _ordered((first, second, third), ("dmy", "mdy", "ymd"))


def _ordered(parts: tuple[str, str, str], orders: tuple[str, ...]) -> frozenset[tuple[int, int, int]]:
    readings = []
    for order in orders:
        named = dict(zip(order, parts, strict=True))
        if all(len(part) <= 2 for part in (named["d"], named["m"])) and len(named["y"]) in (2, 4):
            readings += [(full, int(named["m"]), int(named["d"])) for full in _years(named["y"])]
    return _real(readings)


def _years(digits: str) -> list[int]:
    """Two digits name a year of either century."""
    return [int(digits)] if len(digits) == 4 else [1900 + int(digits), 2000 + int(digits)]


def _named(text: str, locale: str | None) -> Iterator[tuple[int, Written]]:
    """Dates with the month as a word, English or of the locale: ``4 March 2026``, ``March 4, 2026``, ``March 2026``."""
    names = _ENGLISH | (facts(locale).months if locale else {})
    for match in _WORD.finditer(text):
        month = names.get(match[0].lower())
        if month is None:
            continue
        before = _DAY_BEFORE.search(text[max(0, match.start() - 16) : match.start()])
        after = _DAY_AFTER.match(text, match.end()) if not before else None
        year = _YEAR_AFTER.match(text, after.end() if after else match.end())
        earlier = _YEAR_BEFORE.search(text[max(0, match.start() - 8) : match.start()])
        if year is None and after is not None and len(after[1]) == 2 and earlier is None:
            year, after = _YEAR_AFTER.match(text, match.end()), None
        number = year or earlier
        if number is None:
            continue
        day = int((before or after)[1]) if before or after else 0  # type: ignore[index] # one of them is there
        start = match.start() - (len(before[0]) if before else 0)
        left = _OTHER_DAY.search(text[max(0, start - 14) : start]) if before else None
        start -= len(left[0]) if left else 0
        other = int(left[1]) if left else int(after[2] or 0) if after else 0
        end = max(match.end(), after.end() if after else 0, year.end() if year else 0)
        yield start, Written(end, _real([(one, month, day) for one in _years(number[1])]), other)
