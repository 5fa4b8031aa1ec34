"""The layout of a Markdown text: what is prose, what is code, and where links, tables and headings are.

Blocks are found by markdown-it-py (CommonMark 0.31 with tables), so that nested, tilde, indented and unclosed fences
are read as renderers read them. Inside blocks, code spans, comments and links are found in the source text itself,
because their exact places matter here. All places are spans of the given text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from halt_rag.text.spans import LineIndex, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_FRONT_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_INLINE_MARK = re.compile(r"`+|<!--|\\`")
_RUN = re.compile(r"`+")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>")
_HIDDEN_ELEMENT = re.compile(r"<(script|style|pre|code|svg)\b", re.IGNORECASE)
_LINK = re.compile(r"\]\([ \t]*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)")
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\[\]\n]{1,200}\]:[ \t]*(<[^<>\n]*>|\S+)", re.MULTILINE)
_HTML_TARGET = re.compile(r"\b(?:href|src)\s*=\s*(?:\"([^\"\n]*)\"|'([^'\n]*)')", re.IGNORECASE)
_HTML_ANCHOR = re.compile(r"\b(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)
_FOOTNOTE = re.compile(r"^ {0,3}\[\^([^\[\]\s]{1,100})\]:[ \t]*(.*)$", re.MULTILINE)
_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"`|\\^{}\[\]]+")
_CELL = re.compile(r"(?:[^|\\]|\\.)+")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Code in a document, with the way back to its place.

    Attributes:
        language: The first word of the fence's label, lowered; empty if there is none.
        code: The code, its lines ended by LF.
        starts: Where each line of the code begins in the text.
        offsets: Where each line begins in ``code``.
    """

    language: str
    code: str
    starts: tuple[int, ...]
    offsets: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """The place in the text of ``code[start:end]``."""
        return Span(self._place(start), max(self._place(start), self._place(end)))

    def _place(self, offset: int) -> int:
        line = bisect_right(self.offsets, offset) - 1
        return self.starts[line] + offset - self.offsets[line]


def code_block(language: str, lines: list[tuple[str, int]]) -> CodeBlock:
    """A block of lines, each with its place in the text."""
    offsets, at = [], 0
    for line, _ in lines:
        offsets.append(at)
        at += len(line) + 1
    code = "".join(f"{line}\n" for line, _ in lines)
    return CodeBlock(language, code, tuple(start for _, start in lines) or (0,), tuple(offsets) or (0,))


@dataclass(frozen=True, slots=True)
class Link:
    """A link target: its place and what stands there."""

    span: Span
    target: str
    label: Span | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its words and where they are."""

    span: Span
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: the place of each cell, and the words of the table's header."""

    span: Span
    cells: tuple[Span, ...]
    header: tuple[str, ...]


@dataclass(slots=True)
class Layout:
    """Where the parts of a document are.

    Attributes:
        hidden: What prose rules skip: code, comments, tags.
        data: Stretches that are data, such as front matter.
        comments: HTML comments, or comments of a program.
        code: The blocks of code.
        blocks: Paragraphs, headings, list items and rows: what counts as "nearby".
        urls: Addresses and link targets.
        anchors: Explicit anchors, from HTML.
        footnotes: Footnote definitions: label, place of the body.
        front_matter: The place of the front matter's content, if there is one.
    """

    hidden: list[Span] = field(default_factory=list)
    data: list[Span] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    code: list[CodeBlock] = field(default_factory=list)
    blocks: list[Span] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    urls: list[Span] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    footnotes: dict[str, Span] = field(default_factory=dict)
    front_matter: Span | None = None


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def layout(text: str, lines: LineIndex) -> Layout:
    """Reads a Markdown text.

    An indented block at the very start of a document counts as prose: nothing introduces it as code, and plain notes
    begin that way.

    Args:
        text: The text, without a byte order mark.
        lines: Its lines.
    """
    found = Layout()
    body = _without_front_matter(text, found)
    page = _Page(text, lines, found)
    for token in _parser().parse(body):
        page.take(token)
    page.finish()
    return found


def _without_front_matter(text: str, found: Layout) -> str:
    opening = _FRONT_MATTER.match(text)
    closing = _FRONT_END.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return text
    found.front_matter = Span(opening.end(), closing.start())
    found.data.append(Span(0, closing.end()))
    blank = re.sub(r"[^\r\n]", " ", text[: closing.end()])
    return blank + text[closing.end() :]


