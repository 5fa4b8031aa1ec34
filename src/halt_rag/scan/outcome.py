"""What a rule says about one claim, and what a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from halt_rag.scan.document import Document
    from halt_rag.scan.knowledge import Knowledge


class DetectionType(StrEnum):
    """What kind of hallucination a detection is."""

    FABRICATED_CITATION = "fabricated_citation"
    INCORRECT_STATISTIC = "incorrect_statistic"
    FALSE_ATTRIBUTION = "false_attribution"
    TEMPORAL_INCONSISTENCY = "temporal_inconsistency"
    NONEXISTENT_ENTITY = "nonexistent_entity"
    CONTRADICTION = "contradiction"
    SCOPE_CREEP = "scope_creep"
    UNSUPPORTED_INFERENCE = "unsupported_inference"
    INVALID_API = "invalid_api"
    IMPOSSIBLE_SYNTAX = "impossible_syntax"
    VERSION_MISMATCH = "version_mismatch"
    BROKEN_REFERENCE = "broken_reference"
    MISQUOTED_SOURCE = "misquoted_source"
    PHANTOM_REQUIREMENT = "phantom_requirement"


class Severity(StrEnum):
    """How bad a detection is: ``critical`` is definitely false, ``low`` a slip of form."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for critical, 3 for low."""
        return list(Severity).index(self)


AuditStatus = Literal["verified", "hallucinated", "malformed", "unreachable", "inconsistent"]
Status = Literal["detected", "verified", "abstained"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one claim.

    Attributes:
        span: The claim in the document.
        check: Which check was made, e.g. ``file_exists``.
        status: ``detected``, ``verified``, or ``abstained``: it could not be checked, for ``reason``.
        reason: Why it could not be checked.
        severity: Of a detection; None takes the rule's.
        type: Of a detection; None takes the rule's.
        expected: What should be true.
        actual: What was claimed.
        source: How we know.
        suggestion: How to mend it.
        note: What else the reader should know.
        replacement: What a safe mechanical fix would put in place of the claim; None if there is none.
        audit: Statuses for the citation audit: id, status.
        hides: Whether claims of later rules inside this one are the same claim.
    """

    span: Span
    check: str
    status: Status
    reason: str = ""
    severity: Severity | None = None
    type: DetectionType | None = None
    expected: str = ""
    actual: str = ""
    source: str = ""
    suggestion: str = ""
    note: str = ""
    replacement: str | None = None
    audit: tuple[str, AuditStatus] | None = None
    hides: bool = True


RuleStatus = Literal["stable", "preview"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One check, in its own module, whose docstring says what it does, why, with an example and its limits.

    Attributes:
        code: Stable identifier; never reused for something else.
        name: Short name, words joined by hyphens.
        type: What its detections are, unless an outcome says otherwise.
        severity: Their usual severity.
        checks: The checks it makes.
        since: The version that brought it.
        run: Reads a document and yields outcomes.
        status: ``preview`` rules may still change their codes' meaning in details.
    """

    code: str
    name: str
    type: DetectionType
    severity: Severity
    checks: tuple[str, ...]
    since: str
    run: Callable[[Document, Knowledge], Iterator[Outcome]]
    status: RuleStatus = "stable"


def verified(span: Span, check: str, audit: tuple[str, AuditStatus] | None = None) -> Outcome:
    """The claim holds."""
    return Outcome(span, check, "verified", audit=audit)


def abstained(span: Span, check: str, reason: str) -> Outcome:
    """The claim could not be checked."""
    return Outcome(span, check, "abstained", reason)
