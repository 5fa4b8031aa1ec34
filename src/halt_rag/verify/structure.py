"""What the layout of a generated text says about its sentences: marks, tables, lists and turns of a dialogue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from halt_rag.text.markdown import Row, layout
from halt_rag.text.spans import LineIndex, Span, trimmed
from halt_rag.verify.english import first_verb

_MARKER = (
    r"(?:[-*+–•‣⁃∙◦▪▫●○■□➢➤✓✔✗✘][ \t\xa0]|[•‣⁃◦▪●○■➢➤✓✔✗✘]"
    r"|\(?(?:\d{1,2}|[A-Za-z]|[ivxIVX]{1,5})\)[ \t]|\d{1,2}(?:\.\d{1,2}){0,3}\.[ \t])"
)
_ITEM = re.compile(rf"[ \t]*{_MARKER}")
#: What stands before the words of a line: quote marks, list markers, boxes, the hashes of a heading.
_LEADING = re.compile(rf"(?:[ \t]*(?:>|{_MARKER}(?:\[[ xX]\][ \t])?|\#{{1,6}}[ \t]))+[ \t]*")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{0,500}(?:[ \t]+\"[^\"\n]{0,200}\")?\)")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)([^*_\n]{1,400}?)(?<=\S)\1(?![\w*])")
_CODE = re.compile(r"(?<!`)(`{1,2})([^`\n]{1,300})\1(?!`)")
_BLANKS = re.compile(r"\s+")
#: A list is announced by words that say nothing before its items: "The kit includes:", "The steps are as follows:".
#: A line of so many words without a verb is the heading of its list.
_HEADING = 3
_UNFINISHED = re.compile(
    r"""\b(?:(?:is|are|was|were|includes?|included|contains?|contained|covers?|offers?|offered|comprises?|requires?|needs?
      |provides?|has|have|had|sells?|by|to|for|with|in|on|of|and)(?:\ (?:the\ following|as\ follows))?
      |the\ following(?:\ \w+){0,2}|as\ follows|such\ as|namely)\s*:[\s*_]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_SPEAKER = re.compile(
    r"""^[ \t>]*(?:\*\*)?([A-ZÀ-Þ][\w.'’-]{0,30}(?:\ [A-ZÀ-Þ][\w.'’-]{0,30}){0,2})
      (?:\*\*)?:(?:\*\*)?[ \t]+(?=\S)""",
    re.MULTILINE | re.VERBOSE,
)
#: The line under the header of a table.
_UNDER = re.compile(r"[-:|> \t]+")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table.

    Attributes:
        span: Where it is.
        said: What it says; None for a header, whose words are read with every row.
        head: What it would be no row without: the header and the line under it; empty for a header.
    """

    span: Span
    said: str | None
    head: str


def unmarked(text: str) -> str:
    """The words of a sentence without the marks of Markdown; of a link only what is shown.

    The text itself where nothing would be left.
    """
    lead = _LEADING.match(text)
    plain = text[lead.end() :] if lead else text
    if any(mark in plain for mark in "[*_`"):
        plain = _LINK.sub(r"\1", plain)
        plain = _CODE.sub(r"\2", plain)
        plain = _EMPHASIS.sub(r"\2", plain)
        plain = _EMPHASIS.sub(r"\2", plain)
    return plain.strip() or text


def is_item(text: str) -> bool:
    """Whether a line is an item of a list."""
    return _ITEM.match(text) is not None


def only_announces(text: str) -> bool:
    """Whether a line before a list is no statement without an item of the list: "The kit includes:", "Specs:"."""
    words = unmarked(text).rstrip(": ").split()
    heading = len(words) <= _HEADING and first_verb(words) is None
    return (heading or _UNFINISHED.search(text[-80:]) is not None) and not re.search(r"\d", text)


def turns(generated: str, start: int = 0) -> list[tuple[Span, str]]:
    """The lines that may be turns of a dialogue, with who speaks.

    Args:
        generated: The text.
        start: From where on they are looked for.
    """
    return [(turn_at(generated, m.start()), m[1]) for m in _SPEAKER.finditer(generated, start)]


def turn_at(generated: str, start: int) -> Span:
    """The turn that begins at a place."""
    end = generated.find("\n", start)
    return Span(start, len(generated) if end < 0 else end)


def is_dialogue(names: Iterable[str]) -> bool:
    """Whether lines that may be turns are turns: at least two speak."""
    return len(set(names)) > 1


def open_fence(generated: str) -> str:
    """The line that opens the code in which the text ends; empty where it does not end in code."""
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(generated):
        if opening is None:
            opening = fence if fence[1][0] == "~" or "`" not in fence[2] else None
        elif fence[1].startswith(opening[1]) and not fence[2].strip():
            opening = None
    return opening[0] if opening else ""


def tables(generated: str) -> list[TableRow]:
    """The rows of the tables."""
    if "|" not in generated or "-" not in generated or "\n" not in generated:
        return []
    lines = LineIndex(generated)
    rows = layout(generated, lines).rows
    found: list[TableRow] = []
    head: list[str] = []
    opening = ""
    for place, row in enumerate(rows):
        if "|" not in row.span.of(generated):  # A line right after a table is a row to Markdown; to a reader it is not.
            continue
        cells = [unmarked(cell.of(generated).strip()) if cell.of(generated).strip() else "" for cell in row.cells]
        if _is_header(row, generated):
            head = cells
            opens = _head(row, generated, lines)
            following = rows[place + 1] if place + 1 < len(rows) else None
            followed = (
                following is not None and following.header == row.header and not _head(following, generated, lines)
            )
            said = None if followed else _joined(cells)
            found.append(TableRow(trimmed(generated, row.span), said, "" if opens else opening))
            opening = opens or opening
        else:
            found.append(TableRow(trimmed(generated, row.span), _stated(head, cells), opening))
    return [row for row in found if row.span]


def _head(row: Row, generated: str, lines: LineIndex) -> str:
    """A header and the line under it; empty for a row that only has the same words."""
    line = lines.position(row.span.start)[0]
    under = lines.span(line + 1).of(generated) if line < lines.count else ""
    return f"{row.span.of(generated)}\n{under}\n" if _UNDER.fullmatch(under) else ""


def _is_header(row: Row, generated: str) -> bool:
    return tuple(cell.of(generated).strip().lower() for cell in row.cells) == row.header


def _stated(head: Sequence[str], cells: Sequence[str]) -> str | None:
    """The row as a statement: "Year: 1998; Berths: 214."."""
    parts = []
    for place, cell in enumerate(cells):
        name = head[place] if place < len(head) else ""
        if cell:
            parts.append(f"{name}: {cell}" if name else cell)
    return "; ".join(parts) + "." if parts else None


def _joined(cells: Sequence[str]) -> str:
    return _BLANKS.sub(" ", "; ".join(cell for cell in cells if cell))
