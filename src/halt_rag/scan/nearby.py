"""Whether a claim has a source in its paragraph, item or table row."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from halt_rag.scan import patterns
from halt_rag.scan.bibliography import citation_keys, numbered_entries
from halt_rag.scan.ids import paper_ids
from halt_rag.scan.paths import written_paths
from halt_rag.scan.tree import normal
from halt_rag.text.markdown import Row
from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from halt_rag.scan.document import Document
    from halt_rag.scan.knowledge import Knowledge

SourceState = Literal["found", "questionable", "none"]
_SOURCE_HEADS = (
    "source", "reference", "citation", "evidence", "benchmark", "study", "ref", "paper", "doi", "link", "url", "quelle",
    "référence", "fuente", "results csv", "results file",
)  # fmt: skip
_LABEL = re.compile(
    r"[\s>*_-]*(?:paper|title|abstract|source|pdf|arxiv|doi|article|publication|reference|report|study|quelle|titel|"
    r"artikel|artículo|título|fuente|titre)s?(?:\s\w{1,12})?[*_]{0,2}\s?:[*_]{0,2}\s+\S",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"[\s>*_(-]*(?:sources?|quellen?|fuentes?)[*_]{0,2}\s?:", re.IGNORECASE)
_PAPER = re.compile(
    r"\W*(?:papers?|abstract|publications?|articles?|summary|zusammenfassung|résumé|resumen)\W*\Z", re.I
)
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,3}[.)])\s")
_SIBLINGS = 40  # Blocks that are looked at on the way back through a list.
_BACK = 3  # Paragraphs before a claim that may name its source.
_Source = tuple[int, SourceState | Literal["named"], str]


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
        self._section = _Section(document)
        self._starts = [row.span.start for row in self._rows]

    def near(self, span: Span) -> Nearby:
        """What stands near a claim."""
        row = self.row(span)
        if row is not None:
            headed = zip(row.cells, row.header, strict=False)
            cells = [c for c, h in headed if h.strip("*_ ").startswith(_SOURCE_HEADS) and not c.overlaps(span)]
            if cells:
                text = self._document.text
                return Nearby("found" if any(cell.of(text).strip(" \t-–—") for cell in cells) else "none")
        block = self._document.block(span.start)
        if block not in self._blocks:
            found = self._in_block(block)
            if found.state == "none" and not found.dangling and self._named_in_section(block):
                found = Nearby("found")
            self._blocks[block] = found
        return self._blocks[block]

    def _named_in_section(self, block: Span) -> bool:
        """Whether a line before the block names its source, or a line right behind it does."""
        text = self._document.text
        for before in self._section.before(block):
            introduces = text[before.start : before.end].rstrip().endswith(":")
            labelled = _LABEL.match(text, before.start, before.end) is not None
            if labelled and (self._has_source(before) or self._section.is_paper(block)):
                return True
            if self._has_source(before) and (introduces or self._section.is_paper(block)):
                return True
        behind = self._section.behind(block)
        return behind is not None and bool(_BEHIND.match(text, behind.start, behind.end)) and self._has_source(behind)

    def introduction(self, span: Span) -> str:
        """The paragraph that introduces the list around a claim, if it ends with a colon."""
        block = self._document.block(span.start)
        if not self._section.is_item(block):
            return ""
        before = next(iter(self._section.before(block)), None)
        words = before.of(self._document.prose).rstrip() if before else ""
        return words if words.endswith(":") else ""

    def _has_source(self, block: Span) -> bool:
        return self._in_block(block).state == "found"

    def _in_block(self, block: Span) -> Nearby:
        first, last = bisect_left(self._found, (block.start,)), bisect_left(self._found, (block.end,))
        states = {state for _, state, _ in self._found[first:last]}
        if "found" in states or states == {"named"}:
            return Nearby("found")
        dangling = next((label for _, _, label in self._found[first:last] if label), "")
        return Nearby("questionable" if "questionable" in states else "none", dangling)

    def row(self, span: Span) -> Row | None:
        """The table row around a place."""
        at = bisect_right(self._starts, span.start) - 1
        return self._rows[at] if at >= 0 and span.start < self._rows[at].span.end else None


class _Section:
    """The paragraphs around a claim under the same heading."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._headings = sorted(document.layout.headings, key=lambda heading: heading.span)
        titles = {heading.span for heading in self._headings}
        found = sorted(block for block in set(document.layout.blocks) if block not in titles)
        self._blocks = [block for block in found if len(block)]
        self._starts = [heading.span.start for heading in self._headings]

    def before(self, block: Span) -> list[Span]:
        """Up to ``_BACK`` paragraphs before it, the nearest first; an abstract belongs to the section before it."""
        at = self._heading(block)
        if at >= 0 and _PAPER.match(self._headings[at].text):
            at -= 1
        start = self._headings[at].span.end if at >= 0 else 0
        here, found = bisect_left(self._blocks, block), list[Span]()
        for other in reversed(self._blocks[max(0, here - _SIBLINGS) : here]):
            if other.start < start or len(found) == _BACK:
                break
            if not (self.is_item(block) and self.is_item(other)):  # The other items of a list do not introduce it.
                found.append(other)
        return found

    def is_item(self, block: Span) -> bool:
        """Whether it is an item of a list."""
        return _ITEM.match(self._text, block.start, block.end) is not None

    def behind(self, block: Span) -> Span | None:
        """The paragraph right behind it."""
        here = bisect_right(self._blocks, block)
        other = self._blocks[here] if here < len(self._blocks) else None
        return other if other is not None and self._heading(other) == self._heading(block) else None

    def is_paper(self, block: Span) -> bool:
        """Whether it stands under a heading such as *Paper* or *Abstract*."""
        at = self._heading(block)
        return at >= 0 and _PAPER.match(self._headings[at].text) is not None

    def _heading(self, block: Span) -> int:
        return bisect_right(self._starts, block.start) - 1


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
    for pattern in (patterns.DOI, patterns.ARXIV, patterns.POINTER):
        for match in pattern.finditer(full):
            yield match.start(), "found", ""
    for match in patterns.NAMED_SOURCE.finditer(full):
        yield match.start(), "named", ""  # Good enough alone, and no better than the id that it names.
    for match in patterns.NUMERIC.finditer(full):
        yield match.start(), "questionable" if numbered_entries(document) is None else "found", ""
    keys = citation_keys(document, known) or ()
    for match in patterns.KEYED.finditer(full):
        yield match.start(), "found" if match[1].rstrip(".:?/") in keys else "questionable", ""
    judges = corpus is not None and corpus.has_authors
    named: set[int] = set()  # Places of names that are judged; "et al." alone is inside a phrase with a year.
    for pattern in (patterns.AUTHOR_YEAR, patterns.BRACKETED, patterns.ET_AL):
        for match in pattern.finditer(full):
            name, at = match["name"], match.start("name")
            if at in named or not name[0].isupper() or name.lower() in patterns.TITLES:
                continue
            named.add(at)
            unknown = judges and corpus is not None and not corpus.by_author(name)
            unknown = unknown or _year(match) > known.today.year + 1
            yield match.start(), "questionable" if unknown else "found", ""
    for url in document.layout.urls:
        if url.of(document.text).startswith(("http://", "https://")):
            yield url.start, "found", ""


def _year(match: re.Match[str]) -> int:
    """The year of an author-year phrase; 0 if it has none."""
    groups = match.groupdict()
    return int(groups.get("year") or groups.get("year2") or 0)


def _link_state(document: Document, known: Knowledge, target: str) -> SourceState | None:
    """Whether a link leads to a file; None for anchors, mail and the like, which are no sources."""
    if target.startswith(("http://", "https://")):
        return "found"
    path = unquote(target.split("#", 1)[0].split("?", 1)[0])
    if not path or ":" in path.split("/", 1)[0]:
        return None
    place = normal(path.lstrip("/"), "" if path.startswith("/") else posixpath.dirname(document.path))
    return "found" if place is not None and known.files.exists(place) else "questionable"
