"""A source document: its lines, its places in code points of the text as given, its folded forms."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from halt_rag.contracts.evidence.markup import MARKUP, ContentType, folded
from halt_rag.contracts.evidence.search import Haystack
from halt_rag.errors import InputError
from halt_rag.text.folds import TYPOGRAPHIC
from halt_rag.text.spans import LineIndex, Span

_BOM = "\ufeff"


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
    def _returns(self) -> bool:
        return "\r" in self.text

    @cached_property
    def _bom(self) -> int:
        return int(self.text.startswith(_BOM))

    @cached_property
    def _index(self) -> LineIndex:
        return LineIndex(self.unified)

    @cached_property
    def _own_index(self) -> LineIndex:
        return LineIndex(self.text.removeprefix(_BOM))

    @cached_property
    def _folded(self) -> dict[frozenset[str], Haystack]:
        return {}

    @property
    def lines(self) -> int:
        """The number of lines; 0 if the document is empty."""
        return self._index.count if self.unified else 0

    def region(self, first: int, last: int) -> Span:
        """The place of two lines, both inclusive, in the unified text."""
        return Span(self._index.span(first).start, self._index.span(last).end)

    def line_range(self, span: Span) -> tuple[int, int]:
        """First and last line of a place in the unified text, blanks at its ends not counted."""
        start, end = span.start, span.end
        while start < end and self.unified[start].isspace():
            start += 1
        while end > start and self.unified[end - 1].isspace():
            end -= 1
        return self._index.position(start)[0], self._index.position(max(start, end - 1))[0]

    def own_span(self, span: Span) -> Span:
        """The place, in the text as given, of a place in the unified text."""
        if not self._returns:
            return span.shift(self._bom)
        start = self._own_index.offset(*self._index.position(span.start))
        end = self._own_index.offset(*self._index.position(span.end))
        return Span(start, end).shift(self._bom)

    def unified_span(self, span: Span) -> Span:
        """The place, in the unified text, of a place in the text as given."""
        start, end = max(0, span.start - self._bom), max(0, span.end - self._bom)
        if self._returns:
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


def unify(text: str) -> str:
    """The text with CRLF and lone CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
