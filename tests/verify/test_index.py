"""The lexical index: what it finds, what it can rule out, and what happens to a claim when it chooses the windows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag import HaltRagVerifier, InputError, Verification
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.checking import FIRST
from halt_rag.verify.index import WindowIndex, ranked
from halt_rag.verify.lexical import lexemes
from halt_rag.verify.tiers import ALL_UP_TO
from tests.verify.support import SMALL, check, plain_texts, task_model, texts

SOURCE = "The dam was built in 1967. It holds 40 million litres."


def index(*windows: str) -> WindowIndex:
    return WindowIndex([lexemes(window) for window in windows])


def order(claim: str, *windows: str) -> list[int]:
    return ranked(index(*windows).coverage(lexemes(claim)))


@given(st.lists(texts, min_size=1, max_size=5), texts)
def test_coverage_is_a_share_and_whole_where_all_words_are(windows: list[str], claim: str) -> None:
    coverage = index(*windows, claim).coverage(lexemes(claim))
    assert coverage.shape == (len(windows) + 1,)
    assert ((coverage >= 0) & (coverage <= 1 + 1e-9)).all()
    assert coverage[-1] == pytest.approx(1)


@given(st.lists(plain_texts, min_size=1, max_size=6), plain_texts)
def test_a_window_that_holds_more_of_the_words_is_not_behind(windows: list[str], claim: str) -> None:
    words = lexemes(claim)
    found = ranked(index(*windows).coverage(words))
    assert sorted(found) == list(range(len(windows)))
    held = [(words.words | words.numbers) & (lexemes(w).words | lexemes(w).numbers) for w in windows]
    for place, window in enumerate(found):
        assert not any(held[window] < held[later] for later in found[place + 1 :])


def test_rare_words_numbers_and_names_weigh_more() -> None:
    assert order("The dam is grey.", "The dam.", "The dam.", "Grey.") == [2, 0, 1]
    assert order("Water rose to 4711 metres.", "Water rose metres.", "4711", "Bread.")[:2] == [0, 1]
    assert order("Water by Keller.", "Water.", "Keller.")[0] == 1


def test_what_the_index_can_rule_out() -> None:
    windows = index("The dam was built in 1967.", "Bread is baked.")
    assert windows.reaches(lexemes("The dam is baked in bread."))
    assert not windows.reaches(lexemes("The dam.")), "too short to tell"
    assert not windows.reaches(lexemes("Der Damm wurde im Jahr 1967 gebaut.")), "another language"


# In the verifier


def fillers(n: int) -> list[str]:
    return [f"Bread number {i} is baked at six and sold by noon." for i in range(n)]


def verify(passages: list[str], generated: str, **options: object) -> Verification:
    result = HaltRagVerifier(backend=FakeNLI(), artifact=task_model(), **options).verify(passages, generated)  # type: ignore[arg-type]
    check(result, passages, generated)
    return result


def test_a_claim_that_the_nearest_windows_support_costs_as_much_however_long_the_source_is() -> None:
    costs = set()
    for n in (60, 300, 900):
        passages = [*fillers(n), SOURCE, *fillers(n)]
        result = verify(passages, "The dam was built in 1967.")
        assert result.decision == "supported"
        assert (result.receipt.reading, result.receipt.windows_read) == ("indexed", FIRST)
        assert result.receipt.truncated, "not all was read"
        costs.add(result.receipt.pairs_scored)
    assert len(costs) == 1


def test_a_claim_that_they_do_not_support_is_read_further_and_may_then_be_ruled_out() -> None:
    passages = [*[f"Fish {i} swims." for i in range(400)], *fillers(200), SOURCE]
    result = verify(passages, "The dam holds 999 million fish.")
    assert [(c.label, c.reason) for c in result.claims] == [("unfaithful", "unsupported")]
    assert result.receipt.windows_read == 128
    result = verify(passages, "Bread is sold by noon at six in Rome.")
    assert result.receipt.windows_read == 128
    assert [c.reason for c in result.claims] == ["not_read"], "windows that were not read hold many of its words"


def test_a_miss_of_the_index_is_not_read_and_never_unfaithful() -> None:
    passages = [*fillers(400), "La presa fue construida en mil novecientos."]
    for claim in ("The weir dates from Franco.", "Der Damm wurde im Jahr gebaut.", "It grew."):
        result = verify(passages, claim)
        assert [(c.label, c.reason) for c in result.claims] == [(None, "not_read")]
        assert result.decision == "abstain"


@given(st.lists(plain_texts, min_size=1, max_size=3), plain_texts, st.integers(1, 40))
def test_labels_are_those_of_exhaustive_reading_where_all_may_be_read(
    passages: list[str], generated: str, copies: int
) -> None:
    many = [p * 3 for p in passages * copies][:40]
    pipeline = PipelineSettings(window_tokens=16, overlap_tokens=0, claim_tokens=16, max_windows_per_claim=10_000)
    model = task_model(pipeline=pipeline)
    whole, indexed = (
        HaltRagVerifier(backend=FakeNLI(), artifact=model, reading=reading).verify(many, generated)
        for reading in ("exhaustive", "indexed")
    )
    assert [(c.label, c.reason) for c in indexed.claims] == [(c.label, c.reason) for c in whole.claims]
    assert indexed.decision == whole.decision
    pairs = [result.receipt.pairs_scored for result in (indexed, whole)]
    assert pairs[0] <= pairs[1] or len(generated) < 3
    for one, other in zip(indexed.claims, whole.claims, strict=True):
        assert one.p_hallucinated is None or one.p_hallucinated >= (other.p_hallucinated or 0)


@pytest.mark.parametrize(
    ("reading", "passages", "receipt"),
    [
        ("auto", ALL_UP_TO, "exhaustive"),
        ("auto", ALL_UP_TO + 1, "indexed"),
        ("exhaustive", 300, "exhaustive"),
        ("indexed", 2, "indexed"),
    ],
)
def test_the_receipt_says_how_it_was_read(reading: str, passages: int, receipt: str) -> None:
    result = verify(fillers(passages), "The dam is old.", reading=reading)
    assert result.receipt.reading == receipt
    if receipt == "exhaustive":
        assert result.receipt.windows_read == result.receipt.windows == passages
        assert not result.receipt.truncated


def test_small_limits_go_before_the_index() -> None:
    passages = [*fillers(100), SOURCE]
    result = verify(passages, "The dam sold bread. The dam was built in 1967.", max_pairs=10)
    assert [c.reason for c in result.claims] == ["not_read", "not_read"]
    small = HaltRagVerifier(backend=FakeNLI(), artifact=task_model(pipeline=SMALL), reading="indexed")
    check(small.verify(passages, "The dam was old."), passages, "The dam was old.")


def test_an_unknown_reading_is_refused() -> None:
    with pytest.raises(InputError, match="reading must be"):
        HaltRagVerifier(reading="fast")  # type: ignore[arg-type]
