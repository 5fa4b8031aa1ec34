"""An issue number that the tracker does not have.

## What it does
Reads ``#123`` in prose and looks the number up in the tracker, or in an export of it.

## Why is this bad?
``Fixed in #9999`` sounds checked, and nobody looks.

## Example
``#9999`` is reported if the highest number given out is 400.

## Limits
Without a tracker nothing is checked; it is asked only with ``--online``. Colours, headings, character references,
anchors, ordinals (``rule #1``) and
numbers glued to a word are no issues. Numbers of other repositories (``org/name#12``) are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "issue_exists"
_NUMBER = re.compile(r"(?<![\w/&#.\\-])(?P<repo>[\w.-]+/[\w.-]+)?#(?P<number>\d{1,8})(?![\w-])")
_COLOUR = re.compile(
    r"\b(?:colou?rs?|palette|brand|accent|background|foreground|hex|rgba?|css|fill|stroke|theme|shades?|tints?|hue|"
    r"swatch|border|gradient)\b|#(?=[0-9A-Fa-f]{0,7}[A-Fa-f])[0-9A-Fa-f]{3,8}\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"\b(?:step|rule|item|option|priority|part|chapter|numbers?|tip|reason|principle|example|question|task|phase|"
    r"lesson|mistake|the|our|your|my|their|is|are|was|we're|ranked|team|player|page|slide|figure|table|case|test|note|"
    r"attempt|try|run|round|level|version|goal|choice|problem|point|factor|line|col|row|id|key|type|stage|"
    r"sample)s?[ \t]\Z",
    re.IGNORECASE,
)
_ISSUE = re.compile(
    r"\b(?:issues?|bugs?|PRs?|pull|merge|fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see|gh)[ \t:(]*\Z", re.I
)


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per issue number."""
    if document.kind == "data":
        return
    text = document.prose
    for match in _NUMBER.finditer(text):
        span = Span(match.start("number") - 1, match.end())
        if match["repo"] or text.startswith("](", match.end()):  # The label of a link goes where the link goes.
            yield abstained(Span(*match.span()) if match["repo"] else span, CHECK, "other_repository")
        elif not _is_other(document, text, match, known):
            yield _outcome(span, int(match["number"]), known)


def _is_other(document: Document, text: str, match: re.Match[str], known: Knowledge) -> bool:
    """Whether the number is a colour or an ordinal."""
    digits, before = match["number"], text[max(0, match.start() - 24) : match.start()]
    if digits.startswith("0"):
        return True
    if _ISSUE.search(before):
        return False
    if len(digits) <= 2 and _ORDINAL.search(before):
        return True
    if len(digits) in {6, 8}:
        return known.tracker is None or known.tracker.highest < int(digits)
    return len(digits) in {3, 4} and _COLOUR.search(document.sentence(Span(*match.span())).of(text)) is not None


def _outcome(span: Span, number: int, known: Knowledge) -> Outcome:
    tracker = known.tracker
    if tracker is None:
        return _asked(span, number, known)
    if not tracker.available:
        return abstained(span, CHECK, "tracker_unavailable")
    if number in tracker.existing:
        return verified(span, CHECK)
    return Outcome(
        span, CHECK, "detected", expected="An issue of the tracker", actual=f"No issue {number}",
        source=f"The tracker; its highest number is {tracker.highest}" if tracker.highest else "The tracker",
        suggestion="Correct or remove the number.",
    )  # fmt: skip


def _asked(span: Span, number: int, known: Knowledge) -> Outcome:
    answer = known.online.issue(number) if known.online else None
    if answer is None:
        return abstained(span, CHECK, "tracker_unavailable" if known.online else "no_tracker")
    if answer:
        return verified(span, CHECK)
    return Outcome(
        span, CHECK, "detected", expected="An issue of the tracker", actual=f"No issue {number}", source="The tracker",
        suggestion="Correct or remove the number.",
    )  # fmt: skip


RULE = Rule("HR303", "issue", DetectionType.BROKEN_REFERENCE, Severity.MEDIUM, (CHECK,), "0.1.0", check)
