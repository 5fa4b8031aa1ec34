"""A numbered citation whose number the document's bibliography does not have.

## What it does
Reads ``[12]``, ``[3, 7]`` and ``[2-5]`` in prose and looks the numbers up among the entries of the document's own
bibliography: lines that begin with ``[12]``, link definitions, or an ordered list under *References*.

## Why is this bad?
A number without an entry looks like a source and is none.

## Example
``It was shown before [12].`` is reported if the references end at 9.

## Limits
A document without a bibliography is not checked: it may stand in another file. Intervals (``in the range [1, 5]``)
and numbers with zero are no citations; several numbers at once are of medium severity, they may be an interval.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan.bibliography import is_entry, numbered_entries
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "entry_exists"
_CITED = re.compile(r"(?<![\w\])}\[\\!\ufffc-])\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})\](?![\w(:\[{])")
_PART = re.compile(r"(\d+)(?:\s?[–-]\s?(\d+))?")
_INTERVAL = re.compile(
    r"(?:\b(?:range|interval|domain|between|within|values?|index|indices|array|list|tuple|shape|size|line|lines|"
    r"dimensions?|scaled?|normali[sz]ed|to|of|from|by|option|step|item|element|column|row|level)|[=∈:<>+*/^&|])"
    r"\s*(?:is\s|the\s|in\s|are\s)?\Z",
    re.IGNORECASE,
)


def check(document: Document, _: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per citation."""
    if not document.narrates:
        return
    text = document.prose
    for match in _CITED.finditer(text):
        numbers = list(_numbers(match[1]))
        before = text[max(0, match.start() - 40) : match.start()]
        if 0 in numbers or _INTERVAL.search(before) or is_entry(text, match.start()):
            continue
        span, entries = Span(*match.span()), numbered_entries(document)
        if entries is None:
            yield abstained(span, CHECK, "no_bibliography")
        elif missing := [number for number in numbers if number not in entries]:
            yield Outcome(
                span, CHECK, "detected", severity=Severity.HIGH if len(numbers) == 1 else Severity.MEDIUM,
                expected=f"An entry of the bibliography, {min(entries)} to {max(entries)}",
                actual=f"No entry {', '.join(map(str, missing[:5]))}", source="The bibliography of the document",
                suggestion="Add the entry or remove the citation.",
            )  # fmt: skip
        else:
            yield verified(span, CHECK)


def _numbers(body: str) -> Iterator[int]:
    for part in _PART.finditer(body):
        first, last = int(part[1]), int(part[2] or part[1])
        yield from range(first, last + 1) if first <= last else (first, last)


RULE = Rule("HR110", "citation-number", DetectionType.FABRICATED_CITATION, Severity.HIGH, (CHECK,), "0.1.0", check)
