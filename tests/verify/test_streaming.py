"""A text that is checked while it is written: the same result as at once, sooner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from halt_rag import BackendError, HaltRagVerifier, InputError
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.verifier import Cascade
from tests.verify.support import SMALL, check, task_model, texts

SOURCE = "The dam was built in 1967. It holds 40 million litres. Anna Keller designed it."
ANSWER = (
    "Here is a summary: The dam was built in 1967. It holds 3.5 million litres, e.g. of water. Hello! "
    "Anna Keller designed it. Bread is baked in Rome and the dam was built in 1967.\n\n- It is old\n- It is grey\n\n"
    'He said "It was wet. It was dry." Is there more? No.'
)

VERIFIERS = {
    "calibrated": HaltRagVerifier(backend=FakeNLI(), artifact=task_model()),
    "small windows": HaltRagVerifier(backend=FakeNLI(), artifact=task_model(pipeline=SMALL), reading="indexed"),
    "few pairs": HaltRagVerifier(backend=FakeNLI(), artifact=task_model(pipeline=SMALL), max_pairs=5),
    "cascade": HaltRagVerifier(
        backend=FakeNLI(), cascade=Cascade([FakeNLI({("a", "b"): (1, 0, 0)})], band=(0.01, 0.99)), max_pairs=7
    ),
}


def pieces(text: str, sizes: list[int]) -> Iterator[str]:
    """The text in pieces of these sizes, over and over."""
    place, turn = 0, 0
    while place < len(text):
        yield text[place : place + sizes[turn % len(sizes)]]
        place += sizes[turn % len(sizes)]
        turn += 1


@given(
    st.sampled_from(sorted(VERIFIERS)),
    st.lists(texts, min_size=1, max_size=3),
    st.lists(texts, min_size=1, max_size=4).map(" ".join),
    st.none() | texts,
    st.lists(st.integers(1, 40), min_size=1, max_size=5),
)
@example("calibrated", [SOURCE], ANSWER, None, [1])
@example("few pairs", [SOURCE, "Bread is baked."], ANSWER, "When was it built?", [1])
@example("cascade", [SOURCE, "Bread is baked."], ANSWER, None, [1])
@settings(max_examples=100)
def test_the_result_is_that_of_the_whole_text_whatever_the_pieces(
    kind: str, passages: list[str], generated: str, question: str | None, sizes: list[int]
) -> None:
    one = VERIFIERS[kind]
    stream = one.stream(passages, question)
    shown = list(stream.over(pieces(generated, sizes)))
    assert stream.result == one.verify(passages, generated, question)
    assert stream.text == generated
    # What is shown last for each place is what holds.
    last = [c for i, c in enumerate(shown) if not any(c.start < d.end and d.start < c.end for d in shown[i + 1 :])]
    assert last == stream.result.claims


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_with_the_shipped_model(shipped_model: EmbeddedNLI, size: int) -> None:
    one = HaltRagVerifier(backend=shipped_model)
    stream = one.stream(SOURCE)
    claims = list(stream.over(pieces(ANSWER, [size])))
    assert stream.result == one.verify(SOURCE, ANSWER)
    check(stream.result, [SOURCE], ANSWER)
    assert claims[0].text == "Here is a summary:"


def test_a_claim_comes_as_soon_as_what_follows_shows_that_it_ended() -> None:
    stream = VERIFIERS["calibrated"].stream(SOURCE)
    assert stream.feed("The dam was built in 1967.") == []
    assert stream.feed(" It holds") == []
    assert [c.label for c in stream.feed(" 40")] == ["faithful"]
    assert stream.feed(" million litres") == []
    assert [c.text for c in stream.feed(". Bread is baked.")] == ["It holds 40 million litres."]
    assert [c.label for c in stream.finish().claims] == ["faithful", "faithful", "unfaithful"]


def test_an_abbreviation_and_a_decimal_end_no_sentence() -> None:
    stream = VERIFIERS["calibrated"].stream(SOURCE)
    assert list(map(stream.feed, "It holds 3.5 million litres, e.g. of clean water")) == [[]] * 48


def test_each_pair_is_scored_once_however_small_the_pieces_are() -> None:
    backend = FakeNLI()
    one = HaltRagVerifier(backend=backend, artifact=task_model())
    sentences = "The dam was built in 1967. It holds 40 million litres. Bread is baked. Anna Keller designed it. "
    stream = one.stream(SOURCE)
    list(stream.over(sentences))
    assert sum(map(len, backend.calls)) == stream.result.receipt.pairs_scored


def test_what_later_text_changes_is_shown_again() -> None:
    stream = VERIFIERS["calibrated"].stream(SOURCE)
    rows = "| part | built |\n| dam | 1967 |\nfew words follow here"
    shown = list(stream.over(pieces(rows, [1])))
    check(stream.result, [SOURCE], rows)
    assert shown[-1] in stream.result.claims


def test_sources_are_read_before_there_is_any_text() -> None:
    with pytest.raises(InputError, match="source is empty"):
        VERIFIERS["calibrated"].stream(" ")
    with pytest.raises(InputError, match="question must be a string"):
        VERIFIERS["calibrated"].stream(SOURCE, 7)  # type: ignore[arg-type]


def test_misuse_is_refused() -> None:
    stream = VERIFIERS["calibrated"].stream(SOURCE)
    with pytest.raises(InputError, match="not finished"):
        _ = stream.result
    with pytest.raises(InputError, match="generated text is empty"):
        stream.finish()
    with pytest.raises(InputError, match="piece must be a string"):
        stream.feed(b"It rained.")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="piece holds a lone surrogate"):
        stream.feed("It rained \ud83d")
    stream.feed("It rained.")
    assert stream.finish() is stream.finish()
    with pytest.raises(InputError, match="is finished"):
        stream.feed("More.")


def test_after_an_outage_nothing_is_lost() -> None:
    backend = FakeNLI()
    one = HaltRagVerifier(backend=backend, artifact=task_model(), max_pairs=3)
    stream = one.stream(SOURCE)
    backend.failure = BackendError("The model is away.", backend="fake", retryable=True)
    with pytest.raises(BackendError):
        stream.feed("The dam was built in 1967. It holds 40 million litres. Bread is")
    with pytest.raises(BackendError):
        stream.finish()
    backend.failure = None
    assert [c.label for c in stream.feed("")] == ["faithful"]
    assert stream.finish() == one.verify(SOURCE, stream.text)
