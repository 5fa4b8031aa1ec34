from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from halt_rag.cli.validate import validate
from tests.contracts.evidence.helpers import ABSENT, grounded

app = typer.Typer()
app.command()(validate)

CONTRACT = {"name": "log", "fields": [{"name": "test"}, {"name": "note", "nullable": True, "derived": True}]}
LOG = "one\nFAILED a\n"
GOOD = {"test": grounded("a", 2, "FAILED a"), "note": ABSENT}
WRONG = {"test": grounded("b", 2, "FAILED b\u202e"), "note": ABSENT}
ELSEWHERE = {"test": grounded("a", 1, "FAILED a"), "note": grounded("bad", 2, "FAILED a")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "contract.json").write_text(json.dumps(CONTRACT), encoding="utf-8")
    (tmp_path / "log.txt").write_text(LOG, encoding="utf-8")
    return tmp_path


def run(folder: Path, records: object, *more: str, name: str = "records.json") -> Result:
    file = folder / name
    file.write_text(records if isinstance(records, str) else json.dumps(records), encoding="utf-8")
    given = ["--contract", folder / "contract.json", "--source", folder / "log.txt", "--output-file", file, *more]
    return CliRunner().invoke(app, [str(one) for one in given])


def test_records_without_an_offence_exit_0(folder: Path) -> None:
    for records in (GOOD, [GOOD, GOOD]):
        result = run(folder, records)
        assert (result.exit_code, result.stdout) == (0, "")
    assert "2 records checked, 0 offences" in result.stderr


def test_a_line_for_each_offence(folder: Path) -> None:
    result = run(folder, "\n".join(map(json.dumps, [GOOD, WRONG, ELSEWHERE, [], GOOD])) + "\n{", name="r.jsonl")
    assert result.exit_code == 1
    file = folder / "r.jsonl"
    lines = result.stdout.splitlines()
    assert [line.split(": ")[:3] for line in lines] == [
        [f"{file}:2", "test", "QUOTE_NOT_FOUND"],
        [f"{file}:3", "test", "QUOTE_NOT_IN_SPAN"],
        [f"{file}:4", "record", "RECORD_NOT_OBJECT"],
        [f"{file}:6", "record", "RECORD_NOT_OBJECT"],
    ]
    assert "evidence 1 (line 1): the quote is in the source, but not at the claimed place." in lines[1]
    assert lines[1].endswith("The quote is on line 2 of log.txt.")
    assert "6 records checked, 4 offences, 1 parts unverified" in result.stderr
    assert "it is an array" in lines[2]
    assert "stops too early" in lines[3]
    assert "FLAGS_ONLY_GATE" in result.stderr


def test_each_line_is_one_offence(folder: Path) -> None:
    result = run(folder, {"test": {"value": "a", "evidence": [{"quote": "FAILED a"}]}, "note": ABSENT})
    assert [line.split(": ")[2] for line in result.stdout.splitlines()] == ["SPAN_MISSING", "FLAG_MISSING"]
    assert "1 records checked, 2 offences" in result.stderr
    assert "evidence 1 (no place given)" in result.stdout


def test_relocations_and_unverified_parts(folder: Path) -> None:
    assert run(folder, ELSEWHERE).exit_code == 1
    moved = run(folder, ELSEWHERE, "--apply-relocations")
    assert moved.exit_code == 0
    assert "test: evidence 1 moved to line 2 of log.txt" in moved.stdout
    strict = run(folder, ELSEWHERE, "--apply-relocations", "--unverified-fails")
    assert strict.exit_code == 1
    assert "note: VALUE_DERIVED: evidence 1 (line 2): declared" in strict.stdout


def test_json_and_html(folder: Path) -> None:
    result = run(folder, [WRONG, GOOD], "--format", "json", "--html", str(folder / "page.html"))
    report = json.loads(result.stdout)
    assert (result.exit_code, report["offences"]) == (1, 1)
    assert [record["status"] for record in report["records"]] == ["invalid", "valid"]
    assert "FAILED a" in (folder / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content"),
    [("contract.json", "{"), ("contract.json", '{"fields": [{"name": "a", "type": "x"}]}'), ("log.txt", None)],
)
def test_unusable_files_exit_2(folder: Path, name: str, content: str | None) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content, encoding="utf-8")
    result = run(folder, GOOD)
    assert result.exit_code == 2
    assert result.stderr.startswith("halt-rag: ")


def test_a_page_that_cannot_be_written_exits_2(folder: Path) -> None:
    result = run(folder, GOOD, "--html", str(folder / "no" / "page.html"), "--format", "json")
    assert result.exit_code == 2
    assert "page.html cannot be written" in result.stderr
    assert json.loads(result.stdout)["error"]["code"] == "CONFIGURATION"


def test_records_that_are_no_json_and_unknown_content_types_exit_2(folder: Path) -> None:
    for text in ("{", '[{"test": 1, "test": 2}]', "[" + "9" * 5_000 + "]", "[" * 100_000):
        result = run(folder, text)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("halt-rag: ")
    result = run(folder, GOOD, "--content-type", "pdf", "--format", "json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["status"] == "error"
