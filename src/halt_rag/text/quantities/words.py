"""Numbers written in words: cardinals, ordinals and fractions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from halt_rag.text.quantities.cardinals import cardinal, german_compound
from halt_rag.text.quantities.lexicon import MIXED, OPENERS, denominators, ordinals, starts, values
from halt_rag.text.quantities.model import Reading
from halt_rag.text.quantities.numerals import ZERO, Numeral
from halt_rag.text.quantities.scales import scale_after

_MOST = 24  # Words of one number.
_WORD = re.compile(r"[^\W\d_]+")
# "one" as a pronoun: "one of the", "one can", "no one", "the one", "at least one".
_PRONOUN_AFTER = re.compile(
    r"['’]|\s+(?:of|another|can|could|may|might|must|should|would|will|who|that|which|is|was|has|had|does|day|by|"
    r"or|and|to|in|on|at|for|with|from|side|hand|way|thing)\b|\s*[.,;:!?)]|\s*$"
)
_PRONOUN_BEFORE = re.compile(
    r"\b(?:no|any|every|each|the|this|that|some|which|another|only|new|other|as|by|than|for|first|last|least)[\s-]+$",
    re.IGNORECASE,
)
_ADVERB_BEFORE = re.compile(r"\b(?:at|per|a|each|every)\s$", re.IGNORECASE)
_HALF_MORE = re.compile(
    r"\s+(?:and|und|et|y)\s+(?:(?:a|one|une?|eine?)\s+)?(half|quarter|halb|demie?|media|medio|cuarto)\b", re.IGNORECASE
)
_QUARTERS = ("quarter", "cuarto")
_HALVES = ("half", "hälfte", "moitié", "mitad")
# Fractions that are common words: a part only before what is divided.
_COMMON = frozenset("medio media halbe halben demi demie half quarter third quart cuarto".split())
_DIVIDED = re.compile(
    r"\s*-?\s*(?:of|the|der|des|von|aller|de|du|del|d['’]|an|a|million|billion)\b"
    r"|[\s-]+(?:an?\s+)?(?:hour|day|mile|year|stunde|heure|hora|jahr|liter|litre|pint|inch)s?n?\b",
    re.IGNORECASE,
)
_OF_A = re.compile(r"\s+an?(?=\s(?:million|billion|thousand)\b)")
_OF_A_DOZEN = re.compile(r"\s+a\sdozen\b")
_COUPLE = re.compile(r"a\scouple\sof(?=\s)", re.IGNORECASE)
_TAIL = re.compile(r"-([^\W\d_]+)")


def word_numerals(text: str, *, english: bool) -> list[Numeral]:
    """The numbers in words of a text, in order; scale words after digits are left to ``scale_after``.

    Args:
        text: The text.
        english: Whether it is English, so that "once" is no Spanish eleven.
    """
    known = starts(english=english)
    found: list[Numeral] = []
    reach = 0
    for match in _WORD.finditer(text):
        if match.start() < reach:
            continue
        word = match[0].lower()
        if word in known:
            numeral = _phrase(text, match)
        elif len(word) > 6 and (value := german_compound(word)):
            numeral = _numeral(match.start(), match.end(), Decimal(value), 1)
        else:
            continue
        if numeral is not None:
            found.append(numeral)
            reach = numeral.end
    return found


def _numeral(start: int, end: int, value: Decimal, step: int) -> Numeral:
    return Numeral(start, end, (Reading(value, Decimal(step)),), words=True)


def _ordinal(start: int, end: int, value: int) -> Numeral:
    return Numeral(start, end, (Reading(Decimal(value), Decimal(1)),), words=True, ordinal=True)


def _phrase(text: str, first: re.Match[str]) -> Numeral | None:
    """The number that begins with a word."""
    words = list(_run(text, first))
    lower = [word.lower() for word, _ in words]
    if lower[0] in MIXED:
        return _numeral(first.start(), first.end(), Decimal(MIXED[lower[0]]), 0)
    couple = _COUPLE.match(text, first.start())
    if couple:  # "A couple of days" may be three.
        two_or_three = tuple(Reading(Decimal(value), Decimal(1)) for value in (2, 3))
        return Numeral(first.start(), couple.end(), two_or_three, words=True)
    return _fraction(text, first.start(), words, lower) or _cardinal(text, first, words, lower)


def _cardinal(text: str, first: re.Match[str], words: list[tuple[str, int]], lower: list[str]) -> Numeral | None:
    start = first.start()
    number = cardinal(lower)
    if not number.used:
        value = ordinals().get(lower[0], 0)
        return _ordinal(start, first.end(), value) if value and not _is_adverb(text, start, first.end()) else None
    end = words[number.used - 1][1]
    half = _HALF_MORE.match(text, end)
    if half:
        more = Decimal("0.25") if half[1].lower() in _QUARTERS else Decimal("0.5")
        scale = scale_after(text, half.end(), money=False)
        value_with = (number.value + more).scaleb(scale[0] if scale else 0)
        return _numeral(start, scale[1] if scale else half.end(), value_with, 0)
    if number.used == 1 and lower[0] == "one" and (first[0] == "One" or _is_pronoun(text, start, end)):
        return None
    tail = _ordinal_tail(text, end, number.value)
    if tail:
        return _ordinal(start, tail[1], tail[0])
    return _numeral(start, end, Decimal(number.value), number.step)


def _run(text: str, first: re.Match[str]) -> Iterator[tuple[str, int]]:
    """A word and those after it that stand close enough to belong to one number, with their ends."""
    yield first[0], first.end()
    end = first.end()
    for _ in range(_MOST - 1):
        gap = end
        while gap < len(text) and gap - end < 2 and text[gap] in " -\u00a0\n":
            gap += 1
        match = _WORD.match(text, gap) if gap > end else None
        if match is None:
            return
        end = match.end()
        yield match[0], end


def _fraction(text: str, start: int, words: list[tuple[str, int]], lower: list[str]) -> Numeral | None:
    """``two thirds``, ``a quarter of``, ``half a million``."""
    at = 0 if lower[0] in _HALVES else 1
    top = 1 if not at or lower[0] in OPENERS else values().get(lower[0], 0)
    bottom = denominators().get(lower[at], 0) if at < len(lower) else 0
    if not 0 < top < bottom:
        return None
    share, end = Decimal(top) / bottom, words[at][1]
    if lower[at] in _COMMON:
        article = _OF_A.match(text, end)
        scale = scale_after(text, article.end() if article else end, money=False)
        dozen = _OF_A_DOZEN.match(text, end)
        if scale or dozen:
            number = share.scaleb(scale[0]) if scale else share * 12
            return _numeral(start, scale[1] if scale else dozen.end() if dozen else end, number, 0)
        if top == 1 and not _DIVIDED.match(text, end):
            return None
    return Numeral(start, end, (Reading(share, ZERO),), words=True, share=True)


def _ordinal_tail(text: str, end: int, value: int) -> tuple[int, int] | None:
    """``twenty`` + ``-first``."""
    match = _TAIL.match(text, end)
    ones = ordinals().get(match[1].lower(), 0) if match else 0
    return (value + ones, match.end()) if match and 0 < ones < 10 and value % 10 == 0 and value < 100 else None


def _is_adverb(text: str, start: int, end: int) -> bool:
    """Whether an ordinal counts the writer's points: "First, ...", "at first", "per second"."""
    return text[end : end + 1] == "," or _ADVERB_BEFORE.search(text[max(0, start - 6) : start]) is not None


def _is_pronoun(text: str, start: int, end: int) -> bool:
    return (
        _PRONOUN_AFTER.match(text, end) is not None
        or _PRONOUN_BEFORE.search(text[max(0, start - 12) : start]) is not None
        or text[start - 1 : start] == "-"
    )
