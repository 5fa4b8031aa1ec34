from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.errors import InputError
from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span, united
from halt_rag.text.windows import Window, windows
from tests.text import tokenizers_small
from tests.text.strategies import any_text
from tests.text.timing import growth
from tests.text.tokenizers_small import Small

TOKENIZERS: dict[str, Small] = {
    "word_piece": tokenizers_small.word_piece(),
    "byte_bpe": tokenizers_small.byte_bpe(),
    "byte_bpe_trimmed": tokenizers_small.byte_bpe(trim_offsets=True),
    "words": tokenizers_small.words(),
    "letters": tokenizers_small.letters(),
}
WORDS = TOKENIZERS["words"]

each_tokenizer = pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)


def quotes(text: str, found: list[Window]) -> list[str]:
    return [window.span.of(text) for window in found]


@each_tokenizer
@given(
    passages=st.lists(any_text(max_size=150), max_size=3),
    budget=st.integers(20, 60),
    overlap=st.sampled_from([0, 5, 99]),
)
def test_windows_cover_every_token_and_keep_the_budget(
    tokenizer: Small, passages: list[str], budget: int, overlap: int
) -> None:
    found = windows(passages, tokenizer, budget=budget, overlap=overlap)
    assert found == sorted(found, key=lambda window: (window.passage, window.span))
    for index, passage in enumerate(passages):
        mine = [window for window in found if window.passage == index]
        for window in mine:
            assert tokenizer.count(window.span.of(passage)) == window.tokens <= budget
        if not passage.strip() or not tokenizer.count(passage):
            assert mine == []
            continue
        assert united(window.span for window in mine) == [Span(0, len(passage))]
        assert all(left.span.end < right.span.end for left, right in pairwise(mine))
        if tokenizer.count(passage) <= budget:
            assert len(mine) == 1
        if not overlap:
            assert "".join(quotes(passage, mine)) == passage


@given(text=any_text(max_size=300), budget=st.integers(8, 30), overlap=st.integers(0, 40))
def test_no_token_is_divided_where_tokens_do_not_depend_on_their_surroundings(
    text: str, budget: int, overlap: int
) -> None:
    found = windows([text], WORDS, budget=budget, overlap=overlap)
    if not text.strip():
        return
    for start, end in WORDS.offsets(text):
        assert any(window.span.start <= start and end <= window.span.end for window in found)


@given(st.lists(st.sampled_from(["The tide turned. ", "Who saw it? ", "It was late, very late. "])), st.integers(8, 30))
def test_windows_are_whole_sentences_packed_as_tightly_as_they_go(sentences: list[str], budget: int) -> None:
    text = "".join(sentences)
    ends = [span.end for span in split_sentences(text)]
    found = windows([text], WORDS, budget=budget, overlap=0)
    for window in found:
        assert window.span.end in ends
        if window.span.end < len(text):
            following = ends[ends.index(window.span.end) + 1]
            assert WORDS.count(text[window.span.start : following]) > budget


def test_a_passage_that_fits_is_one_window_with_its_white_space() -> None:
    assert windows([" Short. Text.\n"], WORDS, budget=8) == [Window(0, Span(0, 14), 4)]


@pytest.mark.parametrize("passage", ["", " ", "\n\t\u3000"])
def test_a_passage_without_words_has_no_window(passage: str) -> None:
    for tokenizer in TOKENIZERS.values():
        assert windows([passage, "One."], tokenizer, budget=8)[0].passage == 1


def test_windows_know_their_passage() -> None:
    found = windows(["One two.", "", "Three. " * 9], WORDS, budget=8, overlap=0)
    assert [window.passage for window in found] == [0, 2, 2, 2]


def test_the_last_sentences_of_a_window_are_repeated() -> None:
    text = "A one. B two. C three. D four. E five."
    assert quotes(text, windows([text], WORDS, budget=9, overlap=3)) == [
        "A one. B two. C three. ",
        "C three. D four. E five.",
    ]
    assert quotes(text, windows([text], WORDS, budget=9, overlap=2)) == ["A one. B two. C three. ", "D four. E five."]


