"""Comments that silence a detection: each names what it silences and why, and is reported if it silences nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from halt_rag.scan.document import Document
from halt_rag.scan.rules import is_name

_DIRECTIVE = re.compile(
    r"\s*halt-rag:\s*(?P<verb>ignore-next-line|off|on)\b(?P<names>[^\r\n]*?)(?:\s--\s*(?P<reason>[^\r\n]*))?\s*\Z"
)
_LEAD = re.compile(r"<!--|/\*+|//+|#+|--|\{-|\.\.")
_TAIL = re.compile(r"(?:-->|\*/|-\})\s*\Z")


@dataclass(slots=True)
class Suppression:
    """A directive and the lines that it covers.

    Attributes:
        line: The line of the directive.
        column: Its column.
        first: The first line covered.
        last: The last line covered.
        names: Types, rule codes or names that it silences; empty: all.
        reason: Why.
        used: Whether it silenced anything.
    """

    line: int
    column: int
    first: int
    last: int
    names: frozenset[str]
    reason: str
    used: bool = False

    def covers(self, line: int, names: Iterable[str]) -> bool:
        """Whether it silences a detection that goes by these names."""
        return self.first <= line <= self.last and (not self.names or not self.names.isdisjoint(names))


@dataclass(slots=True)
class Suppressions:
    """The directives of a document, and what is wrong with them: line, column, message."""

    items: list[Suppression] = field(default_factory=list)
    warnings: list[tuple[int, int, str]] = field(default_factory=list)

    def find(self, line: int, names: Iterable[str]) -> Suppression | None:
        """The directive that silences a detection; it counts as used."""
        names = tuple(names)
        found = next((item for item in self.items if item.covers(line, names)), None)
        if found is not None:
            found.used = True
        return found

    def unused(self) -> Iterator[tuple[int, int, str]]:
        """A warning per directive that silenced nothing."""
        for item in self.items:
            if not item.used:
                yield item.line, item.column, "This suppression hides nothing; remove it."


def suppressions_of(document: Document) -> Suppressions:
    """Reads the directives in a document's comments. Prose and code examples that contain the words are none."""
    found = Suppressions()
    open_regions: list[Suppression] = []
    for comment in sorted(document.layout.comments):
        match = _DIRECTIVE.match(_inner(comment.of(document.text)))
        if match is None:
            continue
        line, column = document.lines.position(comment.start)
        last_line = document.lines.position(max(comment.start, comment.end - 1))[0]
        if match["verb"] == "on":
            for region in open_regions:
                region.last = line
            open_regions.clear()
            continue
        names = [name for name in re.split(r"[,\s]+", match["names"]) if name]
        item = _suppression(found, match, names, (line, column, last_line))
        if item is not None:
            found.items.append(item)
            if match["verb"] == "off":
                item.last = document.lines.count
                open_regions.append(item)
    return found


def _inner(comment: str) -> str:
    lead = _LEAD.match(comment)
    return _TAIL.sub("", comment[lead.end() :] if lead else comment)


def _suppression(
    found: Suppressions, match: re.Match[str], names: list[str], place: tuple[int, int, int]
) -> Suppression | None:
    line, column, last_line = place
    unknown = [name for name in names if not is_name(name)]
    for name in unknown:
        found.warnings.append((line, column, f"{name} is neither a rule nor a detection type."))
    if not (match["reason"] or "").strip():
        found.warnings.append((line, column, "This suppression gives no reason; write -- and why."))
    is_line = match["verb"] == "ignore-next-line"
    if is_line and not names:
        found.warnings.append((line, column, "ignore-next-line must name what it silences; it silences nothing."))
    if (is_line and not names) or (names and len(unknown) == len(names)):
        return None
    first = last_line + 1 if is_line else line
    reason = (match["reason"] or "").strip()
    return Suppression(line, column, first, first, frozenset(names) - frozenset(unknown), reason)
