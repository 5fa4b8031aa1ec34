"""Claims that the first model leaves open go to the next, and only these."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag import HaltRagVerifier, InputError
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.artifact import Cuts
from halt_rag.verify.verifier import Cascade
from tests.verify.support import check, plain_texts, task_model

SOURCE = "The dam was built in 1967."
SURE, UNSURE, FALSE = "The dam was built in 1967.", "The dam is old and wet and grey.", "Bread is baked in Rome."
#: The first model is not sure of one claim, the second one is.
FIRST = {(SOURCE, UNSURE): (0.8, 0.1, 0.1)}
SECOND = {(SOURCE, UNSURE): (0.99, 0.01, 0.0)}


def tier(answers: dict[tuple[str, str], tuple[float, float, float]], cuts: Cuts | None = None) -> HaltRagVerifier:
    backend = FakeNLI(answers)
    return HaltRagVerifier(backend=backend, artifact=task_model(backend, cuts=cuts))


def cascade(
    first: FakeNLI, *then: HaltRagVerifier, band: tuple[float, float] | None = None, **options: object
) -> HaltRagVerifier:
    return HaltRagVerifier(
        backend=first,
        artifact=task_model(first),
        cascade=Cascade(then, band=band),
        **options,  # type: ignore[arg-type]
    )


def calls(verifier: HaltRagVerifier) -> list[str]:
    backend = verifier.backend
    assert isinstance(backend, FakeNLI)
    return [pair.hypothesis for call in backend.calls for pair in call]


def test_only_what_is_left_open_goes_on() -> None:
    second = tier(SECOND)
    both = cascade(FakeNLI(FIRST), second)
    generated = f"{SURE} {UNSURE} {FALSE}"
    alone = HaltRagVerifier(backend=FakeNLI(FIRST), artifact=task_model(FakeNLI(FIRST))).verify(SOURCE, generated)
    assert [c.label for c in alone.claims] == ["faithful", None, "unfaithful"]
    result = both.verify(SOURCE, generated)
    check(result, [SOURCE], generated)
    assert [(c.label, c.tier) for c in result.claims] == [("faithful", 0), ("faithful", 1), ("unfaithful", 0)]
    assert set(calls(second)) == {UNSURE}
    assert result.claims[1].p_hallucinated == second.verify(SOURCE, UNSURE).claims[0].p_hallucinated
    assert result.receipt.pairs_by_tier[1] == 1
    assert sum(result.receipt.pairs_by_tier) == result.receipt.pairs_scored
    assert [m.revision for m in result.cascade] == [second.backend.revision]


def test_a_band_sends_on_what_the_first_decides() -> None:
    second = tier({(SOURCE, SURE): (0.0, 0.0, 1.0)})
    result = cascade(FakeNLI(), second, band=(0.0, 0.5)).verify(SOURCE, f"{SURE} {FALSE}")
    assert [(c.label, c.tier) for c in result.claims] == [("unfaithful", 1), ("unfaithful", 0)]
    assert set(calls(second)) >= {SURE}
    assert FALSE not in calls(second)


def test_the_decision_is_that_of_the_worst_label_whichever_model_gave_it() -> None:
    low = Cuts(threshold=0.05, supported_below=0.05, hallucinated_from=0.05)
    second = tier({(SOURCE, UNSURE): (0.9, 0.1, 0.0)}, low)
    result = cascade(FakeNLI(FIRST), second).verify(SOURCE, f"{SURE} {UNSURE}")
    assert [(c.label, c.tier) for c in result.claims] == [("faithful", 0), ("unfaithful", 1)]
    assert (result.decision, result.threshold) == ("hallucinated", 0.05)
    assert result.calibrated_prob == result.claims[1].p_hallucinated


def test_what_the_last_leaves_open_is_open() -> None:
    result = cascade(FakeNLI(FIRST), tier(FIRST | {("x", "y"): (1, 0, 0)})).verify(SOURCE, UNSURE)
    assert [(c.label, c.reason, c.tier) for c in result.claims] == [(None, "uncertain", 1)]
    assert result.decision == "abstain"


def test_three_models_in_a_row() -> None:
    second, third = tier(FIRST | {("x", "y"): (1, 0, 0)}), tier(SECOND)
    result = cascade(FakeNLI(FIRST), second, third).verify(SOURCE, UNSURE)
    assert [(c.label, c.tier) for c in result.claims] == [("faithful", 2)]
    assert all(result.receipt.pairs_by_tier)


@given(st.lists(plain_texts, min_size=1, max_size=3), plain_texts, st.sampled_from([None, (0.0, 1.0), (0.2, 0.8)]))
def test_what_holds_for_every_verification(
    passages: list[str], generated: str, band: tuple[float, float] | None
) -> None:
    result = cascade(FakeNLI(), tier(SECOND), band=band, max_pairs=9).verify(passages, generated)
    check(result, passages, generated)


def test_with_the_shipped_model_as_the_second(shipped_model: EmbeddedNLI) -> None:
    both = HaltRagVerifier(backend=FakeNLI(), cascade=Cascade([shipped_model], band=(0.0, 1.0)))
    alone = HaltRagVerifier(backend=shipped_model)
    generated = "The dam was built in 1958. It was built in 1967."
    result = both.verify(SOURCE, generated)
    assert {c.tier for c in result.claims} == {1}
    assert [c.label for c in result.claims] == [c.label for c in alone.verify(SOURCE, generated).claims]
    assert result.cascade[0].calibrated


def test_a_list_of_models_is_a_cascade() -> None:
    assert len(HaltRagVerifier(backend=FakeNLI(), cascade=[FakeNLI(), FakeNLI()]).tiers) == 3
    assert len(HaltRagVerifier(backend=FakeNLI()).tiers) == 1


def test_misuse_is_refused() -> None:
    with pytest.raises(InputError, match="needs a model after the first"):
        Cascade([])
    with pytest.raises(InputError, match="band"):
        Cascade([FakeNLI()], band=(0.7, 0.3))
    nested = HaltRagVerifier(backend=FakeNLI(), cascade=[FakeNLI()])
    with pytest.raises(InputError, match="no cascade of its own"):
        HaltRagVerifier(backend=FakeNLI(), cascade=[nested]).verify(SOURCE, SURE)
