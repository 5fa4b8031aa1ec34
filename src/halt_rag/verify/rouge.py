"""ROUGE-L between two texts, fast enough for long sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKEN = re.compile(r"[^\W_]+")


def rouge_tokens(text: str) -> list[str]:
    """Lower-cased runs of letters and digits.

    On ASCII texts these are the tokens of the ``rouge-score`` package without stemming; that package drops all other
    letters, which are kept here.
    """
    return _TOKEN.findall(text.lower())


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of a longest common subsequence, by the bit-parallel method of Hyyrö (2004): one addition a token of b."""
    places: dict[str, int] = {}
    for i, token in enumerate(a):
        places[token] = places.get(token, 0) | 1 << i
    every = (1 << len(a)) - 1
    state = every
    for token in b:
        matched = state & places.get(token, 0)
        state = ((state + matched) | (state - matched)) & every
    return len(a) - state.bit_count()


def rouge_l_f1(reference: Sequence[str], candidate: Sequence[str]) -> float:
    """ROUGE-L F1 of two token lists, 0 to 1 (Lin 2004); 0 where one is empty."""
    common = lcs_length(candidate, reference)
    return 2 * common / (len(reference) + len(candidate)) if common else 0.0
