"""The commands of the pipeline from the outside, on a small HaluEval of our own and a backend without a model."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from halt_rag.cli import extract_features
from halt_rag.cli import pipeline as shared
from halt_rag.cli.app import app
from halt_rag.learn.extract import Estimate
from halt_rag.learn.halueval import FILES, git_blob
from halt_rag.learn.pipeline import extractor
from halt_rag.nli.onnx_folder import OnnxNLI
from halt_rag.nli.parity_record import ParityError
from tests.learn.halueval_small import write_data
from tests.nli.test_onnx_folder import export

CONFIG = """
task: qa
data: {limit: 0, hypothesis: question_answer}
inference: {models: [{name: fake, backend: fake}]}
calibration: {method: platt}
threshold: {min_precision: 0.6}
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory with settings and a data file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qa.yaml").write_text(CONFIG, encoding="utf-8")
    write_data(tmp_path / "data" / "halueval", records=40)
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def qa(command: str, *more: str) -> Result:
    return run(command, "--task", "qa", "--config", "qa.yaml", *more)


def test_from_data_to_results(work: Path) -> None:
    extracted = qa("extract-features")
    assert extracted.exit_code == 0, extracted.stderr
    assert "80 examples: about" in extracted.stderr
    assert "runs/qa/features.parquet: 80 examples, 38 features" in extracted.stdout
    again = qa("extract-features")
    assert " 0 pairs scored" in again.stdout, "all from the cache"
    trained = qa("train")
    assert trained.exit_code == 0, trained.stderr
    assert "out of fold: f1" in trained.stdout
    measured = qa("evaluate", "--resamples", "5")
    assert measured.exit_code == 0, measured.stderr
    assert measured.stdout.startswith("# HaluEval, out of fold")
    meta = json.loads((work / "evaluation_results/qa/oof_meta.json").read_text(encoding="utf-8"))
    assert meta["rows"] == 80
    assert json.loads((work / "runs/qa/model.json").read_text(encoding="utf-8"))["kind"] == "text"


def test_recalibrating(work: Path) -> None:
    for command in ("extract-features", "train"):
        assert qa(command).exit_code == 0
    own = work / "own.jsonl"
    rows = [
        {"source": f"Mill {i} is old. It has {i} wheels.", "question": "How many?",
         "generated": f"Mill {i} has {i if good else i + 1} wheels.", "group": str(i),
         "label": "supported" if good else "hallucinated"}
        for i in range(60) for good in (True, False)
    ]  # fmt: skip
    own.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    arguments = ("calibrate", "--task", "qa", "--data", "own.jsonl", "--config", "qa.yaml", "--output", "new.json")
    done = run(*arguments, "--model", "runs/qa/model.json", "--precision", "0.8", "--confidence", "0.9")
    assert done.exit_code == 0, done.stderr
    assert "| figure | before | after, cross-fitted |" in done.stdout
    assert "precision of at least 0.8 at 90% confidence: " in done.stdout
    new = json.loads((work / "new.json").read_text(encoding="utf-8"))
    assert new["floor"]["tested_rows"] == 30
    assert new["head"] == json.loads((work / "runs/qa/model.json").read_text(encoding="utf-8"))["head"]
    artifact = done.stdout.split(", ")[0].removeprefix("new.json: ")
    ours = ("--backend", "fake", "--model", "new.json")
    for more in ([], ["--task", "qa"]):
        measured = run("evaluate", *ours, "--data", "own.jsonl", *more)
        assert f"artifact {artifact}." in measured.stdout, measured.stderr
    texts = ("--source", "Mill 3 has 3 wheels.", "--generated", "Mill 3 has 3 wheels.")
    verified = run("verify", *ours, *texts, "--format", "json")
    assert json.loads(verified.stdout)["model"]["artifact"] == artifact, verified.stderr
    other = run("verify", *ours, *texts, "--task", "dialogue")
    assert (other.exit_code, other.stdout) == (2, "")
    assert "new.json is a task model for 'qa', not for 'dialogue'" in other.stderr
    other_task = (
        *arguments[:2],
        "dialogue",
        "--data",
        "own.jsonl",
        "--output",
        "x.json",
        "--model",
        "runs/qa/model.json",
    )
    with_fake = work / "dialogue.yaml"
    with_fake.write_text(CONFIG.replace("task: qa", "task: dialogue"), encoding="utf-8")
    refused = run(*other_task, "--config", "dialogue.yaml")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "model.json is a task model for 'qa', not for 'dialogue'" in refused.stderr
    named = work / "named.yaml"
    named.write_text(CONFIG + "model: runs/qa/model.json\n", encoding="utf-8")
    kept = "{guarantee: {precision: 0.6, confidence: 0.99, test_share: 0.25}}"
    floors = work / "floors.yaml"
    floors.write_text(CONFIG.replace("{min_precision: 0.6}", kept) + "model: runs/qa/model.json\n", encoding="utf-8")
    for settings, options, confidence, tested in (
        ("named.yaml", ("--precision", "0.6"), 0.9, 30),
        ("floors.yaml", (), 0.99, 15),
        ("floors.yaml", ("--confidence", "0.5"), 0.5, 15),
        ("floors.yaml", ("--precision", "0.7"), 0.99, 15),
    ):
        written = (*arguments[:5], "--config", settings, "--output", "again.json")
        assert run(*written, *options).exit_code == 0
        floor = json.loads((work / "again.json").read_text(encoding="utf-8"))["floor"]
        assert (floor["confidence"], floor["tested_rows"]) == (confidence, tested)
    alone = run(*arguments, "--confidence", "0.9")
    assert (alone.exit_code, "Give --precision, too" in alone.stderr) == (2, True)
    missing = run(*arguments)
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "No task model ships for fake" in missing.stderr


