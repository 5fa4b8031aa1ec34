"""English number words: ``thirty``, ``twenty-one``, ``two hundred and five``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: value for value, word in enumerate(_ONES)} | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
_POWERS = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ANY = "|".join([*_VALUES, *_POWERS])
_PHRASE = re.compile(rf"\b(?:{'|'.join(_VALUES)})(?:(?:[\s-]+(?:and\s+)?)(?:{_ANY})\b)*+(?![\w])", re.IGNORECASE)
_WORD = re.compile(rf"\b(?:{_ANY})\b")


def spelled(text: str) -> Iterator[tuple[int, int, Decimal]]:
    """The number words of a text as ``(start, end, value)``; what is no number (``two three``) is left out."""
    for match in _PHRASE.finditer(text):
        value = _value(_WORD.findall(match[0].lower()))
        if value is not None:
            yield match.start(), match.end(), Decimal(value)


def _value(words: list[str]) -> int | None:
    total, part, least = 0, 0, 10**12
    for at, word in enumerate(words):
        if word == "hundred":
            if not 0 < part < 10:
                return None
            part *= 100
        elif word in _POWERS:
            if not part or _POWERS[word] >= least:
                return None
            least = _POWERS[word]
            total, part = total + part * least, 0
        else:
            value, before = _VALUES[word], words[at - 1] if at else ""
            fits = not at or before in _POWERS or (before in _TENS and 0 < value < 10)
            if not fits:
                return None
            part += value
    return total + part
