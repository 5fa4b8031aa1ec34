"""What a scan reports: frozen records with a published JSON Schema (2020-12)."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from halt_rag.scan.document import Document
from halt_rag.scan.engine import Finding, Findings
from halt_rag.scan.fingerprint import fingerprints
from halt_rag.scan.outcome import AuditStatus, DetectionType, Severity
from halt_rag.scan.policy import Action, Policy
from halt_rag.text.spans import Span

SCHEMA_ID = "https://halt-rag.github.io/schema/scan-report/1.0"
ContentType = Literal["markdown", "text", "code", "data", "rst", "requirements", "architecture", "test"]
State = Literal["new", "baseline", "suppressed"]
_AROUND = 200  # Code points on each side of a claim that make up its fingerprint.
_WORST: tuple[AuditStatus, ...] = ("hallucinated", "inconsistent", "malformed", "unreachable", "verified")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Location(_Record):
    """Where a claim is, from its first to behind its last character."""

    line: int = Field(ge=1, description="Line of the first character, from 1.")
    column: int = Field(ge=1, description="Its column in code points, from 1; a tab is one, a byte order mark none.")
    end_line: int = Field(ge=1, description="Line where the claim ends.")
    end_column: int = Field(ge=1, description="The column behind its last character.")
    context: str = Field(description="The line around it, shortened.")


class Evidence(_Record):
    """Why a claim is doubted."""

    expected: str = Field(description="What should be true.")
    actual: str = Field(description="What was claimed or found.")
    source: str = Field(description="How we know.")


class Detection(_Record):
    """One claim that is false or has no support."""

    type: DetectionType
    severity: Severity
    action: Action = Field(description="What the policy does at this severity.")
    location: Location
    claim: str = Field(description="The claim, as it stands in the document.")
    evidence: Evidence
    suggestion: str = Field(description="How to mend it; may be empty.")
    note: str = Field(description="What else the reader should know; may be empty.")
    rule: str = Field(description="Code of the rule.")
    rule_name: str = Field(description="Its name.")
    check: str = Field(description="The check that failed.")
    fingerprint: str = Field(pattern="^[0-9a-f]{32}$", description="Stable name; survives edits elsewhere in the file.")
    state: State = Field(description="'new', 'baseline': known before, or 'suppressed': silenced by a comment.")
    reason: str | None = Field(description="Of a suppressed detection: the reason that the comment gives.")
    replacement: str | None = Field(description="What a safe mechanical fix would write; null if there is none.")


class NotChecked(_Record):
    """A claim that could not be checked. It never counts as hallucinated."""

    check: str = Field(description="The check that could not be made.")
    reason: str = Field(description="Why, e.g. 'no_corpus', 'offline', 'tracker_unavailable'.")
    location: Location
    claim: str
    rule: str = Field(description="Code of the rule.")


class Notice(_Record):
    """Something about the scan itself: a suppression that hides nothing, a rule that could not run."""

    line: int = Field(ge=1)
    column: int = Field(ge=1)
    message: str


class Target(_Record):
    """What was scanned."""

    path: str = Field(description="From the root, with forward slashes.")
    content_type: ContentType
    hash: str = Field(pattern="^sha256:[0-9a-f]{64}$", description="SHA-256 of the text in UTF-8.")


class Results(_Record):
    """Counts of claims; they add up to the total."""

    total_claims: int = Field(ge=0)
    verified: int = Field(ge=0, description="Checked and found to hold.")
    suspicious: int = Field(ge=0, description="New detections of medium and low severity.")
    hallucinated: int = Field(ge=0, description="New detections of critical and high severity.")
    not_checked: int = Field(ge=0, description="Could not be checked.")
    suppressed: int = Field(ge=0, description="Silenced by a comment.")
    baseline: int = Field(ge=0, description="Known before.")
    confidence_score: float | None = Field(
        ge=0, le=1, description="verified / (verified + suspicious + hallucinated); null if nothing was determined."
    )

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        determined = self.verified + self.suspicious + self.hallucinated
        if self.total_claims != determined + self.not_checked + self.suppressed + self.baseline:
            raise ValueError("the counts do not add up to total_claims")
        score = self.verified / determined if determined else None
        if self.confidence_score != score:
            raise ValueError("confidence_score is not verified / (verified + suspicious + hallucinated)")
        return self


class AuditEntry(_Record):
    """What is known of one cited id."""

    ref_id: str
    status: AuditStatus


class DocumentReport(_Record):
    """The report on one document."""

    detection_id: uuid.UUID
    timestamp: AwareDatetime
    target: Target
    results: Results
    detections: tuple[Detection, ...]
    not_checked: tuple[NotChecked, ...]
    citation_audit: tuple[AuditEntry, ...] = Field(description="One entry per id, with its worst status.")
    recommendations: tuple[str, ...]
    warnings: tuple[Notice, ...]
    crashed_rules: tuple[str, ...] = Field(description="Codes of rules that failed on this document.")

    @model_validator(mode="after")
    def _counts_detections(self) -> Self:
        counts = counted(self.results.verified, self.detections, len(self.not_checked))
        if counts != self.results:
            raise ValueError("the counts are not those of the detections")
        return self


class Unread(_Record):
    """A file that could not be scanned."""

    path: str
    reason: str


class ScanReport(_Record):
    """The report on a scan."""

    schema_version: Literal["1.0"] = "1.0"
    scan_id: uuid.UUID
    timestamp: AwareDatetime
    tool_version: str
    rules: tuple[str, ...] = Field(description="Codes of the rules that ran.")
    results: Results
    documents: tuple[DocumentReport, ...]
    unread: tuple[Unread, ...]

    @property
    def detections(self) -> list[tuple[str, Detection]]:
        """All new detections, with their path."""
        return [(d.target.path, x) for d in self.documents for x in d.detections if x.state == "new"]

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The JSON Schema of a report as it is written."""
        schema = cls.model_json_schema(mode="serialization")
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, **schema}


