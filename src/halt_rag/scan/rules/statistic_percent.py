"""A percentage without a source nearby.

## What it does
Reads percentages and ranges of them in prose and tables, and looks for a source in the same paragraph, item or row:
a citation, a defined footnote, a link or path to a file that exists, a numbered reference. A line that names the
source in the same section (``Paper: https://…`` before an abstract, ``Source: …`` behind it) counts too. A number
that a verb of change leads to (*improves performance by 500%*) is of high severity, others of medium.

## Why is this bad?
Numbers give a statement weight; made-up ones cannot be told from measured ones unless they say where they are from.

## Example
``This improves performance by 500%.`` is reported, ``Latency fell by 40% (REF-021).`` is not.

## Limits
Thresholds, targets, settings, layout, examples and what somebody says in quotation marks are no statements. 0% and
100% are mostly figures of speech and pass without a verb of change. Verbs and demands are known in English, German,
French and Spanish. A source that is itself in question (an author whom the corpus does not have, a number without a
bibliography) leaves the percentage unchecked. A percentage with its counts beside it is checked by
``percent-counts`` instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan import wording
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.nearby import Sources
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.scan.percentages import Percentage, is_causal, is_statement, percentages

CHECK = "has_source"
_DERIVED = re.compile(r"\s\([+−±~-]?\s?")
"""What stands between two percentages of one claim: ``from 50% to 90% (+40%)``."""


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per percentage that is stated."""
    if not document.narrates:
        return
    sources: Sources | None = None
    done = 0
    for found in percentages(document):
        causal = is_causal(document, found.span)
        derived = _DERIVED.fullmatch(document.prose, done, found.span.start) is not None
        done = found.span.end
        if found.counts or derived or (found.value in {0, 100} and not causal):
            continue
        if not is_statement(document, found.span, causal=causal):
            continue
        sources = sources or Sources(document, known)
        if wording.is_demand(sources.introduction(found.span)):
            continue
        outcome = _outcome(found, sources, causal)
        if outcome is not None:
            yield outcome


def _outcome(found: Percentage, sources: Sources, causal: bool) -> Outcome | None:
    near = sources.near(found.span)
    if near.state == "found":
        return verified(found.span, CHECK)
    if near.state == "questionable":
        return abstained(found.span, CHECK, "source_in_question")
    return Outcome(
        found.span, CHECK, "detected", severity=Severity.HIGH if causal else Severity.MEDIUM,
        expected="A source nearby", actual="No source found", source="The paragraph, item or row around it",
        note=f"footnote {near.dangling} is not defined" if near.dangling else "",
        suggestion="Cite the measurement or remove the number.",
    )  # fmt: skip


RULE = Rule("HR201", "percent", DetectionType.INCORRECT_STATISTIC, Severity.MEDIUM, (CHECK,), "0.1.0", check)
