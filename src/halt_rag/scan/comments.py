"""Comments of programs, found without a parser: strings are skipped, so that a mark inside one opens nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from halt_rag.scan.languages import BLOCK_COMMENT, LINE_COMMENT
from halt_rag.text.spans import Span

_STRINGS = r'"(?:[^"\\\r\n]|\\.)*+"?' + r"|'(?:[^'\\\r\n]|\\.)*+'?"
_TEMPLATE = r"|`(?:[^`\\]|\\[\s\S])*+`?"
_DOCSTRING = r'"""[\s\S]*?(?:"""|\Z)' + r"|'''[\s\S]*?(?:'''|\Z)"


def comments_of(code: str, language: str) -> list[Span]:
    """The comments of a program, and the doc strings of Python; none for a language that is not known."""
    pattern = _pattern(language)
    return list(_found(code, pattern)) if pattern else []


def _found(code: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    for match in pattern.finditer(code):
        if match.lastgroup == "comment" or (match.lastgroup == "doc" and _opens_line(code, match.start())):
            yield Span(*match.span())


def _opens_line(code: str, at: int) -> bool:
    """Whether a string stands at the start of its line, as a doc string does."""
    start = max(code.rfind("\n", 0, at), code.rfind("\r", 0, at)) + 1
    return at - start < 200 and not code[start:at].strip()


@lru_cache(maxsize=64)
def _pattern(language: str) -> re.Pattern[str] | None:
    lines, block = LINE_COMMENT.get(language, ()), BLOCK_COMMENT.get(language)
    if not lines and block is None:
        return None
    parts = []
    if block:
        parts.append(rf"{re.escape(block[0])}[\s\S]*?(?:{re.escape(block[1])}|\Z)")
    parts += [rf"{re.escape(mark)}[^\r\n]*+" for mark in lines]
    strings = "" if language in {"html", "css"} else f"|{_STRINGS}"
    if language in {"javascript", "typescript", "tsx", "go"}:
        strings += _TEMPLATE
    doc = f"|(?P<doc>{_DOCSTRING})" if language == "python" else ""
    return re.compile(f"(?P<comment>{'|'.join(parts)}){doc}{strings}")
