"""A lexical index over windows: which of them can hold what a claim says, without asking a model.

The weight of a term is its inverse document frequency in BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond", 2009), doubled for numbers and names, and terms are counted once. So a score is a share:
how much of the claim's weight a window holds, 0 to 1. Three things raise it, none lowers it, so that what the score
rules out the plain share rules out too: a word that stands nowhere in the sources counts in part where a word that
begins like it stands; a window that opens with a pronoun may be about the names of the claim; and a short window needs
less than a long one, which holds more words of any claim by chance.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from halt_rag.verify.lexical import Lexemes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A number or a name says more about where a statement stands than another word that is as rare.
_WEIGHTY = 2.0
#: A claim with fewer words than this, or with a smaller share of words that stand anywhere in the sources, is not in
#: the index's reach: it may be in another language.
_FEWEST_WORDS, _LEAST_KNOWN = 3, 0.5
#: A word that no window holds counts so much where one stands that begins like it: "biked" for "bike".
_ALIKE = 0.4
#: Alike are stems with all but so many of the last letters in common, and at least so many of the first.
_ENDING, _BEGINNING = 2, 4
#: The share of the weight of a claim's names that a window is given of what it lacks if it opens with a pronoun.
_REFERRED = 0.12
#: Windows of at most so many content words are short, of at least so many long.
_SHORT, _LONG = 48, 96


class WindowIndex:
    """Finds windows by the terms they hold; its size and the time to build it grow with the windows.

    Args:
        windows: Words, numbers and names of each window.
    """

    def __init__(self, windows: Sequence[Lexemes]) -> None:
        self._windows = len(windows)
        self._lengths = [min(max(window.length, _SHORT), _LONG) for window in windows]
        self._referring = [i for i, window in enumerate(windows) if window.refers]
        self._postings: dict[str, list[int]] = {}
        for place, window in enumerate(windows):
            for term in _terms(window):
                self._postings.setdefault(term, []).append(place)
        self._vocabulary = sorted(self._postings)

    def coverage(self, claim: Lexemes) -> NDArray[np.float64]:
        """The share of the claim's weight that each window holds, shape (windows,); all ones for one without terms.

        Never less than that: what raises it is said above. The share ``s`` of a window of fewer than ``_LONG`` words
        becomes ``1 - (1 - s)**g``, ``g`` up to 1.41.
        """
        import numpy as np

        weighty = claim.numbers | claim.names
        total = named = 0.0
        held = np.zeros(self._windows)
        # In a fixed order, so that sums are the same whatever the order of a set is.
        for term in sorted(_terms(claim)):
            factor = _WEIGHTY if term in weighty else 1
            holding = self._postings.get(term, [])
            weight = self._rarity(len(holding)) * factor
            total += weight
            named += weight * (term in claim.names)
            if holding:
                held[holding] += weight
            elif alike := self._holding_alike(term):
                held[alike] += self._rarity(len(alike)) * factor * _ALIKE
        if not total:
            return np.ones(self._windows)
        # Sums in another order can differ in the last digit.
        lacking = np.maximum(0.0, 1 - held / total)
        lacking[self._referring] *= 1 - _REFERRED * named / total
        coverage: NDArray[np.float64] = 1 - lacking ** np.sqrt(_LONG / np.array(self._lengths))
        return coverage

    def reaches(self, claim: Lexemes) -> bool:
        """Whether the index can tell that windows do not hold a claim: it has words, and most stand in the sources."""
        known = sum(term in self._postings for term in claim.words)
        return len(claim.words) >= _FEWEST_WORDS and known >= _LEAST_KNOWN * len(claim.words)

    def _holding_alike(self, term: str) -> list[int]:
        """The windows with a word that begins like one that none of them holds."""
        if len(term) < _ENDING + 1 or term[0].isdigit():
            return []
        beginning = term[: max(_BEGINNING, len(term) - _ENDING)]
        found: set[int] = set()
        for place in range(bisect_left(self._vocabulary, beginning), len(self._vocabulary)):
            other = self._vocabulary[place]
            if not other.startswith(beginning):
                break
            found.update(self._postings[other])
        return sorted(found)

    def _rarity(self, holding: int) -> float:
        """The weight of a term that so many windows hold; positive."""
        return math.log1p((self._windows - holding + 0.5) / (holding + 0.5))


def ranked(coverage: NDArray[np.float64]) -> list[int]:
    """The windows, those that hold most first; of equals the first comes first.

    The place of a window among others depends on the claim and on these alone, but for the rarity of terms.
    """
    import numpy as np

    return [int(i) for i in np.argsort(-coverage, kind="stable")]


def _terms(part: Lexemes) -> frozenset[str]:
    return part.words | part.numbers
