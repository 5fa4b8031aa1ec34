"""A paper id that the corpus does not have, or that has the wrong number of digits.

## What it does
Looks ids such as ``REF-021`` up in the corpus: an entry, or a page whose file name begins with the id. Ids have three
digits; others are malformed.

## Why is this bad?
An id that leads nowhere was made up, or its paper was removed; either way the statement has no source.

## Example
``(REF-999)`` is reported if the corpus has no such paper. ``REF-21`` is malformed, ``REF-021`` is suggested.

## Limits
Without a corpus nothing can be said about any id. Placeholders such as ``REF-XXX`` are no ids.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.ids import is_well_formed, paper_ids
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "file_exists"


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per id."""
    own = {match[0] for match in paper_ids(posixpath.basename(document.path), known.id_prefix)}
    for match in paper_ids(document.references, known.id_prefix):
        span, paper_id = Span(*match.span()), match[0]
        if not is_well_formed(paper_id):
            yield _malformed(span, paper_id, known)
        elif paper_id in own:
            yield verified(span, CHECK, (paper_id, "verified"))
        elif known.papers is None:
            yield abstained(span, CHECK, "no_corpus")
        elif paper_id in known.papers:
            yield verified(span, CHECK, (paper_id, "verified"))
        else:
            yield Outcome(
                span, CHECK, "detected", expected="Citation should exist in the corpus",
                actual=f"No paper {paper_id}", source="Search of the corpus",
                suggestion="Remove the citation or add the paper to the corpus.", audit=(paper_id, "hallucinated"),
            )  # fmt: skip


def _malformed(span: Span, paper_id: str, known: Knowledge) -> Outcome:
    padded = f"{known.id_prefix}-{int(paper_id.rsplit('-', 1)[1][:9]):03d}"
    exists = known.papers is not None and padded in known.papers
    return Outcome(
        span, "id_form", "detected", type=DetectionType.BROKEN_REFERENCE, severity=Severity.LOW,
        expected=f"{known.id_prefix}- and three digits", actual=paper_id, source="Form of the id", note="malformed id",
        suggestion=f"Did you mean {padded}?" if exists else "Correct the id.",
        replacement=padded if exists else None, audit=(paper_id, "malformed"),
    )  # fmt: skip


RULE = Rule(
    "HR105", "paper-id", DetectionType.FABRICATED_CITATION, Severity.CRITICAL, (CHECK, "id_form"), "0.1.0", check
)
