"""Typed generation contracts: each extracted field carries a type, a verbatim span and explicit absence.

Declare a contract by a pydantic model with ``Grounded[T]`` members or by plain JSON, serve its schema and prompt to a
model, and let the validator decide what of the answer is proven. No model takes part in the validation.
"""

from __future__ import annotations

from halt_rag.contracts.evidence.contract import EvidenceContract, Unvalidated
from halt_rag.contracts.evidence.fields import Field
from halt_rag.contracts.evidence.guard import UnvalidatedWarning
from halt_rag.contracts.evidence.highlight import highlight
from halt_rag.contracts.evidence.report import Report, Validated, repair_text
from halt_rag.contracts.evidence.result import EvidenceResult, FieldResult, Finding, Place
from halt_rag.contracts.evidence.source import Source
from halt_rag.contracts.evidence.types import (
    Duration,
    EvidenceSpan,
    Grounded,
    Money,
    Percent,
    Quantity,
    Ratio,
    Rules,
    Version,
)

__all__ = [
    "Duration",
    "EvidenceContract",
    "EvidenceResult",
    "EvidenceSpan",
    "Field",
    "FieldResult",
    "Finding",
    "Grounded",
    "Money",
    "Percent",
    "Place",
    "Quantity",
    "Ratio",
    "Report",
    "Rules",
    "Source",
    "Unvalidated",
    "UnvalidatedWarning",
    "Validated",
    "Version",
    "highlight",
    "repair_text",
]
