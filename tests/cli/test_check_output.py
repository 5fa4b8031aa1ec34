from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from halt_rag.cli.check_output import check_output

app = typer.Typer()
app.command()(check_output)

GOOD = {
    "response_begin": 0,
    "response_end": 4,
    "response_text": "Hi. ",
    "faithfulness": "NA",
    "explanation": "a greeting",
}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_files_without_an_offence_exit_0(tmp_path: Path) -> None:
    file = tmp_path / "good.json"
    file.write_text(json.dumps([GOOD]), encoding="utf-8")
    result = run("--function", "hallucination_detection", file)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr == "1 outputs checked, 0 offences\n"


def test_each_offence_has_its_line_in_the_order_of_the_records(tmp_path: Path) -> None:
    file = tmp_path / "outputs.jsonl"
    bad = [{**GOOD, "faithfulness": "maybe", "explanation": None}, {"response_begin": 0}]
    file.write_text("\n".join([json.dumps([GOOD]), "", json.dumps(bad), '[{"respo']) + "\n", encoding="utf-8")
    result = run("--function", "hallucination_detection", file)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    fields = [line.removeprefix(f"{file}:").split(": ")[:3] for line in lines]
    assert fields[:6] == [
        ["3", "record 0", "faithfulness"],
        ["3", "record 0", "explanation"],
        ["3", "record 1", "explanation"],
        ["3", "record 1", "faithfulness"],
        ["3", "record 1", "response_end"],
        ["3", "record 1", "response_text"],
    ]
    assert lines[6].startswith(f"{file}:4: (output): ")
    assert len(lines) == 7
    assert result.stderr == "3 outputs checked, 7 offences\n"


def test_a_json_file_may_hold_several_outputs_that_are_objects(tmp_path: Path) -> None:
    file = tmp_path / "checks.json"
    file.write_text('[{"requirement_check": {"score": 1}}, {"requirement_check": {"score": 2}}]', encoding="utf-8")
    result = run("--function", "requirement-check", file)
    assert result.exit_code == 1
    assert result.stdout == f"{file}: record 1: requirement_check.score: must be from 0 to 1, not 2\n"


def test_lines_reads_any_file_as_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "outputs.txt"
    file.write_text('{"correction": "x"}\n{"correct": "x"}\n', encoding="utf-8")
    assert run("--function", "factuality-correction", "--lines", file).stdout == f"{file}:2: correction: is missing\n"


def test_a_line_separator_inside_a_string_ends_no_line(tmp_path: Path) -> None:
    file = tmp_path / "outputs.jsonl"
    file.write_text('{"correction": "one\u2028two\u0085three"}\n', encoding="utf-8")
    assert run("--function", "factuality-correction", file).exit_code == 0


def test_keys_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "outputs.json"
    file.write_text('{"score": 1, "\\u001b[2J\\nforged": NaN}', encoding="utf-8")
    result = run("--function", "factuality-detection", file)
    assert result.stdout.count("\n") == 1
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("function", "content", "message"),
    [
        ("hallucination-detection", b"[]", "Did you mean 'hallucination_detection'?"),
        ("citations", b"\xff", "not UTF-8"),
        ("citations", None, "cannot be read"),
    ],
)
def test_what_cannot_be_checked_exits_2(tmp_path: Path, function: str, content: bytes | None, message: str) -> None:
    file = tmp_path / "outputs.json"
    if content is not None:
        file.write_bytes(content)
    result = run("--function", function, file)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_malformed_file_does_not_hide_the_others(tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text("nonsense", encoding="utf-8")
    second.write_text("[{}]", encoding="utf-8")
    lines = run("--function", "citations", first, second).stdout.splitlines()
    assert lines[0].startswith(f"{first}: (output): ")
    assert len(lines) == 8
