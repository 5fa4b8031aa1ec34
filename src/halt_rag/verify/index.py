"""A lexical index over windows: which of them can hold what a claim says, without asking a model.

The weight of a term is its inverse document frequency in BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond", 2009), doubled for numbers and names. Windows have about the same length and terms are
counted once, so that the rest of BM25 falls away and a score is a plain share: how much of the claim's weight a window
holds, 0 to 1.
"""

from __future__ import annotations

import math
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


class WindowIndex:
    """Finds windows by the terms they hold; its size and the time to build it grow with the windows.

    Args:
        windows: Words, numbers and names of each window.
    """

    def __init__(self, windows: Sequence[Lexemes]) -> None:
        self._windows = len(windows)
        self._postings: dict[str, list[int]] = {}
        for place, window in enumerate(windows):
            for term in _terms(window):
                self._postings.setdefault(term, []).append(place)

    def coverage(self, claim: Lexemes) -> NDArray[np.float64]:
        """The share of the claim's weight that each window holds, shape (windows,); all ones for one without terms."""
        import numpy as np

        weighty = claim.numbers | claim.names
        # In a fixed order, so that sums are the same whatever the order of a set is.
        weights = {term: self._rarity(term) * (_WEIGHTY if term in weighty else 1) for term in sorted(_terms(claim))}
        total = sum(weights.values())
        if not total:
            return np.ones(self._windows)
        held = np.zeros(self._windows)
        for term, weight in weights.items():
            held[self._postings.get(term, [])] += weight
        return held / total

    def reaches(self, claim: Lexemes) -> bool:
        """Whether the index can tell that windows do not hold a claim: it has words, and most stand in the sources."""
        known = sum(term in self._postings for term in claim.words)
        return len(claim.words) >= _FEWEST_WORDS and known >= _LEAST_KNOWN * len(claim.words)

    def _rarity(self, term: str) -> float:
        holding = len(self._postings.get(term, ()))
        return math.log1p((self._windows - holding + 0.5) / (holding + 0.5))


def ranked(coverage: NDArray[np.float64]) -> list[int]:
    """The windows, those that hold most first; of equals the first comes first.

    The place of a window among others depends on the claim and on these alone, but for the rarity of terms.
    """
    import numpy as np

    return [int(i) for i in np.argsort(-coverage, kind="stable")]


def _terms(part: Lexemes) -> frozenset[str]:
    return part.words | part.numbers
