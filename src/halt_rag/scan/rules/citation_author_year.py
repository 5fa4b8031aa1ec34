"""An author and year that match no paper of the corpus.

## What it does
Reads ``Smith et al. (2024)``, ``Smith and Jones (2024)``, ``Smith (2024)`` and ``(Smith et al., 2024)``, and looks
the first author up in the corpus. A year after the next one is impossible whatever the corpus says.

## Why is this bad?
A plausible name with a plausible year is the commonest form of made-up source.

## Example
``Smith et al. (2024)`` is a fabricated citation if no paper of the corpus has an author Smith. If the corpus has a
paper by Smith from another year, the attribution is false.

## Limits
Without a corpus, or with one that names no authors, nothing is checked. A single capitalised word before a year in
brackets counts as an author only where it is not part of a longer name or title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan import patterns
from halt_rag.scan.corpus import surname
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "author_verifiable"
_ANY_YEAR = re.compile(r"[(\[,] ?\d{4}")
_WORD_BEFORE = re.compile(r"([^\W\d_][\w'’.-]*)([,:]?\s)\Z")
_NO_YEAR = 2200  # Four digits from here on are a port or a count.
_LINKING = frozenset("of the on in for and a an to with & de la der des du y e von".split())


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per phrase."""
    text = document.prose
    if not _ANY_YEAR.search(text):
        return
    for pattern in (patterns.AUTHOR_YEAR, patterns.BRACKETED):
        for match in pattern.finditer(text):
            name = match["name"]
            if not name[0].isupper() or any(char.isdigit() for char in name):
                continue
            alone = match["etal"] is None and match["pair"] is None
            known_author = known.papers is not None and known.papers.by_author(name)
            unclear = name.lower() in patterns.TITLES or (not known_author and _is_part_of_name(text, match))
            if (alone and unclear) or _is_judged(text, match, known):
                continue
            start = match.start("lead") if match["lead"] else match.start("name")
            yield _outcome(Span(start, match.end()), match, known)


def _is_judged(text: str, match: re.Match[str], known: Knowledge) -> bool:
    """Whether ``citation-mismatch`` reports it: it stands in the bracket behind the id of a paper by somebody else."""
    before = text[max(0, match.start() - 40) : match.start()]
    found = re.search(rf"(?<![\w-])({re.escape(known.id_prefix)}-\d{{3}})[*_\]]{{0,3}}\s?\(\Z", before)
    paper = known.papers.get(found[1]) if found and known.papers else None
    return paper is not None and bool(paper.surnames) and surname(match["name"]) not in paper.surnames


def _is_part_of_name(text: str, match: re.Match[str]) -> bool:
    """Whether it is no author: an acronym, no year, or capitalised words before it make it the end of a name."""
    if int(match["year"] or match.groupdict().get("year2") or 0) >= _NO_YEAR:
        return True
    if match["name"].isupper() and len(match["name"]) > 1:
        return True  # An acronym.
    at = match.start("name")
    linked = False
    for _ in range(6):
        before = _WORD_BEFORE.search(text[max(0, at - 40) : at])
        if before is None:
            return False
        word = before[1]
        if word.lower() in _LINKING and word[0].islower():
            linked = True
        elif word[0].isupper() and before[2].strip() != ":":
            return word.lower() not in patterns.TITLES or linked
        else:
            return False
        at -= len(before[0])
    return False


def _outcome(span: Span, match: re.Match[str], known: Knowledge) -> Outcome:
    year = int(match["year"] or (match.groupdict().get("year2") or 0))
    if year > known.today.year + 1:
        return Outcome(
            span, "year_reasonable", "detected", type=DetectionType.TEMPORAL_INCONSISTENCY, severity=Severity.HIGH,
            expected=f"A year up to {known.today.year + 1}", actual=str(year), source="The date of the scan",
            suggestion="Correct the year or remove the citation.",
        )  # fmt: skip
    corpus = known.papers
    if corpus is None:
        return abstained(span, CHECK, "no_corpus")
    if not corpus.has_authors:
        return abstained(span, CHECK, "corpus_without_authors")
    papers = corpus.by_author(match["name"])
    if any(paper.year == year for paper in papers):
        return verified(span, CHECK)
    if any(paper.year is None for paper in papers):
        return abstained(span, CHECK, "corpus_without_year")
    if papers:
        return _wrong_year(span, papers[0].id, sorted({paper.year for paper in papers if paper.year}), year)
    return Outcome(
        span, CHECK, "detected", expected="A paper of the corpus", actual=f"No paper by {match['name']}",
        source="Search of the corpus", suggestion="Remove the citation or add the paper to the corpus.",
    )  # fmt: skip


def _wrong_year(span: Span, paper_id: str, years: list[int], year: int) -> Outcome:
    listed = ", ".join(map(str, years))
    return Outcome(
        span, CHECK, "detected", type=DetectionType.FALSE_ATTRIBUTION, severity=Severity.HIGH, expected=listed,
        actual=str(year), source=f"Corpus entry {paper_id}", suggestion=f"The corpus has {listed}; correct the year.",
    )  # fmt: skip


RULE = Rule(
    "HR104", "author-year", DetectionType.FABRICATED_CITATION, Severity.CRITICAL, (CHECK, "year_reasonable"), "0.1.0",
    check,
)  # fmt: skip
