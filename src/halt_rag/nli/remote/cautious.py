"""Counts tokens too high rather than too low, where the model's own tokenizer is not at hand."""

from __future__ import annotations

import re
from itertools import repeat

from halt_rag.text.spans import Span

_PIECE = re.compile(r"[A-Za-z0-9]{1,3}|\S")


class CautiousTokenizer:
    """One token for each three letters or digits of a word, and for each UTF-8 byte of everything else.

    Subword vocabularies need some 1.3 tokens for an English word; this counts about 2, so windows come out shorter
    than they could be. It is a guess, not a bound: strings such as serial numbers can have more tokens than that.

    Args:
        max_tokens: How many tokens a pair may have, special tokens included.
    """

    def __init__(self, max_tokens: int) -> None:
        self._max_tokens = max_tokens

    @property
    def max_tokens(self) -> int:
        """How many tokens a pair may have, special tokens included."""
        return self._max_tokens

    @property
    def pair_overhead(self) -> int:
        """Always 4, the most that usual models add."""
        return 4

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The half-open code-point range of each token of a text; several of one character have the same."""
        found: list[tuple[int, int]] = []
        for match in _PIECE.finditer(text):
            found.extend(repeat(match.span(), _tokens(match[0])))
        return found

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return sum(_tokens(piece) for piece in _PIECE.findall(text))

    def unknown(self, text: str) -> list[Span]:  # noqa: ARG002
        """Nothing: what the model does not know is not known here."""
        return []


def _tokens(piece: str) -> int:
    return 1 if piece.isascii() else len(piece.encode("utf-8", "surrogatepass"))
