"""Workflow commands of GitHub Actions, which become annotations."""

from __future__ import annotations

from collections import Counter

from halt_rag.scan.outcome import Severity
from halt_rag.scan.report import ScanReport

_COMMAND = {Severity.CRITICAL: "error", Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}
_SHOWN = 10  # GitHub shows this many of a kind for each step.


def to_github(report: ScanReport) -> str:
    """One command per new detection, the worst first; what GitHub would not show is said in one last notice."""
    lines, shown, left = [], Counter[str](), 0
    for path, detection in sorted(report.detections, key=lambda item: item[1].severity.rank):
        command = _COMMAND[detection.severity]
        shown[command] += 1
        if shown[command] > _SHOWN - (command == "notice"):
            left += 1
            continue
        place = detection.location
        properties = {
            "file": path,
            "line": place.line,
            "endLine": place.end_line,
            "col": place.column,
            "endColumn": place.end_column,
            "title": f"{detection.rule} {detection.type}",
        }
        written = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
        said = detection.note or detection.evidence.actual
        lines.append(f"::{command} {written}::{_data(f'{detection.claim}: {said}. {detection.suggestion}'.strip())}")
    if left:
        lines.append(f"::notice title=halt-rag::{left} more detections are in the log and in the SARIF report.")
    return "".join(f"{line}\n" for line in lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
