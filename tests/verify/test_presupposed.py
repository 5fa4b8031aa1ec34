"""Refusals that take something for granted are claims; those that repeat the question, or ask no more, are not."""

from __future__ import annotations

import pytest

from halt_rag.verify.claims import claims_of
from halt_rag.verify.na import is_na

TAKES_FOR_GRANTED = """
The source does not explain how homeopathy cures cancer.|
The source does not say when Anna died of cancer.|
The source does not say when Anna died of cancer.|When did Anna die?
The documents do not say why the committee rejected the proposal.|
The documents do not say why the mayor resigned after the scandal.|Why did the mayor resign?
The text does not mention where Ida Brandt married Karl Weber.|
The text does not specify how the factory polluted the river.|
I don't know when the bridge collapsed in the storm.|
I don't know when the bridge collapsed in the storm.|When did the bridge collapse?
The passage does not say why Tom was fired for theft.|
The passage does not say why Tom was fired for theft.|Why did Tom leave?
The context does not explain how the vaccine causes fever.|
Unfortunately, the documents do not say when the company bought its rival.|
The report does not state where the minister buried the money.|Where did the minister go?
The documents do not say who built the dam in the gorge.|Who built the dam?
The documents do not say how many people died in the fire.|How many people died?
I cannot tell when Anna divorced her husband.|
I am not sure why the ship sank near Malta.|Why did the ship sink?
The sources do not explain why the king was poisoned by his brother.|
""".strip().splitlines()
REPEATS_OR_ASKS_NO_MORE = """
The documents do not say when it opened.|
The documents do not say when it opened.|When did it open?
The source does not say when Anna died of cancer.|When did Anna die of cancer?
The source does not say whether Anna died of cancer.|
The source does not say if the bridge collapsed in the storm.|
The documents do not say when the dam was inaugurated.|When did it open?
The documents do not say who built the dam.|
The documents do not say who built the dam.|Who made it?
The documents do not say how much the centre cost to build.|
The documents do not say how to pay for parking.|
The documents do not say why the bridge was closed.|
The documents do not say why the bridge was closed.|Why was the bridge shut?
The text does not mention what the fee is.|
I don't know where the meeting takes place.|
Unfortunately, the documents do not say when, where, and why it opened.|
The passage does not say why Tom was fired for theft.|Why was Tom fired for theft?
The report does not state how many people live in Geneva.|
I am not sure when the shop officially opens.|
The documents do not say why the committee rejected the proposals.|Why was the proposal rejected by the committee?
The sources do not explain how the drug works in children.|How does the drug work in children?
""".strip().splitlines()


@pytest.mark.parametrize("row", TAKES_FOR_GRANTED)
def test_what_is_taken_for_granted_is_checked(row: str) -> None:
    sentence, question = row.split("|")
    assert not is_na(sentence, question or None)


@pytest.mark.parametrize("row", REPEATS_OR_ASKS_NO_MORE)
def test_a_refusal_that_repeats_the_question_has_nothing_to_check(row: str) -> None:
    sentence, question = row.split("|")
    assert is_na(sentence, question or None)


@pytest.mark.parametrize(
    ("answer", "question", "hypothesis"),
    [
        ("Yes.", None, None),
        ("No.", None, None),
        ("Yes.", "Is the museum open on Mondays?", "The museum is open on Mondays."),
        ("No.", "Is the museum open on Mondays?", "The museum is not open on Mondays."),
        ("No!", "Did Anna die of cancer?", "Anna did not die of cancer."),
        ("Yes.", "When did it open?", "When did it open? Yes."),
        ("No.", "Who built the dam?", "Who built the dam? No."),
        ("Correct.", "Who built the dam?", None),
    ],
)
def test_yes_and_no_are_read_with_their_question(answer: str, question: str | None, hypothesis: str | None) -> None:
    assert [claim.hypothesis for claim in claims_of(answer, question)] == [hypothesis]
