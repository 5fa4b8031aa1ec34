from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.errors import InputError
from halt_rag.text.sentences import split_sentences, tile
from halt_rag.text.spans import Span
from tests.text.strategies import any_text
from tests.text.timing import growth

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("sentence_cases.json").read_text(encoding="utf-8"))

# These need the language, which is not known, or an understanding of the words.
UNSOLVED = {
    "initials-end",
    "initials-vitamin",
    "german-ordinal",
    "held-question-mid",
    "held-roman",
    "held-german-usw",
    "held-spanish-ee",
    "held-chinese-ellipsis",
    "held-arabic-abbr",
}


def quotes(text: str) -> list[str]:
    return [span.of(text) for span in split_sentences(text)]


@pytest.mark.parametrize("case", [case for case in CASES if case["id"] not in UNSOLVED], ids=lambda case: case["id"])
def test_cases(case: dict[str, Any]) -> None:
    assert quotes("".join(case["sentences"])) == case["sentences"]


@pytest.mark.parametrize("case", [case for case in CASES if case["id"] in UNSOLVED], ids=lambda case: case["id"])
@pytest.mark.xfail(reason="known limit, stated in docs/design/sentence-splitting.md", strict=True)
def test_unsolved_cases(case: dict[str, Any]) -> None:
    assert quotes("".join(case["sentences"])) == case["sentences"]


def test_the_case_table_is_large_and_its_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) >= 80


@given(any_text(max_size=200))
def test_sentences_tile_any_text(text: str) -> None:
    spans = split_sentences(text)
    assert "".join(span.of(text) for span in spans) == text
    assert all(spans)
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]


@given(any_text(max_size=200))
def test_white_space_belongs_to_the_sentence_before_it(text: str) -> None:
    assert not any(span.of(text)[0].isspace() for span in split_sentences(text)[1:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", [" \n\t"]),
        ("\n\n  First.  Second.\n", ["\n\n  First.  ", "Second.\n"]),
        ("A\ud800 bird. Next\udfff one.", ["A\ud800 bird. ", "Next\udfff one."]),
        ("NUL \x00 inside. Next.", ["NUL \x00 inside. ", "Next."]),
        ("\ufeffMarked. Next.", ["\ufeffMarked. ", "Next."]),
        ("...", ["..."]),
        ("?!", ["?!"]),
        ("One.\u2029Two.\u2028\u2028Three", ["One.\u2029", "Two.\u2028\u2028", "Three"]),
    ],
)
def test_odd_texts(text: str, expected: list[str]) -> None:
    assert quotes(text) == expected


@given(st.lists(st.sampled_from(["The tide turned. ", "Who saw it? ", "Nobody did!  ", "It was 3.5 m high. "])))
def test_a_long_text_is_split_as_its_parts_are(parts: list[str]) -> None:
    assert quotes("".join(parts)) == parts


def test_the_place_where_a_long_text_is_fed_to_the_splitter_does_not_show() -> None:
    sentences = [f"Mr. Oyelaran and Dr. Brandt paid ${n}.25 for no. {n} in the U.S. market. " for n in range(500)]
    assert quotes("".join(sentences)) == sentences


def test_a_sentence_longer_than_what_the_splitter_gets_at_once_stays_whole() -> None:
    sentences = ["It is short. ", "word " * 5000 + "ends. ", "It is short."]
    assert quotes("".join(sentences)) == sentences


@pytest.mark.parametrize("length", [*range(16_200, 16_400, 7), 16_384, 40_000])
def test_a_boundary_is_found_wherever_the_splitter_starts_anew(length: int) -> None:
    for filler in ("word ", " "):
        long = "It " + (filler * length)[:length]
        sentences = [long + "ends. ", "Another one is here."]
        assert quotes("".join(sentences)) == sentences
    sentences = ["It ends." + " " * length, "Another one is here."]
    assert quotes("".join(sentences)) == sentences


@pytest.mark.parametrize(
    "unit",
    [
        "The tide turned at 3.5 m. ",
        "word ",
        ".",
        "!",
        "? ",
        "A. ",
        "雨だ。",
        "\n",
        "- x\n",
        "\"a. '",
        "(a. ",
        " ",
        "… ",
    ],
)
def test_time_is_linear(unit: str) -> None:
    assert growth(split_sentences, unit, 8_000) < 9


def test_time_is_linear_in_what_the_splitter_library_is_slow_at() -> None:
    assert growth(lambda quotes: split_sentences("Wait... " + quotes), "'", 40_000) < 9


@pytest.mark.parametrize(
    ("text", "sentences", "expected"),
    [
        ("Plums are blue. Pears are green.", ["Plums are blue.", "Pears are green."], [(0, 16), (16, 32)]),
        ("no stop", ["no stop"], [(0, 7)]),
        ("One.\n\nTwo.  Three.", ["One.", "Two.", "Three."], [(0, 6), (6, 12), (12, 18)]),
        ("A.\r\nB.\tC.", ["A.", "B.", "C."], [(0, 4), (4, 7), (7, 9)]),
        ("  Led in. Two.", ["Led in.", "Two."], [(0, 10), (10, 14)]),
        ("Trailed. \n", ["Trailed."], [(0, 8)]),
        ("雨だ。晴れだ。", ["雨だ。", "晴れだ。"], [(0, 3), (3, 7)]),
        ("Ça va 😀. E\u0301te\u0301.", ["Ça va 😀.", "E\u0301te\u0301."], [(0, 9), (9, 15)]),
        ("Yes. Yes. Yes.", ["Yes.", "Yes.", "Yes."], [(0, 5), (5, 10), (10, 14)]),
        ("A. B.", [" A. ", "B.\n"], [(0, 3), (3, 5)]),
        ("\ud800. B", ["\ud800.", "B"], [(0, 3), (3, 4)]),
        ("", [], []),
    ],
)
def test_tile(text: str, sentences: list[str], expected: list[tuple[int, int]]) -> None:
    assert tile(text, sentences) == [Span(*span) for span in expected]


@pytest.mark.parametrize(
    ("text", "sentences", "message"),
    [
        ("One. Two.", ["One.", "Three."], r"Sentence 1, 'Three\.', is not in the text at offset 5: there is 'Two\.'"),
        ("One. Two. Three.", ["One.", "Three."], "Sentence 1, 'Three.', is not in the text at offset 5"),
        ("One. Two.", ["Two.", "One."], "Sentence 0, 'Two.', is not in the text at offset 0"),
        ("E\u0301t.", ["Ét."], "Sentence 0"),
        ("One.", ["One.", "One."], "Sentence 1, 'One.', is not in the text at offset 4: there is ''"),
        ("One. Two.", ["One."], r"end at offset 4, before the text does: 'Two\.' is left over"),
        ("One.", ["One.", "  "], "Sentence 1 is empty"),
        ("One.", [], "'One.' is left over"),
    ],
)
def test_tile_refuses_sentences_that_are_not_the_text(text: str, sentences: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tile(text, sentences)


@given(any_text(max_size=200))
def test_tile_finds_our_own_sentences_again(text: str) -> None:
    spans = split_sentences(text)
    if not text.strip():
        assert tile(text, []) == []
        return
    end = len(text.rstrip())
    assert tile(text, [span.of(text) for span in spans]) == [*spans[:-1], Span(spans[-1].start, end)]


def test_importing_the_module_does_not_load_the_splitter() -> None:
    code = "import sys, halt_rag.text.sentences; print('sentencex' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
