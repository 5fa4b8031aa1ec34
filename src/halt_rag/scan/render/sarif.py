"""SARIF 2.1.0 (OASIS), in the subset that GitHub code scanning reads."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from halt_rag.scan.docs import docstring_of, section_of, summary_of
from halt_rag.scan.outcome import Rule, Severity
from halt_rag.scan.report import Detection, ScanReport
from halt_rag.scan.rules import BY_CODE, RULES

_LEVEL = {Severity.CRITICAL: "error", Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}
_PROBLEM = {"error": "error", "warning": "warning", "note": "recommendation"}  # As code scanning names them.
_SITE = "https://halt-rag.github.io"


def to_sarif(report: ScanReport) -> str:
    """The report as SARIF: code-point columns, URIs from the root, suppressed and known detections as suppressions."""
    results = [
        _result(document.target.path, detection) for document in report.documents for detection in document.detections
    ]
    crashed = sorted({code for document in report.documents for code in document.crashed_rules})
    notices = [_notice(f"{item.path} was not read: {item.reason}") for item in report.unread]
    notices += [_notice(f"Rule {code} failed; see the text report.") for code in crashed]
    run = {
        "tool": {"driver": _driver(report)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"description": {"text": "The root of the scan."}}},
        "invocations": [
            {
                "executionSuccessful": not crashed,
                "endTimeUtc": report.timestamp.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "toolExecutionNotifications": notices,
            }
        ],
        "results": results,
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _driver(report: ScanReport) -> dict[str, Any]:
    return {
        "name": "halt-rag",
        "semanticVersion": report.tool_version,
        "informationUri": _SITE,
        "rules": [_descriptor(rule) for rule in RULES],
    }


def _descriptor(rule: Rule) -> dict[str, Any]:
    """A rule with the descriptions that code scanning shows."""
    _, _, body = docstring_of(rule).partition("\n")
    level = _LEVEL[rule.severity]
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": summary_of(rule)},
        "fullDescription": {"text": section_of(rule, "What it does")},
        "help": {"text": body.strip(), "markdown": body.strip()},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": [rule.type.value], "problem.severity": _PROBLEM[level]},
    }


def _result(path: str, detection: Detection) -> dict[str, Any]:
    place = detection.location
    said = detection.note or detection.evidence.actual
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
        "snippet": {"text": detection.claim},
    }
    result: dict[str, Any] = {
        "ruleId": detection.rule,
        "level": _LEVEL[detection.severity],
        "message": {"text": f"{detection.type}: {detection.claim}. {said}. {detection.suggestion}".strip()},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(path), "uriBaseId": "ROOT"},
                    "region": region,
                }
            }
        ],
        "partialFingerprints": {
            "haltRag/v1": detection.fingerprint,
            "primaryLocationLineHash": f"{detection.fingerprint}:1",
        },
        "properties": {"severity": detection.severity, "action": detection.action, "check": detection.check},
    }
    if detection.rule in BY_CODE:
        result["ruleIndex"] = [rule.code for rule in RULES].index(detection.rule)
    if detection.state != "new":
        kind = "inSource" if detection.state == "suppressed" else "external"
        result["suppressions"] = [{"kind": kind, "justification": detection.reason or "Known before."}]
    return result


def _notice(text: str) -> dict[str, Any]:
    return {"level": "warning", "message": {"text": text}}
