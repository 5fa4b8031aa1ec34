"""The schema and the prompt of a typed contract, for callers in other languages."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from halt_rag.cli.app import app
from halt_rag.contracts.evidence import EvidenceContract

CONTRACT = "name: lease\nfields:\n- {name: rent, type: amount, description: Each month.}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lease.yaml").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "lease.txt").write_text("Lease.\nRent: EUR 900.00\n", encoding="utf-8")
    return tmp_path


def run(*arguments: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(a) for a in arguments])
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize("several", [False, True])
def test_the_schema_is_that_of_the_library(folder: Path, *, several: bool) -> None:
    code, printed, _ = run("schema", "--contract", folder / "lease.yaml", *(["--several-sources"] if several else []))
    assert code == 0
    schema = json.loads(printed)
    assert schema == EvidenceContract.load(folder / "lease.yaml").json_schema(several_sources=several)
    jsonschema.Draft202012Validator.check_schema(schema)


def test_the_prompt_numbers_the_lines_and_names_the_fields(folder: Path) -> None:
    code, printed, _ = run("prompt", "--contract", folder / "lease.yaml", "--source", folder / "lease.txt")
    assert code == 0
    assert all(part in printed for part in ("rent", "Each month.", "Rent: EUR 900.00", "2"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["schema", "--contract", "nowhere.yaml"], "nowhere.yaml"),
        (["schema", "--several-sources"], "belongs to --contract"),
        (["prompt", "--contract", "lease.yaml", "--source", "nowhere.txt"], "nowhere.txt"),
    ],
)
def test_what_cannot_be_read_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(folder)
    code, printed, said = run(*arguments)
    assert (code, printed) == (2, "")
    assert message in said
