"""The named features of a claim, from which its probability is computed.

Every claim feature is monotone in the passages: one passage more never makes a claim look less supported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from halt_rag.verify.lexical import Lexemes, recall

_CLIP = 1e-3

#: What ``claim_features`` computes.
CLAIM_FEATURES = (
    "nli_support",
    "word_recall",
    "bigram_recall",
    "missing_words",
    "missing_numbers",
    "missing_names",
    "claim_words",
    "short_answer",
)


def logit(p: float) -> float:
    """Log odds, with p kept within [0.001, 0.999]."""
    p = min(1 - _CLIP, max(_CLIP, p))
    return math.log(p / (1 - p))


def claim_features(
    claim: Lexemes, windows: Sequence[Lexemes], *, entailment: float, known: Lexemes, with_question: bool
) -> dict[str, float]:
    """Features of one claim.

    Args:
        claim: Its words, numbers and names (without the question).
        windows: Those of the windows that were read for it.
        entailment: Highest P(entailment) over these windows.
        known: Words, numbers and names of all passages and of the question together.
        with_question: Whether the claim was read together with its question.

    Returns:
        Name to value:
        ``nli_support``: log odds of ``entailment``;
        ``word_recall``: highest share of the claim's words in one window, 0 to 1;
        ``bigram_recall``: the same for neighbouring words;
        ``missing_words``: how many of its words no passage holds, square root;
        ``missing_numbers``, ``missing_names``: how many no passage holds, at most 2;
        ``claim_words``: log of 1 + its number of words;
        ``short_answer``: 1 where it was read together with its question.
    """
    return {
        "nli_support": logit(entailment),
        "word_recall": max((recall(claim.words, w.words) for w in windows), default=0.0),
        "bigram_recall": max((recall(claim.bigrams, w.bigrams) for w in windows), default=0.0),
        "missing_words": math.sqrt(len(claim.words - known.words)),
        "missing_numbers": float(min(2, len(claim.numbers - known.numbers))),
        "missing_names": float(min(2, len(claim.names - known.words))),
        "claim_words": math.log1p(claim.length),
        "short_answer": float(with_question),
    }