def test_a_large_run_is_confirmed_first(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract_features, "LARGE", 10)
    for answer in ("n\n", None):
        refused = CliRunner().invoke(app, ["extract-features", "--task", "qa", "--config", "qa.yaml"], input=answer)
        assert refused.exit_code == 2
        assert "not confirmed. Give --yes" in refused.stderr
        assert not (work / "runs").exists()
    assert qa("extract-features", "--yes").exit_code == 0


def test_a_large_run_needs_models_that_passed_the_gate(work: Path) -> None:
    settings = shared.settings("qa", Path("qa.yaml"))
    made = extractor(settings, shared.models(settings, Path("scores.sqlite"), None))
    extract_features.require_passes(made, Estimate(1, {"fake": 10**6}, [], None), work / "none", unverified=False)
    made.backends = {"tiny": OnnxNLI(export(work / "tiny"))}
    large = Estimate(1, {"tiny": 1_000}, [], None)
    with pytest.raises(ParityError, match="--unverified"):
        extract_features.require_passes(made, large, work / "none", unverified=False)
    extract_features.require_passes(made, large, work / "none", unverified=True)
    extract_features.require_passes(made, Estimate(1, {"tiny": 999}, [], None), work / "none", unverified=False)


def test_limit_and_schema(work: Path) -> None:
    assert "20 examples, 11 features" in qa("extract-features", "--limit", "10", "--schema", "paper").stdout
    mismatch = qa("train")
    assert mismatch.exit_code == 2
    assert "made with other settings" in mismatch.stderr


def test_download_from_a_file(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_data(work / "elsewhere", records=4)
    blob, size = git_blob(source)
    monkeypatch.setitem(FILES, "qa", replace(FILES["qa"], blob=blob, size=size))
    done = run("download-data", "--task", "qa", "--from", str(source), "--data-dir", "new")
    assert done.exit_code == 0, done.stderr
    assert done.stdout == f"new/qa_data.json  (from {source})\n"
    assert "was there already" in run("download-data", "--task", "qa", "--data-dir", "new").stdout
    assert (work / "new" / "qa_data.json").read_bytes() == source.read_bytes()


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["extract-features", "--task", "qaa"], "There is no HaluEval task named 'qaa'. Did you mean 'qa'?"),
        (["extract-features", "--task", "dialogue", "--config", "qa.yaml"], "qa.yaml is for the task 'qa'"),
        (["extract-features", "--task", "qa", "--schema", "papers"], "Did you mean 'paper'?"),
        (["extract-features", "--task", "dialogue", "--data-dir", "no"], "halt-rag download-data --task dialogue"),
        (["train", "--task", "qa"], "halt-rag extract-features"),
        (["evaluate", "--task", "qa"], "halt-rag extract-features"),
        (["evaluate"], "Give --data FILE, or --task qa"),
        (["evaluate", "--task", "qa", "--model", "qa.json"], "--model: only with --data"),
        (["evaluate", "--data", "x", "--config", "qa.yaml", "--bench", "b"], "--config, --bench: not with --data"),
        (["download-data", "--task", "qaa"], "Did you mean 'qa'?"),
        (["download-data", "--task", "qa", "--from", "missing", "--data-dir", "x"], "missing cannot be read"),
        (["calibrate", "--task", "qa", "--data", "missing", "--output", "x"], "missing cannot be read"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_one_script_runs_all(work: Path) -> None:
    """With the task's file already there; the fake backend comes from the settings."""
    source = work / "data" / "halueval" / "qa_data.json"
    script = Path(__file__).parents[2] / "scripts" / "run_pipeline.py"
    done = subprocess.run(
        [sys.executable, str(script), "--task", "qa", "--config", "qa.yaml", "--yes", "--from", str(source)],
        capture_output=True,
        text=True,
        check=False,
        cwd=work,
    )
    assert done.returncode == 2, "our file is not HaluEval's, so the first step refuses it"
    assert "$ halt-rag download-data --task qa" in done.stdout
    assert "git blob hash" in done.stderr
    assert "extract-features" not in done.stdout, "the first failure ends the run"
