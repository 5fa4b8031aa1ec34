"""Typographic normalisation with an offset map back to the text it came from.

A fold removes one named kind of difference that copying a text introduces: blanks, line wraps, curly quotes,
ligatures. No fold touches case (save the opt-in ``case``), digits, super- and subscripts, look-alike letters, words
or brackets. Text without foldable characters is returned unchanged, and each pass is linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache

from halt_rag.text.spans import Span

INVISIBLE = "invisible"
NFC = "nfc"
LIGATURES = "ligatures"
ELLIPSIS = "ellipsis"
QUOTES = "quotes"
DASHES = "dashes"
DEHYPHENATION = "dehyphenation"
WHITESPACE = "whitespace"
CASE = "case"

TYPOGRAPHIC = (INVISIBLE, NFC, LIGATURES, ELLIPSIS, QUOTES, DASHES, DEHYPHENATION, WHITESPACE)
"""The folds that never change what a text says, in the order in which they are reported."""

FOLDS = (*TYPOGRAPHIC, CASE)
"""Every fold; ``case`` is only ever used where a caller asks for it."""

SOFT_BREAK = "-\n"
"""What a hyphen at a line's end becomes; no other line feed survives the ``whitespace`` fold."""

# Default-ignorable format characters. The overrides U+202D and U+202E and the tag characters stay: they change or
# hide what a reader sees, so a text with them is a different text.
_INVISIBLE = "\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202c\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
_SOFT_HYPHEN = "\u00ad"
_LIGATURES = dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
_QUOTES = (("'", "‘’‚‛‹›′´ʼ＇"), ('"', "“”„‟«»″＂〝〞〟"))
_DASHES = (("-", "‐‑‒–—―−﹘﹣－"),)
_HYPHENS = "-‐‑\u00ad"
_BLANK = re.compile(r"[^\S ]\s*+")
_BLANKS = re.compile("  +")
_UNSPACED = re.compile("[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")  # Written without blanks.
_MARKS = 30  # The most combining marks on one letter that are read (UAX 15, Stream-Safe Text Format).


class Folded:
    """A folded text that knows where each of its characters came from.

    Attributes:
        text: The folded text.
    """

    __slots__ = ("_layers", "text")

    def __init__(self, text: str, layers: tuple[_Layer, ...] = ()) -> None:
        self.text = text
        self._layers = layers

    def original(self, span: Span) -> Span:
        """The place in the original text of a span of the folded one.

        A span that ends inside a replaced character covers that character whole; characters that the fold deleted
        belong to it only where they lie inside.
        """
        for layer in reversed(self._layers):
            span = layer.original(span)
        return span

    def replaced(self, edits: Iterable[tuple[int, int, str]]) -> Folded:
        """The text after one more pass of ``(start, end, replacement)`` edits, ordered and without overlap."""
        layer = _Layer()
        pieces: list[str] = []
        done = shift = 0
        for start, end, new in edits:
            pieces += self.text[done:start], new
            layer.add(start, end, start + shift, len(new))
            done, shift = end, shift + len(new) - (end - start)
        if not layer.new_starts:
            return self
        pieces.append(self.text[done:])
        return Folded("".join(pieces), (*self._layers, layer))


class _Layer:
    """The edits of one pass, as parallel lists in order of place."""

    __slots__ = ("new_ends", "new_starts", "old_ends", "old_starts")

    def __init__(self) -> None:
        self.old_starts: list[int] = []
        self.old_ends: list[int] = []
        self.new_starts: list[int] = []
        self.new_ends: list[int] = []

    def add(self, start: int, end: int, new_start: int, new_length: int) -> None:
        self.old_starts.append(start)
        self.old_ends.append(end)
        self.new_starts.append(new_start)
        self.new_ends.append(new_start + new_length)

    def original(self, span: Span) -> Span:
        start = self._start(span.start)
        return Span(start, max(start, self._end(span.end)))

    def _start(self, offset: int) -> int:
        at = bisect_right(self.new_starts, offset) - 1
        if at < 0:
            return offset
        if offset < self.new_ends[at]:
            return self.old_starts[at]
        return self.old_ends[at] + offset - self.new_ends[at]

    def _end(self, offset: int) -> int:
        at = bisect_left(self.new_starts, offset) - 1
        if at < 0:
            return offset
        return self.old_ends[at] + max(0, offset - self.new_ends[at])


def fold(text: str | Folded, names: Iterable[str] = TYPOGRAPHIC) -> Folded:
    """Applies folds to a text whose lines end at LF.

    Args:
        text: The text, or one that is folded already.
        names: Which of :data:`FOLDS`. With ``whitespace`` or ``dehyphenation``, a hyphen at a line's end between
            word characters becomes :data:`SOFT_BREAK`: whether the hyphen belongs to the word cannot be known from
            the text alone.

    Returns:
        The folded text with its map back.
    """
    chosen = frozenset(names)
    folded = text if isinstance(text, Folded) else Folded(text)
    if not folded.text.isascii():
        folded = _characters(folded, chosen)
    folded = _blanks(folded, chosen)
    text = folded.text
    if not text.isascii():
        if QUOTES in chosen:
            text = _swapped(text, _QUOTES)
        if DASHES in chosen:
            text = _swapped(text, _DASHES)
    if CASE in chosen:
        text = _lowered(text)
    return Folded(text, folded._layers)