def test_at_most_half_of_the_budget_is_repeated() -> None:
    text = "A one. B two. C three. D four. E five. F six."
    wide = windows([text], WORDS, budget=9, overlap=10_000)
    assert wide == windows([text], WORDS, budget=9, overlap=4)


def test_nothing_is_repeated_where_no_new_sentence_would_fit() -> None:
    text = "A boat. A dog. One two three four five six seven. The end."
    assert quotes(text, windows([text], WORDS, budget=8, overlap=3)) == [
        "A boat. A dog. ",
        "One two three four five six seven. ",
        "The end.",
    ]


def test_a_sentence_longer_than_the_budget_is_cut_at_white_space() -> None:
    text = "Short one. " + " ".join(f"w-{n}" for n in range(12)) + ". Short two."
    found = quotes(text, windows([text], WORDS, budget=10, overlap=0))
    assert found[0] == "Short one. "
    assert all(not quote[0].isspace() and quote[-1] in " ." for quote in found)


def test_the_pieces_of_a_long_sentence_overlap_at_white_space() -> None:
    text = " ".join(f"w{n}" for n in range(20))
    assert quotes(text, windows([text], WORDS, budget=10, overlap=3)) == [
        "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 ",
        "w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 ",
        "w14 w15 w16 w17 w18 w19",
    ]


def test_a_word_longer_than_the_budget_is_cut_between_tokens() -> None:
    text = "é" * 30
    found = windows([text], TOKENIZERS["letters"], budget=16, overlap=0)
    assert [len(window.span) for window in found] == [8, 8, 8, 6]  # Two tokens each, after decomposition.


def test_windows_keep_the_budget_where_a_piece_has_more_tokens_than_the_text_has_there() -> None:
    class Greedy:
        """The first 20 characters of a text are a token each; after them, 40 characters are one."""

        max_tokens, pair_overhead = 64, 3

        def offsets(self, text: str) -> list[tuple[int, int]]:
            head = [(n, n + 1) for n in range(min(20, len(text)))]
            return head + [(n, min(n + 40, len(text))) for n in range(20, len(text), 40)]

        def count(self, text: str) -> int:
            return len(self.offsets(text))

        def unknown(self, text: str) -> list[Span]:
            return []

    text = "x" * 500
    found = windows([text], Greedy(), budget=8, overlap=0)
    assert "".join(quotes(text, found)) == text
    assert all(window.tokens <= 8 for window in found)


def test_a_character_with_more_tokens_than_the_budget_is_refused() -> None:
    with pytest.raises(InputError, match=r"In passage 1, the character U\+FDFA at 4 alone has more tokens than the"):
        windows(["fine", "abc \ufdfa and more"], TOKENIZERS["letters"], budget=8)


@pytest.mark.parametrize(("budget", "overlap"), [(7, 0), (0, 0), (-3, 0), (8, -1)])
def test_a_useless_budget_or_overlap_is_refused(budget: int, overlap: int) -> None:
    with pytest.raises(InputError, match=r"budget of|overlap"):
        windows(["A text."], WORDS, budget=budget, overlap=overlap)


def test_a_passage_that_fits_is_tokenized_once() -> None:
    tokenizer = tokenizers_small.words()
    windows(["One two three."] * 100, tokenizer, budget=8)
    assert tokenizer.read == 100 * len("One two three.")


def test_a_long_passage_is_tokenized_at_most_a_few_times() -> None:
    tokenizer = tokenizers_small.word_piece()
    text = "".join(tokenizers_small.CORPUS) * 50
    windows([text], tokenizer, budget=60, overlap=0)
    assert tokenizer.read < 3 * len(text)


@pytest.mark.parametrize("unit", ["The tide turned at noon. ", "word ", "x", "é", "雨だ。", ".", "- x\n", "\x00"])
@pytest.mark.parametrize("make", [tokenizers_small.word_piece, tokenizers_small.byte_bpe])
def test_time_is_linear(make: Callable[[], Small], unit: str) -> None:
    tokenizer = make()
    assert growth(lambda text: windows([text], tokenizer, budget=40), unit, 2_000) < 9
