from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from halt_rag.text.folds import CASE, FOLDS, SOFT_BREAK, TYPOGRAPHIC, Folded, fold
from halt_rag.text.spans import Span
from tests.text.timing import growth

PLAIN = st.from_regex(r"(?:[A-Za-z0-9.,;:!?()\[\]{}'\"/+=*_²³]+ ?)*", fullmatch=True)
NOISY = st.text(
    alphabet=st.sampled_from(
        "ab9 \n\t-…ﬁ“”’–—−\u00ad\u200b\u00a0\u202f\u0301\u0323eé\u212b\u1112\u1161\u11ab日本\ufeffİ"
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("a \n\t b", "a b"),
        ("effec-\n  tive", f"effec{SOFT_BREAK}tive"),
        ("effec‐\ntive", f"effec{SOFT_BREAK}tive"),
        ("effec\u00ad\ntive", f"effec{SOFT_BREAK}tive"),
        ("soft\u00adhyphen", "softhyphen"),
        ("a -\nb", "a - b"),
        ("日本\n語", "日本語"),
        ("“x” ‘y’ «z»", '"x" \'y\' "z"'),
        ("1–2—3−4", "1-2-3-4"),
        ("ﬃ ﬆ", "ffi st"),
        ("so…", "so..."),
        ("cafe\u0301", "café"),
        ("e\u200b\u0301", "é"),
        ("\u1112\u1161\u11ab", "한"),
        ("\u212b", "Å"),
        ("a\u202eb", "a\u202eb"),
        ("10² ½ Ａ１ ①", "10² ½ Ａ１ ①"),
        ("Straße", "Straße"),
    ],
)
def test_what_folds_do(text: str, folded: str) -> None:
    assert fold(text).text == folded


def test_case_is_folded_only_on_request() -> None:
    assert fold("ABC").text == "ABC"
    assert fold("ABC İ", (CASE,)).text == "abc İ"
    assert CASE not in TYPOGRAPHIC
    assert {*TYPOGRAPHIC, CASE} == set(FOLDS)


@given(PLAIN)
def test_text_without_foldable_characters_stays(text: str) -> None:
    assert fold(text).text == text


@given(NOISY)
@example("a\u00ad\nb")
@example("“-\n”")
def test_every_folded_character_knows_its_place(text: str) -> None:
    folded = fold(text)
    assert folded.original(Span(0, len(folded.text))).end <= len(text)
    last = 0
    for at, char in enumerate(folded.text):
        place = folded.original(Span(at, at + 1))
        assert place.start >= last
        last = place.start
        piece = text[place.start : place.end]
        assert piece
        assert char in unicodedata.normalize("NFC", fold(piece).text) or (char in SOFT_BREAK and "\n" in piece)


@given(NOISY)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(NOISY)
def test_no_fold_touches_letters_and_digits_of_ascii(text: str) -> None:
    def kept(some: str) -> str:
        return re.sub(r"[^A-Za-z0-9]", "", some)

    bare = re.sub("[ﬁ…\u0301\u0323\u212b]", "", text)
    assert kept(fold(bare).text) == kept(bare)


def test_edits_keep_their_places() -> None:
    folded = Folded("abcdef").replaced([(1, 2, ""), (3, 5, "XYZ")])
    assert folded.text == "acXYZf"
    assert folded.original(Span(0, 1)) == Span(0, 1)
    assert folded.original(Span(0, 2)) == Span(0, 3)
    assert folded.original(Span(1, 2)) == Span(2, 3)
    assert folded.original(Span(3, 4)) == Span(3, 5)
    assert folded.original(Span(5, 6)) == Span(5, 6)
    assert folded.replaced([]) is folded


@pytest.mark.parametrize(
    "unit",
    [
        "word and word ",
        "a-\n",
        "a- ",
        " \n",
        "e\u0301",
        "\u0301\u0323",
        "a" + " " * 50,
        "\u00ad ",
        "“x” ",
        "\u1161",
        "日\n",
    ],
)
def test_time_grows_with_the_text(unit: str) -> None:
    assert growth(fold, unit, 20_000) < 8
