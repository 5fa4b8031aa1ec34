"""Numbers written in digits: where they are and what they can mean."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from halt_rag.text.quantities.model import Reading

_THIN = "\u00a0\u2009\u202f"
_NUMERAL = re.compile(
    rf"\d{{1,3}}(?:[ {_THIN}]\d{{3}}){{1,6}}+(?!\d)(?:[.,]\d++)?|\d++(?:[.,'’]\d++)*+|(?<![\d.])\.\d++"
)
#: Blanks between thousands where several numbers are hardly meant ("rows 100 200 300"): a group of noughts, or two
#: groups after one or two digits.
_THOUSANDS = re.compile(
    rf"""(?:[1-9]\d{{0,2}}(?:[{_THIN}\ ]\d{{3}}){{0,5}}[{_THIN}\ ]000|[1-9]\d?(?:[{_THIN}\ ]\d{{3}}){{2,6}})
    (?:[.,]\d+)?""",
    re.VERBOSE,
)
_FRACTION_SIGNS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_SIGN = re.compile(f"(?<![{_FRACTION_SIGNS}])[{_FRACTION_SIGNS}]")
_SLASHED = re.compile(r"(?<![\d/.,])(?:(\d{1,3})[ \u00a0])?(\d{1,2})[/⁄](\d{1,3})(?![\d/]|[.,]\d)")
_GROUPED = re.compile(r"\d{1,3}(?:\D\d{3})+|\d{1,3}(?:\D\d{2})+\D\d{3}")
_NOT_ASCII_DIGIT = re.compile(r"(?![0-9])\d")
_OTHER_MARKS = str.maketrans(
    {"٫": ".", "٬": ",", "．": ".", "，": ",", "％": "%", "٪": "%", "：": ":", "／": "/", "−": "-",
     "－": "-", "﹣": "-", "‐": "-", "‑": "-", "‒": "–"}
)  # fmt: skip
# Numerals that only one convention can have written.
_POINT = re.compile(
    r"(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d|(?<![\d.,])\d{1,3}(?:,\d{3}){2,}(?![\d.,])|(?<![\d.,])\d+\.(?:\d{1,2}|\d{4,})(?![\d.,])"
)
_COMMA = re.compile(
    r"(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d|(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.,])|(?<![\d.,])\d+,(?:\d{1,2}|\d{4,})(?![\d.,])"
)
ZERO = Decimal(0)
_LONGEST = 40  # What is longer is a code.


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text, before its unit is known.

    Attributes:
        start: First code point, the sign included.
        end: One past the last, a scale word included.
        readings: What it can mean.
        words: Whether it is written in words.
        share: Whether it is a fraction of one, such as "two thirds".
        ordinal: Whether it is an ordinal word.
        plain: Whether it is four digits without sign, mark or scale: maybe a year.
    """

    start: int
    end: int
    readings: tuple[Reading, ...]
    words: bool = False
    share: bool = False
    ordinal: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Marks:
    """Which marks a text uses for decimals, from numerals that only one convention can have written.

    Attributes:
        point: Whether it writes a decimal point (or commas between thousands).
        comma: Whether it writes a decimal comma (or points between thousands).
    """

    point: bool
    comma: bool


def plain_digits(text: str) -> str:
    """The text with the digits of every script and their marks as in ASCII; offsets stay."""
    if text.isascii():
        return text
    return _NOT_ASCII_DIGIT.sub(lambda m: str(unicodedata.decimal(m[0])), text).translate(_OTHER_MARKS)


def marks_of(text: str) -> Marks:
    """The evidence in a text for how it writes decimals."""
    return Marks(_POINT.search(text) is not None, _COMMA.search(text) is not None)


def digit_numerals(text: str, marks: Marks, *, blanks: bool) -> list[Numeral]:
    """The numbers in digits of a text whose digits are plain, in order; signs are read, scales are not.

    Args:
        text: The text.
        marks: What it shows about its marks.
        blanks: Whether a plain blank may stand between thousands; "1 000 000" and "1 000" are read so in any case.
    """
    found: list[Numeral] = []
    place = 0
    for fraction in _SLASHED.finditer(text):
        found += _between(text, place, fraction.start(), marks, blanks=blanks)
        numeral = _slashed(text, fraction)
        found += [numeral] if numeral else _between(text, fraction.start(), fraction.end(), marks, blanks=blanks)
        place = fraction.end()
    return found + _between(text, place, len(text), marks, blanks=blanks)


