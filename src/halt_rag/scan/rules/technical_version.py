"""Python that needs another version than the stated one.

## What it does
Finds statements of Python 2 (``print "x"``, ``exec "x"``, ``except E, e:``) and syntax that is newer than the stated
version: ``:=`` (3.8), ``match`` (3.10), ``except*`` (3.11), ``type X = ...`` and type parameters (3.12).

## Why is this bad?
The example does not run where the reader is.

## Example
``print "hello"`` is reported where Python 3.11 is stated.

## Limits
Syntax only; names that came later are checked by ``import`` and ``attribute``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity
from halt_rag.scan.syntax import parsed
from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from tree_sitter import Node

CHECK = "version_has"
_NEWER = {
    "named_expression": ((3, 8), "the := operator"),
    "match_statement": ((3, 10), "the match statement"),
    "except_group_clause": ((3, 11), "except*"),
    "type_alias_statement": ((3, 12), "the type statement"),
    "type_parameter": ((3, 12), "type parameters"),
}
_OLD_EXCEPT = re.compile(r"^[ \t]*except[ \t]+[\w.]+[ \t]*,[ \t]*\w+[ \t]*:", re.MULTILINE)
_OLD_RAISE = re.compile(r"^[ \t]*raise[ \t]+\w+[ \t]*,[ \t]*[\"'\w][^\n]*", re.MULTILINE)


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields a detection per statement that the stated version does not have."""
    for block in document.code("python"):
        code = parsed(block)
        for node in code.nodes("print_statement", "exec_statement", "except_clause", *_NEWER):
            if node.type in {"print_statement", "exec_statement"}:
                if known.python[0] >= 3 and not node.has_error and node.child_count > 1 and _stands_alone(node):
                    yield _detection(code.span(node), "Valid in Python 2 only", known)
            elif node.type == "except_clause":
                starred = any(child.type in {"except*", "*"} for child in node.children)
                if starred and known.python < (3, 11):
                    yield _detection(_first_line(document, code.span(node)), "except* came with Python 3.11", known)
            elif known.python < _NEWER[node.type][0] and not node.has_error:
                version, what = _NEWER[node.type]
                if node.type != "type_parameter" or (node.parent and "definition" in node.parent.type):
                    came = f"{what} came with Python {version[0]}.{version[1]}"
                    yield _detection(_first_line(document, code.span(node)), came, known)
        for pattern in (_OLD_EXCEPT, _OLD_RAISE):
            for match in pattern.finditer(block.code):
                start = match.start() + len(match[0]) - len(match[0].lstrip())
                yield _detection(block.span(start, match.end()), "Valid in Python 2 only", known)


def _stands_alone(node: Node) -> bool:
    """Whether it is a print statement of Python 2: words or a string behind it, not a bracket or an operator."""
    source = (node.text or b"").decode("utf-8", "replace")
    return re.match(r"(?:print|exec)[ \t]+[\"'\w]", source) is not None


def _first_line(document: Document, span: Span) -> Span:
    line = document.lines.span(document.lines.position(span.start)[0])
    return Span(span.start, min(span.end, line.end))


def _detection(span: Span, actual: str, known: Knowledge) -> Outcome:
    stated = ".".join(map(str, known.python))
    return Outcome(
        span, CHECK, "detected", expected=f"Syntax of Python {stated}", actual=actual, source="Python's grammar",
        suggestion="Write it for the stated version, or state another version.",
    )  # fmt: skip


RULE = Rule("HR403", "version", DetectionType.VERSION_MISMATCH, Severity.MEDIUM, (CHECK,), "0.1.0", check)