def counted(verified: int, detections: Iterable[Detection], not_checked: int) -> Results:
    """The counts of a report."""
    states = {"new": [0, 0], "baseline": [0, 0], "suppressed": [0, 0]}
    for detection in detections:
        states[detection.state][detection.severity in {Severity.CRITICAL, Severity.HIGH}] += 1
    suspicious, hallucinated = states["new"]
    suppressed, baseline = sum(states["suppressed"]), sum(states["baseline"])
    determined = verified + suspicious + hallucinated
    return Results(
        total_claims=determined + not_checked + suppressed + baseline, verified=verified, suspicious=suspicious,
        hallucinated=hallucinated, not_checked=not_checked, suppressed=suppressed, baseline=baseline,
        confidence_score=verified / determined if determined else None,
    )  # fmt: skip


def audit_of(found: Findings) -> list[AuditEntry]:
    """The citation audit of a document: each id once, with its worst status."""
    worst: dict[str, AuditStatus] = {}
    for item in found.items:
        if item.outcome.audit:
            ref_id, status = item.outcome.audit
            worst[ref_id] = min(worst.get(ref_id, status), status, key=_WORST.index)
    return [AuditEntry(ref_id=ref_id, status=status) for ref_id, status in worst.items()]


def document_report(
    document: Document,
    found: Findings,
    policy: Policy,
    *,
    known: frozenset[str] = frozenset(),
    now: datetime | None = None,
) -> DocumentReport:
    """The report on a document.

    Args:
        document: The document.
        found: What the rules say.
        policy: The policy.
        known: Fingerprints of the baseline.
        now: The time of the scan; the present if None.
    """
    items = [item for item in found.items if item.outcome.status == "detected"]
    names = fingerprints(document.path, [(i.type, i.outcome.span.of(document.text), _line(document, i)) for i in items])
    detections = tuple(
        _detection(document, item, policy, name, name in known) for item, name in zip(items, names, strict=True)
    )
    not_checked = tuple(
        NotChecked(
            check=item.outcome.check, reason=item.outcome.reason, location=_location(document, item.outcome.span),
            claim=item.outcome.span.of(document.text), rule=item.rule.code,
        )
        for item in found.having("abstained")
    )  # fmt: skip
    suggestions = [d.suggestion for d in detections if d.state == "new" and d.suggestion]
    return DocumentReport(
        detection_id=uuid.uuid4(),
        timestamp=now or datetime.now(UTC),
        target=Target(path=document.path, content_type=_content_type(document), hash=text_hash(document.text)),
        results=counted(len(found.having("verified")), detections, len(not_checked)),
        detections=detections,
        not_checked=not_checked,
        citation_audit=tuple(audit_of(found)),
        recommendations=tuple(dict.fromkeys(suggestions)),
        warnings=tuple(Notice(line=line, column=column, message=text) for line, column, text in found.warnings),
        crashed_rules=tuple(dict.fromkeys(code for code, _ in found.crashed)),
    )


