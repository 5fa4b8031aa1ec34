"""The pre-commit hook and the GitHub Action at the root: what they run, run on a sample."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent


def loaded(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    (tmp_path / "refs").mkdir()
    (tmp_path / "refs" / "REF-021-x.md").write_text("# REF-021: X\n", encoding="utf-8")
    (tmp_path / "bad page.md").write_text("See REF-999.\n", encoding="utf-8")
    (tmp_path / "good.md").write_text("See REF-021.\n", encoding="utf-8")
    return tmp_path


def ran(command: list[str], folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path, **env}, capture_output=True, text=True, check=False
    )


def test_the_hook_is_a_hook() -> None:
    (hook,) = loaded(".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language"} <= hook.keys()
    assert hook["language"] == "python"
    extra = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'"{needed}"' in extra for needed in hook["additional_dependencies"])


def test_pre_commit_accepts_the_hook() -> None:
    clientlib = pytest.importorskip("pre_commit.clientlib", reason="pre-commit is not installed")
    (hook,) = clientlib.load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))
    assert hook["id"] == "halt-rag-scan"


@pytest.mark.parametrize(("names", "code"), [(["good.md"], 0), (["bad page.md", "good.md"], 1)])
def test_what_the_hook_runs(sample: Path, names: list[str], code: int) -> None:
    (hook,) = loaded(".pre-commit-hooks.yaml")
    done = ran([*shlex.split(hook["entry"]), *names], sample)
    assert done.returncode == code
    assert ("bad page.md:1:5: critical" in done.stdout) == bool(code)


def step(name: str) -> Any:
    return next(step for step in loaded("action.yml")["runs"]["steps"] if step.get("name") == name)


@pytest.mark.parametrize(
    ("inputs", "code", "shown"),
    [
        ({"PATHS": "good.md\n"}, 0, ""),
        ({"PATHS": "bad page.md\ngood.md\n"}, 1, "::error file=bad page.md,line=1"),
        ({"PATHS": ".", "ARGUMENTS": "--fail-on\nnever\n", "FORMAT": "text"}, 0, "1 new detections"),
        ({"PATHS": ".", "FORMAT": "sarif", "OUTPUT": "out file.sarif"}, 1, ""),
        ({"PATHS": "$(touch stolen); `touch stolen`"}, 2, ""),
        ({"PATHS": "-good.md"}, 2, ""),
    ],
)
def test_the_step_of_the_action(sample: Path, inputs: dict[str, str], code: int, shown: str) -> None:
    given = {"FORMAT": "github", "OUTPUT": "", "ARGUMENTS": "", **inputs}
    output = sample / "output"
    env = {f"HALT_RAG_{name}": value for name, value in given.items()}
    assert env.keys() == step("Scan")["env"].keys()
    done = ran(["bash", "-eo", "pipefail", "-c", step("Scan")["run"]], sample, GITHUB_OUTPUT=str(output), **env)
    assert done.returncode == code, done.stderr
    assert shown in done.stdout
    assert output.read_text(encoding="utf-8") == f"exit-code={code}\n"
    assert (sample / "out file.sarif").exists() == (given["OUTPUT"] != "")
    assert not (sample / "stolen").exists()


def test_no_input_is_pasted_into_a_script() -> None:
    action = loaded("action.yml")
    for one in action["runs"]["steps"]:
        assert "${{" not in one.get("run", "")
    assert action["runs"]["using"] == "composite"
    assert all("description" in given for given in action["inputs"].values())
