"""The bibliographies that a document's citations point into: numbered entries of its own, and keys of a file."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from halt_rag.errors import InputError
from halt_rag.scan.corpus import papers_from_bibtex, papers_from_csl
from halt_rag.scan.tree import normal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from halt_rag.scan.document import Document
    from halt_rag.scan.knowledge import Knowledge

_ENTRY = re.compile(r"^[ \t>]*(?:[-*+][ \t]+|\.\.[ \t]+)?\\?\[(\d{1,3})\\?\](?:_|:|\.)?[ \t]+\S", re.MULTILINE)
_LISTED = re.compile(r"^[ \t]{0,3}(\d{1,3})[.)][ \t]+\S", re.MULTILINE)
_HEADING = re.compile(
    r"\W*(?:\d+[.)]?\s+)?(?:references?|bibliograph\w+|works cited|sources|citations|literatur\w*|quellen\w*|"
    r"r[ée]f[ée]rences|referencias|bibliograf[íi]a|fuentes)\W*\Z",
    re.IGNORECASE,
)


@lru_cache(maxsize=8)
def numbered_entries(document: Document) -> frozenset[int] | None:
    """The numbers of a document's own bibliography; None if it has none.

    An entry is a line that begins with ``[12]``, a link definition ``[12]:``, or an item of an ordered list under a
    heading such as *References*.
    """
    text = document.full
    found = {int(match[1]) for match in _ENTRY.finditer(text)}
    headings = sorted(document.layout.headings, key=lambda heading: heading.span)
    for heading, behind in zip(headings, [*headings[1:], None], strict=False):
        if _HEADING.match(heading.text):
            end = behind.span.start if behind else len(text)
            found |= {int(match[1]) for match in _LISTED.finditer(text, heading.span.end, end)}
    return frozenset(found) or None


def is_entry(text: str, at: int) -> bool:
    """Whether the bracket at a place opens an entry of a bibliography."""
    start = text.rfind("\n", 0, at) + 1
    entry = _ENTRY.match(text, start) if at - start < 200 else None
    return entry is not None and entry.start(1) >= at


def citation_keys(document: Document, known: Knowledge) -> frozenset[str] | None:
    """The keys that ``[@key]`` may name: of the corpus, and of the files that the front matter names.

    None if there is no bibliography with keys, or one that cannot be read.
    """
    ids = known.papers.papers if known.papers is not None else {}
    keys = {paper for paper in ids if not re.fullmatch(rf"{re.escape(known.id_prefix)}-\d+", paper)}
    for path in _named(document):
        text = next(filter(None, map(known.files.text, _places(document, path))), None)
        if text is None:
            return None
        try:
            keys |= _keys(text, path)
        except InputError:
            return None
    return frozenset(keys) or None


def _named(document: Document) -> Iterator[str]:
    given = document.front_matter.get("bibliography")
    yield from (str(path) for path in (given if isinstance(given, list) else [given]) if path)


def _places(document: Document, path: str) -> list[str]:
    places = [normal(path, posixpath.dirname(document.path)), normal(path)]
    return [place for place in dict.fromkeys(places) if place]


@lru_cache(maxsize=16)
def _keys(text: str, path: str) -> frozenset[str]:
    read = papers_from_csl if path.endswith(".json") else papers_from_bibtex
    return frozenset(paper.id for paper in read(text, path))
