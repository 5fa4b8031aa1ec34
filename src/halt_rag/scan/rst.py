"""The layout of a reStructuredText document, as far as the scan needs it: code, comments, links, headings."""

from __future__ import annotations

import re

from halt_rag.text.markdown import CodeBlock, Heading, Layout, Link, blanked, code_block
from halt_rag.text.spans import LineIndex, Span

_DIRECTIVE = re.compile(r"([ \t]*)\.\.[ \t]+([A-Za-z][\w:.+-]*)::[ \t]*(.*)")
_COMMENT = re.compile(r"([ \t]*)\.\.(?:[ \t]+(?!_|\[|\|)|$)")
_TARGET = re.compile(r"^[ \t]*\.\.[ \t]+_[^:\r\n]{1,200}:[ \t]*(\S+)", re.MULTILINE)
_RAW = re.compile(r"``[^`\r\n]+(?:`[^`\r\n]+)*``")
_LINK = re.compile(r"`[^`<>]{0,300}<([^<>`\s]+)>`_")
_FILE = re.compile(r"^[ \t]*\.\.[ \t]+(?:image|figure|include|literalinclude)::[ \t]*(\S+)", re.MULTILINE)
_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"`|\\^{}\[\]]+")
_CODE = frozenset({"code", "code-block", "sourcecode", "parsed-literal", "highlight", "math", "prompt", "doctest"})
_ADORNMENT = re.compile(r"([=\-~^\"'`#*+.:_<>])\1{2,}[ \t]*$")


def layout(text: str, lines: LineIndex) -> Layout:
    """Reads a reStructuredText document; places are spans of the given text."""
    found = Layout()
    page = [lines.span(number) for number in range(1, lines.count + 1)]
    number = 0
    paragraph: list[Span] = []
    while number < len(page):
        line = page[number].of(text)
        taken = _explicit(text, page, number, found) if line.strip() else 1
        if taken and paragraph and (not line.strip() or taken > 1):
            found.blocks.append(Span(paragraph[0].start, paragraph[-1].end))
            paragraph = []
        if not taken:
            paragraph.append(page[number])
            if number + 1 < len(page) and _ADORNMENT.match(page[number + 1].of(text)) and line[:1].strip():
                found.headings.append(Heading(page[number], line.strip(), 1))
            if line.rstrip().endswith("::"):
                taken = 1 + _literal(text, page, number + 1, _indent(line), "", found)
        number += max(1, taken)
    if paragraph:
        found.blocks.append(Span(paragraph[0].start, paragraph[-1].end))
    shown = blanked(text, found.hidden)
    found.hidden += [Span(*raw.span()) for raw in _RAW.finditer(shown)]
    for pattern in (_LINK, _FILE, _TARGET):
        found.links += [Link(Span(*m.span(1)), m[1]) for m in pattern.finditer(shown) if not m[1].endswith("_")]
    found.urls += [link.span for link in found.links]
    found.urls += [Span(*url.span()) for url in _URL.finditer(shown)]
    found.hidden.sort()
    return found


def _explicit(text: str, page: list[Span], number: int, found: Layout) -> int:
    """How many lines a directive or comment that begins here takes from prose; 0 if none does."""
    line = page[number].of(text)
    directive = _DIRECTIVE.match(line)
    if directive:
        if directive[2].lower() not in _CODE:
            return 0
        found.hidden.append(page[number])
        label = directive[3].split()[0].lower() if directive[3].split() else ""
        return 1 + _literal(text, page, number + 1, len(directive[1]), label, found)
    comment = _COMMENT.match(line)
    if comment and not line.lstrip().startswith(".. _"):
        last = _end(text, page, number + 1, len(comment[1]))
        area = Span(page[number].start, page[last - 1].end)
        found.hidden.append(area)
        found.comments.append(area)
        return last - number
    return 0


def _literal(text: str, page: list[Span], number: int, indent: int, label: str, found: Layout) -> int:
    """Takes the indented lines that follow as code; how many they are."""
    last = _end(text, page, number, indent)
    if last > number:
        found.hidden.append(Span(page[number].start, page[last - 1].end))
        found.code.append(_block(text, page[number:last], label))
    return last - number


def _block(text: str, area: list[Span], label: str) -> CodeBlock:
    filled = [_indent(span.of(text)) for span in area if span.of(text).strip()]
    indent = min(filled, default=0)
    placed = [(span.of(text)[indent:], min(span.start + indent, span.end)) for span in area]
    return code_block(label, [line for line in placed if not line[0].lstrip().startswith(":")])


def _end(text: str, page: list[Span], number: int, indent: int) -> int:
    """The line after the last one that is indented further."""
    last = number
    for at in range(number, len(page)):
        line = page[at].of(text)
        if line.strip():
            if _indent(line) <= indent:
                break
            last = at + 1
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
