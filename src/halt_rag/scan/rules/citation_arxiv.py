"""An arXiv identifier that cannot exist, lies in the future, or contradicts the year beside it.

## What it does
Reads identifiers of both styles. New ones carry year and month: a month above 12 or a date before April 2007 cannot
be, a month that has not come yet is impossible now, and a text that dates the paper before its submission
contradicts itself. With ``--online`` arXiv is asked whether the paper exists, and whether authors, title and year of
its record fit the reference around it.

## Why is this bad?
Made-up identifiers look exactly like real ones; their date is the one part that can be checked without a network.

## Example
``arXiv:2713.12345`` is reported: there is no month 13. ``Authors (2024). Title. arXiv:2512.08769`` is reported at
the year: the paper was submitted in December 2025.

## Limits
Numbers without the label ``arXiv:`` are only read in the old style (``hep-th/9901001``). A year later than the
identifier is normal, papers appear in print later.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from halt_rag.scan import patterns
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.lookup import RECORD, looked_up
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity
from halt_rag.text.spans import Span

CHECK = "arxiv_exists"
_YEAR = re.compile(r"\((\d{4})\)")
_ARCHIVES = frozenset(
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga "
    "funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph "
    "q-alg q-bio quant-ph solv-int stat supr-con".split()
)
_OTHER_ENTRY = re.compile(r"\n[ \t]*(?:\.\. \[|\[\w|[-*+] |\d{1,3}[.)] |\n)")
_NEAR = 300  # Code points between a year and the identifier that it belongs to.


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per identifier, and one per year that contradicts it."""
    years = [(match.start(), int(match[1])) for match in _YEAR.finditer(document.full)]
    done = 0
    for match in patterns.ARXIV.finditer(document.everything):
        identifier = match["new"] or match["old"] or match["url"]
        span = Span(match.start("url"), match.end("url")) if match["url"] else Span(*match.span())
        if match["old"] and match["old"].split("/")[0].split(".")[0].lower() not in _ARCHIVES:
            continue
        impossible = None if match["old"] else _impossible(identifier, known)
        if impossible:
            kind, why = impossible
            yield Outcome(
                span, "arxiv_form", "detected", type=kind, expected="An identifier YYMM.number of a past month",
                actual=why, source="Form of arXiv identifiers", audit=(identifier, "malformed"),
                suggestion="Look the paper up and correct the identifier, or remove the citation.",
            )  # fmt: skip
            continue
        if not match["old"]:
            yield from _contradiction(document, years, max(done, span.start - _NEAR), span, identifier)
        done = span.end
        yield looked_up(document, span, identifier=identifier, service="arxiv", known=known)
    yield from _front_matter(document)


def submitted(identifier: str) -> tuple[int, int]:
    """Year and month of a new-style identifier."""
    return 2000 + int(identifier[:2]), int(identifier[2:4])


def _impossible(identifier: str, known: Knowledge) -> tuple[DetectionType, str] | None:
    year, month = submitted(identifier)
    if not 1 <= month <= 12:
        return DetectionType.FABRICATED_CITATION, f"there is no month {month:02d}"
    if (year, month) < (2007, 4):
        return DetectionType.FABRICATED_CITATION, "identifiers of this style begin in April 2007"
    if (year, month) > (known.today.year, known.today.month):
        return DetectionType.TEMPORAL_INCONSISTENCY, f"submitted in {year}-{month:02d}, which has not come yet"
    return None


def _contradiction(
    document: Document, years: list[tuple[int, int]], start: int, span: Span, identifier: str
) -> Iterator[Outcome]:
    block = document.block(span.start)
    at = bisect_left(years, (span.start,)) - 1
    if at < 0 or years[at][0] < max(start, block.start):
        return
    place, year = years[at]
    if _OTHER_ENTRY.search(document.text, place, span.start):
        return  # The year is of another reference in a list.
    if 1900 <= year < submitted(identifier)[0]:
        yield Outcome(
            Span(place, place + 6), "year_consistent", "detected", type=DetectionType.TEMPORAL_INCONSISTENCY,
            severity=Severity.MEDIUM, expected=f"{submitted(identifier)[0]} or later", actual=str(year),
            source=f"arXiv:{identifier} was submitted in {submitted(identifier)[0]}",
            suggestion="Correct the year or the identifier.", audit=(identifier, "inconsistent"),
        )  # fmt: skip


def _front_matter(document: Document) -> Iterator[Outcome]:
    """A year in the front matter before the submission of the arXiv id there."""
    fields, area = document.front_matter, document.layout.front_matter
    found = re.search(
        r"(?<!\d)(\d{4}\.\d{4,5})(?!\d)", " ".join(str(v) for k, v in fields.items() if "arxiv" in str(k).lower())
    )
    year = fields.get("year")
    if area is None or found is None or not isinstance(year, int) or not 1900 <= year < submitted(found[1])[0]:
        return
    place = re.search(rf"(?m)^year:[ \t]*['\"]?({year})", area.of(document.text))
    if place:
        start = area.start + place.start(1)
        yield Outcome(
            Span(start, start + 4), "year_consistent", "detected", type=DetectionType.TEMPORAL_INCONSISTENCY,
            severity=Severity.MEDIUM, expected=f"{submitted(found[1])[0]} or later", actual=str(year),
            source=f"arXiv:{found[1]} in the same front matter", suggestion="Correct the year or the identifier.",
            audit=(found[1], "inconsistent"),
        )  # fmt: skip


RULE = Rule(
    "HR102", "arxiv", DetectionType.FABRICATED_CITATION, Severity.HIGH,
    (CHECK, "arxiv_form", "year_consistent", RECORD), "0.1.0", check,
)  # fmt: skip
