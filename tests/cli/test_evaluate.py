"""``halt-rag evaluate`` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from halt_rag.cli.app import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["evaluate", "--backend", "fake", *arguments])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "dams.jsonl"
    rows = [
        {"source": f"Dam {i} is old.", "generated": f"Dam {i} is old." if good else "Bread is baked.",
         "label": "supported" if good else "hallucinated", "group": str(i)}
        for i in range(8) for good in (True, False)
    ]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return file


def test_prints_a_table_and_writes_both_files(data: Path, tmp_path: Path) -> None:
    result = run("--data", str(data), "--output", str(tmp_path / "out"))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("## dams.jsonl\n")
    assert "| balanced_accuracy | 1.000 | 1.000 to 1.000 |" in result.stdout
    report = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert report["rows"] == 16
    assert report["cost"]["pairs"] == 16, "evidence is not searched for"
    assert (tmp_path / "out" / "metrics.md").read_text(encoding="utf-8").strip() == result.stdout.strip()


def test_limit_and_cache(data: Path, tmp_path: Path) -> None:
    arguments = ("--data", str(data), "--limit", "3", "--cache", str(tmp_path / "scores.sqlite"))
    for _ in range(2):
        assert "3 rows (1 hallucinated, 2 groups)" in run(*arguments).stdout
    assert (tmp_path / "scores.sqlite").stat().st_size > 0


def test_bad_data_is_named(data: Path) -> None:
    data.write_text(data.read_text() + '\n{"source": "x"}\n', encoding="utf-8")
    result = run("--data", str(data))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "dams.jsonl, line 17: generated: Field required. A row needs" in result.stderr


@pytest.mark.parametrize("arguments", [["--data", "missing.jsonl"], [], ["--data", "x", "--limit", "-1"]])
def test_usage(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
