"""From rows to a report."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from halt_rag import ConfigurationError, HaltRagVerifier, InputError
from halt_rag.learn.evaluate import evaluate as evaluate_with
from halt_rag.learn.evaluate import table, write
from halt_rag.learn.rows import LabelledRow
from halt_rag.nli.fake import FakeNLI
from tests.verify.support import task_model

GOOD = "The dam {} was built in 1967."
ROWS = [
    LabelledRow(
        source=GOOD.format(i),
        generated=GOOD.format(i) if good else f"Bread {i} is baked in Rome.",
        label="supported" if good else "hallucinated",
        group=str(i),
    )
    for i in range(12)
    for good in (True, False)
]
evaluate = partial(evaluate_with, resamples=20)
GREETING = LabelledRow(source="The dam.", generated="Hello!", label="supported")


def verifier() -> HaltRagVerifier:
    return HaltRagVerifier(backend=FakeNLI(), artifact=task_model(), locate_evidence=False)


@pytest.fixture(scope="module")
def dams() -> dict[str, Any]:
    return evaluate(ROWS, verifier(), name="dams")


def test_a_verifier_that_is_right_scores_one() -> None:
    seen: list[tuple[int, int]] = []
    report = evaluate([*ROWS, GREETING], verifier(), name="dams", progress=lambda *done: seen.append(done))
    assert {m: report["metrics"][m]["value"] for m in ("balanced_accuracy", "auroc", "aupr", "f1", "coverage")} == {
        "balanced_accuracy": 1, "auroc": 1, "aupr": 1, "f1": 1, "coverage": 1,
    }  # fmt: skip
    assert (report["rows"], report["hallucinated"], report["groups"]) == (25, 12, 13)
    assert report["without_probability"] == 1
    assert report["cost"]["pairs"] == 24
    assert report["threshold"] == 0.5
    assert set(report["baselines"]) == {"length", "overlap", "text_only"}
    assert report["baselines"]["overlap"]["auroc"]["value"] > 0.9
    assert report["model"]["artifact"] == task_model().id
    assert seen == [(i, 25) for i in range(1, 26)]


def test_the_report_is_the_same_each_time_save_for_the_seconds(dams: dict[str, Any]) -> None:
    assert evaluate(ROWS, verifier(), name="dams") | {"cost": None} == dams | {"cost": None}


def test_the_hash_tells_rows_apart(dams: dict[str, Any]) -> None:
    assert evaluate([GREETING], verifier())["rows_sha256"] != dams["rows_sha256"]


def test_undecided_rows_count_in_coverage() -> None:
    unsure = LabelledRow(
        source="The dam is old.", generated="The dam is wet and grey.", label="hallucinated", group="x"
    )
    backend = FakeNLI({(str(unsure.source), unsure.generated): (0.8, 0.1, 0.1)})
    one = HaltRagVerifier(backend=backend, artifact=task_model(backend))
    assert one.verify(unsure.source, unsure.generated).decision == "abstain"
    report = evaluate([*ROWS[:6], unsure], one)
    assert report["metrics"]["coverage"]["value"] == pytest.approx(6 / 7)
    assert report["metrics"]["accuracy_on_decided"]["value"] == 1


def test_a_hallucinated_text_that_is_accepted_unchecked_is_a_miss() -> None:
    missed = [LabelledRow(source="The dam.", generated="Hello!", label="hallucinated", group=f"n{i}") for i in range(4)]
    report = evaluate([*ROWS, *missed], verifier())
    metrics = {name: figure["value"] for name, figure in report["metrics"].items()}
    assert report["without_probability"] == 4
    assert report["hallucinated"] == 16
    assert metrics["recall"] == 12 / 16
    assert metrics["balanced_accuracy"] == (12 / 16 + 1) / 2
    assert metrics["accuracy_on_decided"] == 24 / 28
    assert metrics["auroc"] < 1
    assert metrics["brier"] >= 4 / 28
    assert metrics["coverage"] == 1


def test_a_text_that_could_not_be_read_counts_in_coverage_only() -> None:
    passages = ["Bread is baked.", "Fish is sold.", "Wine is drunk."]
    unread = LabelledRow(source=passages, generated="The dam is new.", label="hallucinated", group="x")
    hurried = HaltRagVerifier(backend=FakeNLI(), artifact=task_model(), locate_evidence=False, max_pairs=2)
    assert hurried.verify(passages, unread.generated).abstain_reason == "not_read"
    report, without = evaluate([*ROWS, unread], hurried), evaluate(ROWS, hurried)
    assert report["without_probability"] == 1
    for name, figure in report["metrics"].items():
        expected = 24 / 25 if name == "coverage" else without["metrics"][name]["value"]
        assert figure["value"] == expected, name
    assert report["baselines"] == without["baselines"]


def test_figures_that_are_undefined_are_null() -> None:
    report = evaluate([GREETING], verifier())
    assert report["without_probability"] == 1
    undefined = {name for name, figure in report["metrics"].items() if figure["value"] is None}
    assert undefined == {"balanced_accuracy", "auroc", "aupr", "f1", "precision", "recall"}
    assert report["metrics"]["coverage"]["value"] == 1
    assert report["baselines"] == {}
    json.dumps(report, allow_nan=False)
    assert table(report).count("undefined") == len(undefined)


def test_no_rows_are_refused() -> None:
    with pytest.raises(InputError, match="no rows"):
        evaluate([], verifier())


def test_written_files_hold_the_report(dams: dict[str, Any], tmp_path: Path) -> None:
    write(dams, tmp_path / "new" / "folder")
    assert json.loads((tmp_path / "new" / "folder" / "metrics.json").read_text(encoding="utf-8")) == dams
    text = (tmp_path / "new" / "folder" / "metrics.md").read_text(encoding="utf-8")
    assert text == table(dams)
    assert text.startswith("## dams\n")
    assert "| auroc | 1.000 | 1.000 to 1.000 |" in text
    assert "| overlap baseline: auroc |" in text


def test_a_folder_that_cannot_be_written(dams: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write(dams, tmp_path / "file" / "folder")
