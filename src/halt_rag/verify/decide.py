"""From probability to verdict. Pure functions, total and monotone in the probability."""

from __future__ import annotations

from dataclasses import dataclass

from halt_rag.verify.result import AbstainReason, Decision


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where verdicts change, as probabilities of being hallucinated.

    Attributes:
        threshold: The nominal boundary, reported with each result.
        supported_below: Below this the verdict is "supported"; at most ``threshold``.
        hallucinated_from: From this on it is "hallucinated"; at least ``threshold``.
            Between the two the verifier abstains.
    """

    threshold: float
    supported_below: float
    hallucinated_from: float

    def __post_init__(self) -> None:
        if not 0 <= self.supported_below <= self.threshold <= self.hallucinated_from <= 1:
            raise ValueError(
                "thresholds need 0 <= supported_below <= threshold <= hallucinated_from <= 1, "
                f"not {self.supported_below}, {self.threshold}, {self.hallucinated_from}"
            )


def decide(
    p_hallucinated: float | None, thresholds: Thresholds, *, complete: bool
) -> tuple[Decision, AbstainReason | None]:
    """The verdict on a text.

    Args:
        p_hallucinated: Probability that it is hallucinated; None where it holds nothing to check.
        thresholds: Where verdicts change.
        complete: False if a claim that found no support could not be checked against all that was given. What was
            not read never overrides a determined hallucination, and never passes for support.

    Returns:
        The decision, and why where it is "abstain".
    """
    if p_hallucinated is not None and p_hallucinated >= thresholds.hallucinated_from:
        return "hallucinated", None
    if not complete:
        return "abstain", "not_read"
    if p_hallucinated is None or p_hallucinated < thresholds.supported_below:
        return "supported", None
    return "abstain", "near_threshold"
