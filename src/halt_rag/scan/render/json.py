"""The report as JSON, by the published schema."""

from __future__ import annotations

from halt_rag.scan.report import ScanReport


def to_json(report: ScanReport) -> str:
    """The report as indented JSON."""
    return report.model_dump_json(indent=2) + "\n"
