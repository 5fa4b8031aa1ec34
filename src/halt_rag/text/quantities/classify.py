"""What a number in a text counts or measures: from what stands directly before and after it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from halt_rag.text.quantities.currencies import BEFORE, hundredths, lookup
from halt_rag.text.quantities.dates import day_quantity
from halt_rag.text.quantities.masks import after_acronym, is_label
from halt_rag.text.quantities.model import Kind, Quantity, Reading
from halt_rag.text.quantities.numerals import Numeral
from halt_rag.text.quantities.scales import scale_after
from halt_rag.text.quantities.units import Unit, unit_after
from halt_rag.text.spans import Span

_VERSION = re.compile(r"\d+(?:\.\d+){1,5}(?:[-+.]?(?:alpha|beta|rc|dev|post|a|b)\.?\d{0,4})?(?![\w]|\.\d)|\d+(?![\w.])")
_VERSION_BEFORE = re.compile(r"(?:(?<!\w)[vV]\.?|\b[vV]ersion(?:en|es|s)?\s|\b[rR]elease\s|\bversión\s)$")
_RATES: tuple[tuple[Kind, str, Decimal, re.Pattern[str]], ...] = (
    ("percentage points", "pp", Decimal("0.01"), re.compile(
        r"[\s-]?(?:percentage[\s-]points?|percent points?|%[\s-]?points?|pp[ts]?\b|prozentpunkte?n?\b|"
        r"points? de pourcentage|"
        r"puntos? porcentual(?:es)?)", re.IGNORECASE)),
    ("basis points", "bp", Decimal("0.0001"), re.compile(
        r"[\s-]?(?:basis[\s-]points?|bps?\b|basispunkte?n?\b|points? de base\b|puntos? básicos?)", re.IGNORECASE)),
    ("percent", "%", Decimal("0.01"), re.compile(
        r"[\s\u00a0\u202f-]{0,2}(?:%|percent\b|per cent\b|pct\b\.?|prozent(?:ig)?\w{0,2}\b|pour[\s-]cent\b|"
        r"por ciento\b|個百分点)",
        re.IGNORECASE)),
    ("percent", "‰", Decimal("0.001"), re.compile(r"\s?(?:‰|per mille\b|promille\b)", re.IGNORECASE)),
)  # fmt: skip
_TIMES = re.compile(r"[\s-]?(?:[x×](?!\s?\d)|times\b|fold\b|mal\b|fois\b|veces\b)", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:st|nd|rd|th|ère|er|ème|e|º|ª|ª|\.º|\.ª)(?![\w])")
_CURRENCY_AFTER = re.compile(
    r"[\s\u00a0\u202f-]?(?:of |de |d['’])?(?:([$€£¥₠-⃀¢元円원])|((?:[^\W\d_]|\.){2,14}(?:[ -][^\W\d_]{2,14}){0,2}))"
)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|during|after|before|between|year|years|through|early|late|mid|fiscal|fy|spring|"
    r"summer|autumn|fall|winter|im|seit|bis|ab|vor|nach|jahr|jahre|anno|en|depuis|dès|vers|année|desde|hasta|año|"
    r"années?|l['’]an)|[(\u2013–-])[\s-]?$",
    re.IGNORECASE,
)
_YEAR_MAYBE = re.compile(
    r"(?:\b(?:the|of|to|and|around|about|circa|und|et|y|de|del|du|le|el|der|des)\s|[,/]\s?)$", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\s+(?!(?:and|to|or|was|were|is|are|the|for|in|on|at|by|with|when|but|as|after|had|has|und|bis|et|y|a|wurde|war|por|para|que)\b)[^\W\d_A-Z][^\W\d_]{2,}"
)
# What is numbered rather than counted: "season 3" is the third season, not three of them.
_NOMINAL = re.compile(
    r"(?<!\w)(day|week|month|year|season|episode|series|volume|round|stage|phase|grade|level|group|cohort|arm|intervention|"
    r"outcome|events|part|act|game|match|race|issue|unit|module|lesson|test|trial|sample|tag|woche|jahr|staffel|folge|"
    r"runde|phase|stufe|gruppe|teil|band|jour|semaine|saison|épisode|niveau|groupe|partie|día|semana|temporada|episodio|"
    r"fase|nivel|grupo|parte)[ \u00a0]$",
    re.IGNORECASE,
)
_ARTICLE_BEFORE = re.compile(r"\b(?:an?|his|her|its|their)\s$", re.IGNORECASE)
_AGE, _AGE_BEFORE = (
    re.compile(r"s\b"),
    re.compile(r"\b(?:his|her|their|my|your|the|early|mid|late)[\s-]$", re.IGNORECASE),
)
_CLOSED = re.compile(r"\s*(?:[.,;:)\]?!]|$)")
_ARTICLE = re.compile(r"[\s-]an?\s")
_INCHES = re.compile(r"\s?(\d{1,2})\s?(?:in\b\.?|inches\b|\")")


@dataclass(frozen=True, slots=True)
class Draft:
    """A quantity that may still become a part of a larger one.

    Attributes:
        quantity: What is known so far.
        scale: The power of ten of its scale word, 0 without one.
    """

    quantity: Quantity
    scale: int = 0


def classified(text: str, numeral: Numeral, reach: int, *, sterling: bool) -> Draft | None:
    """What a numeral states, or None if it is a label, a code or part of one.

    Args:
        text: The text, with what is no quantity hidden.
        numeral: The numeral.
        reach: Where the quantity before it ends.
        sterling: Whether "pounds" are money in this text.
    """
    start, end = numeral.start, numeral.end
    version = _version(text, numeral)
    if version:
        return Draft(version)
    if not numeral.readings:
        return None
    first = _digits_start(text, numeral)
    mark, codes = _currency_before(text, start)
    if not mark and start > reach and is_label(text, first):
        return None
    if _AGE.match(text, end) and _AGE_BEFORE.search(text[max(0, start - 9) : start]):
        return None
    scale = scale_after(text, end, money=bool(codes)) if not numeral.share else None
    power = 0
    readings = numeral.readings
    if scale and not numeral.ordinal:
        power, end = scale
        readings = tuple(reading.times(Decimal(10) ** power) for reading in readings)
    if codes:
        return Draft(_money(start - mark, end, readings, text[start - mark : start].strip(), codes), power)
    found = _by_what_follows(text, numeral, end, readings, sterling=sterling or power >= 6)
    if found:
        return Draft(found, power)
    if _is_code(text, numeral, end):
        return None
    return Draft(_bare(text, numeral, end, readings), power)


def _digits_start(text: str, numeral: Numeral) -> int:
    return numeral.start + (text[numeral.start] == "-")


def _version(text: str, numeral: Numeral) -> Quantity | None:
    start = numeral.start
    if numeral.words or numeral.share or not text[start].isdigit():
        return None
    match = _VERSION.match(text, start)
    before = _VERSION_BEFORE.search(text[max(0, start - 10) : start])
    if match is None or not (before or match[0].count(".") >= 2):
        return None
    if not before and (match.end() < numeral.end or is_label(text, start)):
        return None
    if not before and len(match[0].split(".")[-1]) == 3 and all(len(part) == 3 for part in match[0].split(".")[1:]):
        return None  # 1.250.000 is a number.
    if not before and len(match[0].split(".")[2]) == 4:
        return None  # 31.02.2020 is no day.
    lead = before.end() - before.start() if before and before[0].strip(".").lower() == "v" else 0
    return Quantity(Span(start - lead, match.end()), "version", dimension="version", label=match[0].lower())


def _currency_before(text: str, start: int) -> tuple[int, frozenset[str]]:
    """How long the currency mark before a number is, blanks included, and what it means."""
    window = text[max(0, start - 6) : start]
    stripped = window.rstrip(" \u00a0\u202f-")
    if len(window) - len(stripped) > 2:
        return 0, frozenset()
    for size in (4, 3, 2, 1):
        mark = stripped[-size:]
        if len(mark) == size and BEFORE.fullmatch(mark):
            left = start - (len(window) - len(stripped)) - size
            codes = lookup(mark)
            if codes and not (mark[0].isalpha() and text[max(0, left - 1) : left].isalnum()):
                return len(window) - len(stripped) + size, codes
    return 0, frozenset()


def _money(start: int, end: int, readings: tuple[Reading, ...], mark: str, codes: frozenset[str]) -> Quantity:
    unit = next(iter(codes)) if len(codes) == 1 else mark
    return Quantity(Span(start, end), "money", readings, readings, "money", unit, codes)


def _by_what_follows(
    text: str, numeral: Numeral, end: int, readings: tuple[Reading, ...], *, sterling: bool
) -> Quantity | None:
    start = numeral.start
    if numeral.ordinal:
        return Quantity(Span(start, end), "ordinal", readings, readings, "ordinal")
    suffix = _SUFFIX.match(text, end) if not numeral.words and end == numeral.end else None
    if suffix:
        return Quantity(Span(start, suffix.end()), "ordinal", readings, readings, "ordinal")
    for kind, symbol, factor, pattern in _RATES:
        match = pattern.match(text, end)
        if match:
            normals = tuple(reading.times(factor) for reading in readings)
            dimension = "share" if kind == "percent" else "points"
            return Quantity(Span(start, match.end()), kind, readings, normals, dimension, symbol)
    money = _currency_after(text, start, end, readings)
    weight = money is not None and money.currencies == lookup("pounds") and not sterling
    if money and not weight:
        return money
    article = _ARTICLE.match(text, end) if numeral.share else None
    unit = unit_after(text, article.end() - 1 if article else end)
    if unit:
        stop = _inches(text, unit[1]) if unit[0].symbol == "ft" else None
        if stop:
            readings = (Reading(readings[0].value + stop[0] / 12, Decimal(1) / 12),)
        return measure(start, stop[1] if stop else unit[1], readings, unit[0])
    times = _TIMES.match(text, end)
    if times:
        return Quantity(Span(start, times.end()), "number", readings, readings, "times", "times")
    if numeral.share:
        return Quantity(Span(start, end), "number", readings, readings, "share")
    return None


def _inches(text: str, end: int) -> tuple[Decimal, int] | None:
    """``11 in`` after feet."""
    match = _INCHES.match(text, end)
    return (Decimal(match[1]), match.end()) if match and int(match[1]) < 12 else None


def _currency_after(text: str, start: int, end: int, readings: tuple[Reading, ...]) -> Quantity | None:
    match = _CURRENCY_AFTER.match(text, end)
    if match is None:
        return None
    if match[1]:
        codes, cents = lookup(match[1]), hundredths(match[1])
        stop, mark = match.end(1), match[1]
    else:
        words = re.split(r"(?<=[^ -])(?=[ -])", match[2])
        for count in range(len(words), 0, -1):
            mark = "".join(words[:count]).rstrip(".")
            codes, cents = lookup(mark), hundredths(mark)
            if codes or cents:
                break
        stop = match.start(2) + len(mark)
    if cents:
        readings, codes = tuple(reading.times(Decimal("0.01")) for reading in readings), cents
    return _money(start, stop, readings, mark, codes) if codes else None


def measure(start: int, end: int, readings: tuple[Reading, ...], unit: Unit) -> Quantity:
    """A number with its unit."""
    normals = tuple(
        Reading(reading.value * factor + unit.offset, reading.step * factor)
        for reading in readings
        for factor in unit.factors
    )
    kind: Kind = "duration" if unit.dimension in ("time", "months", "working days") else "measure"
    return Quantity(Span(start, end), kind, readings, normals, unit.dimension, unit.symbol)


def _is_code(text: str, numeral: Numeral, end: int) -> bool:
    """Whether letters or further digits are glued to a bare number, or an acronym names it: ``3fa9``, ``ISO 9001``."""
    if numeral.words:
        return False
    after = text[end : end + 1]
    if after and (after == "_" or (after.isalpha() and ord(after) < 0x2E80)):
        return True
    if after == "-" and re.compile(r"-[A-Za-z]?\d*[A-Z]\d*\b").match(text, end):
        return True
    return after_acronym(text, numeral.start, year=_could_be_year(numeral))


def _could_be_year(numeral: Numeral) -> bool:
    return numeral.plain and 1000 <= numeral.readings[0].value < 2200


def _bare(text: str, numeral: Numeral, end: int, readings: tuple[Reading, ...]) -> Quantity:
    start = numeral.start
    if end == numeral.end and _could_be_year(numeral) and _is_year(text, start, end, int(readings[0].value)):
        return day_quantity(start, end, frozenset({(int(readings[0].value), 0, 0)}))
    if end == numeral.end and not numeral.words:
        named = _NOMINAL.search(text[max(0, start - 14) : start])
        if named:
            return Quantity(Span(start, end), "ordinal", readings, readings, "ordinal", named[1].lower())
    return Quantity(Span(start, end), "number", readings, readings)


def _is_year(text: str, start: int, end: int, value: int) -> bool:
    before = text[max(0, start - 12) : start]
    if _YEAR_BEFORE.search(before):
        return True
    if _ARTICLE_BEFORE.search(before):
        return 1500 <= value < 2100
    if _YEAR_MAYBE.search(before) or 1900 <= value < 2100:
        return 1500 <= value < 2100 and not _COUNTED.match(text, end)
    return 1700 <= value < 2100 and _CLOSED.match(text, end) is not None
