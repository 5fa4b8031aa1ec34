"""An author, year or title beside a paper's id that belongs to another paper.

## What it does
Reads what stands in brackets after an id, ``REF-045 (2019)`` or ``REF-003 (Shinn et al. - Reflexion)``, and author
phrases right before an id, and compares them with the corpus entry.

## Why is this bad?
The id exists, so an existence check passes; but the reader is sent to a paper that says something else.

## Example
``REF-045 (2019)`` is reported if the corpus dates REF-045 to 2015.

## Limits
What the corpus does not say about a paper is not compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan import patterns
from halt_rag.scan.corpus import Corpus, Paper, surname
from halt_rag.scan.document import Document
from halt_rag.scan.ids import is_well_formed, paper_ids
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity
from halt_rag.text.spans import Span

CHECK = "author_verifiable"
_AFTER = re.compile(r"[*_\]]{0,3}\s?\(([^()\r\n]{1,200})\)")
_YEAR_AFTER = re.compile(r",\s((?:1[89]|2[01])\d\d)(?=[);,.])")
_YEAR = re.compile(r"(?<!\d)((?:1[89]|2[01])\d\d)(?!\d)")
_AUTHOR = re.compile(rf"^\s*({patterns.NAME})(?:\s(?:et\sal\b|and\s|&\s)|,?\s(?:1[89]|2[01])\d\d)")
_BEFORE = re.compile(rf"({patterns.NAME})\set\sal\.?,?\s[(\[](?:(\d{{4}})[,;]\s)?\Z")


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields a detection per mismatch; matches are left to the other citation rules."""
    corpus = known.papers
    if corpus is None:
        return
    for match in paper_ids(document.prose, known.id_prefix):
        paper = corpus.get(match[0])
        if paper is not None and is_well_formed(match[0]):
            span = Span(*match.span())
            yield from _after(document, corpus, paper, span)
            yield from _before(document, corpus, paper, span)


def _after(document: Document, corpus: Corpus, paper: Paper, span: Span) -> Iterator[Outcome]:
    dated = _YEAR_AFTER.match(document.prose, span.end)
    if dated and paper.year and int(dated[1]) != paper.year:
        yield _detection(Span(*dated.span(1)), paper, f"{paper.id} is of {paper.year}", dated[1])
    inner = _AFTER.match(document.prose, span.end)
    if inner is None:
        return
    author, year = _AUTHOR.match(inner[1]), _YEAR.search(inner[1])
    named = author[1] if author else ""
    if named and paper.surnames and not _is_author(paper, named):
        yield _detection(span, paper, _wrong_author(corpus, paper, named), f"by {named}")
    elif year and paper.year and int(year[1]) != paper.year:
        place = Span(inner.start(1) - 1, inner.end(1) + 1)
        yield _detection(place, paper, f"{paper.id} is of {paper.year}", year[1])
    else:
        other = corpus.by_title(inner[1])
        if other is not None and other.id != paper.id and paper.title:
            yield _detection(span, paper, f"{paper.id} is titled {paper.title}; {other.title} is {other.id}", inner[1])


def _before(document: Document, corpus: Corpus, paper: Paper, span: Span) -> Iterator[Outcome]:
    start = max(document.block(span.start).start, span.start - 120)
    found = _BEFORE.search(document.prose[start : span.start])
    if found and found[1][0].isupper() and paper.surnames and not _is_author(paper, found[1]):
        yield _detection(span, paper, _wrong_author(corpus, paper, found[1]), f"by {found[1]}")


def _is_author(paper: Paper, name: str) -> bool:
    return surname(name) in paper.surnames


def _wrong_author(corpus: Corpus, paper: Paper, named: str) -> str:
    other = next(iter(corpus.by_author(named)), None)
    what = f"{paper.id} is titled {paper.title}" if paper.title else f"{paper.id} is by {', '.join(paper.authors)}"
    return f"{what}; {named} is {other.id}" if other else what


def _detection(span: Span, paper: Paper, note: str, actual: str) -> Outcome:
    entry = ", ".join(filter(None, [" and ".join(paper.authors), str(paper.year or ""), paper.title]))
    return Outcome(
        span, CHECK, "detected", expected=f"{paper.id}: {entry}", actual=actual, source=paper.path or "Corpus entry",
        note=note, suggestion="Cite the paper that is meant, or correct author and year.",
        audit=(paper.id, "inconsistent"),
    )  # fmt: skip


RULE = Rule("HR103", "citation-mismatch", DetectionType.FALSE_ATTRIBUTION, Severity.HIGH, (CHECK,), "0.1.0", check)