def _characters(folded: Folded, chosen: frozenset[str]) -> Folded:
    pattern = _character_pattern(chosen)
    if pattern is not None:
        folded = folded.replaced(_character_edits(folded.text, pattern))
    if NFC in chosen:
        folded = folded.replaced(_compositions(folded.text))
    return folded


@lru_cache
def _character_pattern(chosen: frozenset[str]) -> re.Pattern[str] | None:
    kinds = ((INVISIBLE, _INVISIBLE + _SOFT_HYPHEN), (LIGATURES, "".join(_LIGATURES)), (ELLIPSIS, "…"))
    characters = "".join(some for name, some in kinds if name in chosen)
    return re.compile(f"[{characters}]") if characters else None


def _character_edits(text: str, pattern: re.Pattern[str]) -> Iterable[tuple[int, int, str]]:
    for match in pattern.finditer(text):
        char = match[0]
        if char == _SOFT_HYPHEN and _breaks_word(text, match.start()):
            continue  # A hyphenation, which is another fold.
        yield match.start(), match.end(), "..." if char == "…" else _LIGATURES.get(char, "")


def _breaks_word(text: str, at: int) -> bool:
    """Whether the hyphen at this place ends a line within a word."""
    blanks = _BLANK.match(text, at + 1 + (text[at + 1 : at + 2] == " "))
    joins = blanks is not None and "\n" in blanks[0] and _is_word(text[blanks.end() : blanks.end() + 1])
    return joins and at > 0 and _is_word(text[at - 1])


def _compositions(text: str) -> Iterable[tuple[int, int, str]]:
    """Edits to Normalization Form C (Unicode Standard Annex 15): a letter and the marks that follow it."""
    done = 0
    for match in _composing_pattern().finditer(text):
        start, end = max(done, match.start() - 1), match.end()
        if end - start > _MARKS:  # Sorting a longer run takes quadratic time; it stays as it is.
            continue
        composed = unicodedata.normalize("NFC", text[start:end])
        if composed != text[start:end]:
            yield start, end, composed
            done = end


@lru_cache(maxsize=1)
def _composing_pattern() -> re.Pattern[str]:
    """Runs of characters of the Basic Multilingual Plane that normalization may reorder, join or replace."""
    found = {*map(chr, range(0x1161, 0x1176)), *map(chr, range(0x11A8, 0x11C3))}  # Hangul vowels and finals.
    for char in map(chr, range(0x80, 0x10000)):
        parts = unicodedata.decomposition(char)
        if unicodedata.combining(char):
            found.add(char)
        elif parts and not parts.startswith("<"):
            composes = unicodedata.normalize("NFC", char) == char
            found.add(chr(int(parts.split()[-1], 16)) if composes else char)
    return re.compile(f"[{''.join(sorted(found))}]+")


def _blank_edits(text: str, whitespace: bool) -> Iterable[tuple[int, int, str]]:
    """Edits for line ends and blanks other than single spaces; runs of spaces are left to a second pass."""
    done = 0
    for match in _BLANK.finditer(text):
        start, end = match.span()
        while start > done and text[start - 1] == " ":
            start -= 1
        if "\n" in match[0] and start > 0 and end < len(text):
            before, after = text[start - 1], text[end]
            if before in _HYPHENS and _is_word(text[start - 2 : start - 1]) and _is_word(after):
                yield start - 1, end, SOFT_BREAK
                done = end
                continue
            if whitespace and _UNSPACED.match(before) and _UNSPACED.match(after):
                yield start, end, ""
                done = end
                continue
        if whitespace:
            yield start, end, " "
            done = end


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _blanks(folded: Folded, chosen: frozenset[str]) -> Folded:
    whitespace = WHITESPACE in chosen
    if whitespace or DEHYPHENATION in chosen:
        folded = folded.replaced(_blank_edits(folded.text, whitespace))
    if whitespace:
        folded = folded.replaced((m.start(), m.end(), " ") for m in _BLANKS.finditer(folded.text))
    return folded


def _swapped(text: str, table: tuple[tuple[str, str], ...]) -> str:
    for new, olds in table:
        for old in olds:
            text = text.replace(old, new)
    return text


def _lowered(text: str) -> str:
    low = text.lower()
    if len(low) == len(text):
        return low
    # A few capitals grow when lowered; they stay, so that offsets hold.
    return "".join(new if len(new := char.lower()) == 1 else char for char in text)
