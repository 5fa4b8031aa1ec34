"""Finding a quote in a folded text, in time linear in both, hyphens at line ends read either way."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from halt_rag.contracts.evidence.markup import folded
from halt_rag.text.folds import DEHYPHENATION, SOFT_BREAK, WHITESPACE, Folded
from halt_rag.text.spans import Span

_JOINT = re.compile(r"(?<=\w)-[ \n]?(?=\w)")
_CHECKS = 8  # Hyphen comparisons allowed for each character: far more than any honest text needs.


class _Joined:
    """A folded text without its word-internal hyphens, which are kept aside with their places and kinds."""

    def __init__(self, source: Folded) -> None:
        self.places: list[int] = []
        self.kinds: list[str] = []
        edits: list[tuple[int, int, str]] = []
        removed = 0
        for match in _JOINT.finditer(source.text):
            self.places.append(match.start() - removed)
            self.kinds.append(self._kind(source.text, match))
            removed += len(match[0])
            edits.append((match.start(), match.end(), ""))
        self.folded = source.replaced(edits)

    @staticmethod
    def _kind(text: str, match: re.Match[str]) -> str:
        # A hyphen between digits is a range or an identifier, never a hyphenation.
        digits = text[match.start() - 1].isdigit() or text[match.end()].isdigit()
        return "digits" if match[0] == SOFT_BREAK and digits else match[0]

    def between(self, start: int, end: int) -> list[tuple[int, str]]:
        first, last = bisect_right(self.places, start), bisect_left(self.places, end)
        return [(self.places[at] - start, self.kinds[at]) for at in range(first, last)]


class Haystack:
    """A folded text to search in.

    Args:
        text: The text.
        names: The folds that were applied.
    """

    def __init__(self, text: Folded, names: frozenset[str]) -> None:
        self._text = text
        self._names = names

    @cached_property
    def _joined(self) -> _Joined:
        return _Joined(self._text)

    @cached_property
    def _breaks(self) -> bool:
        return SOFT_BREAK in self._text.text

    def occurrences(self, quote: str) -> Iterator[Span]:
        """Places of a quote in the text before folding, from left to right, without overlap.

        The quote is folded the same way. A quote with nothing visible in it occurs nowhere.
        """
        needle = folded(quote, self._names)
        wanted = needle.text.strip() if WHITESPACE in self._names else needle.text
        if not wanted:
            return
        if self._names and (self._breaks or SOFT_BREAK in wanted):
            yield from self._loose(Folded(wanted))
            return
        for start in _finds(self._text.text, wanted):
            yield self._text.original(Span(start, start + len(wanted)))

    def _loose(self, needle: Folded) -> Iterator[Span]:
        wanted = _Joined(needle)
        text, length = self._joined.folded.text, len(wanted.folded.text)
        hyphens = wanted.between(0, length)
        budget = _CHECKS * (len(text) + length)
        at = text.find(wanted.folded.text)
        while at >= 0 and budget > 0:
            found = self._joined.between(at, at + length)
            budget -= len(found) + len(hyphens) + length
            fits = agree(found, hyphens, self._names)
            if fits:
                yield self._joined.folded.original(Span(at, at + length))
            at = text.find(wanted.folded.text, at + (length if fits else 1))


def agree(left: list[tuple[int, str]], right: list[tuple[int, str]], names: frozenset[str]) -> bool:
    """Whether two lists of word-internal hyphens can be the same text, a line-end hyphen read either way."""
    one, other = dict(left), dict(right)
    for place in one.keys() | other.keys():
        kinds = {one.get(place, ""), other.get(place, "")}
        if len(kinds) == 1:
            continue
        soft = kinds & {SOFT_BREAK, "digits"}
        if not soft:
            return False
        needed = DEHYPHENATION if "" in kinds else WHITESPACE
        if needed not in names or ("" in kinds and "digits" in kinds):
            return False
    return True


def needed_folds(text: str, quote: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The folds without which a quote would not be found in a text: a smallest such set, in order.

    Args:
        text: The lines that hold the quote, for marks such as emphasis come in pairs.
        quote: The quote, which these folds do find.
        names: The folds.
    """

    def found(some: set[str]) -> bool:
        return next(Haystack(folded(text, some), frozenset(some)).occurrences(quote), None) is not None

    touching = {name for name in names if folded(text, (name,)).text != text or folded(quote, (name,)).text != quote}
    # Blanks at a quote's ends, and line breaks after a hyphen, differ without either text changing.
    needed = touching | ({WHITESPACE, DEHYPHENATION} & set(names))
    for name in names:
        if name in needed and found(needed - {name}):
            needed.discard(name)
    return tuple(name for name in names if name in needed)


def _finds(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + len(wanted))