def _between(text: str, start: int, end: int, marks: Marks, *, blanks: bool) -> list[Numeral]:
    found = []
    for match in _NUMERAL.finditer(text, start, end):
        whole = match[0]
        if " " in whole and not (blanks or _THOUSANDS.fullmatch(whole)):
            at = match.start()
            for part in whole.split(" "):
                found.append(_numeral(text, at, at + len(part), marks))
                at += len(part) + 1
        else:
            found.append(_numeral(text, match.start(), match.end(), marks))
    if text.isascii():
        return found
    signs = [
        Numeral(m.start(), m.end(), (_reading_of_sign(m[0]),), share=True) for m in _SIGN.finditer(text, start, end)
    ]
    return _mixed(sorted(found + signs, key=lambda numeral: numeral.start))


def _reading_of_sign(sign: str) -> Reading:
    return Reading(Decimal(str(unicodedata.numeric(sign))), ZERO)


def _mixed(found: list[Numeral]) -> list[Numeral]:
    """``1½`` as one number."""
    result: list[Numeral] = []
    for numeral in found:
        last = result[-1] if result else None
        if numeral.share and last and not last.share and numeral.start - last.end <= 1 and len(last.readings) == 1:
            value = last.readings[0].value + numeral.readings[0].value
            result[-1] = Numeral(last.start, numeral.end, (Reading(value, ZERO),))
        else:
            result.append(numeral)
    return result


def _slashed(text: str, match: re.Match[str]) -> Numeral | None:
    """``3/4`` where it is a fraction: a whole number before it, a unit or "of" after it."""
    whole, top, bottom = match[1], int(match[2]), int(match[3])
    if not 0 < top < bottom or bottom == 0:
        return None
    if not whole and not _OF.match(text, match.end()):
        return None
    value = Decimal(whole or 0) + Decimal(top) / bottom
    return Numeral(match.start(), match.end(), (Reading(value, ZERO),), share=not whole)


_OF = re.compile(r" ?(?:of|der|des|de|cup|cups|inch|in\.|teaspoon|tablespoon|tsp|tbsp|mile|pint|ounce)\b")


def _numeral(text: str, start: int, end: int, marks: Marks) -> Numeral:
    written = text[start:end]
    readings = _readings(written, marks)
    plain = len(written) == 4 and written.isdigit()
    if _negative(text, start):
        start -= 1
        readings = tuple(Reading(-reading.value, reading.step) for reading in readings)
        plain = False
    return Numeral(start, end, readings, plain=plain)


def _negative(text: str, start: int) -> bool:
    if start == 0 or text[start - 1] != "-":
        return False
    before = text[start - 2 : start - 1] if start > 1 else ""
    return before in ("", " ", "(", "\n", "\t", ":", "|", "=", "~") or "\u2000" <= before <= "\u202f"


def _readings(text: str, marks: Marks) -> tuple[Reading, ...]:
    """Every number that a numeral can mean, as far as the text's other numerals leave it open."""
    if len(text) > _LONGEST:
        return ()
    used = sorted({char for char in text if not char.isdigit()})
    if not used:
        return (Reading(Decimal(text), Decimal(1)),)
    last = max(text.rfind(mark) for mark in used)
    whole, fraction = text[:last], text[last + 1 :]
    decimal = text[last] in ".," and text.count(text[last]) == 1 and (not whole or whole.isdigit() or _grouped(whole))
    grouped = _grouped(text) and (not text.startswith("0"))
    if decimal and grouped and marks.point != marks.comma:
        decimal, grouped = (text[last] == ".") is marks.point, (text[last] == ".") is not marks.point
    found = []
    if grouped:
        found.append(Reading(Decimal(_digits(text)), Decimal(1)))
    if decimal:
        found.append(Reading(Decimal(f"{_digits(whole) or '0'}.{fraction}"), Decimal(1).scaleb(-len(fraction))))
    return tuple(found)


def _grouped(text: str) -> bool:
    return len({char for char in text if not char.isdigit()}) == 1 and _GROUPED.fullmatch(text) is not None


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())
