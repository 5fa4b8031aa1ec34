"""From features to results, on made-up data whose truth is known."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halt_rag.errors import ArtifactMismatchError, InputError
from halt_rag.learn.metrics import Outcomes
from halt_rag.learn.pipeline import Places, evaluate_task, excluded_ids, fit, write_model
from halt_rag.learn.plots import write_plots
from halt_rag.learn.results import oof_meta
from halt_rag.learn.summary import PAPER, write_summary
from halt_rag.learn.table import write_table
from halt_rag.learn.train import train
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIBackend
from halt_rag.verify.config import Config
from tests.learn.halueval_small import rows_for, table, write_data


def config(task: str = "qa", **sections: Any) -> Config:
    return Config.model_validate(
        {
            "task": task,
            "inference": {"models": [{"name": "fake", "backend": "fake"}]},
            "features": {"schema": "paper"},
            "calibration": {"method": "platt"},
            **sections,
        }
    )


@pytest.fixture(scope="module")
def meta() -> dict[str, Any]:
    made = table(400)
    return oof_meta(train(made, config()), rows_for(made), config(), resamples=20)


def test_figures_stand_beside_their_baselines(meta: dict[str, Any]) -> None:
    json.dumps(meta, allow_nan=False)
    assert meta["rows"] == 400
    assert meta["precision_at_prec_ge0.70"] >= 0.70
    assert meta["f1_at_prec_ge0.70"] > 0.8
    assert meta["auroc"] > 0.9 > meta["baselines"]["length"]["auroc"]["value"] > 0.6
    assert set(meta["baselines"]) >= {"length", "overlap", "five_lexical_features"}
    assert meta["always_hallucinated_f1"] == pytest.approx(2 / 3)
    low, high = meta["intervals"]["auroc"]
    assert low < meta["auroc"] < high


def test_length_is_at_chance_on_the_matched_part_and_the_model_is_not(meta: dict[str, Any]) -> None:
    matched = meta["length_matched"]
    assert matched["rows"] >= 100
    assert matched["words_alone"]["auroc"]["value"] == pytest.approx(0.5)
    assert matched["model"]["auroc"]["value"] > 0.85
    assert matched["baselines"]["length"]["auroc"]["value"] == pytest.approx(0.5, abs=0.12)


def test_abstention_and_precision(meta: dict[str, Any]) -> None:
    a = meta["abstention"]
    assert a["coverage"] >= 0.9
    assert a["supported_below"] <= meta["threshold"] <= a["hallucinated_from"]
    assert a["accuracy"] > meta["accuracy_at_prec_ge0.70"], "it declines where it is wrong more often"
    covered = list(meta["coverage_at_precision"].values())
    assert [c or 0 for c in covered] == sorted((c or 0 for c in covered), reverse=True)


def test_ablations_show_what_carries_the_signal(meta: dict[str, Any]) -> None:
    """In these rows it is the first feature, the highest P(entailment)."""
    found = meta["ablations"]
    assert found["nli_alone"]["auroc"] > 0.9
    assert found["without_entailment"]["auroc"] < meta["auroc"] - 0.1
    assert abs(found["without_neutral"]["auroc"] - meta["auroc"]) < 0.02


class Fitted(FakeNLI):
    """The model that the made-up features name."""

    @property
    def revision(self) -> str:
        return "r1"


def fakes() -> dict[str, NLIBackend]:
    return {"fake": Fitted()}


def places(folder: Path) -> Places:
    return Places(folder / "data", folder / "runs", folder / "results")


@pytest.fixture
def trained(tmp_path: Path) -> Places:
    where = places(tmp_path)
    for task in ("qa", "dialogue"):
        write_data(where.data, task, 100)
        write_table(table(200, task=task, seed=len(task)), where.features(task))
        write_model(fit(config(task), where).model, where.model(task))
    return where


def test_a_task_is_measured_and_summed_up(trained: Places) -> None:
    for task in ("qa", "dialogue"):
        evaluate_task(config(task), trained, resamples=5)
    folder = trained.results / "qa"
    assert sorted(p.name for p in folder.rglob("*.*")) == [
        "oof_calibrated_pred.jsonl", "oof_meta.json", "pr.png", "reliability.png", "risk_coverage.png", "roc.png",
    ]  # fmt: skip
    assert all(p.read_bytes()[:4] == b"\x89PNG" for p in (folder / "plots").iterdir())
    meta = json.loads((folder / "oof_meta.json").read_text(encoding="utf-8"))
    assert meta["transfer"]["dialogue"]["rows"] == 200
    assert meta["transfer"]["dialogue"]["figures"]["auroc"]["value"] > 0.8
    summary = (trained.results / "summary.md").read_text(encoding="utf-8")
    assert f"{PAPER['qa']['f1']:.4f}" in summary
    assert f"{meta['f1_at_prec_ge0.70']:.4f}" in summary
    assert "## dialogue" in summary
    assert "baseline: length" in summary


def test_results_of_another_model_are_not_mixed_in(trained: Places) -> None:
    with pytest.raises(
        ArtifactMismatchError, match="--config that it was trained with, or run halt-rag train --task qa again"
    ):
        evaluate_task(config(train={"C": 0.01}), trained, resamples=0)
    with pytest.raises(ArtifactMismatchError, match="other settings"):
        fit(config(windows={"window_tokens": 100}), trained)
    with pytest.raises(ArtifactMismatchError, match="other settings"):
        fit(Config(task="qa"), trained)
    with pytest.raises(ArtifactMismatchError, match="was made with fake; the settings name embedded"):
        fit(config(inference={"preset": "embedded"}), trained)


def test_a_bench_is_read_by_the_models_of_the_features(trained: Places, tmp_path: Path) -> None:
    bench = tmp_path / "bench"
    bench.mkdir()
    lines = [row.model_dump_json() for row in rows_for(table(20))]
    for name in ("set.dev", "set.test"):
        (bench / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")

    with pytest.raises(ArtifactMismatchError, match="running"):
        evaluate_task(config(), trained, bench=(bench, 0), models=lambda: {"fake": FakeNLI()}, resamples=0)
    measured = evaluate_task(config(), trained, bench=(bench, 0), models=fakes, resamples=0)["bench"]
    assert {name: found["rows"] for name, found in measured.items()} == {"set.dev": 20, "set.test": 20}
    (bench / "set.dev.jsonl.gz").write_bytes(gzip.compress(b"\n".join(line.encode() for line in lines)))
    with pytest.raises(InputError, match="twice"):
        evaluate_task(config(), trained, bench=(bench, 0), models=fakes, resamples=0)


@pytest.mark.parametrize("lines", ["123", [3.9], [True], [-1], {"1": 2}])
def test_what_is_no_list_of_line_numbers(tmp_path: Path, lines: object) -> None:
    out = tmp_path / "overlap.json"
    out.write_text(json.dumps({"qa_pair_ids": lines}), encoding="utf-8")
    with pytest.raises(InputError, match="must be a list of line numbers"):
        excluded_ids(out, "qa")


def test_results_of_an_older_version_are_named(trained: Places) -> None:
    old = trained.results / "dialogue" / "oof_meta.json"
    old.parent.mkdir(parents=True)
    old.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="Run halt-rag evaluate --task dialogue again, or delete it"):
        evaluate_task(config(), trained, resamples=0)


def test_records_can_be_left_out_of_training(trained: Places, tmp_path: Path) -> None:
    out = tmp_path / "overlap.json"
    out.write_text(json.dumps({"qa_pair_ids": [0, 7], "note": "x"}), encoding="utf-8")
    assert excluded_ids(out, "qa") == {"qa-0-right", "qa-0-hallucinated", "qa-7-right", "qa-7-hallucinated"}
    assert fit(config(), trained, out).model.fitted_on["rows"] == 196
    assert excluded_ids(None, "qa") == set()
    with pytest.raises(InputError, match="dialogue_pair_ids"):
        excluded_ids(out, "dialogue")
    with pytest.raises(InputError, match="cannot be read"):
        excluded_ids(tmp_path / "missing.json", "qa")


def test_no_results_no_summary(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no results"):
        write_summary(tmp_path)


def test_plots_of_probabilities_with_one_value(tmp_path: Path) -> None:
    p, labels = np.full(20, 0.5), np.arange(20) % 2 == 0
    written = write_plots(Outcomes(labels, p, np.ones(20, dtype=bool), 0.5), tmp_path, title="level")
    assert len(written) == 4
