"""Sentences that tile a text: nothing is lost, moved or changed between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from halt_rag.errors import InputError
from halt_rag.text.spans import Span

_SURROGATE = re.compile("[\ud800-\udfff]")
_EOL = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_LINE = re.compile(rf"\S[^{_EOL}]*")
_SEPARATOR = re.compile(rf"\r\n|[{_EOL}]")
# What stands before the words of a list item.
_ITEM = re.compile(
    r"""[-*+–•‣⁃∙◦▪▫●○■□➢➤✓✔✗✘][ \t\xa0] | [•‣⁃◦▪●○■➢➤✓✔✗✘]
    | \(?(?:\d{1,2}|[A-Za-z]|[ivxIVX]{1,5})\)[ \t] | \d{1,2}(?:\.\d{1,2}){0,3}\.[ \t]""",
    re.VERBOSE,
)
_HEADING = re.compile(r"\#{1,6}[ \t]")
_ROW_OR_FENCE = re.compile(r"\||```|~~~")
_RULE = re.compile(rf"(?:-{{3,}}|={{3,}}|\*{{3,}}|_{{3,}})[ \t]*(?=[{_EOL}]|\Z)")
_OPENS = (_ITEM, _HEADING, _ROW_OR_FENCE)
_CLOSES = (_HEADING, _ROW_OR_FENCE, _RULE)

_NARROW = 40  # Columns; nobody wraps a paragraph at fewer.
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"\S{1,40}")

_PIECE = 2048  # Code points handed to the splitter at once: its time grows faster than its input.
_LONGEST = 8 * _PIECE  # Code points that it gets at most, where it finds no boundary in fewer.
_AHEAD = 128  # Code points that the splitter must have seen after a boundary for it to count.
# Scripts whose sentences the splitter's English rules do not know.
_SCRIPTS = {"ru": re.compile("[\u0400-\u04ff]"), "el": re.compile("[\u0370-\u03ff]")}
# Abbreviations that the splitter does not know: titles, and words that a number follows.
_ABBREVIATED = re.compile(
    r"""\b(?:Ms|Mgr|Atty|Sra|Srta|Dra|Sig|Dott)\.\s+
    | \b(?i:approx|apt|arts|cap|ch|chap|eds?|eqs?|est|figs|godz|kl|max|min|núm|págs?|paras?|refs|rm|sect|str|tab
        |tel|temp|vol)\.\s+(?=\d)""",
    re.VERBOSE,
)
# Ends that the splitter leaves out: before a capital, and wherever they stand.
_OPEN_END = re.compile(r"""((?:\betc\.|…)["'”’»)\]]*\s+)["'“‘«(\[]?(\w)""")
_KHMER_END = re.compile(r"[។៕]\s*")
_ASIDE = re.compile(r"\([^()]*[.!?]\)\s+")


def split_sentences(text: str, *, width: int = _NARROW) -> list[Span]:
    """Splits a text into sentences that tile it.

    The spans are in order, not empty, and their quotes put together are the text. White space after a sentence
    belongs to it, white space at the start of the text to the first sentence. A text of white space only is one span,
    the empty text none. Time is linear in the length of the text.

    Blank lines, list items, headings and table rows end sentences. A line break inside a paragraph does so only where
    the line is complete: where its last sentence is, or where the next word would have fitted into the line and does
    not begin with a small letter.

    Args:
        text: The text.
        width: How long the lines before the text were, in code points, if it begins inside a paragraph.
    """
    if not text:
        return []
    readable = text if text.isascii() else _SURROGATE.sub("\ufffd", text)
    begins = sorted(set(_begins(readable, width)))
    return [Span(start, end) for start, end in pairwise([0, *begins[1:], len(text)])]


def _begins(text: str, width: int) -> Iterator[int]:
    """Where sentences begin, white space before them left out."""
    for block in _blocks(text, width):
        yield from _boundaries(text, block)


def _blocks(text: str, width: int) -> Iterator[Span]:
    """Stretches of lines between which a sentence ends whatever their words are."""
    paragraph: list[Span] = []
    for line in _LINE.finditer(text):
        if paragraph and _apart(text, paragraph[-1], line.start()):
            yield from _runs(text, paragraph, width)
            paragraph.clear()
            width = _NARROW
        paragraph.append(Span(line.start(), line.end()))
    if paragraph:
        yield from _runs(text, paragraph, width)


def _apart(text: str, line: Span, following: int) -> bool:
    """Whether something ends with the line, or begins with the one that follows."""
    gap = text[line.end : following]
    return (
        len(_SEPARATOR.findall(gap)) > 1
        or "\f" in gap
        or "\u2029" in gap
        or any(opens.match(text, following) for opens in _OPENS)
        or any(closes.match(text, line.start) for closes in _CLOSES)
    )


def _runs(text: str, paragraph: list[Span], width: int) -> Iterator[Span]:
    """A paragraph, divided after the lines that were ended on purpose, not because they were full."""
    width = max(_NARROW, width, *map(len, paragraph))
    start = paragraph[0].start
    for line, following in pairwise(paragraph):
        word = _WORD.match(text, following.start)
        fitted = word is not None and len(line) + 1 + len(word[0]) < width
        if fitted and not text[following.start].islower() and not _RULE.match(text, following.start):
            yield Span(start, line.end)
            start = following.start
    yield Span(start, paragraph[-1].end)


def _boundaries(text: str, block: Span) -> Iterator[int]:
    """Where the sentences of a block begin."""
    yield block.start
    item = _ITEM.match(text, block.start, block.end)
    words = Span(item.end() if item else block.start, block.end)
    abbreviated = {found.end() for found in _ABBREVIATED.finditer(text, words.start, words.end)}
    for begin in _library_boundaries(text, words):
        if begin not in abbreviated:
            yield begin
            yield from _after_asides(text, begin, block.end)
    for end in _OPEN_END.finditer(text, words.start, words.end):
        if end[2].isupper():
            yield end.end(1)
    for end in _KHMER_END.finditer(text, words.start, words.end):
        if end.end() < words.end:
            yield end.end()


def _after_asides(text: str, begin: int, end: int) -> Iterator[int]:
    """Where the sentences after whole sentences in round brackets begin."""
    while (aside := _ASIDE.match(text, begin, end)) and aside.end() < end:
        begin = aside.end()
        yield begin


def _library_boundaries(text: str, words: Span) -> Iterator[int]:
    """Where sentences begin after the first, by the splitter library."""
    from sentencex import get_sentence_boundaries  # type: ignore[import-untyped]  # It ships no type hints.

    language = _rules_for(words.of(text))
    start, size = words.start, _PIECE
    while start < words.end:
        stop = min(start + size, words.end)
        found = get_sentence_boundaries(language, text[start:stop])
        begins = [_skip_space(text, start + sentence["start_index"]) for sentence in found[1:]]
        # Two characters of code, a file name or an address are not two sentences.
        begins = [b for b in begins if text[b - 1].isspace() or not text[b - 1 : b + 1].isascii()]
        # A piece that ends anywhere is no ground for a boundary near its end: it is decided again with more text.
        final = stop == words.end or size >= _LONGEST
        limit = words.end if final else stop - _AHEAD
        sure = [begin for begin in begins if begin < limit]
        yield from sure
        if stop == words.end:
            return
        if sure:
            start, size = sure[-1], _PIECE
        elif final:  # The sentence goes on; what follows is read without its beginning.
            start, size = stop - _AHEAD, _PIECE
        else:
            size *= 2


def _rules_for(words: str) -> str:
    """The language whose rules read a stretch of text: by its script, for its language is not known."""
    if not words.isascii():
        for language, script in _SCRIPTS.items():
            if 2 * len(script.findall(words)) > len(words):
                return language
    return "en"


def tile(text: str, sentences: Sequence[str]) -> list[Span]:
    """Finds sentences, given as strings in order, in the text that they were taken from.

    Args:
        text: The text.
        sentences: Its sentences. White space around them and between them is free; everything else must be theirs,
            code point for code point, and in this order.

    Returns:
        One span per sentence. The first begins at 0, each ends where the next begins, and the last ends with its
        sentence: white space at the start of the text and after a sentence is included, at the end of the text it
        is not.

    Raises:
        InputError: If a sentence is empty, or is not the next thing in the text, or text is left over.
    """
    begins: list[int] = []
    place = 0
    for index, sentence in enumerate(sentences):
        wanted = sentence.strip()
        if not wanted:
            raise InputError(f"Sentence {index} is empty.")
        place = _skip_space(text, place)
        if not text.startswith(wanted, place):
            raise InputError(
                f"Sentence {index}, {_short(wanted)}, is not in the text at offset {place}: "
                f"there is {_short(text[place : place + len(wanted)])}.",
                hint="Pass the sentences unchanged, all of them, in the order of the text.",
            )
        begins.append(place)
        place += len(wanted)
    if _skip_space(text, place) < len(text):
        raise InputError(
            f"The sentences end at offset {place}, before the text does: {_short(text[place:].lstrip())} is left over.",
            hint="Pass all sentences of the text.",
        )
    return [Span(start, end) for start, end in pairwise([0, *begins[1:], place])] if begins else []


def _skip_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _short(quote: str) -> str:
    return repr(quote if len(quote) <= 60 else quote[:59] + "…")
