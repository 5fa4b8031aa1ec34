"""A percentage that its own counts contradict.

## What it does
Computes the ratio of counts beside a percentage, ``49/59 tests passing (83%)``, and compares it with the number given.
Rounded and cut-off values are right.

## Why is this bad?
One of the numbers is wrong, and no source is needed to know it.

## Example
``49/59 tests passing (93%)`` is reported: 49/59 is 83.1%.

## Limits
Counts must stand right before the bracket, or in a bracket right behind the percentage.
"""

from __future__ import annotations

from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, verified
from halt_rag.scan.percentages import agrees, percentages

CHECK = "counts_agree"


def check(document: Document, _: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per percentage with counts."""
    if not document.narrates:
        return
    for found in percentages(document):
        if not found.counts or found.counts[1] == 0 or found.counts[0] > found.counts[1]:
            continue
        part, whole = found.counts
        if agrees(found.value, found.digits, part, whole):
            yield verified(found.span, CHECK)
        else:
            ratio = f"{part}/{whole} is {100 * part / whole:.1f}%"
            yield Outcome(
                found.span, CHECK, "detected", expected=f"{100 * part / whole:.1f}%",
                actual=found.span.of(document.text), source="The counts beside it", note=ratio,
                suggestion="Correct the counts or the percentage.",
            )  # fmt: skip


RULE = Rule("HR202", "percent-counts", DetectionType.INCORRECT_STATISTIC, Severity.HIGH, (CHECK,), "0.1.0", check)
