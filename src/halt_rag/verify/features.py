"""The named features of a claim, from which its probability is computed.

Every claim feature is monotone in the passages: one passage more never makes a claim look less supported. The
exceptions are ``quantities_contradicted``, ``_absent``, ``_found`` and ``_derived``, because a passage more can turn a
quantity that none has into one that it contradicts; a head that is to be monotone uses ``quantities_unsupported``,
``quantities_supported`` and their ``specific_`` counterparts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from halt_rag.verify.findings import QuantityFinding, quantity_features
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
    "quantities_contradicted",
    "quantities_absent",
    "quantities_found",
    "quantities_derived",
    "quantities_unsupported",
    "quantities_supported",
    "specific_unsupported",
    "specific_supported",
)


def logit(p: float) -> float:
    """Log odds, with p kept within [0.001, 0.999]."""
    p = min(1 - _CLIP, max(_CLIP, p))
    return math.log(p / (1 - p))


def claim_features(
    claim: Lexemes,
    windows: Sequence[Lexemes],
    *,
    entailment: float,
    known: Lexemes,
    with_question: bool,
    quantities: Sequence[QuantityFinding] = (),
) -> dict[str, float]:
    """Features of one claim.

    Args:
        claim: Its words, numbers and names (without the question).
        windows: Those of the windows that were read for it.
        entailment: Highest P(entailment) over these windows, and over pairs of them from two passages.
        known: Words, numbers and names of all passages and of the question together.
        with_question: Whether the claim was read together with its question.
        quantities: What the sources say about its quantities.

    Returns:
        Name to value:
        ``nli_support``: log odds of ``entailment``;
        ``word_recall``: highest share of the claim's words in one window, 0 to 1;
        ``bigram_recall``: the same for neighbouring words;
        ``missing_words``: how many of its words no passage holds, square root;
        ``missing_numbers``, ``missing_names``: how many no passage holds, at most 2;
        ``claim_words``: log of 1 + its number of words;
        ``short_answer``: 1 where it was read together with its question;
        ``quantities_contradicted``, ``_absent``, ``_found``, ``_derived``: see ``quantity_features``;
        ``quantities_unsupported``: the first two together, at most 2;
        ``quantities_supported``: the other two together, at most 2;
        ``specific_unsupported``, ``specific_supported``: the same for dates, amounts and numbers above 20 alone, which
        seldom stand in a source by chance.
    """
    unsupported = [finding for finding in quantities if finding.status in {"contradicted", "absent"}]
    supported = [finding for finding in quantities if finding.status not in {"contradicted", "absent"}]
    return {
        "nli_support": logit(entailment),
        "word_recall": max((recall(claim.words, w.words) for w in windows), default=0.0),
        "bigram_recall": max((recall(claim.bigrams, w.bigrams) for w in windows), default=0.0),
        "missing_words": math.sqrt(len(claim.words - known.words)),
        "missing_numbers": float(min(2, len(claim.numbers - known.numbers))),
        "missing_names": float(min(2, len(claim.names - known.words))),
        "claim_words": math.log1p(claim.length),
        "short_answer": float(with_question),
        **quantity_features(quantities),
        "quantities_unsupported": float(min(2, len(unsupported))),
        "quantities_supported": float(min(2, len(supported))),
        "specific_unsupported": float(min(2, sum(finding.specific for finding in unsupported))),
        "specific_supported": float(min(2, sum(finding.specific for finding in supported))),
    }
