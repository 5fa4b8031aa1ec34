"""A link or image whose file does not exist.

## What it does
Resolves relative link targets of Markdown, reStructuredText and HTML tags from the document, and those that begin
with ``/`` from the root. An anchor is compared with the headings of the page that it points into.

## Why is this bad?
A dead link hides that a page was never written, or was made up.

## Example
``[guide](guide.md)`` is reported if there is no ``guide.md`` beside the document.

## Limits
Web addresses are not fetched. Targets without an extension, or with ``.html``, may be made by a site generator from a
source file; they pass if such a source exists, otherwise they are not checked. Anchors inside a page without
headings are not checked.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
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
_SOURCES = (".md", ".rst", ".mdx", ".ipynb", "/index.md", "/README.md", "/index.rst", ".html", "/index.html")


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per link that is not a web address."""
    if document.kind not in {"markdown", "rst"}:
        return
    for link in document.links():
        target = link.target.strip()
        if not target or _OTHER.match(target) or _PLACEHOLDER.search(target):
            continue
        path, _, anchor = target.partition("#")
        path = unquote(path.partition("?")[0])
        outcome = _in_page(document, link, anchor) if not path else _to_file(document, known, link, (path, anchor))
        if outcome is not None:
            yield outcome


def _in_page(document: Document, link: Link, anchor: str) -> Outcome | None:
    if not anchor or document.kind != "markdown":
        return None
    there = page_has(document, unquote(anchor))
    if there is None:
        return abstained(link.span, "anchor_exists", "no_headings")
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
    if path.startswith("/") or not re.search(r"\.(?!html?$)[A-Za-z0-9]{1,8}$", path):
        return abstained(link.span, CHECK, "generated_page")
    nearest = nearest_path(known, place)
    return Outcome(
        link.span, CHECK, "detected", expected="A file of the tree", actual=f"{place} does not exist",
        source="The files under the root", audit=(paper, "unreachable") if paper else None,
        suggestion=f"Did you mean {nearest}?" if nearest else "Correct or remove the link.",
    )  # fmt: skip


RULE = Rule("HR302", "link", DetectionType.BROKEN_REFERENCE, Severity.HIGH, (CHECK, "anchor_exists"), "0.1.0", check)
