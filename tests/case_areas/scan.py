"""The document scan: one text, and all that is known given as data."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from halt_rag.scan.corpus import Corpus, paper_of
from halt_rag.scan.document import Document
from halt_rag.scan.engine import Finding, Findings, examine
from halt_rag.scan.knowledge import Knowledge, Packages, Tracker
from halt_rag.scan.report import audit_of
from halt_rag.scan.tree import MemoryTree
from tests.case_areas import Case, Check

_NAME = "scan_context_default.json"
_OWN = Path(__file__).parents[1] / "scan" / _NAME


def _default() -> dict[str, Any]:
    """The context that cases start from: the one beside the file of cases on the command line, else our own."""
    beside = (Path(argument).parent / _NAME for argument in sys.argv[1:] if argument.endswith(".json"))
    file = next((place for place in beside if place.is_file()), _OWN)
    context: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return context


def _context(given: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**(_default() if given["base"] == "default" else {}), **given.get("set", {})}
    return {key: value for key, value in merged.items() if key not in given.get("unset", ())}


def _tracker(given: Mapping[str, Any] | None) -> Tracker | None:
    if given is None:
        return None
    available = given.get("tracker") == "available"
    return Tracker(available, frozenset(given.get("existing", ())), given.get("highest", 0))


def _packages(given: Mapping[str, Any] | None) -> Packages | None:
    if given is None:
        return None
    listed = {"npm": given.get("npm"), "python": given.get("pypi_imports")}
    imports = {name: frozenset(names) for name, names in listed.items() if names is not None}
    return Packages(given.get("index") == "available", imports)


def known_from(given: Mapping[str, Any]) -> Knowledge:
    """The knowledge that a case's context describes."""
    context = _context(given)
    papers = context.get("corpus")
    major, minor = str(context.get("python", "3.11")).split(".")[:2]
    return Knowledge(
        files=MemoryTree(context.get("files", ()), context.get("file_contents")),
        today=date.fromisoformat(context.get("today", "2026-11-30")),
        corpus=None if papers is None else Corpus(paper_of(key, value) for key, value in papers.items()),
        tracker=_tracker(context.get("issues")),
        packages=_packages(context.get("packages")),
        requirements=frozenset(context["use_cases"]) if "use_cases" in context else None,
        python=(int(major), int(minor)),
        aliases=context.get("aliases", {}),
        entities=frozenset(context["entities"]) if "entities" in context else None,
    )


def _place(document: Document, finding: Finding) -> dict[str, Any]:
    line, column = document.lines.position(finding.outcome.span.start)
    return {"line": line, "column": column, "match": finding.outcome.span.of(document.text)}


def _detected(document: Document, findings: list[Finding]) -> list[dict[str, Any]]:
    return [
        {"type": item.type.value, "severity": item.severity.value, **_place(document, item)}
        | ({"note": item.outcome.note} if item.outcome.note else {})
        for item in findings
    ]


def actual_of(given: Mapping[str, Any]) -> tuple[dict[str, Any], Findings]:
    """What the scan says about a case's text, in the form of its ``expected``."""
    document = Document(given["path"], given["text"], content_type=given.get("content_type"))
    found = examine(document, known_from(given["context"]))
    suppressed = _detected(document, found.having("detected", suppressed=True))
    abstained = [
        {"check": item.outcome.check, **_place(document, item), "reason": item.outcome.reason}
        for item in found.having("abstained")
    ]
    return {
        "detections": _detected(document, found.having("detected")),
        "abstained": abstained,
        "suppressed": suppressed,
        "citation_audit": [entry.model_dump() for entry in audit_of(found)],
        "crashed": found.crashed,
    }, found


def _run(case: Case) -> Check:
    """Compares what a case names. Notes explain in free words and are not compared."""
    actual, _ = actual_of(case["input"])
    expected: dict[str, Any] = case["expected"]
    passed = not actual["crashed"]
    for key, wanted in expected.items():
        passed = passed and _same(wanted, actual[key])
    return Check(passed, actual)


def _same(wanted: list[dict[str, Any]], actual: list[dict[str, Any]]) -> bool:
    """Whether the two lists say the same, in the keys that are wanted, in any order."""
    left = list(actual)
    for entry in wanted:
        keys = entry.keys() - {"note"}
        match = next((other for other in left if all(other.get(key) == entry[key] for key in keys)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


RUNNERS = {"scan": _run}
