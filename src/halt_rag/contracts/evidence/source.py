"""A source document: its lines, its places in code points of the text as given, its folded forms."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count
from operator import add
from typing import get_args

from halt_rag.contracts.evidence.markup import MARKUP, ContentType, folded
from halt_rag.contracts.evidence.search import Haystack
from halt_rag.errors import InputError
from halt_rag.text.folds import SOFT_BREAK, TYPOGRAPHIC
from halt_rag.text.spans import LineIndex, Span

_BOM = "\ufeff"
_LINE_END_HYPHEN = re.compile(r"-[^\S\n]*+\n")


@dataclass(frozen=True)
class Source:
    """A document that quotes are checked against.

    Lines are counted from 1 and end at CRLF, LF or a lone CR only; a separator at the very end opens no line, the
    empty document has none, and a leading byte order mark is not content.

    Attributes:
        id: The name by which evidence refers to it.
        text: The document as it is.
        content_type: ``text``, ``markdown`` or ``html``; the latter two allow folding of their markup.
        sha256: Hex digest of the UTF-8 text that the evidence was made from; where it differs from this text's
            digest, evidence fails with ``SOURCE_CHANGED``.

    Raises:
        InputError: If the text is not a string or the content type is not known.
    """

    id: str
    text: str
    content_type: ContentType = "text"
    sha256: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputError(f"The text of source {self.id!r} is {type(self.text).__name__}, not str.")
        if self.content_type not in MARKUP:
            raise InputError(f"Source {self.id!r} has content type {self.content_type!r}, not {get_args(ContentType)}.")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the UTF-8 text, in hex; lone surrogates count as their three-byte form."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def folds(self) -> tuple[str, ...]:
        """The folds that this content type allows by default."""
        return (*MARKUP[self.content_type], *TYPOGRAPHIC)

    @cached_property
    def unified(self) -> str:
        """The text without a leading byte order mark and with every line end as LF."""
        return unify(self.text.removeprefix(_BOM))

    @cached_property
    def _shift(self) -> int | None:
        """How far places in the text as given lie behind those in the unified one; None where line ends differ."""
        return None if "\r" in self.text else int(self.text.startswith(_BOM))

    @cached_property
    def _next_lines(self) -> list[int]:
        """Where the line after each line of the unified text starts; C code alone runs over the lines."""
        if not self.unified:
            return []
        return list(map(add, accumulate(map(len, self.unified.removesuffix("\n").split("\n"))), count(1)))

    @property
    def _bom(self) -> int:
        return int(self.text.startswith(_BOM))

    @cached_property
    def _own_index(self) -> LineIndex:
        return LineIndex(self.text.removeprefix(_BOM))

    @cached_property
    def _folded(self) -> dict[frozenset[str], Haystack]:
        return {}

    @property
    def lines(self) -> int:
        """The number of lines; 0 if the document is empty."""
        return len(self._next_lines)

    def region(self, first: int, last: int) -> Span:
        """The place of two lines, both inclusive, in the unified text."""
        return Span(self._next_lines[first - 2] if first > 1 else 0, self._next_lines[last - 1] - 1)

    def on_line(self, quote: str, line: int) -> int:
        """Where in the unified text a quote stands verbatim on one line, or -1; -1 too where there is no such line."""
        ends = self._next_lines
        if not 1 <= line <= len(ends):
            return -1
        return self.unified.find(quote, ends[line - 2] if line > 1 else 0, ends[line - 1] - 1)

    def line_range(self, span: Span) -> tuple[int, int]:
        """First and last line of a place in the unified text, blanks at its ends not counted."""
        start, end, text = span.start, span.end, self.unified
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        first = self._line(start)
        return first, self._line(end - 1) if end > start and text.find("\n", start, end) >= 0 else first

    def _line(self, offset: int) -> int:
        return min(bisect_right(self._next_lines, offset) + 1, len(self._next_lines))

    def own_span(self, span: Span) -> Span:
        """The place, in the text as given, of a place in the unified text."""
        if self._shift is not None:
            return span.shift(self._shift) if self._shift else span
        return Span(self._own(span.start), self._own(span.end)).shift(self._bom)

    def _own(self, offset: int) -> int:
        line = self._line(offset)
        return self._own_index.offset(line, offset - self.region(line, line).start + 1)

    def unified_span(self, span: Span) -> Span:
        """The place, in the unified text, of a place in the text as given."""
        start, end = max(0, span.start - self._bom), max(0, span.end - self._bom)
        if self._shift is None:
            own = self.text.removeprefix(_BOM)
            start, end = len(unify(own[:start])), len(unify(own[:end]))
        return Span(start, max(start, end))

    def spans(self) -> Iterator[Span]:
        """The places of the lines in the text as given."""
        for line in range(1, self.lines + 1):
            yield self._own_index.span(line).shift(self._bom)

    def haystack(self, names: tuple[str, ...]) -> Haystack:
        """The whole unified text, folded and searchable; made once for each set of folds."""
        key = frozenset(names)
        if key not in self._folded:
            self._folded[key] = Haystack(folded(self.unified, key), key)
        return self._folded[key]

    @cached_property
    def _unbroken(self) -> bool:
        """Whether typographic folds change nothing but blanks here: only ASCII, and no word is cut at a line's end."""
        return self.unified.isascii() and _LINE_END_HYPHEN.search(self.unified) is None

    def lacks(self, quote: str, names: tuple[str, ...]) -> bool:
        """Whether a quote is certainly nowhere in the text, told without folding the whole of it: a word is missing.

        False says nothing.
        """
        if frozenset(names) in self._folded or not set(names) <= set(TYPOGRAPHIC) or not self._unbroken:
            return False
        needle = folded(quote, names).text
        # Numbers and long words are rare, so they are looked for first.
        words = sorted(set(needle.split()), key=lambda word: (word[-1:].isdigit(), len(word)), reverse=True)
        return SOFT_BREAK not in needle and any(word not in self.unified for word in words)


def unify(text: str) -> str:
    """The text with CRLF and lone CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