def renewed(report: DocumentReport, *, known: frozenset[str], now: datetime) -> DocumentReport:
    """A report that was kept, as of another time and baseline.

    Args:
        report: The report.
        known: Fingerprints of the baseline.
        now: The time of the scan.
    """
    detections = tuple(
        d
        if d.state == "suppressed"
        else d.model_copy(update={"state": "baseline" if d.fingerprint in known else "new"})
        for d in report.detections
    )
    suggestions = [d.suggestion for d in detections if d.state == "new" and d.suggestion]
    changes = {
        "detection_id": uuid.uuid4(),
        "timestamp": now,
        "detections": detections,
        "results": counted(report.results.verified, detections, len(report.not_checked)),
        "recommendations": tuple(dict.fromkeys(suggestions)),
    }
    return report.model_copy(update=changes)


def text_hash(text: str) -> str:
    """The hash of a text, as reports give it."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def scan_report(
    documents: Sequence[DocumentReport], unread: Iterable[Unread], rules: Iterable[str], *, now: datetime | None = None
) -> ScanReport:
    """The report on several documents."""
    from halt_rag import __version__

    return ScanReport(
        scan_id=uuid.uuid4(),
        timestamp=now or datetime.now(UTC),
        tool_version=__version__,
        rules=tuple(rules),
        results=counted(
            sum(d.results.verified for d in documents),
            (x for d in documents for x in d.detections),
            sum(d.results.not_checked for d in documents),
        ),
        documents=tuple(documents),
        unread=tuple(unread),
    )


def _content_type(document: Document) -> ContentType:
    given = document.content_type
    if given in {"requirements", "architecture", "test"}:
        return given  # type: ignore[return-value]
    return document.kind


def _line(document: Document, item: Finding) -> str:
    """The line around a claim; of a long line the part around it."""
    span = item.outcome.span
    line = document.lines.span(document.lines.position(span.start)[0])
    return document.text[max(line.start, span.start - _AROUND) : min(line.end, span.end + _AROUND)]


def _location(document: Document, span: Span) -> Location:
    (line, column), (end_line, end_column) = document.lines.position(span.start), document.lines.position(span.end)
    if end_column == 1 and end_line > line:  # A separator belongs to the line that it ends.
        end_line -= 1
        end_column = len(document.lines.span(end_line)) + 1
    return Location(line=line, column=column, end_line=end_line, end_column=end_column, context=document.excerpt(span))


def _detection(document: Document, item: Finding, policy: Policy, name: str, known: bool) -> Detection:
    outcome = item.outcome
    state: State = "suppressed" if item.suppressed_by is not None else "baseline" if known else "new"
    return Detection(
        type=item.type,
        severity=item.severity,
        action=policy.action(item.severity),
        location=_location(document, outcome.span),
        claim=outcome.span.of(document.text),
        evidence=Evidence(expected=outcome.expected, actual=outcome.actual, source=outcome.source),
        suggestion=outcome.suggestion,
        note=outcome.note,
        rule=item.rule.code,
        rule_name=item.rule.name,
        check=outcome.check,
        fingerprint=name,
        state=state,
        reason=item.suppressed_by,
        replacement=outcome.replacement,
    )
