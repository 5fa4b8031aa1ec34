"""What a validation returns: frozen records with plain JSON forms."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from halt_rag.contracts.evidence.codes import Severity

Status = Literal["valid", "invalid", "unverified"]
Tier = Literal["exact", "normalized", "none"]


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a source.

    Attributes:
        source: Id of the source.
        line_start: First line, from 1.
        line_end: Last line, inclusive.
        start: First code point in the text as given.
        end: One past the last code point.
    """

    source: str
    line_start: int
    line_end: int
    start: int
    end: int

    @property
    def lines(self) -> str:
        """Its lines for people: ``line 3`` or ``lines 3 to 5``."""
        if self.line_start == self.line_end:
            return f"line {self.line_start}"
        return f"lines {self.line_start} to {self.line_end}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing the validator has to say.

    Attributes:
        code: Stable code, see :mod:`halt_rag.contracts.evidence.codes`.
        severity: ``error``, ``doubt`` or ``note``.
        message: What was found, with the values concerned.
        evidence: Position of the evidence that it is about, from 0, or None.
    """

    code: str
    severity: Severity
    message: str
    evidence: int | None = None


@dataclass(frozen=True, slots=True)
class EvidenceResult:
    """What became of one piece of evidence.

    Attributes:
        match: ``exact``: a substring once line ends are unified; ``normalized``: only ``folds`` were needed;
            ``none``: not at the claimed place.
        folds: The folds needed; with ``QUOTE_NOT_VERBATIM``, those that would have been.
        place: Where the quote was matched, or None.
        relocations: Where the quote really is, at most 20 places in order; information, never applied silently.
        relocations_total: How many places there are.
        hint: Why the quote may not have been found, see ``HINTS``.
        fragments: For a quote with an ellipsis: its parts, each with whether the source has it.
        findings: What is wrong or notable.
        quote: The quote as sent, or None.
    """

    match: Tier = "none"
    folds: tuple[str, ...] = ()
    place: Place | None = None
    relocations: tuple[Place, ...] = ()
    relocations_total: int = 0
    hint: str | None = None
    fragments: tuple[tuple[str, bool], ...] = ()
    findings: tuple[Finding, ...] = ()
    quote: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON values."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @property
    def repairable(self) -> bool:
        """Whether the quote is at exactly one other place, so that its range can be corrected on request."""
        return self.relocations_total == 1 and any(finding.severity == "error" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class FieldResult:
    """The verdict on one field, item or list.

    Attributes:
        keys: Where it is in the record: ``("failing_tests", "items", 2)``.
        status: ``valid``, ``invalid``, or ``unverified``: nothing wrong, nothing proven.
        findings: Everything found, errors first.
        evidence: One result for each piece of evidence.
        value: The value as sent.
    """

    keys: tuple[str | int, ...]
    status: Status
    findings: tuple[Finding, ...] = ()
    evidence: tuple[EvidenceResult, ...] = ()
    value: Any = None

    @property
    def path(self) -> str:
        """Where it is, for people: ``invoice.total`` or ``failing_tests[2]``."""
        return shown(self.keys)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that explain the status: errors if invalid, else doubts and notes; each once, in order."""
        invalid = self.status == "invalid"
        return tuple(dict.fromkeys(f.code for f in self.findings if (f.severity == "error") == invalid))

    @property
    def match(self) -> Tier | None:
        """The weakest match among the evidence; None where there was none to check."""
        tiers = {evidence.match for evidence in self.evidence}
        return next((tier for tier in ("none", "normalized", "exact") if tier in tiers), None)

    @property
    def folds(self) -> tuple[str, ...]:
        """Every fold that some evidence needed."""
        return tuple(dict.fromkeys(name for evidence in self.evidence for name in evidence.folds))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON values."""
        return {
            "path": self.path,
            "status": self.status,
            "codes": list(self.codes),
            "match": self.match,
            "folds": list(self.folds),
            "findings": [asdict(finding) for finding in self.findings],
            "evidence": [evidence.to_dict() for evidence in self.evidence],
        }


def status_of(findings: tuple[Finding, ...]) -> Status:
    """The status that findings amount to."""
    severities = {finding.severity for finding in findings}
    return "invalid" if "error" in severities else "unverified" if "doubt" in severities else "valid"


def shown(keys: tuple[str | int, ...]) -> str:
    """A place in a record for people: ``invoice.total`` or ``failing_tests[2]``."""
    text = ""
    for at, key in enumerate(keys):
        if isinstance(key, int):
            text += f"[{key}]"
        elif not (key == "items" and isinstance((*keys[at + 1 :], None)[0], int)):
            text += f".{key}" if text else key
    return text
