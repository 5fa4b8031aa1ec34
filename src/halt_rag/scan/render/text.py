"""The report for a terminal: each detection with its line and a mark under the claim."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

from halt_rag.scan.outcome import Severity
from halt_rag.scan.report import Detection, ScanReport


def to_text(report: ScanReport) -> str:
    """The report as plain text, one paragraph per new detection, then warnings and counts."""
    lines: list[str] = []
    for document in report.documents:
        for detection in document.detections:
            if detection.state == "new":
                lines += [*_paragraph(document.target.path, detection), ""]
        for warning in document.warnings:
            lines.append(
                f"{document.target.path}:{warning.line}:{warning.column}: warning: {printable(warning.message)}"
            )
    lines += [f"{unread.path}: not read: {printable(unread.reason)}" for unread in report.unread]
    return "\n".join([*lines, *_summary(report), ""])


def _paragraph(path: str, detection: Detection) -> Iterator[str]:
    place = detection.location
    kind = f"{detection.severity}: {detection.type} {detection.rule} [{detection.action}]"
    yield f"{printable(path)}:{place.line}:{place.column}: {kind}"
    context = printable(place.context)
    claim = printable(detection.claim)
    at = context.find(claim)
    yield f"    {context}"
    if at >= 0:
        yield f"    {' ' * _width(context[:at])}{'^' * max(1, _width(claim))}"
    said = detection.note or detection.evidence.actual
    yield f"    {printable(said)}. Expected: {printable(detection.evidence.expected)}."
    if detection.suggestion:
        yield f"    {printable(detection.suggestion)}"


def _width(text: str) -> int:
    """Columns of a terminal: wide East Asian characters take two, combining marks none."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def _summary(report: ScanReport) -> Iterator[str]:
    counts, results = Counter(d.severity for _, d in report.detections), report.results
    found = ", ".join(f"{counts[severity]} {severity}" for severity in Severity)
    yield f"{len(report.documents)} documents: {sum(counts.values())} new detections ({found})"
    yield (
        f"{results.total_claims} claims: {results.verified} verified, {results.suspicious} suspicious, "
        f"{results.hallucinated} hallucinated, {results.not_checked} not checked, {results.suppressed} suppressed, "
        f"{results.baseline} in the baseline"
    )
    reasons = Counter(item.reason for document in report.documents for item in document.not_checked)
    if reasons:
        yield "Not checked: " + ", ".join(f"{reason} {number}" for reason, number in reasons.most_common())


def printable(text: str) -> str:
    """The text on one line, with whatever could move the cursor written as an escape."""
    return "".join(c if c.isprintable() else " " if c == "\t" else c.encode("unicode_escape").decode() for c in text)
