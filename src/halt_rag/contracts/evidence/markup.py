"""Folds for declared content types: the marks of Markdown and HTML that a reader of the page never sees.

They apply only where the source's content type is declared, for in plain text an asterisk is an asterisk. Marks that
separate things (cell bars, block tags) stay, and so do superscripts: without them ``10<sup>2</sup>`` would read 102.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from halt_rag.text.folds import TYPOGRAPHIC, Folded, fold

ContentType = Literal["text", "markdown", "html"]

HTML_ENTITIES = "html_entities"
HTML_TAGS = "html_tags"
MARKDOWN = "markdown"

MARKUP: dict[str, tuple[str, ...]] = {"text": (), "markdown": (MARKDOWN,), "html": (HTML_ENTITIES, HTML_TAGS)}
"""The markup folds of each content type."""

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INLINE = "a|abbr|b|bdi|cite|code|dfn|em|font|i|kbd|mark|q|s|samp|small|span|strong|tt|u|var"
_TAG = re.compile(rf"</?(?:{_INLINE})(?:\s[^<>]*)?>", re.IGNORECASE)
_LINK_END = re.compile(r"\]\([^()\s]*\)")
_DELIMITER = re.compile(r"\*{1,3}|_{1,3}|`{1,3}|~~|\n\n|!?\[|\]")
_LINE_MARK = re.compile(r"^(?:#{1,6} +|> ?)", re.MULTILINE)

_BLANKS = re.compile(r"[^\S ]|  ")
_TYPOGRAPHIC = frozenset(TYPOGRAPHIC)


def folded(text: str, names: Iterable[str]) -> Folded:
    """Applies markup folds, then the typographic ones of :func:`halt_rag.text.folds.fold`."""
    chosen = frozenset(names)
    result = Folded(text)
    if chosen <= _TYPOGRAPHIC and text.isascii() and not _BLANKS.search(text):
        return result  # The common case: there is nothing to fold.
    if HTML_TAGS in chosen:
        result = result.replaced((m.start(), m.end(), "") for m in _TAG.finditer(result.text))
    if HTML_ENTITIES in chosen:
        result = result.replaced(_entities(result.text))
    if MARKDOWN in chosen:
        result = result.replaced((m.start(), m.end(), "") for m in _LINE_MARK.finditer(result.text))
        result = result.replaced(_emphasis(result.text))
    return fold(result, chosen)


def _entities(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _ENTITY.finditer(text):
        decoded = html.unescape(match[0])
        if decoded != match[0]:
            yield match.start(), match.end(), decoded


def _emphasis(text: str) -> list[tuple[int, int, str]]:
    """Edits that drop paired emphasis, code and link marks; unpaired and word-internal ones are text."""
    open_marks: dict[str, int] = {}
    brackets: list[int] = []
    edits: list[tuple[int, int, str]] = []
    for match in _DELIMITER.finditer(text):
        mark, (start, end) = match[0], match.span()
        if mark == "\n\n":
            open_marks.clear()
            brackets.clear()
        elif mark == "[":
            brackets.append(start)
        elif mark == "]":
            target = _LINK_END.match(text, start)
            if brackets and target:
                edits += (brackets[-1], brackets[-1] + 1, ""), (start, target.end(), "")
            if brackets:
                brackets.pop()
        elif mark in open_marks and _closes(text, start, end):
            at = open_marks.pop(mark)
            edits += (at, at + len(mark), ""), (start, end, "")
        elif mark != "![" and _opens(text, start, end):
            open_marks[mark] = start
    return _disjoint(sorted(edits))


def _opens(text: str, start: int, end: int) -> bool:
    return not text[start - 1 : start].isalnum() and bool(text[end : end + 1].strip())


def _closes(text: str, start: int, end: int) -> bool:
    return bool(text[start - 1 : start].strip()) and not text[end : end + 1].isalnum()


def _disjoint(edits: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Without edits that begin inside another, such as a mark in a link's address."""
    kept: list[tuple[int, int, str]] = []
    for edit in edits:
        if not kept or edit[0] >= kept[-1][1]:
            kept.append(edit)
    return kept
