"""Numerals in running text: each as a token with the numbers that it can mean."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from decimal import Context, Decimal

from halt_rag.contracts.evidence.values.cldr import facts
from halt_rag.contracts.evidence.values.currencies import CODES, PREFIXES
from halt_rag.contracts.evidence.values.words import spelled

_SPACE = " \u00a0\u2009\u202f"
_APOSTROPHE = "'’"
_FIRST_UNSPACED = 0x2E80  # From here on scripts are written without blanks between words.
_WIDEST_JOIN = 24
_MOST_DIGITS = 400  # A longer numeral is none; the decimals below hold each shorter one as it is.
_EXACT = Context(prec=1_000)
_NUMERAL = re.compile(
    rf"\d{{1,3}}(?:[{_SPACE}]\d{{3}}){{1,10}}+(?!\d)(?:[.,]\d++)?|\d++(?:[.,{_APOSTROPHE}٫٬]\d++)*+|(?<!\d)\.\d++"
)
_NO_BLANKS = re.compile(_NUMERAL.pattern.partition("|")[2])
_EXPONENT = re.compile(r"[eE]([+-]?\d{1,4})(?!\w)")
_SCALE = re.compile(
    r"(?i:[\s-]?(hundred|thousand|million|billion|trillion|lakh|crore|mn|mio|bn|mrd|tn)\b\.?)|([kKMB])(?![\w²³])"
)
_MONEY_SCALE = re.compile(r"([mb])(?!\w)")
_SCALES = {
    "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "lakh": 5, "crore": 7,
    "mn": 6, "mio": 6, "bn": 9, "mrd": 9, "tn": 12, "k": 3, "K": 3, "M": 6, "B": 9, "m": 6, "b": 9,
}  # fmt: skip
# Numerals with a day, a minute or an octet in them are dates, times and addresses, not numbers; three or more joined
# by hyphens are a telephone number or another code.
_NOT_NUMBERS = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2})?|\d{1,4}/\d{1,2}/\d{1,4}|\d{1,2}\.\d{1,2}\.\d{4}"
    r"|\d{1,2}:\d{2}(?::\d{2})?|(?<![\d-])\d+(?:-\d+){2,}+(?!-?\d)"
)
_GROUPED = re.compile(r"\d{1,3}(?:\D\d{3})+|\d{1,3}(?:\D\d{2})+\D\d{3}")
_BETWEEN = re.compile(
    r"\s*(?:%|[$€£¥₹]|[^\W\d_]{1,12})?\s*"
    r"(?:[-–—~〜～]|\b(?:to|and|through|bis|à|a|al|tot|až|до)\b)\s*(?:[$€£¥₹]|[A-Z]{3})?\s*"
)
_NEEDS_OPENING = re.compile(r"\b(?:and|a)\b")
_OPENING = re.compile(r"\b(?:between|zwischen|entre|from|von|de)\s+\S{0,4}$", re.IGNORECASE)
_BEFORE_DIGITS = re.compile(r"\s*\(\s*(?=\d)")
_CLOSING = re.compile(r"\s*\)")
_MINUS_WORD = re.compile(r"(\S?)\s?(?<!\w)minus\s$", re.IGNORECASE)
_OPEN = re.compile(r"\(\s?(?:[A-Z]{3}|[^\w\s()]{1,3})?\s?$")
_CLOSED = re.compile(r"\s?(?:%|[A-Z]{3}|[^\w\s()]{1,3})?\s?\)")
_GLUED_BEFORE = re.compile(r"\d[^\W\d_]{1,5}$")
_GLUED_AFTER = re.compile(r"[^\W\d_]+\d")
_WORD_BEFORE = re.compile(r"[^\W\d_]+$")
_MINUS = str.maketrans(dict.fromkeys("−‐‑‒–﹣－", "-"))


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    Attributes:
        start: First code point of the numeral, after its sign.
        end: One past its last, scale word included.
        readings: What it can mean: one number, or several without a locale; empty if it is no well-formed number.
        negative: Whether a minus sign stands before it (and before its currency symbol).
        in_range: Whether it is one end of a range.
        partner_end: For the first number of a range, where the second ends, else ``end``: units may follow there.
        glued: Whether letters and further digits touch it, as in ``1h30m`` or ``3fa9``.
        bracketed: Whether it stands alone in round brackets, by which accounts mean a minus: ``(1,250.00)``.
    """

    start: int
    end: int
    readings: frozenset[Decimal]
    negative: bool = False
    in_range: bool = False
    partner_end: int = 0
    glued: bool = False
    bracketed: bool = False

    @property
    def values(self) -> frozenset[Decimal]:
        """The readings with their sign."""
        return frozenset(reading.copy_negate() for reading in self.readings) if self.negative else self.readings


