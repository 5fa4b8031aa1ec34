"""Pronouns and whom they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given

from halt_rag.verify.context import antecedent_of, asked_about, resolved
from tests.verify.support import texts


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("The dam opened in May.", "The dam"),
        ("In 1958, the old dam was sold.", "The old dam"),
        ("Marie Curie won two prizes.", "Marie Curie"),
        ("It opened in May.", None),
        ("Anna and Bob are here.", None),
        ("Opening hours are long.", None),
        ("The man who built it was rich.", None),
        ("Yes.", None),
    ],
)
def test_the_subject_of_a_sentence(sentence: str, subject: str | None) -> None:
    assert antecedent_of(sentence) == subject


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("When did the dam open?", "The dam"),
        ("Is Acme profitable?", "Acme"),
        ("Who opened the dam?", None),
        ("Did it open?", None),
        ("", None),
        ("Why?", None),
    ],
)
def test_the_subject_of_a_question(question: str, subject: str | None) -> None:
    assert asked_about(question) == subject


@pytest.mark.parametrize(
    ("sentence", "subject", "read_as"),
    [
        ("It is old.", "The dam", "The dam is old."),
        ("Its wall is high.", "The dam", "The dam's wall is high."),
        ("However, it was sold.", "The dam", "However, The dam was sold."),
        ("She died in 1934.", "Marie Curie", "Marie Curie died in 1934."),
        ("They were sold.", "The boats", "The boats were sold."),
        ("Their masts are high.", "The boats", "The boats' masts are high."),
        ("She died in 1934.", "The dam", None),
        ("They were sold.", "The dam", None),
        ("It was sold.", "The boats", None),
        ("It was her second prize.", "Marie Curie", None),
        ("It was sold.", "Acme", "Acme was sold."),
        ("It was sold.", "Boats", None),
        ("It is important to rest.", "The dam", None),
        ("It was in 1931 that the bridge opened.", "The dam", None),
        ("It is raining.", "The dam", None),
        ("It's old.", "The dam", None),
        ("The wall is high.", "The dam", None),
        ("Itself a ruin, the dam was sold.", "The dam", None),
    ],
)
def test_a_pronoun_is_replaced_where_the_subject_fits(sentence: str, subject: str, read_as: str | None) -> None:
    assert resolved(sentence, subject) == read_as


@given(texts)
def test_any_text_has_a_subject_or_none(text: str) -> None:
    subject = antecedent_of(text)
    assert subject is None or subject.casefold() in text.casefold()
    assert (resolved(text, "The dam") or "The dam").startswith(("The dam",)) or "The dam" in (
        resolved(text, "The dam") or ""
    )
