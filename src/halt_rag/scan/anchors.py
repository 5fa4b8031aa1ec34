"""Anchors: the headings of a page under the names that renderers give them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from halt_rag.scan.document import Document

if TYPE_CHECKING:
    from halt_rag.scan.knowledge import Knowledge

_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_GITHUB = re.compile(r"[^\w\- ]")
_EXPLICIT = re.compile(r"\{[^{}]*#([\w:.-]+)[^{}]*\}\s*$")
_MARKUP = re.compile(r"[`*]|<[^<>]*>")


def anchors_of(page: Document) -> frozenset[str]:
    """The anchors of a page, in lower case: as GitHub, Python-Markdown and explicit ids have them."""
    seen: Counter[str] = Counter()
    found = {anchor.lower() for anchor in page.layout.anchors}
    for heading in page.layout.headings:
        explicit = _EXPLICIT.search(heading.text)
        if explicit:
            found.add(explicit[1].lower())
        for slug in dict.fromkeys(_slugs(heading.text)):
            number = seen[slug]
            seen[slug] += 1
            found.update({slug} if not number else {f"{slug}-{number}", f"{slug}_{number}"})
    return frozenset(found)


def _slugs(words: str) -> Iterator[str]:
    plain = _MARKUP.sub("", _LINK.sub(r"\1", words)).strip().lower()
    yield _GITHUB.sub("", plain).replace(" ", "-")
    ascii_only = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    yield re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip())
    yield re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")


def has_anchor(known: Knowledge, path: str, anchor: str) -> bool | None:
    """Whether a file has an anchor; None if that cannot be known."""
    if not path.endswith((".md", ".markdown")) or re.fullmatch(r"L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?", anchor):
        return None
    text = known.files.text(path)
    if text is None:
        return None
    return page_has(Document(path, text), anchor)


def page_has(page: Document, anchor: str) -> bool | None:
    """Whether a page has an anchor; None if the page has no headings to compare with."""
    if not page.layout.headings:
        return None
    return anchor.lower() in anchors_of(page)
