"""The verifier with a task: the text model's verdict, the general model's claims; and a verifier from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from halt_rag.errors import ArtifactMismatchError, BackendError, ConfigurationError
from halt_rag.learn.extract import Extractor
from halt_rag.learn.rows import LabelledRow
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.verify.artifact import LinearHead
from halt_rag.verify.sources import as_passages
from halt_rag.verify.text_head import TextReader, load_text_model
from halt_rag.verify.text_model import Curve, Platt, TextSettings
from halt_rag.verify.verifier import HaltRagVerifier, Item
from tests.verify.test_text_model import paper_pipeline, text_model

SOURCE = "The dam was built in 1967. It is old."


def tasked(tmp_path: Path) -> tuple[FakeNLI, Path]:
    backend = FakeNLI()
    pipeline = paper_pipeline(backend)
    file = tmp_path / "qa.json"
    file.write_text(text_model(pipeline).model_dump_json(), encoding="utf-8")
    return backend, file


def test_the_verifier_with_a_task(tmp_path: Path) -> None:
    backend, file = tasked(tmp_path)
    verifier = HaltRagVerifier(backend=backend, task="qa", artifact=file)
    plain = HaltRagVerifier(backend=backend, task=None)
    for generated in ("The dam was built in 1967.", "Bread is baked.", "Hello!"):
        one = verifier.verify(SOURCE, generated)
        assert one.claims == plain.verify(SOURCE, generated).claims
        assert one == next(verifier.verify_many([Item(SOURCE, generated)]))
    assert verifier.verify(SOURCE, "Bread is baked.").model.artifact == load_text_model(file).id
    assert verifier.thresholds.threshold == 0.5
    with pytest.raises(ConfigurationError, match="Stream with task='general'"):
        verifier.stream(SOURCE)


def test_the_verifier_gives_the_features_that_the_model_was_fitted_on(tmp_path: Path) -> None:
    """From what it has checked anyway: it asks no more than the verifier of claims and the windows of the text."""
    backend = FakeNLI()
    made = Extractor("extended", TextSettings(claim_windows=2), backends={"fake": backend})
    pipeline = made.reader.pipeline
    model = text_model(pipeline)
    long = ["The dam is old. " * 60, "It was never built in 1967. " * 60, SOURCE]
    rows = [
        LabelledRow(source=source, generated=generated, question=question, label="supported")
        for source in (SOURCE, long)
        for generated, question in (("The dam was built in 1967. It is new.", None), ("In 1967.", " When? "))
    ]
    table = made.table("qa", rows)
    verifier = HaltRagVerifier(backend=backend, task="qa", artifact=model, locate_evidence=False)
    plain = HaltRagVerifier(backend=backend, task=None, locate_evidence=False)
    for row, values in zip(rows, table.values.tolist(), strict=True):
        result = verifier.verify(row.source, row.generated, row.question)
        assert list(result.feature_breakdown.values()) == values
        windows = len(made.reader.read([p.text for p in as_passages(row.source)], row.generated, None).pairs["fake"])
        alone = plain.verify(row.source, row.generated, row.question).receipt.pairs_scored
        assert result.receipt.pairs_scored == alone + windows


def test_before_training_a_task_is_not_calibrated() -> None:
    result = HaltRagVerifier(backend=FakeNLI(), task="qa").verify(SOURCE, "The dam was built in 1967.")
    assert not result.model.calibrated
    assert result.calibrated_prob == pytest.approx(1 - 0.96), "1 - the highest P(entailment)"


def test_from_a_file_of_settings(tmp_path: Path) -> None:
    _, file = tasked(tmp_path)
    settings = tmp_path / "own.yaml"
    fake = f"task: qa\nmodel: {file.name}\ninference: {{models: [{{name: fake, backend: fake}}]}}\n"
    settings.write_text(f"{fake}data: {{hypothesis: answer}}\nfeatures: {{schema: paper}}\n", encoding="utf-8")
    result = HaltRagVerifier.from_config(settings).verify(SOURCE, "The dam was built in 1967.")
    assert (result.decision, result.model.calibrated) == ("supported", True)
    settings.write_text(fake, encoding="utf-8")
    with pytest.raises(
        ArtifactMismatchError, match=r"hypothesis: question_answer, fitted with answer; schema: extended"
    ):
        HaltRagVerifier.from_config(settings)
    ensemble = tmp_path / "two.yaml"
    two = "[{name: roberta, backend: fake}, {name: deberta, backend: fake}]"
    ensemble.write_text(f"task: qa\ninference: {{models: {two}}}\n", encoding="utf-8")
    assert not HaltRagVerifier.from_config(str(ensemble)).verify(SOURCE, "It is old.").model.calibrated


def test_the_path_of_a_task_model_may_be_a_string_and_its_task_counts(tmp_path: Path) -> None:
    backend, file = tasked(tmp_path)
    for task in ("qa", "general"):
        result = HaltRagVerifier(backend=backend, task=task, artifact=str(file)).verify(SOURCE, "Bread is baked.")
        assert result.model.artifact == load_text_model(file).id
    with pytest.raises(ConfigurationError, match="cannot be read"):
        HaltRagVerifier(backend=backend, task="qa", artifact="nowhere.json").verify(SOURCE, "Bread is baked.")
    with pytest.raises(ArtifactMismatchError, match="is for 'qa', not for 'dialogue'"):
        HaltRagVerifier(backend=backend, task="dialogue", artifact=file).verify(SOURCE, "Bread is baked.")


class NotANumber(FakeNLI):
    """A model that answers with NaN."""

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        return NLIScores(np.full((len(pairs), 3), np.nan, dtype=np.float32))


@pytest.mark.parametrize(
    "calibrator", [Platt(slope=1.5, intercept=0.25), Curve(method="isotonic", scores=[0], probabilities=[1])]
)
def test_a_second_model_that_fails_gives_no_verdict(calibrator: Platt | Curve) -> None:
    both = {"fake": FakeNLI(), "second": NotANumber()}
    pipeline = TextReader("paper", TextSettings(), backends=both, claims=None).pipeline
    head = LinearHead(features=["second_entailment_max"], mean=[0.5], scale=[0.5], coef=[-2.0], intercept=0.0)
    model = text_model(pipeline, head=head, calibrator=calibrator)
    verifier = HaltRagVerifier(backend=both["fake"], task="qa", artifact=model, more_backends=[both["second"]])
    with pytest.raises(BackendError, match="gave no probabilities"):
        verifier.verify(SOURCE, "The dam was built in 1967.")
    rows = [LabelledRow(source=SOURCE, generated="It is old.", label="supported")]
    with pytest.raises(BackendError, match="gave no probabilities"):
        Extractor("paper", TextSettings(), backends=both).table("qa", rows)


def test_coefficients_that_lead_nowhere_give_no_verdict() -> None:
    backend = FakeNLI()
    head = LinearHead(features=["fake_entailment_max"], mean=[0.5], scale=[1e-300], coef=[1e308], intercept=0.0)
    model = text_model(paper_pipeline(backend), head=head)
    with pytest.raises(ConfigurationError, match="no finite score"):
        HaltRagVerifier(backend=backend, task="qa", artifact=model).verify(SOURCE, "The dam was built in 1967.")
