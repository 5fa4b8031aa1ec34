"""A name with "et al." and no year that no paper of the corpus has among its authors.

## What it does
Looks the name before ``et al.`` up among the authors of the corpus.

## Why is this bad?
Work is ascribed to people who, as far as the corpus knows, did not write it.

## Example
``As Smith et al. argue`` is reported if the corpus has no author Smith.

## Limits
Only the first author is compared. Without a corpus that names authors nothing is checked.
"""

from __future__ import annotations

from collections.abc import Iterator

from halt_rag.scan import patterns
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "author_verifiable"


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per phrase."""
    if " al" not in document.prose:
        return
    for match in patterns.ET_AL.finditer(document.prose):
        name = match["name"]
        if not name[0].isupper():
            continue
        span = Span(match.start("lead") if match["lead"] else match.start("name"), match.end())
        if known.papers is None:
            yield abstained(span, CHECK, "no_corpus")
        elif not known.papers.has_authors:
            yield abstained(span, CHECK, "corpus_without_authors")
        elif known.papers.by_author(name):
            yield verified(span, CHECK)
        else:
            yield Outcome(
                span, CHECK, "detected", expected="An author of the corpus", actual=f"No paper by {name}",
                source="Search of the corpus", suggestion="Add the paper to the corpus, or remove the name.",
            )  # fmt: skip


RULE = Rule("HR106", "et-al", DetectionType.FALSE_ATTRIBUTION, Severity.MEDIUM, (CHECK,), "0.1.0", check)
