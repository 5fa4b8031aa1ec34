"""Whether a claim has a source in its paragraph, item or table row."""

from __future__ import annotations

import posixpath
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from halt_rag.scan import patterns
from halt_rag.scan.ids import paper_ids
from halt_rag.scan.paths import written_paths
from halt_rag.scan.tree import normal
from halt_rag.text.markdown import Row
from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from halt_rag.scan.document import Document
    from halt_rag.scan.knowledge import Knowledge

SourceState = Literal["found", "questionable", "none"]
_SOURCE_HEADS = ("source", "reference", "citation", "evidence", "benchmark", "study", "ref")
_Source = tuple[int, SourceState, str]


@dataclass(frozen=True, slots=True)
class Nearby:
    """What stands near a claim.

    Attributes:
        state: ``found``; ``questionable``: a source is named, and another rule reports on it; or ``none``.
        dangling: The label of a footnote that is not defined.
    """

    state: SourceState
    dangling: str = ""


class Sources:
    """The sources of a document, for one run of a rule.

    A paper id, DOI, arXiv id, address, link or path to a file that is there, defined footnote, numbered citation,
    author-year phrase, or a pointer to a table or figure is a source. In a table with a source column, that column
    of the row decides.
    """

    def __init__(self, document: Document, known: Knowledge) -> None:
        self._document = document
        self._found: list[_Source] = sorted(_sources(document, known))
        self._rows = sorted(document.layout.rows, key=lambda row: row.span)
        self._blocks: dict[Span, Nearby] = {}
        self._starts = [row.span.start for row in self._rows]

    def near(self, span: Span) -> Nearby:
        """What stands near a claim."""
        row = self.row(span)
        if row is not None:
            cells = [c for c, h in zip(row.cells, row.header, strict=False) if h.strip("*_ ").startswith(_SOURCE_HEADS)]
            if cells:
                text = self._document.text
                return Nearby("found" if any(cell.of(text).strip(" \t-–—") for cell in cells) else "none")
        block = self._document.block(span.start)
        if block not in self._blocks:
            self._blocks[block] = self._in_block(block)
        return self._blocks[block]

    def _in_block(self, block: Span) -> Nearby:
        first, last = bisect_left(self._found, (block.start,)), bisect_left(self._found, (block.end,))
        states = {state for _, state, _ in self._found[first:last]}
        if "found" in states:
            return Nearby("found")
        dangling = next((label for _, _, label in self._found[first:last] if label), "")
        return Nearby("questionable" if "questionable" in states else "none", dangling)

    def row(self, span: Span) -> Row | None:
        """The table row around a place."""
        at = bisect_right(self._starts, span.start) - 1
        return self._rows[at] if at >= 0 and span.start < self._rows[at].span.end else None


def _sources(document: Document, known: Knowledge) -> Iterator[_Source]:
    full, corpus = document.full, known.papers
    for paper in paper_ids(document.prose, known.id_prefix):
        yield paper.start(), "found" if corpus is None or paper[0] in corpus else "questionable", ""
    for path in written_paths(document, known):
        place = known.resolve(path.path, document.path)
        there = place is not None and known.files.exists(place)
        yield path.span.start, "found" if there else "questionable", ""
    for link in document.layout.links:
        state = _link_state(document, known, link.target)
        if state:
            yield link.span.start, state, ""
    for note in patterns.FOOTNOTE.finditer(full):
        body = document.layout.footnotes.get(note[1])
        defined = body is not None and bool(body.of(document.text).strip())
        yield note.start(), "found" if defined else "none", "" if defined else note[1]
    for pattern in (patterns.DOI, patterns.ARXIV, patterns.NUMERIC, patterns.POINTER, patterns.NAMED_SOURCE):
        for match in pattern.finditer(full):
            yield match.start(), "found", ""
    for pattern in (patterns.AUTHOR_YEAR, patterns.BRACKETED, patterns.ET_AL):
        for match in pattern.finditer(full):
            if match["name"][0].isupper() and match["name"].lower() not in patterns.TITLES:
                yield match.start(), "found", ""
    for url in document.layout.urls:
        if url.of(document.text).startswith(("http://", "https://")):
            yield url.start, "found", ""


def _link_state(document: Document, known: Knowledge, target: str) -> SourceState | None:
    """Whether a link leads to a file; None for anchors, mail and the like, which are no sources."""
    if target.startswith(("http://", "https://")):
        return "found"
    path = unquote(target.split("#", 1)[0].split("?", 1)[0])
    if not path or ":" in path.split("/", 1)[0]:
        return None
    place = normal(path.lstrip("/"), "" if path.startswith("/") else posixpath.dirname(document.path))
    return "found" if place is not None and known.files.exists(place) else "questionable"
