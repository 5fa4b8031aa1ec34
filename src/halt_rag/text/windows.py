"""Token windows over passages: what a model reads at once, sentence-aligned, with nothing left out."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from halt_rag.errors import InputError
from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span

_SMALLEST_BUDGET = 8


class Tokenizer(Protocol):
    """What reading a text with a model needs of the model's own tokenizer."""

    @property
    def max_tokens(self) -> int:
        """How many tokens a pair may have, special tokens included."""
        ...

    @property
    def pair_overhead(self) -> int:
        """How many special tokens are added to a pair."""
        ...

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The half-open code-point range of each token of a text, without special tokens."""
        ...

    def count(self, text: str) -> int:
        """``len(offsets(text))``, possibly faster."""
        ...

    def unknown(self, text: str) -> list[Span]:
        """What the tokenizer has no tokens for, in order, so that the model cannot tell it from something else."""
        ...


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a passage that a model reads at once.

    Attributes:
        passage: Index of the passage.
        span: Where the window lies in the passage, in code points.
        tokens: Its length in tokens, when tokenized alone.
    """

    passage: int
    span: Span
    tokens: int


def windows(passages: Sequence[str], tokenizer: Tokenizer, *, budget: int, overlap: int = 32) -> list[Window]:
    """Covers passages with windows that a model can read whole.

    A passage that fits is one window. A longer one is packed greedily with whole sentences; a sentence longer than
    the budget is cut at white space, else between tokens, else (where a token alone becomes more tokens than the
    budget) between characters. Every token of every passage is in at least one window, and without overlap the
    windows of a passage tile it. Time is linear in the length of the passages.

    Args:
        passages: The texts. One without a token, such as an empty one or white space only, yields no window.
        tokenizer: The model's own tokenizer.
        budget: The most tokens that a window may have when its text is tokenized alone, at least 8.
        overlap: The last sentences of a window that have together at most so many tokens are repeated at the start
            of the next, unless no new text would then fit. At most half of the budget is repeated; 0 repeats none.

    Returns:
        The windows, by passage and then by place.

    Raises:
        InputError: If the budget or the overlap is too small, or a single character has more tokens than the budget.
    """
    if budget < _SMALLEST_BUDGET:
        raise InputError(
            f"A window budget of {budget} tokens is too small: {_SMALLEST_BUDGET} is the least.",
            hint="Shorten the claim that shares the model's input with the window.",
        )
    if overlap < 0:
        raise InputError(f"The overlap of windows is a number of tokens from 0 up, not {overlap}.")
    found: list[Window] = []
    for index, passage in enumerate(passages):
        if not passage or passage.isspace():
            continue
        offsets = tokenizer.offsets(passage)
        if len(offsets) > budget:
            cutter = _Cutter(passage, index, offsets, tokenizer, budget)
            found += cutter.windows(min(overlap, budget // 2))
        elif offsets:
            found.append(Window(index, Span(0, len(passage)), len(offsets)))
    return found


class _Cutter:
    """Cuts one passage that is longer than the budget.

    The passage is tokenized once, to estimate; a window counts only after its own text was tokenized, because a
    piece of a text may have other tokens than the text has there.
    """

    def __init__(
        self, text: str, passage: int, offsets: list[tuple[int, int]], tokenizer: Tokenizer, budget: int
    ) -> None:
        self._text, self._passage, self._tokenizer, self._budget = text, passage, tokenizer, budget
        # Token ranges may touch, coincide or (after reordering normalizers) run backwards. The running maximum of
        # ends and the running minimum of starts are sorted, and no token straddles a place between them.
        self._ends = list(accumulate((end for _, end in offsets), max))
        self._starts = list(accumulate((start for start, _ in reversed(offsets)), min))[::-1]
        self._sentences = self._sentence_cuts()

    def windows(self, overlap: int) -> Iterator[Window]:
        """All windows, in order."""
        begin, done = 0, 0
        while done < len(self._text):
            end, tokens = self._fit(begin)
            if end <= done:  # With the repeated sentences nothing new fits.
                begin = done
                continue
            yield Window(self._passage, Span(begin, end), tokens)
            done = end
            begin = self._repeat(begin, end, overlap)

    def _sentence_cuts(self) -> list[int]:
        """Places where a sentence ends, between tokens and at most one between two tokens; the last is the end."""
        cuts: list[int] = []
        last = 0
        for sentence in split_sentences(self._text)[1:]:
            token = bisect_right(self._ends, sentence.start)
            if last < token < len(self._ends):
                cuts.append(min(sentence.start, self._starts[token]))
                last = token
        return [*cuts, len(self._text)]

    def _fit(self, begin: int) -> tuple[int, int]:
        """The end of the longest window from a place, and its tokens."""
        room = self._budget
        while room > 0:
            end = self._cut(begin, room)
            if end is None:
                break
            tokens = self._tokenizer.count(self._text[begin:end])
            if tokens <= self._budget:
                return end, tokens
            estimate = bisect_left(self._starts, end) - bisect_right(self._ends, begin)
            room = min(room, estimate) - (tokens - self._budget)
        return self._fit_characters(begin)

    def _cut(self, begin: int, room: int) -> int | None:
        """The best place to end a window of at most ``room`` tokens, by the passage's own tokens."""
        first = bisect_right(self._ends, begin)
        beyond = first + room  # The first token that has no room.
        limit = self._starts[beyond] if beyond < len(self._starts) else len(self._text)
        sentences = bisect_right(self._sentences, limit)
        if sentences and self._sentences[sentences - 1] > begin:
            return self._sentences[sentences - 1]
        tokens = range(min(beyond, len(self._starts) - 1), first, -1)
        places = [self._starts[token] for token in tokens if self._between(token)]
        return next(filter(self._at_space, places), places[0] if places else None)

    def _between(self, token: int) -> bool:
        """Whether the place before a token is inside no other token."""
        return self._ends[token - 1] <= self._starts[token]

    def _at_space(self, place: int) -> bool:
        return self._text[place].isspace() or self._text[place - 1].isspace()

    def _fit_characters(self, begin: int) -> tuple[int, int]:
        """The last resort: a window that ends inside a token."""
        size = self._budget
        while size:
            end = min(begin + size, len(self._text))
            tokens = self._tokenizer.count(self._text[begin:end])
            if tokens <= self._budget:
                return end, tokens
            size //= 2
        raise InputError(
            f"In passage {self._passage}, the character U+{ord(self._text[begin]):04X} at {begin} alone has more "
            f"tokens than the budget of {self._budget}.",
            hint="Raise the budget, or replace the character.",
        )

    def _repeat(self, begin: int, end: int, overlap: int) -> int:
        """Where the next window begins: where the last one ends, or so much before that it repeats its end."""
        after = bisect_left(self._starts, end)
        first = max(after - overlap, bisect_right(self._ends, begin) + 1)
        if first >= after:
            return end
        sentence = self._sentences[bisect_left(self._sentences, self._ends[first - 1])]
        if sentence <= end:
            return sentence
        places = (self._starts[token] for token in range(first, after) if self._between(token))
        return next(filter(self._at_space, places), end)
