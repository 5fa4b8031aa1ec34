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

_QUARTO = re.compile(r"(?:sec|fig|tbl|eq|lst|thm)-")  # Cross-references of Quarto find their page by themselves.
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_GITHUB = re.compile(r"[^\w\- ]")
_EXPLICIT = re.compile(r"\{[^{}]*#([\w:.-]+)[^{}]*\}\s*$")
_MARKUP = re.compile(r"[`*]|<[^<>]*>")
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()]*\)")
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>((?:[^<]|<(?!/?h[1-6]\b)){0,500})</h\1\s*>", re.IGNORECASE)
_INCLUDE = re.compile(r"\{\{<\s*include\b|^[ \t]*(?:--8<--|\{!)", re.MULTILINE)


def anchors_of(page: Document) -> frozenset[str]:
    """The anchors of a page, in lower case: as GitHub, Python-Markdown and explicit ids have them."""
    seen: Counter[str] = Counter()
    found = {anchor.lower() for anchor in page.layout.anchors}
    for words in _headings(page):
        explicit = _EXPLICIT.search(words)
        if explicit:
            found.add(explicit[1].lower())
        for slug in dict.fromkeys(_slugs(words)):
            number = seen[slug]
            seen[slug] += 1
            found.update({slug} if not number else {f"{slug}-{number}", f"{slug}_{number}"})
    return frozenset(found)


def _headings(page: Document) -> Iterator[str]:
    """The words of the headings, those of HTML tags too."""
    yield from (heading.text for heading in page.layout.headings)
    yield from (match[2].strip() for match in _HTML_HEADING.finditer(page.text))


def _slugs(words: str) -> Iterator[str]:
    loose = _MARKUP.sub("", _LINK.sub(r"\1", _IMAGE.sub("", words))).lower()
    plain = loose.strip()
    yield _GITHUB.sub("", plain).replace(" ", "-")
    yield _GITHUB.sub("", loose.lstrip()).replace(" ", "-")  # GitHub keeps the blanks between badges.
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
    """Whether a page has an anchor; None if it has no headings to compare with, or includes pages that may have it."""
    if not any(True for _ in _headings(page)):
        return None
    if anchor.lower() in anchors_of(page):
        return True
    is_cross_reference = page.path.endswith(".qmd") and _QUARTO.match(anchor) is not None
    return None if is_cross_reference or _INCLUDE.search(page.text) else False
