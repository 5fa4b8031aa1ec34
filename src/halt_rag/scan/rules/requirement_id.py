"""An id of a use case, requirement or decision that does not exist.

## What it does
Looks up ``UC-NNN``, ``NFR-CAT-NNN`` and ``ADR-NNN``: among the given ids, the file names of the tree, and what the
document itself defines in its name, a heading or a row of a requirements table.

## Why is this bad?
Code that implements a requirement nobody wrote cannot be traced, and tests of it prove nothing.

## Example
``Implements UC-999.`` is reported if the tree has use cases and this is none of them.

## Limits
A kind of which the tree has no id at all is not checked. Use cases have three digits, others are malformed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import REQUIREMENT, Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "use_case_exists"


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per id."""
    defined = _defined(document)
    for match in REQUIREMENT.finditer(document.references):
        span, found = Span(*match.span()), match[0]
        kind, number = found.split("-")[0], found.rsplit("-", 1)[1]
        if found in defined or found in known.requirement_ids:
            yield verified(span, CHECK)
        elif kind not in known.requirement_kinds:
            yield abstained(span, CHECK, "no_requirements")
        elif kind == "UC" and len(number) != 3:
            yield Outcome(
                span, "id_form", "detected", severity=Severity.LOW, expected="UC- and three digits", actual=found,
                source="Form of the id", note="malformed id", suggestion="Correct the id.",
            )  # fmt: skip
        else:
            yield Outcome(
                span, CHECK, "detected", expected="A requirement of the tree", actual=f"No {found}",
                source="File names and given ids", suggestion="Write the requirement, or correct the id.",
            )  # fmt: skip


def _defined(document: Document) -> frozenset[str]:
    """Ids that the document defines."""
    found = {match[0] for match in [REQUIREMENT.match(posixpath.basename(document.path))] if match}
    for heading in document.layout.headings:
        found.update(match[0] for match in [REQUIREMENT.search(heading.text[:60])] if match)
    if document.content_type == "requirements" or "requirement" in document.path.lower():
        for row in document.layout.rows:
            first = row.cells[0].of(document.text).strip(" \t*`") if row.cells else ""
            found.update(match[0] for match in [REQUIREMENT.fullmatch(first)] if match)
    return frozenset(found)


RULE = Rule(
    "HR304", "requirement-id", DetectionType.PHANTOM_REQUIREMENT, Severity.HIGH, (CHECK, "id_form"), "0.1.0", check
)