class _Page:
    """Turns block tokens into a layout."""

    def __init__(self, text: str, lines: LineIndex, found: Layout) -> None:
        self._text, self._lines, self._found = text, lines, found
        self._header: tuple[str, ...] = ()
        self._heading = 0
        self._in_header = self._in_table = False
        self._first = True

    def take(self, token: Token) -> None:
        kind, area = token.type, self._area(token)
        if kind in {"table_open", "table_close"}:
            self._in_table = kind == "table_open"
        elif kind == "thead_open":
            self._header, self._in_header = (), True
        elif kind == "thead_close":
            self._in_header = False
        elif kind == "heading_open":
            self._heading = int(token.tag[1:])
        if area is None:
            return
        if kind in {"fence", "code_block"}:
            self._code(token, area)
        elif kind == "html_block":
            self._html(area)
        elif kind == "tr_open":
            self._row(area)
        elif kind == "inline" and not self._in_table:
            self._inline(token, area)
        if not kind.endswith(("_open", "_close")):
            self._first = False

    def _area(self, token: Token) -> Span | None:
        if token.map is None:
            return None
        first, last = token.map[0] + 1, min(token.map[1], self._lines.count)
        if first > last:
            return None
        return Span(self._lines.span(first).start, self._lines.span(last).end)

    def _code(self, token: Token, area: Span) -> None:
        if token.type == "code_block" and self._first:
            self._block(area)
            return
        self._found.hidden.append(area)
        info = token.info.strip().split()
        language = info[0].strip("{}.").lower() if info else ""
        first = (token.map or [0])[0] + (2 if token.type == "fence" else 1)
        placed = []
        for number, line in enumerate(token.content.split("\n")[:-1], first):
            if number > self._lines.count:
                break
            # The content of a line is the end of its source: quote marks and indents stand before it.
            placed.append((line, max(0, self._lines.span(number).end - len(line))))
        if placed:
            self._found.code.append(code_block(language, placed))

    def _html(self, area: Span) -> None:
        self._found.blocks.append(area)
        if _HIDDEN_ELEMENT.match(self._text[area.start : area.end].lstrip()):
            self._found.hidden.append(area)
            return
        at = area.start
        while (opened := self._text.find("<!--", at, area.end)) >= 0:
            closed = self._text.find("-->", opened + 4, area.end)
            at = area.end if closed < 0 else closed + 3
            self._found.hidden.append(Span(opened, at))
            self._found.comments.append(Span(opened, at))

    def _inline(self, token: Token, area: Span) -> None:
        if self._heading:
            self._found.headings.append(Heading(area, token.content.strip(), self._heading))
            self._heading = 0
        self._block(area)

    def _block(self, area: Span) -> None:
        self._found.blocks.append(area)
        for span, is_comment in _inline_hidden(self._text, area):
            self._found.hidden.append(span)
            if is_comment:
                self._found.comments.append(span)

    def _row(self, area: Span) -> None:
        cells = tuple(_cells(self._text, area))
        if self._in_header:
            self._header = tuple(cell.of(self._text).strip().lower() for cell in cells)
        self._found.rows.append(Row(area, cells, self._header))
        self._block(area)

    def finish(self) -> None:
        """Adds what lies outside the leaves (definitions of links and footnotes), links, tags and addresses."""
        found, text = self._found, self._text
        shown = blanked(text, found.hidden)
        for note in _FOOTNOTE.finditer(shown):
            found.footnotes.setdefault(note[1], Span(*note.span(2)))
            found.blocks.append(Span(*note.span()))
        _add_links(shown, found)
        for tag in _TAG.finditer(shown):
            found.hidden.append(Span(*tag.span()))
        found.hidden.sort()


def _inline_hidden(text: str, area: Span) -> Iterator[tuple[Span, bool]]:
    """Code spans (False) and comments (True) of a paragraph, from left to right; linear in its length."""
    runs: dict[int, list[int]] = {}
    for run in _RUN.finditer(text, area.start, area.end):
        runs.setdefault(len(run[0]), []).append(run.start())
    at = area.start
    uncommented = False
    while mark := _INLINE_MARK.search(text, at, area.end):
        at = mark.end()
        if mark[0] == "<!--":
            closed = -1 if uncommented else text.find("-->", at, area.end)
            uncommented = closed < 0
            if closed >= 0:
                at = closed + 3
                yield Span(mark.start(), at), True
        elif mark[0][0] == "`":
            closer = _next_run(runs[len(mark[0])], mark.end()) if len(mark[0]) in runs else None
            if closer is not None:
                at = closer + len(mark[0])
                yield Span(mark.start(), at), False


def _next_run(starts: list[int], after: int) -> int | None:
    at = bisect_left(starts, after)
    return starts[at] if at < len(starts) else None


def _cells(text: str, area: Span) -> Iterator[Span]:
    """The cells of a table row; a pipe inside a code span ends a cell, as GitHub has it."""
    line = area.of(text)
    lead = len(line) - len(line.lstrip(" \t>|"))
    lead = line.find("|") + 1 if line.lstrip(" \t>").startswith("|") else lead
    at = area.start + lead
    end = area.start + len(line.rstrip())
    while at < end:
        cell = _CELL.match(text, at, end)
        yield Span(at, cell.end() if cell else at)
        at = (cell.end() if cell else at) + 1


def _add_links(shown: str, found: Layout) -> None:
    for match in _LINK.finditer(shown):
        found.links.append(_link(match))
    for match in _DEFINITION.finditer(shown):
        found.links.append(_link(match))
        found.blocks.append(Span(*match.span()))
    for tag in _TAG.finditer(shown):
        for target in _HTML_TARGET.finditer(tag[0]):
            group = 1 if target[1] is not None else 2
            start = tag.start() + target.start(group)
            found.links.append(Link(Span(start, start + len(target[group])), target[group]))
        found.anchors.update(anchor[1] for anchor in _HTML_ANCHOR.finditer(tag[0]))
    found.urls += [link.span for link in found.links]
    found.urls += [Span(*url.span()) for url in _URL.finditer(shown)]


def _link(match: re.Match[str]) -> Link:
    start, end = match.span(1)
    if match[1].startswith("<"):
        start, end = start + 1, end - 1
    return Link(Span(start, end), match.string[start:end])


def blanked(text: str, spans: list[Span], fill: str = "\ufffc") -> str:
    """The text with the spans overwritten, so that places stay as they are; line ends are kept."""
    pieces: list[str] = []
    done = 0
    for span in sorted(spans):
        if span.end <= done:
            continue
        start = max(done, span.start)
        pieces += text[done:start], re.sub(r"[^\r\n]", fill, text[start : span.end])
        done = span.end
    pieces.append(text[done:])
    return "".join(pieces)
