"""A DOI that cannot be one, or that is not registered.

## What it does
Finds DOIs in prose, addresses and data. The form is checked offline: the prefix of a DOI is ``10.`` and at least
four digits. With ``--online`` the DOI is looked up at doi.org, and authors, title and year of its record (Crossref,
DataCite) are compared with the reference around it.

## Why is this bad?
Language models write DOIs that look right and lead nowhere, or to another paper.

## Example
``doi:10.12/abc`` is reported: no registrant has two digits. ``10.1145/3377811.3380330`` is well formed; whether it
exists is not checked offline.

## Limits
Only what the reference itself says is compared: a named first author, a title in quotation marks or italics, a year
beside a name (one year more or less is normal). Answers such as 403 or 429 do not count as missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan import patterns
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.lookup import RECORD, looked_up
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, verified
from halt_rag.text.spans import Span

CHECK = "doi_resolves"
_LABELLED = re.compile(
    r"(?i)(?:\bdoi:\s?|\bdoi\.org/|\bDOI\s)(\d[^\s\"'`\ufffc|{}\\^<>\[\]/]{0,40}/[^\s\"'`\ufffc|{}\\^<>\[\]]{1,300})"
    r"|\bdoi:\s?(10\.\d+)(?![\w/]|\.\d)"
)
_PREFIX = re.compile(r"10\.\d{4,9}(?:\.\d+)*/")
_TRAILING = ".,;:!?*_’”'\"…"
_PAIRS = {")": "(", "]": "[", ">": "<"}


def trimmed_doi(doi: str) -> str:
    """A DOI without the punctuation of the sentence around it; brackets that it opens itself stay."""
    opened = {closing: doi.count(opening) for closing, opening in _PAIRS.items()}
    closed = {closing: doi.count(closing) for closing in _PAIRS}
    end = len(doi)
    while end:
        last = doi[end - 1]
        if last in _PAIRS and closed[last] > opened[last]:
            closed[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return doi[:end]


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per DOI."""
    text = document.everything
    for match in patterns.DOI.finditer(text):
        doi = trimmed_doi(match[0])
        if not doi.endswith("/") and not doi.partition("/")[2].startswith(("...", "…", "<")):
            yield _outcome(document, Span(match.start(), match.start() + len(doi)), doi, known)
    for match in _LABELLED.finditer(text):
        group = 1 if match[1] else 2
        doi = trimmed_doi(match[group])
        if not _PREFIX.match(doi) and not re.search(r"x{3,}|\.\.\.", doi, re.IGNORECASE):
            yield Outcome(
                Span(match.start(group), match.start(group) + len(doi)),
                "doi_form",
                "detected",
                expected="A DOI begins with 10. and at least four digits",
                actual=doi,
                source="Form of the DOI (ISO 26324)",
                suggestion="Look the DOI up and correct it, or remove the citation.",
                audit=(doi, "malformed"),
            )


def _outcome(document: Document, span: Span, doi: str, known: Knowledge) -> Outcome:
    if known.papers is not None and doi.lower() in known.papers.dois:
        return verified(span, CHECK, (doi, "verified"))
    return looked_up(document, span, identifier=doi, service="doi", known=known)


RULE = Rule(
    "HR101", "doi", DetectionType.FABRICATED_CITATION, Severity.HIGH, (CHECK, "doi_form", RECORD), "0.1.0", check
)
