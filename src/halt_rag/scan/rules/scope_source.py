"""A statement that the given source does not support.

## What it does
Opt-in: needs a model and a source text. Splits the document into sentences and asks the model whether a stretch of the
source entails each. Sentences that nothing entails go beyond the source.

## Why is this bad?
A summary that adds to its source is not a summary.

## Example
With the source *The router was tested in one lab.*, the sentence *The router is used worldwide.* is reported.

## Limits
A screening: for labelled, calibrated verdicts with evidence use ``halt-rag verify``.
"""

from __future__ import annotations

from collections.abc import Iterator

from halt_rag.errors import InputError
from halt_rag.nli.scores import Pair
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained
from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import trimmed

CHECK = "within_source"
_WINDOW, _STEP, _ENOUGH = 4, 2, 0.5
_WORDS = 4


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per sentence, where there are a model and a source."""
    if not document.narrates or known.backend is None or known.source is None:
        return
    parts = split_sentences(known.source)
    windows = [
        known.source[parts[at].start : parts[min(at + _WINDOW, len(parts)) - 1].end]
        for at in range(0, max(1, len(parts) - _WINDOW + _STEP), _STEP)
        if parts
    ]
    for span in split_sentences(document.prose):
        span = trimmed(document.prose, span)
        claim = span.of(document.prose)
        if "\ufffc" in claim or len(claim.split()) < _WORDS:
            continue
        try:
            best = max(float(known.backend.score([Pair(window, claim)]).entailment[0]) for window in windows)
        except (InputError, ValueError):
            yield abstained(span, CHECK, "too_long")
            continue
        if best >= _ENOUGH:
            yield Outcome(span, CHECK, "verified", hides=False)
        else:
            yield Outcome(
                span, CHECK, "detected", expected="Support in the source", actual="Nothing in the source entails it",
                source="The given source, read by the model", suggestion="Remove the statement or give its source.",
                hides=False,
            )  # fmt: skip


RULE = Rule("HR503", "scope", DetectionType.SCOPE_CREEP, Severity.MEDIUM, (CHECK,), "0.1.0", check, "preview")