def numerals(text: str, locale: str | None = None) -> list[Numeral]:
    """The numbers in a text, in order: digits of any script, English number words, and both as one.

    Args:
        text: The text.
        locale: How to read marks; None gives every reading that some locale has.
    """
    plain = text if text.isascii() else "".join(map(_ascii_digit, text))
    masked = _NOT_NUMBERS.sub(lambda match: "\0" * len(match[0]), plain) if re.search(r"\d[-/.:]\d", plain) else plain
    found = [_numeral(plain, match, locale) for match in _matches(masked, locale)]
    return _ranges(text, _with_words(text, [numeral for numeral in found if numeral]))


def _ascii_digit(char: str) -> str:
    return char if char.isascii() or not char.isdecimal() else str(unicodedata.decimal(char))


def _matches(text: str, locale: str | None) -> list[re.Match[str]]:
    """Numerals; blanks group digits only where the locale groups by blanks, or no locale says otherwise."""
    if locale is None or facts(locale).group in _SPACE:
        return list(_NUMERAL.finditer(text))
    return list(_NO_BLANKS.finditer(text))


def _numeral(text: str, match: re.Match[str], locale: str | None) -> Numeral | None:
    start, end = match.span()
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    glued = _GLUED_BEFORE.search(text[max(0, start - 6) : start]) is not None
    if (not glued and _in_identifier(text, start)) or (after and (after == "_" or unicodedata.category(after) == "No")):
        return None
    readings = frozenset[Decimal]()
    if end - start <= _MOST_DIGITS:
        readings = _in_locale(match[0], locale) if locale else _readings(match[0])
    exponent = _EXPONENT.match(text, end)
    if exponent:
        readings = _scaled(readings, int(exponent[1]))
        end = exponent.end()
    glued = glued or _GLUED_AFTER.match(text, end) is not None
    scale = _SCALE.match(text, end)
    if scale is None and before and unicodedata.category(before) == "Sc":
        scale = _MONEY_SCALE.match(text, end)
    if scale:
        readings, end = _scaled(readings, _power(scale)), scale.end()
    brackets = _OPEN.search(text[max(0, start - 6) : start]) is not None and _CLOSED.match(text, end) is not None
    return Numeral(start, end, readings, _negative(text, start), partner_end=end, glued=glued, bracketed=brackets)


def _scaled(readings: frozenset[Decimal], power: int) -> frozenset[Decimal]:
    """The readings times a power of ten, without rounding."""
    return frozenset(_EXACT.scaleb(reading, power) for reading in readings)


def _power(scale: re.Match[str]) -> int:
    word = scale[1]
    return _SCALES[word.lower() if len(word) > 1 else word] if word else _SCALES[scale[2]]


def _in_identifier(text: str, start: int) -> bool:
    """Whether the digits continue a word (``A4``, ``test_3``) or a code (``COVID-19``); ``EUR5`` is an amount."""
    before = text[max(0, start - 1) : start]
    if before in ("\0", "_"):
        return True
    if before in ("-", "‐", "‑"):
        return text[max(0, start - 2) : start - 1].isalpha()
    if not before.isalpha() or ord(before) >= _FIRST_UNSPACED:
        return False
    word = _WORD_BEFORE.search(text[max(0, start - 4) : start])
    return word is None or word[0] not in CODES | PREFIXES


