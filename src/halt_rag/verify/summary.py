"""The verification of a text from what was found for its claims: the decision and the receipt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from halt_rag.verify.checking import CheckedClaim
from halt_rag.verify.claims import ClaimText
from halt_rag.verify.decide import decide
from halt_rag.verify.reading import tokens_read
from halt_rag.verify.result import Claim, ModelInfo, Receipt, Verification
from halt_rag.verify.session import Checked, Session
from halt_rag.verify.tiers import Tier

_ORDER = {"supported": 0, "abstain": 1, "hallucinated": 2}


def verification(
    session: Session, claims: Sequence[ClaimText], generated: str, found: Sequence[Checked]
) -> Verification:
    """The record of a whole text.

    Args:
        session: Its sources and the models.
        claims: All its claims.
        generated: The text.
        found: What was found for those that can be checked, in order.
    """
    checked = [c for c, _ in found]
    records = {c.claim.span: record for c, record in found}
    models = [model_info(tier) for tier in session.tiers]
    return Verification(
        **_decision(checked, session.tiers),
        claims=[records.get(c.span) or nothing_to_check(c, generated) for c in claims],
        receipt=_receipt(checked, claims, generated, session),
        model=models[0],
        cascade=models[1:],
    )


def nothing_to_check(claim: ClaimText, generated: str) -> Claim:
    """The record of a sentence that is no claim."""
    return Claim(
        start=claim.span.start,
        end=claim.span.end,
        text=claim.span.of(generated),
        label="NA",
        p_hallucinated=None,
        reason=None,
        evidence=[],
    )


def model_info(tier: Tier) -> ModelInfo:
    """Which model and which calibration."""
    return ModelInfo(
        backend=tier.backend.name,
        model_id=tier.backend.model_id,
        revision=tier.backend.revision,
        artifact=tier.model.id if tier.model else None,
        calibrated=tier.model is not None,
    )


def _decision(checked: Sequence[CheckedClaim], tiers: Sequence[Tier]) -> dict[str, Any]:
    """The verdict on the text: that of its worst claim, among those that were read."""

    def badness(c: CheckedClaim) -> tuple[int, float]:
        # Probabilities of different models are compared by what they mean for the verdict first.
        return _ORDER[decide(c.p, tiers[c.tier].thresholds, complete=True)[0]], c.p or 0.0

    weighed = [c for c in checked if c.p is not None and c.reason not in {"not_read", "language"}]
    worst = max(weighed, key=badness, default=None)
    p = None if worst is None else worst.p
    thresholds = tiers[worst.tier if worst else 0].thresholds
    decision, why = decide(p, thresholds, complete=len(weighed) == len(checked))
    if why == "not_read" and not any(c.reason == "not_read" for c in checked):
        why = "language"
    return {
        "decision": decision,
        "abstain_reason": why,
        "calibrated_prob": p,
        "threshold": thresholds.threshold,
        "feature_breakdown": {} if worst is None else (worst.features or {}) | {"claims": float(len(checked))},
    }


def _receipt(checked: Sequence[CheckedClaim], claims: Sequence[ClaimText], generated: str, session: Session) -> Receipt:
    first, sources = session.tiers[0], session.sources
    count = first.backend.tokenizer.count
    total = sum(count(c.span.of(generated)) for c in claims)
    windows = {w for c in checked for w in c.tally.windows}
    by_tier = [sum(c.tally.pairs.get(tier.number, 0) for c in checked) for tier in session.tiers]
    return Receipt(
        passages=len(sources.passages),
        windows=len(sources.windows),
        reading="indexed" if first.indexed(sources) else "exhaustive",
        windows_read=len(windows),
        pairs_scored=sum(by_tier),
        pairs_by_tier=by_tier,
        cache_hits=sum(c.tally.hits for c in checked),
        source_tokens_total=sources.tokens,
        source_tokens_read=tokens_read(sources, windows, first.backend.tokenizer),
        generated_tokens_total=total,
        generated_tokens_read=total - sum(count(c.text) for c in checked if not c.windows),
        truncated=not all(c.complete for c in checked),
    )
