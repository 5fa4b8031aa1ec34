"""Places in a text: half-open code-point spans, their UTF-8 and UTF-16 equivalents, lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from halt_rag.errors import InputError

_LINE_END = re.compile(r"\r\n|\n|\r")
_BLOCK = 64  # Code points between two entries of an offset map: one entry is looked up, the rest is counted.


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of Unicode code points, so that ``text[start:end]`` is the quote.

    Raises:
        InputError: If ``start`` is negative or ``end`` lies before it.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise InputError(f"A span needs 0 <= start <= end, not start {self.start} and end {self.end}.")

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def of(self, text: str) -> str:
        """The quote.

        Raises:
            InputError: If the span reaches beyond the text.
        """
        if self.end > len(text):
            raise InputError(f"The span ends at {self.end}, the text at {len(text)}.")
        return text[self.start : self.end]

    def shift(self, by: int) -> Span:
        """The same span in a text that has ``by`` more code points before it."""
        return Span(self.start + by, self.end + by)

    def overlaps(self, other: Span) -> bool:
        """Whether the two share a code point; neighbours that touch do not."""
        return self.start < other.end and other.start < self.end


def trimmed(text: str, span: Span) -> Span:
    """The span without white space at its ends; empty at its start if it is all white space."""
    quote = span.of(text)
    lead = len(quote) - len(quote.lstrip())
    return Span(span.start + lead, span.start + max(lead, len(quote.rstrip())))


def united(spans: Iterable[Span]) -> list[Span]:
    """The same code points as the given spans, in order, without overlap; touching spans become one."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        elif span:
            found.append(span)
    return found


class OffsetMap:
    """Converts code-point offsets of a text to those of one of its encodings, and back.

    Args:
        text: The text.
        encoding: ``"utf-8"``: offsets count bytes. ``"utf-16"``: they count 16-bit code units, as JavaScript, Java,
            C# and the Language Server Protocol do; a lone surrogate is one unit. No byte order mark is counted.

    Raises:
        InputError: If the encoding is UTF-8 and the text has a lone surrogate, which UTF-8 cannot express.
    """

    def __init__(self, text: str, encoding: Literal["utf-8", "utf-16"]) -> None:
        self._text = text
        self._encoding = encoding
        self._before = [0]
        try:
            for start in range(0, len(text), _BLOCK):
                self._before.append(self._before[-1] + self._size(text[start : start + _BLOCK]))
        except UnicodeEncodeError as error:
            at = start + error.start
            raise InputError(
                f"Code point {at} is the lone surrogate U+{ord(text[at]):04X}, which UTF-8 cannot express.",
                hint="Use UTF-16 or code-point offsets, or mend the text first.",
            ) from None

    @property
    def size(self) -> int:
        """Length of the encoded text, in bytes or code units."""
        return self._before[-1]

    def encoded(self, offset: int) -> int:
        """The offset in the encoding of a code-point offset.

        Raises:
            InputError: If the offset is outside ``0 .. len(text)``.
        """
        _check(offset, len(self._text), "code-point")
        block = offset // _BLOCK
        return self._before[block] + self._size(self._text[block * _BLOCK : offset])

    def decoded(self, offset: int) -> int:
        """The code-point offset of an offset in the encoding.

        Raises:
            InputError: If the offset is outside ``0 .. size`` or inside a character.
        """
        _check(offset, self.size, self._encoding)
        block = max(bisect_left(self._before, offset) - 1, 0)
        at, place = self._before[block], block * _BLOCK
        while at < offset:
            at += self._size(self._text[place])
            place += 1
        if at > offset:
            raise InputError(
                f"The {self._encoding} offset {offset} lies inside the character "
                f"U+{ord(self._text[place - 1]):04X} at code point {place - 1}."
            )
        return place

    def encoded_span(self, span: Span) -> Span:
        """``encoded`` of both ends."""
        return Span(self.encoded(span.start), self.encoded(span.end))

    def decoded_span(self, span: Span) -> Span:
        """``decoded`` of both ends."""
        return Span(self.decoded(span.start), self.decoded(span.end))

    def _size(self, piece: str) -> int:
        if self._encoding == "utf-8":
            return len(piece.encode())
        return len(piece.encode("utf-16-le", "surrogatepass")) // 2


class LineIndex:
    """Lines and columns of a text, both counted from 1; columns are code points.

    Lines end at CRLF, LF or a lone CR, at nothing else: not at a form feed, U+0085 or U+2028. A separator at the
    very end opens no further line; the empty text is one empty line. A separator belongs to the line that it ends,
    so each offset from 0 to ``len(text)`` has exactly one position.
    """

    def __init__(self, text: str) -> None:
        self._ends: list[int] = []  # Where each line's content ends, before its separator.
        self._starts = [0]  # Where each line starts; one entry more, the end of the text.
        for separator in _LINE_END.finditer(text):
            self._ends.append(separator.start())
            self._starts.append(separator.end())
        if self._starts[-1] < len(text) or not text:
            self._ends.append(len(text))
            self._starts.append(len(text))

    @property
    def count(self) -> int:
        """The number of lines, at least 1."""
        return len(self._ends)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a code-point offset.

        Raises:
            InputError: If the offset is outside ``0 .. len(text)``.
        """
        _check(offset, self._starts[-1], "code-point", f" of {self._lines()}")
        line = min(bisect_right(self._starts, offset), self.count)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The code-point offset of a line and column; the column after a line's content and separator is its last.

        Raises:
            InputError: If there is no such line, or the line has no such column.
        """
        self._check_line(line)
        start = self._starts[line - 1]
        # The place after a separator is the next line's first column, save at the end of the text.
        last = self._starts[line] - start + (line == self.count)
        if not 1 <= column <= last:
            raise InputError(f"There is no column {column} in line {line} of {self._lines()}: it has 1 to {last}.")
        return start + column - 1

    def span(self, line: int) -> Span:
        """A line's content, without its separator.

        Raises:
            InputError: If there is no such line.
        """
        self._check_line(line)
        return Span(self._starts[line - 1], self._ends[line - 1])

    def _check_line(self, line: int) -> None:
        if not 1 <= line <= self.count:
            raise InputError(f"There is no line {line}: the text has {self._lines()}, counted from 1.")

    def _lines(self) -> str:
        return "1 line" if self.count == 1 else f"{self.count} lines"


def _check(offset: int, limit: int, kind: str, where: str = "") -> None:
    if not 0 <= offset <= limit:
        raise InputError(f"The {kind} offset {offset} is outside the text{where}: it has 0 to {limit}.")
