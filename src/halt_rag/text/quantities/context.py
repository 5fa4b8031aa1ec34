"""The words around a quantity, by which it is told which quantity of another text it is to be compared with."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Set

from halt_rag.text.quantities.language import is_english
from halt_rag.text.quantities.model import Quantity
from halt_rag.text.spans import Span

_SCRIPTS = r"\u0e00-\u0e4f\u0e5a-\u0ecf\u0eda-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)*|[{_SCRIPTS}]+|[^\W\d_{_SCRIPTS}]+|[,;:()|—–\[\]]")
_UNSPACED = re.compile(rf"[{_SCRIPTS}]")
_END = re.compile(
    r"[.!?…][\"'”’)\]*_]{0,3}(?=\s+[\"'“(\[*_¿¡-]{0,3}[^\W\d_a-zß-öø-ÿ])|[。！？।؟]|\n[ \t]*\n|"
    r"\n(?=[ \t]*(?:[-*+•|#>]|\d{1,3}[.)]))|\|[ \t]*\n"
)
_ENGLISH = frozenset(
    "a an and are as at be been being but by can could did do does for from had has have he her hers him his i if in "
    "into is it its may might more most must no nor not of on or our out over she should so some such than that the "
    "their them then there these they this those to under up was we were what when where which while who whom whose "
    "why will with would you your also about after all any because before both each few how just only other own same "
    "very s t d around approximately roughly nearly almost least up per within less fewer "
    "early late mid many much".split()
)
_OTHERS = frozenset(
    "der die das den dem des ein eine einen einem einer eines und oder aber auch als am an auf aus bei bis durch für "
    "gegen hat haben hatte im in ins ist sind war waren wird werden wurde wurden mit nach nicht noch nur ob ohne sehr "
    "sich sie er es ihr ihre sein seine so über um unter vom von vor wie wir zu zum zur etwa rund mehr "
    "le la les l un une et ou de du des d à au aux en dans par pour sur avec sans ce cette ces est sont était été a "
    "ont avait il elle ils elles qui que qu se sa son ses leur leurs ne pas plus moins environ "
    "el los las lo una unos unas y o del al con por para sin su sus es son fue fueron ha han había se no más menos "
    "este esta estos como entre".split()
)
_REACH = 16  # Words on either side.
_FADE = 0.84  # What a word further away counts,
_CROSSED = 0.4  # and what is left beyond another quantity of the same kind,
_BROKEN = 0.75  # or beyond a comma, a bracket, a cell's edge, an "and",
_DIVIDED = 0.4  # which part the words of a sentence that has another quantity of the same kind.
_AND = frozenset("and but while whereas und aber während et mais tandis y pero mientras".split())
_STEM = 6


def stem(word: str) -> str:
    """A word without its plural and ending, for comparison."""
    return word[:-1][:_STEM] if len(word) > 3 and word.endswith("s") else word[:_STEM]


class Words:
    """The words of a text and its sentences; built once, in linear time.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        self.stems: list[str] = []  # Empty for words that say little; a comma for what divides clauses.
        self.capital: list[bool] = []
        stop = _ENGLISH if is_english(text) else _ENGLISH | _OTHERS
        for match in _TOKEN.finditer(text):
            token = match[0]
            if _UNSPACED.match(token):
                self._add_pairs(match.start(), token)
                continue
            self.starts.append(match.start())
            first = token[0]
            if first.isalpha():
                lower = token.lower()
                name = len(token) == 1 and first.isupper() and first != "I" and text[match.start() - 2 :][:1].isalnum()
                word = "" if lower in stop and not name else stem(lower)
                self.stems.append("," if lower in _AND else word)
                self.capital.append(first.isupper())
            else:
                self.stems.append(token.replace(",", "") if first.isdigit() else ",")
                self.capital.append(False)
        self.ends = [match.end() for match in _END.finditer(text)]

    def _add_pairs(self, start: int, token: str) -> None:
        """Scripts without blanks between words are compared by pairs of characters."""
        for at in range(max(1, len(token) - 1)):
            self.starts.append(start + at)
            self.stems.append(token[at : at + 2])
            self.capital.append(False)

    def sentence(self, place: int) -> int:
        """The number of the sentence that a place is in."""
        return bisect_right(self.ends, place)

    def tokens(self, first: int, last: int) -> tuple[int, int]:
        """The positions of the words of the sentences from ``first`` to ``last``."""
        start = self.ends[first - 1] if first > 0 else 0
        low = bisect_left(self.starts, start)
        high = bisect_left(self.starts, self.ends[last]) if last < len(self.ends) else len(self.starts)
        return low, high

    def content(self, first: int, last: int) -> frozenset[str]:
        """The stems that say something in the sentences from ``first`` to ``last``."""
        low, high = self.tokens(max(0, first), last)
        return frozenset(self.stems[low:high]) - {"", ","}


def places_of(words: Words, quantities: Iterable[Quantity]) -> dict[str, set[int]]:
    """The positions of the words that quantities consist of, by dimension."""
    found: dict[str, set[int]] = {}
    for one in quantities:
        low, high = bisect_left(words.starts, one.span.start), bisect_left(words.starts, one.span.end)
        found.setdefault(one.dimension, set()).update(range(low, high))
    return found


def around(words: Words, span: Span, rivals: Set[int]) -> dict[str, float]:
    """The words of a quantity's sentence by how close they are to it, 1 for its neighbour.

    Args:
        words: The words of the text.
        span: The quantity's place.
        rivals: Where quantities of its kind are: words beyond them belong rather to them.
    """
    low, high = words.tokens(*(words.sentence(span.start),) * 2)
    found: dict[str, float] = {}
    before = bisect_left(words.starts, span.start) - 1
    after = bisect_left(words.starts, span.end)
    sides = range(before, max(low, before - _REACH) - 1, -1), range(after, min(high, after + _REACH))
    broken = _DIVIDED if any(place in rivals for side in sides for place in side) else _BROKEN
    for places in sides:
        weight, said = 1.0, False
        for place in places:
            word = words.stems[place]
            if place in rivals:
                # Of "707, 727 and 757 airliners" each number has the words around the list.
                weight = weight * _CROSSED if said else 1.0
            elif word == ",":
                weight *= broken
            else:
                if word:
                    said = True
                    found[word] = max(weight, found.get(word, 0.0))
                weight *= _FADE
    return found


def head(words: Words, span: Span) -> str | None:
    """The word that a bare number counts: the first that says something after it, close by; None if there is none."""
    low = bisect_left(words.starts, span.end)
    for place in range(low, min(low + 3, len(words.starts))):
        if words.stems[place] == "," or words.sentence(words.starts[place]) != words.sentence(span.start):
            return None
        if words.stems[place]:
            return words.stems[place]
    return None
