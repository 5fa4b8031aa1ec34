"""The examples of docs/service.md and docs/adapters.md that tests/test_docs.py does not run: shell, and frameworks."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from halt_rag.cli.app import app
from halt_rag.service import run
from halt_rag.service.settings import Settings, is_loopback
from tests.service.conftest import Server, served

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
SERVICE = (DOCS / "service.md").read_text(encoding="utf-8")
BLOCKS = FENCE.findall(SERVICE)
CURLS = [
    (code, following)
    for (kind, code), following in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True)
    if "curl " in code
]
SERVES = [line for _, code in BLOCKS for line in code.splitlines() if "halt-rag serve" in line]
ADAPTERS = FENCE.findall((DOCS / "adapters.md").read_text(encoding="utf-8"))
SCRIPTS = [(code, output) for (kind, code), (_, output) in pairwise(ADAPTERS) if kind == "python"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Server]:
    request.getfixturevalue("shipped_model")
    with served(tmp_path_factory.mktemp("docs")) as server:
        yield server


def has(told: Any, expected: Any) -> bool:
    """Whether an answer has everything that a page shows of it."""
    if isinstance(expected, dict):
        return isinstance(told, dict) and all(
            name in told and has(told[name], value) for name, value in expected.items()
        )
    return bool(told == expected)


@pytest.mark.parametrize(("code", "following"), CURLS, ids=range(len(CURLS)))
def test_curl(server: Server, code: str, following: tuple[str, str], tmp_path: Path) -> None:
    command = "\n".join(line for line in code.splitlines() if not line.startswith("halt-rag serve"))
    assert "localhost:8000" in command
    command = command.replace("localhost:8000", server.url)
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    kind, expected = following
    assert kind == "json"
    assert has(json.loads(done.stdout), json.loads(expected)), done.stdout


def test_there_are_such_examples() -> None:
    assert len(CURLS) == 4
    assert SERVES[0] == "halt-rag serve &"
    assert len(SCRIPTS) == 2


@pytest.mark.parametrize("line", SERVES)
def test_serve(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Settings] = []
    monkeypatch.setattr(run, "serve", given.append)
    words = shlex.split(line.replace("$(openssl rand -hex 24)", "0123456789abcdef0123456789abcdef").removesuffix("&"))
    at = words.index("halt-rag")
    for name, value in (word.split("=", 1) for word in words[:at]):
        monkeypatch.setenv(name, value)
    result = CliRunner().invoke(app, words[at + 1 :])
    assert result.exit_code == 0, result.output
    assert len(given) == 1
    assert is_loopback(given[0].host) or given[0].api_key_hashes


def test_the_python_of_the_service_page() -> None:
    (code,) = [code for kind, code in BLOCKS if kind == "python"]
    names: dict[str, Any] = {}
    exec(compile(code, "docs/service.md", "exec"), names)  # noqa: S102 - our own page
    assert names["app"].title == "halt-rag"


def test_the_table_of_settings_is_complete() -> None:
    rows = [f"| `{name}` | {default} | {description} |" for name, default, description in settings_rows()]
    assert "\n".join(rows) in SERVICE, "\n".join(rows)


def settings_rows() -> Iterator[tuple[str, str, str]]:
    for name, field in Settings.model_fields.items():
        default = field.default
        told = (
            ""
            if default is None or default in ((), {})
            else str(default).lower()
            if isinstance(default, bool)
            else str(default)
        )
        yield name, told, field.description or ""


@pytest.mark.parametrize(("code", "output"), SCRIPTS, ids=["langchain", "llamaindex"])
def test_adapters(code: str, output: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("shipped_model")
    package = "langchain_core" if "langchain_core" in code else "llama_index"
    if not find_spec(package):
        pytest.skip(f"{package} is not installed")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == output
