"""Syntax that the language does not have.

## What it does
Looks in labelled Python, JavaScript and TypeScript blocks for constructs of other languages: ``i++``, ``&&`` and
``else if`` in Python, ``elif`` and ``def f():`` in JavaScript. A line counts only where the parser fails on it.

## Why is this bad?
Code that never ran was not taken from anywhere.

## Example
``x = a ? b : c`` in a Python block is reported.

## Limits
Other syntax errors are not reported: examples in documents leave parts out, and shell and output lines stand among
them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity
from halt_rag.scan.syntax import SCRIPTS, Code, parsed

CHECK = "syntax_exists"
_PYTHON = (
    (r"\w(?:\+\+|--)(?=[ \t]*(?:;|\)|$))", "increment"),
    (r"(?<![&\w])&&(?!&)", "&& for and"),
    (r"(?<!\|)\|\|(?!\|)", "|| for or"),
    (r"^[ \t]*\}?[ \t]*else[ \t]+if\b", "else if for elif"),
    (r"^[ \t]*switch[ \t]*\(", "a switch statement"),
    (r"^[ \t]*(?:async[ \t]+)?function[ \t]+\w+[ \t]*\(", "the keyword function"),
    (r"^[ \t]*(?:const|let|var)[ \t]+\w+[ \t]*=", "a declaring keyword"),
    (r"[\w)\]][ \t]+\?[ \t]+[^:\n]{1,100}:", "the ?: operator"),
    (r"\w\?\.\w", "the ?. operator"),
    (r"[\w)\]][ \t]*\?\?[ \t]*\w", "the ?? operator"),
    (r"=[ \t]*new[ \t]+\w+[ \t]*\(", "the keyword new"),
    (r"\)[ \t]*=>[ \t]*", "an arrow function"),
    (r"^[ \t]*\}?[ \t]*catch\b", "catch for except"),
    (r"^[ \t]*for[ \t]*\([^;\n]{0,100};", "a for loop in brackets"),
    (r"^[ \t]*(?:unless|until|foreach|do)\b[^=.(\n]*[:{]?[ \t]*$", "a loop or branch of another language"),
)
_SCRIPT = (
    (r"^[ \t]*\}?[ \t]*elif\b", "elif"),
    (r"^[ \t]*def[ \t]+\w+[ \t]*\([^)\n]{0,200}\)[ \t]*(?:->[^:\n]{1,100})?:", "def"),
    (r"^[ \t]*(?:if|while|for)\b[^({\n]{1,200}:[ \t]*$", "a block by indentation"),
    (r"^[ \t]*except\b", "except"),
    (r"^[ \t]*unless\b", "unless"),
    (r"^[ \t]*fn[ \t]+\w+[ \t]*\(", "fn"),
    (r"^[ \t]*let[ \t]+mut\b", "let mut"),
    (r"^[ \t]*\w+[ \t]*:=[ \t]*\S", "the := operator"),
    (r"^[ \t]*print[ \t]+[\"']", "a print statement"),
    (r"\|>", "the |> operator"),
)


def check(document: Document, _: Knowledge) -> Iterator[Outcome]:
    """Yields a detection per construct on a line where the parser fails."""
    for languages, table in ((("python",), _PYTHON), (SCRIPTS, _SCRIPT)):
        for block in document.code(*languages):
            code = parsed(block)
            if not code.root.has_error:
                continue
            failing = _failing_lines(code)
            for pattern, what in table:
                for match in re.finditer(pattern, block.code, re.MULTILINE):
                    line = bisect_right(block.offsets, match.start()) - 1
                    if line in failing and not _in_text(block.code, block.offsets[line], match.start()):
                        yield _detection(code, match, what)


def _failing_lines(code: Code) -> frozenset[int]:
    """Lines with an error, and their neighbours: the parser may notice late."""
    found: set[int] = set()
    stack = [code.root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            first, last = node.start_point.row, node.end_point.row
            found.update(range(first, min(last, first + 200) + 1))
        if node.has_error:
            stack.extend(node.children)
    return frozenset(found)


def _in_text(code: str, start: int, at: int) -> bool:
    """Whether a place is inside a string or behind a comment mark of its line, which begins at ``start``."""
    before = code[start:at]
    return before.count('"') % 2 == 1 or before.count("'") % 2 == 1 or "#" in before or "//" in before


def _detection(code: Code, match: re.Match[str], what: str) -> Outcome:
    found = match[0].lstrip(" \t}")
    start = match.end() - len(found)
    return Outcome(
        code.block.span(start, start + len(found.rstrip())), CHECK, "detected",
        expected=f"Syntax of {code.language}", actual=f"{code.language} has no {what}", source="Its grammar",
        suggestion="Write it in the language of the block, or correct the label.",
    )  # fmt: skip


RULE = Rule("HR404", "syntax", DetectionType.IMPOSSIBLE_SYNTAX, Severity.HIGH, (CHECK,), "0.1.0", check, "preview")
