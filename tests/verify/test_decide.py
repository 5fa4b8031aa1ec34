"""The verdict rule is total, and monotone in the probability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.verify.decide import Thresholds, decide

ORDER = {"supported": 0, "abstain": 1, "hallucinated": 2}
probabilities = st.floats(0, 1)
thresholds = st.tuples(probabilities, probabilities, probabilities).map(
    lambda cuts: Thresholds(sorted(cuts)[1], sorted(cuts)[0], sorted(cuts)[2])
)


@given(probabilities | st.none(), thresholds, st.booleans())
def test_there_is_always_one_decision_and_a_reason_exactly_where_it_abstains(
    p: float | None, cuts: Thresholds, complete: bool
) -> None:
    decision, reason = decide(p, cuts, complete=complete)
    assert decision in ORDER
    assert (reason is None) == (decision != "abstain")


@given(probabilities, probabilities, thresholds, st.booleans())
def test_a_higher_probability_never_moves_towards_support(
    one: float, other: float, cuts: Thresholds, complete: bool
) -> None:
    low, high = (decide(p, cuts, complete=complete)[0] for p in sorted((one, other)))
    assert ORDER[low] <= ORDER[high]


@given(probabilities | st.none(), thresholds)
def test_what_was_not_read_never_overrides_a_determined_hallucination_and_never_passes_for_support(
    p: float | None, cuts: Thresholds
) -> None:
    whole, partly = decide(p, cuts, complete=True)[0], decide(p, cuts, complete=False)
    if whole == "hallucinated":
        assert partly == ("hallucinated", None)
    else:
        assert partly == ("abstain", "not_read")


@pytest.mark.parametrize(
    ("p", "decision", "reason"),
    [
        (0.0, "supported", None),
        (0.29, "supported", None),
        (0.3, "abstain", "near_threshold"),
        (0.69, "abstain", "near_threshold"),
        (0.7, "hallucinated", None),
        (1.0, "hallucinated", None),
        (None, "supported", None),
    ],
)
def test_the_cuts_are_half_open(p: float | None, decision: str, reason: str | None) -> None:
    assert decide(p, Thresholds(0.5, 0.3, 0.7), complete=True) == (decision, reason)


@pytest.mark.parametrize(
    "cuts", [(0.5, 0.6, 0.7), (0.5, 0.3, 0.4), (0.5, -0.1, 0.7), (0.5, 0.3, 1.1), (float("nan"),) * 3]
)
def test_thresholds_out_of_order_are_refused(cuts: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="thresholds need"):
        Thresholds(*cuts)
