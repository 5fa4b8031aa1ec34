"""A link or image whose file does not exist.

## What it does
Resolves relative link targets of Markdown, reStructuredText and HTML tags from the document, and those that begin
with ``/`` from the root or a folder above the document. An anchor is compared with the headings of the page that it
points into.

## Why is this bad?
A dead link hides that a page was never written, or was made up.

## Example
``[guide](guide.md)`` is reported if there is no ``guide.md`` beside the document.

## Limits
Web addresses are not fetched, nor pages of the code host (``../../issues``). Targets without an extension, or with
``.html``, may be made by a site generator from a source file; they pass if such a source exists, otherwise they are
not checked. Anchors inside a page without headings, or one that includes other pages, are not checked.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from halt_rag.scan.anchors import has_anchor, page_has
from halt_rag.scan.document import Document
from halt_rag.scan.ids import is_well_formed, paper_ids
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.scan.rules.reference_path import nearest_path
from halt_rag.scan.tree import normal
from halt_rag.text.markdown import Link

CHECK = "file_exists"
_OTHER = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|[{<$%@]|\.\.\.$|\{\{")
_PLACEHOLDER = re.compile(
    r"[{}<>*]|\.\.\.|…|\b(?:X{2,}|N{3,}|Y{4}|path/to|your[-_]|link(?:-here)?$|url$|#$)", re.IGNORECASE
)
_HOST_PAGE = re.compile(
    r"(?:\.\./)+(?:issues|pulls?|wiki|releases|discussions|actions|projects|milestones?|labels|commits?|compare|tags|tree|"
    r"blob|graphs|security|network)(?:/|$)"
)
"""Pages of a code host, written from the page of a file there: ``../../issues``."""
_SOURCES = (".md", ".rst", ".mdx", ".ipynb", "/index.md", "/README.md", "/index.rst", ".html", "/index.html")


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per link that is not a web address."""
    if document.kind not in {"markdown", "rst"}:
        return
    seen: dict[str, Outcome | None] = {}
    for link in document.links():
        if document.text[max(0, link.span.start - 3) : link.span.start] == "\\](":
            continue  # The bracket is escaped.
        if link.target not in seen:
            seen[link.target] = _outcome(document, known, link)
        outcome = seen[link.target]
        if outcome is not None:
            yield replace(outcome, span=link.span)


def _outcome(document: Document, known: Knowledge, link: Link) -> Outcome | None:
    """What becomes of a link; None if it is no reference to a file."""
    target = link.target.strip()
    if not target or _OTHER.match(target) or _PLACEHOLDER.search(target):
        return None
    path, _, anchor = target.partition("#")
    path = unquote(path.partition("?")[0])
    return _to_file(document, known, link, (path, anchor)) if path else _in_page(document, link, anchor)


def _in_page(document: Document, link: Link, anchor: str) -> Outcome | None:
    if not anchor or document.kind != "markdown":
        return None
    there = page_has(document, unquote(anchor))
    if there is None:
        return abstained(link.span, "anchor_exists", "generated_anchor" if document.layout.headings else "no_headings")
    return verified(link.span, "anchor_exists") if there else _no_anchor(link, anchor, document.path)


def _no_anchor(link: Link, anchor: str, page: str) -> Outcome:
    return Outcome(
        link.span, "anchor_exists", "detected", severity=Severity.MEDIUM, expected=f"A heading or anchor of {page}",
        actual=f"#{anchor}", source=page, suggestion="Correct the anchor.",
    )  # fmt: skip


def _to_file(document: Document, known: Knowledge, link: Link, target: tuple[str, str]) -> Outcome | None:
    path, anchor = target
    base = "" if path.startswith("/") else posixpath.dirname(document.path)
    place = normal(path.lstrip("/"), base)
    if _HOST_PAGE.match(path) and (place is None or not known.files.exists(place)):
        return abstained(link.span, CHECK, "host_page")
    if place is None:
        return Outcome(
            link.span, CHECK, "detected", severity=Severity.MEDIUM, expected="A path inside the root", actual=path,
            source="The path itself", note="outside the root", suggestion="Link to the file's web address.",
        )  # fmt: skip
    paper = next((m[0] for m in paper_ids(path, known.id_prefix) if is_well_formed(m[0])), None)
    if known.files.exists(place):
        if anchor and has_anchor(known, place, unquote(anchor)) is False:
            return _no_anchor(link, anchor, place)
        return verified(link.span, CHECK, (paper, "verified") if paper else None)
    stem = re.sub(r"(?:/|\.html?)$", "", place)
    if any(known.files.exists(stem + suffix) for suffix in _SOURCES):
        return verified(link.span, CHECK)
    if path.startswith("/") and _under_site(document, known, path):
        return verified(link.span, CHECK)
    if path.startswith("/") or not re.search(r"\.(?!html?$)[A-Za-z0-9]{1,8}$", path):
        return abstained(link.span, CHECK, "generated_page")
    nearest = nearest_path(known, place)
    return Outcome(
        link.span, CHECK, "detected", expected="A file of the tree", actual=f"{place} does not exist",
        source="The files under the root", audit=(paper, "unreachable") if paper else None,
        suggestion=f"Did you mean {nearest}?" if nearest else "Correct or remove the link.",
    )  # fmt: skip


def _under_site(document: Document, known: Knowledge, path: str) -> bool:
    """Whether a path from the root of a site exists under a folder above the document, as ``docs/``."""
    folder = posixpath.dirname(document.path)
    while folder:
        place = normal(path.strip("/"), folder)
        if place and any(known.files.exists(place + suffix) for suffix in ("", *_SOURCES)):
            return True
        folder = posixpath.dirname(folder)
    return False


RULE = Rule("HR302", "link", DetectionType.BROKEN_REFERENCE, Severity.HIGH, (CHECK, "anchor_exists"), "0.1.0", check)
