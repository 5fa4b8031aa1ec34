"""From a generated text to its claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.verify.claims import SHORT_ANSWER_WORDS, claims_of
from tests.verify.support import texts


@given(texts, st.none() | texts)
def test_claims_hold_all_that_is_not_white_space_in_order(generated: str, question: str | None) -> None:
    place = 0
    for claim in claims_of(generated, question):
        assert not generated[place : claim.span.start].strip()
        text = claim.span.of(generated)
        assert text == text.strip() != ""
        assert claim.hypothesis is None or claim.hypothesis.strip()
        place = claim.span.end
    assert not generated[place:].strip()


def described(generated: str, question: str | None = None) -> list[tuple[str, str | None]]:
    return [(c.span.of(generated), c.hypothesis) for c in claims_of(generated, question)]


def test_sentences_are_claims() -> None:
    text = "Hello!  The dam opened in May.\n\nIt holds 40 million litres."
    assert described(text) == [
        ("Hello!", None),
        ("The dam opened in May.", "The dam opened in May."),
        ("It holds 40 million litres.", "The dam holds 40 million litres."),
    ]


def test_a_short_answer_is_read_with_its_question() -> None:
    assert described(" In May. ", " When did it open?\n") == [("In May.", "It opened in May.")]
    assert described("In May.", "Und wann?") == [("In May.", "Und wann? In May.")]
    assert claims_of("In May.", "When?")[0].with_question


@pytest.mark.parametrize("text", ["In May. It was warm.", " ".join(["word"] * (SHORT_ANSWER_WORDS + 1))])
def test_longer_answers_stand_for_themselves(text: str) -> None:
    claims = claims_of(text, "When did it open?")
    assert [c.hypothesis for c in claims] == [c.span.of(text) for c in claims]
    assert not any(c.with_question for c in claims)


def test_yes_is_read_with_its_question_also_where_more_follows() -> None:
    assert described("Yes. The dam opened in May.", "Is it open?") == [
        ("Yes.", "It is open."),
        ("The dam opened in May.", "The dam opened in May."),
    ]


def test_a_statement_after_a_lead_in_is_a_claim_of_its_own() -> None:
    assert described("As for your question about fees: they are 5 francs.") == [
        ("As for your question about fees:", None),
        ("they are 5 francs.", "they are 5 francs."),
    ]


def test_fences_and_separator_rows_hold_nothing_to_check_but_code_does() -> None:
    text = "```python\nfee = 12\n```\n\n| Year | Berths |\n|------|--------|\n| 1998 | 214 |"
    assert described(text) == [
        ("```python", None),
        ("fee = 12", "fee = 12"),
        ("```", None),
        ("| Year | Berths |", None),
        ("|------|--------|", None),
        ("| 1998 | 214 |", "Year: 1998; Berths: 214."),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "Port | Berths\n--- | ---:\nEast. Old | 214 |\nWest | ",
        "> | **Port** | Berths |\n> |---|---|\n> | East. Old | [214](http://x.org/a) |\n> | West | |",
    ],
)
def test_a_row_of_a_table_is_read_with_the_names_of_its_columns(table: str) -> None:
    found = [hypothesis for _, hypothesis in described(f"{table}\n\nIt rains. It is cold.") if hypothesis]
    assert found[:2] == ["Port: East. Old; Berths: 214.", "Port: West."]


def test_a_header_without_rows_is_a_claim_and_prose_after_a_table_is_no_row() -> None:
    assert described("| Fee | 5 euros |\n|---|---|")[0] == ("| Fee | 5 euros |", "Fee; 5 euros")
    assert described("| Fee |\n|---|\n| 5 |\nThe fee is low.")[-1] == ("The fee is low.", "The fee is low.")


def test_items_of_a_list_are_read_with_what_announces_them() -> None:
    text = "The kit includes:\n- a **case**\n- a cable\n\nIt costs 5 euros.\n\nThere are 2 fees:\n1. one for boats"
    assert described(text) == [
        ("The kit includes:", None),
        ("- a **case**", "The kit includes: a case"),
        ("- a cable", "The kit includes: a cable"),
        ("It costs 5 euros.", "The kit costs 5 euros."),
        ("There are 2 fees:", "There are 2 fees:"),
        ("1. one for boats", "There are 2 fees: one for boats"),
    ]


@pytest.mark.parametrize("line", ["Specs:", "**Main facts:**", "Opening hours:"])
def test_the_heading_of_a_list_has_nothing_to_check(line: str) -> None:
    assert described(f"{line}\n- The port closes at 5.")[0] == (line, None)


def test_an_item_that_is_a_sentence_stands_for_itself() -> None:
    assert described("The rules are:\n- The port closes at 5.")[-1][1] == "The port closes at 5."


def test_each_sentence_of_a_turn_is_read_with_who_speaks() -> None:
    text = "Anna: The fee is low. We sign in May.\nBob: The port is open. We agree.\n\nAll agreed."
    assert [hypothesis for _, hypothesis in described(text)] == [
        "Anna: The fee is low.",
        "Anna: We sign in May.",
        "Bob: The port is open.",
        "Bob: We agree.",
        "All agreed.",
    ]


def test_marks_are_left_out_of_the_hypothesis_and_kept_in_the_span() -> None:
    text = "> The *old* dam is [here](http://x.org/a_b)."
    assert described(text) == [(text, "The old dam is here.")]


def test_a_pronoun_is_read_as_what_it_stands_for() -> None:
    text = (
        "The dam opened in May. It is old. Its wall is high. Later, it was sold.\n\nBob came. The end is near. It rains"
    )
    assert [hypothesis for _, hypothesis in described(text)] == [
        "The dam opened in May.",
        "The dam is old.",
        "The dam's wall is high.",
        "Later, The dam was sold.",
        "Bob came.",
        "The end is near.",
        "It rains",
    ]


def test_a_pronoun_may_stand_for_what_the_question_is_about() -> None:
    answer = "It was opened by the mayor of the town after long delays."
    assert described(answer, "When was the dam opened?")[0][1] == answer.replace("It", "The dam")
    assert described(answer, "When was it opened?")[0][1] == answer


@pytest.mark.parametrize("answer", ["Absolutely.", "Correct!", "That's right.", "Of course.", "**Definitely**"])
def test_words_of_agreement_are_claims_after_a_question_that_asks_for_them(answer: str) -> None:
    assert described(answer, "Is the dam old?")[0][1] == "The dam is old."
    assert described(answer, "When did the dam open?")[0][1] is None
    assert described(answer, "Can you tell me when the dam opened?")[0][1] is None
    assert described(answer)[0][1] is None


@pytest.mark.parametrize(
    ("generated", "hypotheses"),
    [
        ("**Is the dam open?** Yes.", ["The dam is open."]),
        ("Was the dam closed in 1958?\nNo.", [None, "The dam was not closed in 1958."]),
        ("Does the dam leak?\n\n| a |\n|---|\n| 1 |\n\nNo.", [None, None, None, "a: 1.", None]),
        ("**Is the dam open?** It closed.", ["Is the dam open? It closed."]),
        ("Do you have other questions?\nNo.", [None, None]),
        ("When was it closed?\nNo.", [None, None]),
        ("Yes.", [None]),
    ],
)
def test_yes_and_no_are_checked_after_a_question_of_the_text_itself(
    generated: str, hypotheses: list[str | None]
) -> None:
    assert [claim.hypothesis for claim in claims_of(generated, None)] == hypotheses


def test_the_language_of_a_short_claim_is_that_of_the_text_before_it() -> None:
    text = "Der Damm wurde im Mai eröffnet und ist alt. Sehr alt."
    assert [claim.language for claim in claims_of(text, None)] == ["de", "de"]
    assert [claim.language for claim in claims_of("Der Damm wurde im Mai eröffnet. Alt.", None)] == ["de", "de"]
    assert [claim.language for claim in claims_of("Alt.", None)] == [None]


@given(st.lists(texts, min_size=1, max_size=3))
def test_what_follows_a_paragraph_changes_no_claim_of_prose_before_it(parts: list[str]) -> None:
    before = "The dam opened in May. It is old.\n\n"
    claims = claims_of(before, None)
    assert (
        claims_of(before + "The port is new. " + " ".join(" ".join(p.split()) for p in parts), None)[: len(claims)]
        == claims
    )


@pytest.mark.parametrize(
    "text",
    [
        "A: b\nC: d\n" * 500,
        "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 500,
        "It is. " * 1_000,
        "- a:\n- b\n" * 500,
        "[" * 20_000 + "](" * 100,
        "*a" * 20_000,
        "> " * 20_000,
    ],
    ids=lambda text: text[:10],
)
@pytest.mark.timeout(60)  # Quadratic time would take much longer.
def test_claims_take_linear_time(text: str) -> None:
    assert claims_of(text, "Is it a dam?")


def test_a_repeated_sentence_keeps_its_own_place() -> None:
    assert [c.span.start for c in claims_of("It rains. It rains. It rains.", None)] == [0, 10, 20]


@pytest.mark.parametrize("text", ["", " \n\t", "\u3000"])
def test_white_space_has_no_claims(text: str) -> None:
    assert claims_of(text, None) == []
