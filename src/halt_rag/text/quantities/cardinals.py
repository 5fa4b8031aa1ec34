"""The value of a run of number words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from halt_rag.text.quantities.lexicon import DOZENS, HUNDREDS, JOINS, OPENERS, powers, values

_GERMAN = re.compile(
    r"(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|sech|sieb|zwanzig|und|zig|ßig|hundert|tausend|"
    r"eins|dreißig)){2,12}"
)
_GERMAN_ONES = {
    "ein": 1, "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
}  # fmt: skip
_ONE_ITSELF = ("one", "eins")
_SCALES_ALONE = ("tausend", "mille", "mil")  # "a thousand" without "a".
_ONE_AFTER_AND = frozenset({"un", "une", "uno", "una"})  # vingt et un, treinta y uno
_NOT_IN_WORDS = ("mn", "bn", "tn")


@dataclass(slots=True)
class Cardinal:
    """A number as far as its words have been read.

    Attributes:
        total: The part before and with the last scale.
        part: The part since.
        step: The worth of the last word.
        used: How many of the words belong to the number.
    """

    total: int = 0
    part: int = 0
    step: int = 1
    used: int = 0
    _least: int = 10**15

    @property
    def value(self) -> int:
        """The number."""
        return self.total + self.part

    def add(self, word: str, before: str, *, opened: bool) -> bool:
        """Takes one more word, or says that it does not belong to the number.

        Args:
            word: The word.
            before: The word before it; empty for the first.
            opened: Whether it follows an article, which only scales do: "a hundred".
        """
        if word in ("vingt", "vingts") and before == "quatre" and self.part % 100 == 4:
            self.part, self.step = self.part + 76, 1
        elif word in values():
            if not self._fits(values()[word], before, opened=opened):
                return False
            self.part, self.step = self.part + values()[word], 1
        elif word in _ONE_AFTER_AND and before in JOINS:
            self.part, self.step = self.part + 1, 1
        elif word in HUNDREDS:
            return self._hundred(HUNDREDS[word], word, before)
        elif word in powers():
            return self._scale(10 ** powers()[word], word)
        elif word in DOZENS and self.part:
            self.part, self.step = self.part * 12, 12
        else:
            return False
        return True

    def _fits(self, value: int, before: str, *, opened: bool) -> bool:
        """Whether a number below hundred may be added to what stands before it."""
        rest = self.part % 100
        if opened or not self.part:
            return not opened
        if value < 10:
            return (rest % 10 == 0 and rest != 10) or (before in JOINS and rest % 10 == 0)
        # French counts on from sixty and eighty: soixante-dix, quatre-vingt-quinze.
        return rest == 0 or (value < 20 and rest in (60, 80))

    def _hundred(self, value: int, word: str, before: str) -> bool:
        if word in ("cent", "cents") and not before:
            return False
        if value == 100 and 0 < self.part < 100:
            self.part, self.step = self.part * 100, 100
        elif not self.part:
            self.part, self.step = value, 100
        else:
            return False
        return True

    def _scale(self, scale: int, word: str) -> bool:
        if scale >= self._least or word in _NOT_IN_WORDS or not (self.part or word in _SCALES_ALONE):
            return False
        self.total += (self.part or 1) * scale
        self.part, self.step, self._least = 0, scale, scale
        return True


def cardinal(words: Sequence[str]) -> Cardinal:
    """The number that begins with the first of some lower-case words; no words used if there is none."""
    found = Cardinal()
    opened = words[0] in OPENERS
    if opened:
        found.part, found.used = 1, int(words[0] in _ONE_ITSELF)
    for at in range(int(opened), len(words)):
        word, before = words[at], words[at - 1] if at else ""
        if word in JOINS:
            after = words[at + 1] if at + 1 < len(words) else ""
            follows = after in values() or (after in _ONE_AFTER_AND and found.part % 100 in range(20, 100, 10))
            if not at or not follows or found.used != at:
                break
            continue
        if not found.add(word, before, opened=opened and at == 1):
            break
        found.used = at + 1
    return found


def german_compound(word: str) -> int:
    """``zweihundertfünfundzwanzig``; 0 if a lower-case word is no such number."""
    if len(word) <= 6 or not _GERMAN.fullmatch(word):
        return 0
    head, thousand, tail = word.partition("tausend")
    if not thousand:
        return _below_thousand(word)
    thousands = _below_thousand(head) if head else 1
    tail = tail.removeprefix("und")
    rest = _below_thousand(tail) if tail else 0
    return 1000 * thousands + rest if thousands and (rest or not tail) else 0


def _below_thousand(word: str) -> int:
    head, hundred, tail = word.partition("hundert")
    if not hundred:
        return _below_hundred(word)
    hundreds = _GERMAN_ONES.get(head, 0) if head else 1
    tail = tail.removeprefix("und")
    rest = _below_hundred(tail) if tail else 0
    return 100 * hundreds + rest if hundreds and (rest or not tail) else 0


def _below_hundred(word: str) -> int:
    known = values().get(word) or _GERMAN_ONES.get(word, 0)
    if known:
        return known
    ones_word, _, tens_word = word.rpartition("und")
    ones, tens = _GERMAN_ONES.get(ones_word, 0), values().get(tens_word, 0)
    return ones + tens if ones and tens >= 20 else 0
