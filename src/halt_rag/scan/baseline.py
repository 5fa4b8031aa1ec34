"""Baselines: the detections that are known, by fingerprint, so that only new ones fail a build."""

from __future__ import annotations

import json
from pathlib import Path

from halt_rag.errors import InputError
from halt_rag.scan.report import ScanReport

_VERSION = "1.0"


def write_baseline(report: ScanReport, file: Path) -> int:
    """Writes the detections of a report, new and known; how many.

    The file has no line numbers and no times: it changes only where detections come or go.
    """
    entries = sorted(
        {
            (d.target.path, x.type.value, x.claim, x.fingerprint)
            for d in report.documents
            for x in d.detections
            if x.state != "suppressed"
        }
    )
    keys = ("path", "type", "claim", "fingerprint")
    data = {"version": _VERSION, "detections": [dict(zip(keys, entry, strict=True)) for entry in entries]}
    file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return len(entries)


def read_baseline(file: Path) -> frozenset[str]:
    """The fingerprints of a baseline.

    Raises:
        InputError: If the file is no baseline.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8-sig"))
        return frozenset(str(entry["fingerprint"]) for entry in data["detections"])
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{file} is not a baseline of halt-rag scan.") from error
