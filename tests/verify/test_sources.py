"""What may be given as a source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from halt_rag import InputError, Passage
from halt_rag.verify.sources import as_passages, checked


@pytest.mark.parametrize(
    ("source", "passages"),
    [
        ("It rained.", [Passage("1", "It rained.")]),
        (Passage("a", "It rained."), [Passage("a", "It rained.")]),
        (["One.", "Two."], [Passage("1", "One."), Passage("2", "Two.")]),
        (("One.", ""), [Passage("1", "One."), Passage("2", "")]),
        ([Passage("x", "One."), Passage("x", "Two.")], [Passage("x", "One."), Passage("x", "Two.")]),
        ([Passage("x", "One."), "Two."], [Passage("x", "One."), Passage("2", "Two.")]),
    ],
)
def test_forms_of_a_source(source: Any, passages: Sequence[Passage]) -> None:
    assert as_passages(source) == passages


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "source is empty"),
        (" \n\u3000", "source is empty"),
        ([], "source is empty"),
        (["", "\t"], "source is empty"),
        (None, "not NoneType"),
        (7, "not int"),
        (b"It rained.", "not bytes"),
        ({"id": "a", "text": "It rained."}, "not dict"),
        ({"It rained."}, "not set"),
        ([{"id": "a", "text": "It rained."}], "Passage 1 must be a string, not dict"),
        (["It rained.", None], "Passage 2 must be a string, not NoneType"),
        ([Passage("a", None)], "Passage 1 must be a string"),  # type: ignore[arg-type]
        ([Passage(7, "It rained.")], "The id of passage 1 must be a string"),  # type: ignore[arg-type]
        (["fine", "a\ud800b"], "Passage 2 holds a lone surrogate at offset 1"),
        ([Passage("\udc80", "It rained.")], "The id of passage 1 holds a lone surrogate at offset 0"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(source: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_passages(source)


def test_a_text_is_returned_unchanged() -> None:
    text = "\ufeffa\0b\u202e\U0001f642\r\n"
    assert checked("The text", text) is text
