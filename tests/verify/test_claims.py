"""From a generated text to its claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.verify.claims import SHORT_ANSWER_WORDS, claims_of, clauses_of
from tests.verify.support import texts


@given(texts, st.none() | texts)
def test_claims_hold_all_that_is_not_white_space_in_order(generated: str, question: str | None) -> None:
    place = 0
    for claim in claims_of(generated, question):
        assert not generated[place : claim.span.start].strip()
        text = claim.span.of(generated)
        assert text == text.strip() != ""
        assert claim.hypothesis is None or claim.hypothesis.endswith(text)
        place = claim.span.end
    assert not generated[place:].strip()


def described(generated: str, question: str | None = None) -> list[tuple[str, str | None]]:
    return [(c.span.of(generated), c.hypothesis) for c in claims_of(generated, question)]


def test_sentences_are_claims() -> None:
    text = "Hello!  The dam opened in May.\n\nIt holds 40 million litres."
    assert described(text) == [
        ("Hello!", None),
        ("The dam opened in May.", "The dam opened in May."),
        ("It holds 40 million litres.", "It holds 40 million litres."),
    ]


def test_a_short_answer_is_read_with_its_question() -> None:
    assert described(" In May. ", " When did it open?\n") == [("In May.", "When did it open? In May.")]
    assert claims_of("In May.", "When?")[0].with_question


@pytest.mark.parametrize("text", ["In May. It was warm.", " ".join(["word"] * (SHORT_ANSWER_WORDS + 1))])
def test_longer_answers_stand_for_themselves(text: str) -> None:
    claims = claims_of(text, "When did it open?")
    assert [c.hypothesis for c in claims] == [c.span.of(text) for c in claims]
    assert not any(c.with_question for c in claims)


def test_yes_is_read_with_its_question_also_where_more_follows() -> None:
    assert described("Yes. The dam opened in May.", "Is it open?") == [
        ("Yes.", "Is it open? Yes."),
        ("The dam opened in May.", "The dam opened in May."),
    ]


def test_a_statement_after_a_lead_in_is_a_claim_of_its_own() -> None:
    assert described("As for your question about fees: they are 5 francs.") == [
        ("As for your question about fees:", None),
        ("they are 5 francs.", "they are 5 francs."),
    ]


def test_fences_and_separator_rows_hold_nothing_to_check_but_code_and_rows_of_a_table_do() -> None:
    text = "```python\nfee = 12\n```\n\n| Year | Berths |\n|------|--------|\n| 1998 | 214 |"
    assert [(piece, hypothesis is None) for piece, hypothesis in described(text)] == [
        ("```python", True),
        ("fee = 12", False),
        ("```", True),
        ("| Year | Berths |", False),
        ("|------|--------|", True),
        ("| 1998 | 214 |", False),
    ]


def test_a_repeated_sentence_keeps_its_own_place() -> None:
    assert [c.span.start for c in claims_of("It rains. It rains. It rains.", None)] == [0, 10, 20]


@pytest.mark.parametrize("text", ["", " \n\t", "\u3000"])
def test_white_space_has_no_claims(text: str) -> None:
    assert claims_of(text, None) == []


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("The dam opened in May.", ["The dam opened in May."]),
        (
            "The dam opened in May 1958 and the bridge was closed.",
            ["The dam opened in May 1958", "the bridge was closed."],
        ),
        (
            "The dam opened in May, but the bridge was closed; the road stayed open.",
            ["The dam opened in May", "the bridge was closed", "the road stayed open."],
        ),
        ("In May, the dam opened.", ["In May, the dam opened."]),
        ("Salt and pepper are sold here.", ["Salt and pepper are sold here."]),
    ],
)
def test_clauses(text: str, clauses: list[str]) -> None:
    assert clauses_of(text) == clauses


@given(texts)
def test_clauses_lose_no_word(text: str) -> None:
    joined = "".join(clauses_of(text))
    kept = "".join(joined.split())
    letters = iter("".join(text.split()))
    assert all(c in letters for c in kept), "clauses are pieces of the text, in order"
    assert len(clauses_of(text)) >= 1


@pytest.mark.parametrize("text", ["a" + " " * 200_000 + "and b c d", "a b c d, " * 20_000], ids=["spaces", "clauses"])
@pytest.mark.timeout(30)  # Quadratic time would take minutes.
def test_clauses_take_linear_time(text: str) -> None:
    assert clauses_of(text)
