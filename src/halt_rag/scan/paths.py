"""Paths that are written as ``@path`` in a text, told apart from handles, packages, addresses and decorators."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from halt_rag.scan.document import Document
    from halt_rag.scan.knowledge import Knowledge

_AT = re.compile(r"(?<![\w.@/+-])@([\w.$~/{<*][^\s\"'`\ufffc,;()\[\]|]*)")
_ENDS = re.compile(r"(?:\.{1,3}|[!?:*_>}])+\Z")
_PLACEHOLDER = re.compile(r"[{}<>*]|\.\.\.|…|\b(?:X{2,}|N{3,}|Y{4}|path/to|your[-_])", re.IGNORECASE)
_LINE = re.compile(r":\d+(?:[-:]\d+)?\Z")
_DOCUMENT = frozenset(
    "md markdown rst txt pdf yaml yml json toml csv html bib py ts tsx js jsx go rs java sh sql".split()
)
_LAST = re.compile(r"[^/]+\.([A-Za-z][A-Za-z0-9]{0,7})\Z")


@dataclass(frozen=True, slots=True)
class WrittenPath:
    """A reference ``@path#anchor``.

    Attributes:
        span: The whole, with the @ and the anchor.
        path: The path as written.
        anchor: What follows the ``#``; empty if there is none.
    """

    span: Span
    path: str
    anchor: str


def written_paths(document: Document, known: Knowledge) -> Iterator[WrittenPath]:
    """The paths in prose, data and comments."""
    text = document.references
    for match in _AT.finditer(text):
        body = match[1]
        ends = _ENDS.search(body)
        body = body[: ends.start()] if ends else body
        path, _, anchor = body.partition("#")
        path = _LINE.sub("", path)
        if path and not _PLACEHOLDER.search(body) and _is_path(path, known):
            yield WrittenPath(Span(match.start(), match.start(1) + len(body)), path, anchor)


def _is_path(path: str, known: Knowledge) -> bool:
    """Whether it is a path. Two names without an extension may be a scoped package; they are a path if they exist."""
    first, slash, _ = path.partition("/")
    if any(path.startswith(prefix) for prefix in known.aliases):
        return True
    if not slash:
        last = _LAST.match(path)
        return last is not None and last[1].lower() in {"md", "markdown", "rst"}
    if first.startswith("$") or path.startswith(("//", "~", "/")) or "@" in path or _is_package(path, known):
        return False
    last = _LAST.match(posixpath.basename(path))
    if first.startswith("."):
        return True
    if first in known.top_folders:
        two_names = last is None and path.count("/") == 1 and not path.endswith("/")
        return not two_names or known.files.exists(path)
    return last is not None and last[1].lower() in _DOCUMENT and (path.count("/") > 1 or last[1].lower() == "md")


def _is_package(path: str, known: Knowledge) -> bool:
    """Whether it is a scoped npm package that is known."""
    names = known.packages.imports.get("npm", frozenset()) if known.packages else frozenset()
    return "@" + "/".join(path.split("/")[:2]) in names
