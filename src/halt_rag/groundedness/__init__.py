"""A check for generate-validate-repair loops that never confuses a verdict with a failure to reach one."""

from __future__ import annotations

from halt_rag.groundedness.engines import evidence_finder
from halt_rag.groundedness.log import log_fields, log_line
from halt_rag.groundedness.loop import (
    Attempt,
    Feedback,
    Requirement,
    Validated,
    agenerate_validated,
    generate_validated,
)
from halt_rag.groundedness.repair import Checked, repair_text, should_recheck, should_repair
from halt_rag.groundedness.requirement import GroundednessRequirement
from halt_rag.groundedness.result import UndeterminedError, ValidationResult
from halt_rag.groundedness.telemetry import emit_evaluation
from halt_rag.groundedness.verdict import JudgedSpan, Necessity, Support, Verdict, verdict_on

__all__ = [
    "Attempt",
    "Checked",
    "Feedback",
    "GroundednessRequirement",
    "JudgedSpan",
    "Necessity",
    "Requirement",
    "Support",
    "UndeterminedError",
    "Validated",
    "ValidationResult",
    "Verdict",
    "agenerate_validated",
    "emit_evaluation",
    "evidence_finder",
    "generate_validated",
    "log_fields",
    "log_line",
    "repair_text",
    "should_recheck",
    "should_repair",
    "verdict_on",
]
