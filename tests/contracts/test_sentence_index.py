from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from halt_rag.contracts import Document, Place, SentenceIndex, SentenceIndexRangeError, SentenceIndexTypeError, Turn
from halt_rag.errors import ContractError, InputError
from halt_rag.text.spans import Span

texts = st.text(max_size=60) | st.lists(
    st.sampled_from(["A b.", "Éa! ", "\n\n", "<i0> x.", "  ", "二。", "\U0001f327?", "\r\n- c", "1. d"]), max_size=8
).map("".join)


@given(texts, st.lists(texts, max_size=3), st.lists(texts, max_size=3))
def test_sentences_tile_the_callers_own_texts(response: str, documents: list[str], history: list[str]) -> None:
    index = SentenceIndex(response, documents, history=history)
    sources = {Place("response"): response}
    sources |= {Place("document", i): text for i, text in enumerate(documents)}
    sources |= {Place("turn", i): text for i, text in enumerate(history)}
    rebuilt = dict.fromkeys(sources, "")
    for numbering in (index.response, index.context):
        for number in range(len(numbering)):
            sentence = numbering.decode(number)
            assert sentence.index == number
            assert sentence.span.start == len(rebuilt[sentence.place])
            assert sentence.text == sources[sentence.place][sentence.span.start : sentence.span.end] != ""
            rebuilt[sentence.place] += sentence.text
    for place, text in sources.items():
        assert text.startswith(rebuilt[place])
        assert not text[len(rebuilt[place]) :].strip()


def test_numbers_run_through_documents_then_turns() -> None:
    index = SentenceIndex(
        "One. Two.",
        ["A.", "", Document("Bees fly. Cats purr.", "same"), Document("D.", "same")],
        history=["", Turn("Eels swim. Foxes run.", "user")],
    )
    assert [(s.text, s.place.kind, s.place.position, s.place.doc_id) for s in index.context] == [
        ("A.", "document", 0, None),
        ("Bees fly. ", "document", 2, "same"),
        ("Cats purr.", "document", 2, "same"),
        ("D.", "document", 3, "same"),
        ("Eels swim. ", "turn", 1, None),
        ("Foxes run.", "turn", 1, None),
    ]
    assert [s.index for s in index.context] == [0, 1, 2, 3, 4, 5]
    assert [s.index for s in index.response] == [0, 1]
    assert index.context.tagged("c") == [
        "<c0> A.",
        "",
        "<c1> Bees fly. <c2> Cats purr.",
        "<c3> D.",
        "",
        "<c4> Eels swim. <c5> Foxes run.",
    ]


@pytest.mark.parametrize("number", [True, False, 0.0, "0", None, [0], b"0"])
def test_what_is_no_integer_is_no_number(number: object) -> None:
    with pytest.raises(SentenceIndexTypeError, match=type(number).__name__) as caught:
        SentenceIndex("One. Two.").response.decode(number)
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, ContractError)
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), TypeError)  # noqa: S301 - our own bytes


@given(st.integers().filter(lambda n: n not in (0, 1)))
def test_a_number_that_no_sentence_has_is_named_with_the_count(number: int) -> None:
    with pytest.raises(SentenceIndexRangeError) as caught:
        SentenceIndex("One. Two.").response.decode(number)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, ContractError)
    assert f"sentence {number}:" in str(caught.value)
    assert "2 sentences" in str(caught.value)


@pytest.mark.parametrize("blank", ["", " ", "\n\u2003\t"])
def test_a_blank_text_has_no_sentence(blank: str) -> None:
    index = SentenceIndex(blank, [blank, "A."])
    assert len(index.response) == 0
    assert [s.place.position for s in index.context] == [1]
    with pytest.raises(SentenceIndexRangeError, match="0 sentences"):
        index.response.decode(0)


@given(st.integers(0, 4), st.integers(0, 4), st.integers(-2, 6), st.lists(st.integers(-2, 6), max_size=3))
def test_the_schema_allows_exactly_what_decode_accepts(responses: int, contexts: int, r: int, c: list[int]) -> None:
    index = SentenceIndex("X. " * responses, ["Y. " * contexts])
    bounds = index.bounds_schema()
    Draft202012Validator.check_schema(bounds["r"])
    Draft202012Validator.check_schema(bounds["c"])
    assert Draft202012Validator(bounds["r"]).is_valid(r) == (0 <= r < len(index.response))
    assert Draft202012Validator(bounds["c"]).is_valid(c) == all(0 <= number < len(index.context) for number in c)
    assert not Draft202012Validator(bounds["r"]).is_valid("0")


@given(texts, st.sampled_from("irc"))
def test_a_free_prefix_looks_like_nothing_in_the_texts(text: str, letter: str) -> None:
    text = text.replace("<i", f"<{letter}" * 2)
    index = SentenceIndex(text, [text], history=[text])
    prefix = index.free_prefix(letter)
    assert set(prefix) == {letter}
    for number in range(3):
        assert f"<{prefix}{number}" not in text


@pytest.mark.parametrize(
    "spans",
    [
        [Span(1, 4)],
        [Span(0, 2), Span(3, 4)],
        [Span(0, 3), Span(2, 4)],
        [Span(0, 3)],
        [Span(0, 5)],
        [],
    ],
)
def test_a_splitter_that_loses_text_is_refused(spans: list[Span]) -> None:
    with pytest.raises(InputError):
        SentenceIndex("abcd", split=lambda _: spans)


def test_a_text_that_is_none_is_refused_by_its_place() -> None:
    with pytest.raises(InputError, match="document 1 must be a str, not NoneType"):
        SentenceIndex("A.", ["B.", None])  # type: ignore[list-item]