def _negative(text: str, start: int) -> bool:
    word = _MINUS_WORD.search(text, max(0, start - 16), start)
    if word:
        return not (word[1].isdecimal() or word[1] in ("%", ")"))  # "7 minus 5" is a subtraction.
    at = start - 1
    while at >= 0 and unicodedata.category(text[at]) == "Sc":
        at -= 1
    if at < 0 or text[at].translate(_MINUS) != "-":
        return False
    earlier = text[at - 1] if at else ""
    return not (earlier.isalnum() or earlier in ("%", ")", "\0"))


def _in_locale(text: str, locale: str | None) -> frozenset[Decimal]:
    assert locale is not None  # noqa: S101 - the caller has one
    known = facts(locale)
    text = text.replace("٬", known.group).replace("٫", known.decimal)
    for alike in (_SPACE, _APOSTROPHE):
        if known.group in alike:
            text = "".join(known.group if char in alike else char for char in text)
    value = known.parse(text)
    return frozenset() if value is None else frozenset({value})


def _readings(text: str) -> frozenset[Decimal]:
    """Every number that a numeral can mean in some locale."""
    marks = sorted({char for char in text if not char.isdecimal()})
    last = max((text.rfind(mark) for mark in marks), default=-1)
    found = set()
    if not marks:
        return frozenset({Decimal(text)})
    decimal = text[last] in ".,٫" and text.count(text[last]) == 1
    whole, fraction = text[:last], text[last + 1 :]
    if decimal and (whole.isdecimal() or not whole or _grouped(whole)):
        found.add(Decimal(f"{_digits(whole) or '0'}.{fraction}"))
    if _grouped(text) and not text.startswith("0"):
        found.add(Decimal(_digits(text)))
    if len(marks) == 1 and marks[0] in _SPACE[1:]:
        return frozenset({Decimal(_digits(text))})
    if marks[0] == " " and len(marks) == 1 and _grouped(text):
        # Without a locale the blank may as well separate two numbers.
        found |= {Decimal(part) for part in text.split(" ")}
    return frozenset(found)


def _grouped(text: str) -> bool:
    return len({char for char in text if not char.isdecimal()}) == 1 and _GROUPED.fullmatch(text) is not None


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdecimal())


def _with_words(text: str, found: list[Numeral]) -> list[Numeral]:
    """Adds number words; ``thirty (30)`` is one quantity, and ambiguous where the two differ."""
    by_start = {numeral.start: at for at, numeral in enumerate(found)}
    extra = []
    for start, end, value in spelled(text):
        inside = _BEFORE_DIGITS.match(text, end)
        at = by_start.get(inside.end()) if inside else None
        if at is None:
            extra.append(Numeral(start, end, frozenset({value}), _negative(text, start), partner_end=end))
            continue
        digits = found[at]
        close = _CLOSING.match(text, digits.end)
        stop = close.end() if close else digits.end
        negative = digits.negative or _negative(text, start)
        readings = digits.readings | {value}
        found[at] = replace(digits, start=start, end=stop, readings=readings, negative=negative, partner_end=stop)
    return sorted(found + extra, key=lambda numeral: numeral.start)


def _ranges(text: str, found: list[Numeral]) -> list[Numeral]:
    """Marks the ends of ranges such as ``30–45``, ``30 to 45`` and ``between 30 and 45``."""
    result = list(found)
    for at in range(len(found) - 1):
        left, right = result[at], found[at + 1]
        if right.start - left.end > _WIDEST_JOIN:
            continue
        between = text[left.end : right.start]
        # In "-10 to -5" the second sign is a sign; in "10 -20" it is what joins the two.
        signed = right.negative and _BETWEEN.fullmatch(between[:-1]) is not None
        if not signed and _BETWEEN.fullmatch(between) is None:
            continue
        if _NEEDS_OPENING.search(between) and not _OPENING.search(text[max(0, left.start - 20) : left.start]):
            continue
        result[at] = replace(left, in_range=True, partner_end=right.end)
        result[at + 1] = replace(right, in_range=True, negative=signed)
    return result
