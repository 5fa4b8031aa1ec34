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


#: Long texts of all that can stand in one: what later text may change, and what it may not.
_LINES = st.sampled_from(
    [
        *(f"The dam of harbour {n} was built in {1900 + n}." for n in range(9)),
        "It holds 3.5 million litres, e.g. for Dr. Keller of Acme Inc. in Rome.",
        'He said "It was wet. It was dry." Is there more? No.',
        "“The dam is old. It is grey.” she wrote (to Ben. In May.) 🙂🏽. It rained... Then it stopped",
        'A pipe of 1" is thin. The other is not. A < B holds. It is so',
        "水坝很旧。它很大。 Плотина старая. Она большая.",
        "Name: Anna Keller",
    ]
)
_ROWS = st.lists(_LINES.map(lambda line: f"| 1967 | {line} |"), max_size=4)
_BLOCKS = st.one_of(
    st.lists(_LINES, min_size=1, max_size=40).map(" ".join),
    st.lists(_LINES, min_size=1, max_size=5).map("\n".join),
    st.lists(_LINES, min_size=1, max_size=5).map(lambda lines: "It includes:\n- " + "\n  1. ".join(lines)),
    _ROWS.map(lambda rows: "\n".join(["| Year | Text |", "|---|---|", *rows])),
    _ROWS.map(lambda rows: "\n".join(["```py", "a | b", "--- | ---", *rows, "```"])),
    st.lists(_LINES, min_size=1, max_size=3).map(lambda lines: "\n".join(f"Ben: {a} It is old." for a in lines)),
    st.sampled_from(["---", "~~~", "## The dam", "> The dam is old. It is grey.", "<!--", "Anna: It is. It was.", '"']),
)
long_texts = st.builds(
    lambda blocks, gap, end: gap.join(blocks).replace("\n", end),
    st.lists(_BLOCKS, min_size=1, max_size=6),
    st.sampled_from(["\n\n", "\n"]),
    st.sampled_from(["\n", "\r\n"]),
)


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
    the_result_is_that_of_the_whole_text(VERIFIERS[kind], passages, generated, question, sizes)


@given(long_texts, st.none() | st.just("Is the dam old?"), st.lists(st.integers(1, 200), min_size=1, max_size=5))
@settings(max_examples=25)
def test_so_it_is_for_long_texts_of_tables_lists_quotations_and_code(
    generated: str, question: str | None, sizes: list[int]
) -> None:
    the_result_is_that_of_the_whole_text(VERIFIERS["calibrated"], [SOURCE], generated, question, sizes)


def the_result_is_that_of_the_whole_text(
    one: HaltRagVerifier, passages: list[str], generated: str, question: str | None, sizes: list[int]
) -> None:
    stream = one.stream(passages, question)
    shown = list(stream.over(pieces(generated, sizes)))
    assert stream.result == one.verify(passages, generated, question)
    assert stream.text == generated
    # What is shown last for each place is what holds.
    last = [c for i, c in enumerate(shown) if not any(c.start < d.end and d.start < c.end for d in shown[i + 1 :])]
    assert sorted(last, key=lambda c: c.start) == stream.result.claims


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


def test_pairs_of_what_is_settled_are_not_scored_again() -> None:
    backend = FakeNLI()
    stream = HaltRagVerifier(backend=backend, artifact=task_model()).stream(SOURCE)
    paragraph = " ".join(f"The dam of harbour {n} was built in {1900 + n}." for n in range(60))
    rows = "".join(f"| {n} | dam |\n" for n in range(60))
    list(stream.over(pieces(f"{paragraph}\n\n| year | part |\n|---|---|\n{rows}\nIt is old.", [12])))
    assert sum(map(len, backend.calls)) == stream.result.receipt.pairs_scored


def test_what_only_the_whole_text_shows_is_checked_again_at_the_end() -> None:
    rows = "".join(f"| {n} | dam |\n" for n in range(80))
    text = f"<pre>\nThe dam is old.\n\n| year | part |\n|---|---|\n{rows}</pre>\n\nIt is grey."
    the_result_is_that_of_the_whole_text(VERIFIERS["calibrated"], [SOURCE], text, None, [12])


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
