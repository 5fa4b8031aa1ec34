"""A year in brackets that lies in the future, or before the years in which anything citable appeared.

## What it does
Reads four digits in brackets, ``(2031)``. Years after the next one are reported, and years before a configurable
floor (1900) with low severity.

## Why is this bad?
A source cannot have appeared next decade. Very old years are often slips, and sometimes right.

## Example
``The survey (2031) found`` is reported. ``Darwin, On the Origin of Species (1859)`` is reported as low.

## Limits
Numbers above 2199 or below 1000 are no years. Years beside words of planning (target, by, until) are plans, and old
years that follow a word in small letters are other numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity
from halt_rag.text.spans import Span

CHECK = "year_reasonable"
_YEAR = re.compile(r"(?<![\w)\]])\((\d{4})\)")
_PLAN = re.compile(
    r"\b(?:targets?|goals?|plan(?:s|ned)?|roadmap|forecasts?|projected|projection|expected|deadline|by|until|through|"
    r"expires?|estimate[ds]?|vision|horizon|scheduled|upcoming|ports?|pixels?|bytes?|bits?|MB|KB|Hz|px|MHz)\b",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"([\w'’-]+)[\"”’*_,]{0,3}\s\Z")


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per implausible year."""
    if not document.narrates:
        return
    text = document.prose
    for match in _YEAR.finditer(text):
        year, span = int(match[1]), Span(*match.span())
        if known.today.year + 1 < year < 2200:
            if not _PLAN.search(document.sentence(span).of(text)):
                yield _detection(span, f"A year up to {known.today.year + 1}", Severity.HIGH, "The date of the scan")
        elif 1000 <= year < known.year_floor:
            word = _LAST_WORD.search(text[max(0, match.start() - 60) : match.start()])
            if word and word[1][0].isupper() and not _PLAN.search(document.sentence(span).of(text)):
                yield _detection(span, f"A year from {known.year_floor}", Severity.LOW, "The configured earliest year")


def _detection(span: Span, expected: str, severity: Severity, source: str) -> Outcome:
    return Outcome(
        span, CHECK, "detected", severity=severity, expected=expected, actual="An implausible year", source=source,
        suggestion="Correct the year.",
    )  # fmt: skip


RULE = Rule("HR107", "year", DetectionType.TEMPORAL_INCONSISTENCY, Severity.HIGH, (CHECK,), "0.1.0", check)
