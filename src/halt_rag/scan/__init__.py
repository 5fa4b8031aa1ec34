"""Scanning documents for what is provably or probably made up: citations, references, numbers, packages.

``scan`` needs no model and no network. What cannot be checked is reported as not checked, never as false.
"""

from __future__ import annotations

from halt_rag.scan.api import scan
from halt_rag.scan.baseline import read_baseline, write_baseline
from halt_rag.scan.outcome import DetectionType, Severity
from halt_rag.scan.policy import Policy, Settings, read_settings
from halt_rag.scan.report import Detection, DocumentReport, ScanReport

__all__ = [
    "Detection",
    "DetectionType",
    "DocumentReport",
    "Policy",
    "ScanReport",
    "Settings",
    "Severity",
    "read_baseline",
    "read_settings",
    "scan",
    "write_baseline",
]
