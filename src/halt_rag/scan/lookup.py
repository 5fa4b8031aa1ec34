"""Looks an identifier up on the network, and compares its record with the reference around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from halt_rag.scan import patterns
from halt_rag.scan.corpus import Paper, folded
from halt_rag.scan.outcome import DetectionType, Outcome, Severity, abstained, verified
from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from halt_rag.scan.document import Document
    from halt_rag.scan.knowledge import Knowledge

RECORD = "record_agrees"
_BEFORE, _BEHIND = 600, 300  # Code points around an identifier that may belong to its reference.
_ENTRY = re.compile(r"\n[ \t]*(?:\.\. \[|\[\w|[-*+] |\d{1,3}[.)] |\n|@\w+\{)|^[ \t]*@\w+\{")
_YEAR = re.compile(r"(?<![\d/.-])((?:19|20)\d\d)(?![\d/]|-\d{4}|\.\d)")
_WORD = re.compile(r"[^\W\d_]{4,}")
_TITLE = re.compile(
    r"[\"“«„]([^\"”»“\r\n]{12,300})[\"”»“]|(?<!\*)\*([^*\r\n]{12,300})\*|\btitle\s*=\s*[{\"]([^}\"]{4,300})"
)
_LISTED = re.compile(rf"^[\s\[\].\d*+-]*(?P<name>{patterns.NAME}),\s(?:[A-Z]\.|[A-Z][a-z]+\b)")
_FIELD = re.compile(
    rf"\bauthors?\s*=\s*[{{\"]{{1,2}}(?:(?P<family>{patterns.NAME}),|(?:[^\s,{{}}\"]{{1,40}}\s){{0,3}}(?P<last>{patterns.NAME})"
    r"(?=[}\"]|\sand\s))"
)
"""The first author of a list, ``Mišić, A.``, and of a field of BibTeX."""
_ENOUGH = 0.5  # Share of a title's longer words that make it the same title.


class _Service(NamedTuple):
    check: str
    expected: str
    missing: str
    source: str
    suggestion: str


_SERVICES = {
    "doi": _Service(
        "doi_resolves", "A registered DOI", "{} is not registered", "doi.org",
        "Look the paper up and correct the DOI, or remove the citation.",
    ),
    "arxiv": _Service(
        "arxiv_exists", "A paper on arXiv", "arXiv has no paper {}", "export.arxiv.org",
        "Look the paper up and correct the identifier, or remove the citation.",
    ),
}  # fmt: skip


def looked_up(
    document: Document, span: Span, *, identifier: str, service: Literal["doi", "arxiv"], known: Knowledge
) -> Outcome:
    """What the network says about an identifier: missing, there, there but another paper, or it could not be asked."""
    asked = _SERVICES[service]
    if known.online is None:
        return abstained(span, asked.check, "offline")
    there = known.online.doi(identifier) if service == "doi" else known.online.arxiv(identifier)
    if there is None:
        return abstained(span, asked.check, "unreachable")
    if not there:
        return Outcome(
            span, asked.check, "detected", severity=Severity.CRITICAL, expected=asked.expected,
            actual=asked.missing.format(identifier), source=asked.source, suggestion=asked.suggestion,
            audit=(identifier, "hallucinated"),
        )  # fmt: skip
    record = known.online.record(service, identifier)
    wrong = disagreement(reference_around(document, span), record) if record else ""
    if not wrong or record is None:
        return verified(span, asked.check, (identifier, "verified"))
    entry = "; ".join(filter(None, [", ".join(record.authors[:3]), str(record.year or ""), record.title]))
    return Outcome(
        span, RECORD, "detected", type=DetectionType.FALSE_ATTRIBUTION, severity=Severity.HIGH, expected=entry,
        actual=wrong, source=f"The record of {identifier}", audit=(identifier, "inconsistent"),
        suggestion="Cite the paper that is meant, or correct author, title and year.",
    )  # fmt: skip


def reference_around(document: Document, span: Span) -> str:
    """The reference that an identifier belongs to: its paragraph or item, cut where another reference begins."""
    block, text = document.block(span.start), document.text
    if document.kind == "data":
        block = Span(0, len(text))
    start, end = max(block.start, span.start - _BEFORE), min(block.end, span.end + _BEHIND)
    before, behind = text[start : span.start], text[span.end : end]
    cuts = [match.start() for match in _ENTRY.finditer(before)] + [match.end() for match in _others(before)]
    stops = [match.start() for match in _ENTRY.finditer(behind)] + [match.start() for match in _others(behind)]
    return before[max(cuts, default=0) :] + " " + behind[: min(stops, default=len(behind))]


def _others(text: str) -> list[re.Match[str]]:
    return [match for pattern in (patterns.DOI, patterns.ARXIV) for match in pattern.finditer(text)]


def disagreement(reference: str, record: Paper) -> str:
    """What a reference says otherwise than the record; empty if nothing. What either does not say is not compared.

    Args:
        reference: The text around the identifier.
        record: The registry's record.
    """
    words = frozenset(_WORD.findall(folded(reference)))
    wanted = frozenset(_WORD.findall(folded(record.title)))
    shared = len(words & wanted) / len(wanted) if len(wanted) >= 2 else 1.0
    named = _named(reference)
    ours = record.surnames
    if named and ours and not any(folded(name) in ours for name in named):
        return f"by {', '.join(named)}"
    title = _TITLE.search(reference)
    if title and shared < _ENOUGH and len(_WORD.findall(title[0])) >= 2:
        return f"titled {next(filter(None, title.groups())).strip()}"
    years = [int(year) for year in _YEAR.findall(reference)]
    if named and years and record.year and not any(abs(year - record.year) <= 1 for year in years):
        return f"of {', '.join(map(str, years))}"  # In print and online, years differ by one.
    return ""


def _named(reference: str) -> list[str]:
    """The first authors that a reference names."""
    found = [
        match["name"]
        for pattern in (patterns.AUTHOR_YEAR, patterns.BRACKETED, patterns.ET_AL)
        for match in pattern.finditer(reference)
        if match["name"][0].isupper() and match["name"].lower() not in patterns.TITLES
    ]
    listed, field = _LISTED.search(reference), _FIELD.search(reference)
    found += [listed["name"]] if listed else []
    found += [field["family"] or field["last"]] if field else []
    return list(dict.fromkeys(found))
