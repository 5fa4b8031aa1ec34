"""The task models of whole texts that ship: what they are fitted on, and what a user meets with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from halt_rag import HaltRagVerifier
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.verify.config import shipped_config
from halt_rag.verify.result import Verification
from halt_rag.verify.text_features import feature_names
from halt_rag.verify.text_head import TEXT_TASKS, load_text_model, shipped_text_model
from halt_rag.verify.text_model import TextModel
from tests.nli.test_shipped import TIERS

FILES = [(tier, task) for tier in TIERS for task in TEXT_TASKS]
SOURCE = (
    "Paris is the capital of France. It hosts the Louvre museum, opened in 1793. "
    "The Eiffel Tower was built by Gustave Eiffel's company for the fair of 1889."
)


@pytest.fixture(params=FILES, ids="-".join)
def model(request: pytest.FixtureRequest) -> TextModel:
    tier, task = request.param
    (general,) = TIERS[tier][1].glob("*/general.json")
    return load_text_model(general.with_name(f"{task}.json"))


def test_it_is_fitted_on_halueval_as_its_settings_say(model: TextModel) -> None:
    config = shipped_config(model.task)
    assert model.pipeline.reading == config.text_settings()
    assert model.head.features == feature_names("extended", ["embedded"])
    assert model.fitted_on["min_precision"] == config.threshold.min_precision
    assert model.fitted_on["hallucinated"] * 2 == model.fitted_on["rows"]
    assert model.fitted_on["out_of_fold"]["precision"] >= config.threshold.min_precision
    assert model.fitted_on["out_of_fold"]["coverage"] >= config.abstention.coverage


def test_its_probabilities_rise_with_its_score(model: TextModel) -> None:
    p = [model.calibrator.probability(score / 4) for score in range(-40, 41)]
    assert p == sorted(p)
    assert p[0] < 0.1 < 0.7 < p[-1]


@pytest.fixture(scope="module")
def verifiers() -> dict[str, HaltRagVerifier]:
    backend = EmbeddedNLI(tier="fast")
    return {task: HaltRagVerifier(backend=backend, task=task) for task in ("general", *TEXT_TASKS)}


@pytest.mark.parametrize("task", TEXT_TASKS)
def test_the_first_call_is_calibrated(verifiers: dict[str, HaltRagVerifier], task: str) -> None:
    result = verifiers[task].verify(SOURCE, "The Louvre opened in 1793.", "When did the Louvre open?")
    shipped = shipped_text_model(task, result.model.model_id)
    assert shipped is not None
    assert (result.model.calibrated, result.model.artifact) == (True, shipped.id)
    assert result.calibrated_prob == pytest.approx(shipped.probability(result.feature_breakdown))
    assert set(shipped.head.features) == set(result.feature_breakdown)


@pytest.mark.parametrize(
    ("question", "answer", "decision"),
    [
        ("What is the capital of France?", "Paris", "supported"),
        ("When did the Louvre open?", "1793", "supported"),
        ("What is the capital of France?", "The capital of France is Berlin.", "hallucinated"),
        ("Who built the Eiffel Tower?", "It was built by Napoleon.", "hallucinated"),
        # HaluEval's right answers are words of the source, its wrong ones are sentences. The claims say otherwise here.
        ("What is the capital of France?", "The capital of France is Paris.", "abstain"),
        ("When did the Louvre open?", "The Louvre opened in 1793.", "abstain"),
    ],
)
def test_answers(verifiers: dict[str, HaltRagVerifier], question: str, answer: str, decision: str) -> None:
    result = verifiers["qa"].verify(SOURCE, answer, question)
    assert result.decision == decision
    if decision == "abstain":
        assert result.abstain_reason == "disagreement"
        assert [claim.label for claim in result.claims] == ["faithful"]


@pytest.mark.parametrize("task", TEXT_TASKS)
@pytest.mark.parametrize(
    "generated",
    [
        "Paris",
        "Paris is the capital of France.",
        "The capital of France is Berlin.",
        "I love Paris! Have you seen the Louvre? It opened in 1793.",
        "The Louvre was opened in 1893.",
        "Gustave Eiffel built the Louvre for the fair of 1889, and it was closed in 1793.",
    ],
)
def test_no_verdict_goes_against_the_claims(verifiers: dict[str, HaltRagVerifier], task: str, generated: str) -> None:
    result: Verification = verifiers[task].verify(SOURCE, generated, "What can I see in Paris?")
    claims = verifiers["general"].verify(SOURCE, generated, "What can I see in Paris?")
    assert result.claims == claims.claims
    if claims.decision == "supported":
        assert result.decision != "hallucinated"
    if any(claim.reason == "contradicted" for claim in claims.claims):
        assert result.decision != "supported"


def test_from_the_command_line_without_scikit_learn(tmp_path: Path) -> None:
    (tmp_path / "sklearn.py").write_text("raise ImportError('not here')", encoding="utf-8")
    command = "import sys; sys.path.insert(0, sys.argv.pop(1)); from halt_rag.cli.app import main; main()"
    texts = ["--source", SOURCE, "--question", "What is the capital of France?", "--generated"]
    for generated, code in (("Paris", 0), ("The capital of France is Berlin.", 1), ("It is called Paris.", 3)):
        done = subprocess.run(
            [sys.executable, "-c", command, str(tmp_path), "verify", "--task", "qa", *texts, generated],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
