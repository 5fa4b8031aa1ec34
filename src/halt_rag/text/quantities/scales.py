"""Scale words after a number: ``million``, ``Mrd.``, ``bn``, ``k``, ``× 10⁹``."""

from __future__ import annotations

import re

from halt_rag.text.quantities.lexicon import powers

_AFTER = re.compile(r"[ \u00a0\u202f-]?(?:of a )?([^\W\d_]{1,10}|千|万|萬|億|亿|兆)(\.?)")
_POWER = re.compile(r" ?[x×·*] ?10(?:\^([-−+]?\d{1,2})|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))|[eE]([-+]?\d{1,2})(?!\w)")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_CJK = {"千": 3, "万": 4, "萬": 4, "億": 8, "亿": 8, "兆": 12}
_LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9}
_MONEY = {"m": 6, "b": 9}
_ABBREVIATED = ("mio", "mrd", "mn", "bn")
_LARGEST = 30


def scale_after(text: str, end: int, *, money: bool) -> tuple[int, int] | None:
    """The power of ten that a scale after a number stands for, and where the scale ends.

    Args:
        text: The text.
        end: Where the number ends.
        money: Whether a currency stands before it, so that ``m`` and ``b`` are millions and billions.
    """
    power = _POWER.match(text, end)
    if power:
        exponent = int((power[1] or power[2] or power[3]).translate(_RAISED))
        return (exponent, power.end()) if abs(exponent) <= _LARGEST else None
    match = _AFTER.match(text, end)
    if match is None:
        return None
    word = match[1]
    if word[0] in _CJK:
        return _CJK[word[0]], match.start(1) + 1
    if len(word) == 1:
        letter = _LETTERS.get(word) or (_MONEY.get(word) if money else None)
        return (letter, match.end(1)) if letter and (money or match.start(1) == end) else None
    lower = word.lower()
    found = powers().get(lower)
    if found is None or (lower in ("mil", "mille") and text[end : end + 1] == "-"):
        return None
    return found, match.end() if match[2] and lower in _ABBREVIATED else match.end(1)
