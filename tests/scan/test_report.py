from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError

from halt_rag.scan.docs import rule_pages
from halt_rag.scan.outcome import DetectionType, Severity
from halt_rag.scan.policy import Policy
from halt_rag.scan.report import Results, ScanReport, document_report, scan_report
from tests.case_areas.scan import known_from
from tests.scan.support import examined

ROOT = Path(__file__).parents[2]
TEXT = "REF-999 and REF-021.\n\nLatency fell by 40%.\n\narXiv:2312.10997\n\n<!-- halt-rag: off -->\nREF-998\n"


def report(text: str = TEXT) -> ScanReport:
    document, found = examined(text, known=known_from({"base": "default"}))
    return scan_report([document_report(document, found, Policy())], [], ["HR105"])


def test_the_schema_is_valid_and_the_report_keeps_it() -> None:
    schema = ScanReport.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    validator.validate(json.loads(report().model_dump_json()))
    assert schema["$id"].startswith("https://")


def test_the_published_schema_is_current() -> None:
    published = ROOT / "docs" / "schema" / "scan-report.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == ScanReport.json_schema()


def test_the_published_rule_pages_are_current() -> None:
    folder = ROOT / "docs" / "rules"
    pages = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.md")}
    assert pages == rule_pages()


def test_counts_add_up() -> None:
    results = report().results
    assert (results.verified, results.hallucinated, results.suspicious) == (1, 2, 0)
    assert (results.not_checked, results.suppressed, results.total_claims) == (1, 1, 5)
    assert results.confidence_score == pytest.approx(1 / 3)


def test_nothing_to_check_has_no_confidence() -> None:
    results = report("Nothing to check here.\n").results
    assert results.total_claims == 0
    assert results.confidence_score is None


@pytest.mark.parametrize(
    "change",
    [
        {"total_claims": 1},
        {"verified": -1},
        {"confidence_score": 0.5},
        {"confidence_score": None},
        {"hallucinated": 5},
    ],
)
def test_counts_that_do_not_add_up_are_refused(change: dict[str, object]) -> None:
    good = report().results.model_dump()
    with pytest.raises(ValidationError):
        Results.model_validate({**good, **change})


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("timestamp",), "yesterday"),
        (("scan_id",), "not-a-uuid"),
        (("documents", 0, "detections", 0, "location", "line"), -3),
        (("documents", 0, "detections", 0, "type"), "gossip"),
        (("documents", 0, "target", "hash"), "sha256:x"),
        (("documents", 0, "results", "verified"), 5),
    ],
)
def test_malformed_reports_are_refused(keys: tuple[str | int, ...], value: object) -> None:
    data = json.loads(report().model_dump_json())
    inner = data
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    with pytest.raises(ValidationError):
        ScanReport.model_validate(data)
    validator = jsonschema.Draft202012Validator(
        ScanReport.json_schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    if keys[-1] not in {"timestamp", "verified"}:  # Formats need an optional checker; sums are beyond JSON Schema.
        assert not validator.is_valid(data)


def test_a_report_survives_json() -> None:
    one = report()
    assert ScanReport.model_validate_json(one.model_dump_json()) == one


def test_the_enumerations_are_those_of_the_report() -> None:
    schema = ScanReport.json_schema()["$defs"]
    assert len(schema["DetectionType"]["enum"]) == len(DetectionType) == 14
    assert schema["Severity"]["enum"] == list(Severity) == ["critical", "high", "medium", "low"]


def test_the_audit_keeps_the_worst_status() -> None:
    (document,) = report("REF-045 is fine, REF-045 (2019) is not. REF-1 too.\n").documents
    assert [(entry.ref_id, entry.status) for entry in document.citation_audit] == [
        ("REF-045", "inconsistent"),
        ("REF-1", "malformed"),
    ]


def test_locations_lie_inside_the_document() -> None:
    (document,) = report("x\r\ny REF-999").documents
    (detection,) = document.detections
    place = detection.location
    assert (place.line, place.column, place.end_line, place.end_column) == (2, 3, 2, 10)
    assert detection.action == "block_and_fix"
