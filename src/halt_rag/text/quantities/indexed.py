"""Texts whose quantities have been found, with the words around each and ways to look them up."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from halt_rag.text.quantities.context import Words, around, places_of
from halt_rag.text.quantities.language import is_english
from halt_rag.text.quantities.model import Quantity
from halt_rag.text.quantities.multiples import multiples
from halt_rag.text.quantities.scan import find_quantities

_CANDIDATES = 300  # The most quantities that are looked at for one of a claim because of shared words.
_BESIDE = 12  # How many quantities on either side count as near.
_COMPARED = re.compile(
    r"[\s-]*(?:[^\W\d_]+\s)?(?:more|less|fewer|higher|lower|older|younger|longer|shorter|faster|slower|larger|smaller|taller|"
    r"greater|cheaper|earlier|later|above|below|mehr|weniger|höher|niedriger|de plus|de moins|más|menos)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:by|um)\s(?:(?:about|around|roughly|nearly|almost|only|just|some|over|more than|at least|"
    r"up to|etwa|rund|fast)\s)?$",
    re.IGNORECASE,
)


class ReadText:
    """A text with its quantities and its words.

    Attributes:
        text: The text.
        quantities: What ``find_quantities`` finds in it.
        words: Its words.
        english: Whether it is English.
        multiples: What it states as a part or multiple of a number, "half of the 40", by the place of that number.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.quantities = find_quantities(text)
        self.words = Words(text)
        self.english = is_english(text)
        self.multiples = {self.quantities[one.base].span: one.result for one in multiples(text, self.quantities)}

    def contexts(self, quantities: Sequence[Quantity]) -> list[dict[str, float]]:
        """For each quantity, the words around it."""
        places = places_of(self.words, quantities)
        return [around(self.words, one.span, places[one.dimension]) for one in quantities]

    def quote(self, one: Quantity) -> str:
        """A quantity as written."""
        return one.span.of(self.text)

    def is_change(self, one: Quantity) -> bool:
        """Whether a quantity is a difference ("by 5", "5 more") and not the size of something."""
        before = self.text[max(0, one.span.start - 30) : one.span.start]
        return _COMPARED.match(self.text, one.span.end) is not None or _CHANGED.search(before) is not None


class ReadSource(ReadText):
    """One source and the ways into it; built once for many claims.

    Attributes:
        position: Its place among the sources.
        items: Its quantities, the ends of ranges after each range.
        around: For each of them, the words around it.
    """

    def __init__(self, position: int, text: str) -> None:
        super().__init__(text)
        self.position = position
        self.items = [one for whole in self.quantities for one in (whole, *whole.ends)]
        self.around = self.contexts(self.items)
        self._reached: dict[tuple[int, int], frozenset[str]] = {}
        self._by_word: dict[str, list[int]] = {}
        for at, context in enumerate(self.around):
            for word in context:
                self._by_word.setdefault(word, []).append(at)
        self._by_number: dict[object, list[int]] = {}
        self._sorted: dict[str, list[tuple[float, int]]] = {}
        for at, one in enumerate(self.items):
            for key in _keys(one):
                self._by_number.setdefault(key, []).append(at)
            for reading in one.normals:
                self._sorted.setdefault(one.dimension, []).append((float(reading.value), at))
        for values in self._sorted.values():
            values.sort()

    def candidates(self, one: Quantity, context: dict[str, float]) -> set[int]:
        """The quantities that may have to do with one of a claim: of about its value, or with its words around."""
        found = {at for key in _keys(one) for at in self._by_number.get(key, ())}
        values = self._sorted.get(one.dimension, [])
        for reading in one.normals:
            value = float(reading.value)
            low, high = sorted((value * 0.7, value * 1.4) if one.bound else (value * 0.9, value * 1.12))
            first, last = bisect_left(values, (low, -1)), bisect_right(values, (high, len(self.items)))
            found.update(at for _, at in values[first:last])
        shared = sorted((self._by_word[word] for word in context if word in self._by_word), key=len)
        room = _CANDIDATES
        for places in shared:
            found.update(places[:room])
            room -= len(places)
            if room <= 0:
                break
        return found

    def reach(self, at: int, back: int) -> frozenset[str]:
        """The words of a quantity's sentence and of some before it."""
        key = self._sentences[at], back
        if key not in self._reached:
            self._reached[key] = self.words.content(key[0] - back, key[0])
        return self._reached[key]

    def sentence(self, at: int) -> int:
        """The number of a quantity's sentence."""
        return self._sentences[at]

    def within(self, first: int, last: int) -> list[Quantity]:
        """The quantities of the sentences from ``first`` to ``last``, the first few of them."""
        low, high = bisect_left(self._sentences, first), bisect_right(self._sentences, last)
        return self.items[low : min(high, low + 2 * _BESIDE)]

    def beside(self, at: int) -> list[Quantity]:
        """The quantities of a quantity's sentence, itself included, as far as they stand near it."""
        sentence = self._sentences[at]
        low, high = max(0, at - _BESIDE), min(len(self.items), at + _BESIDE + 1)
        return [self.items[place] for place in range(low, high) if self._sentences[place] == sentence]

    @cached_property
    def _sentences(self) -> list[int]:
        return [self.words.sentence(one.span.start) for one in self.items]


def _keys(one: Quantity) -> set[object]:
    """What a quantity is looked up by, whatever its unit."""
    keys: set[object] = {reading.value for reading in one.numbers}
    if one.label:
        keys.add(("version", one.label))
    for year, month, day in one.days:
        if year:
            decade, century = (year // 10, (year + 99) // 100) if one.unit != "century" else (0, year)
            keys |= {("decade", decade), ("century", century)}
        if one.unit == "day":
            keys |= {year, ("month", month), ("month", month, day)} - {0, ("month", 0), ("month", month, 0)}
            keys.add(("quarter", (month + 2) // 3))
        elif one.unit == "quarter":
            keys.add(("quarter", month))
    for end in one.ends:
        keys |= _keys(end)
    return keys
