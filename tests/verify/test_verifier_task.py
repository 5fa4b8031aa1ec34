"""The verifier with a task: the text model's verdict, the general model's claims; and a verifier from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from halt_rag.errors import ConfigurationError
from halt_rag.learn.extract import Extractor
from halt_rag.learn.rows import LabelledRow
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.sources import as_passages
from halt_rag.verify.text_head import load_text_model
from halt_rag.verify.text_model import TextSettings
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
    settings.write_text(f"task: qa\nmodel: {file.name}\ninference: {{models: [{{name: fake, backend: fake}}]}}\n")
    result = HaltRagVerifier.from_config(settings).verify(SOURCE, "The dam was built in 1967.")
    assert (result.decision, result.model.calibrated) == ("supported", True)
    ensemble = tmp_path / "two.yaml"
    two = "[{name: roberta, backend: fake}, {name: deberta, backend: fake}]"
    ensemble.write_text(f"task: qa\ninference: {{models: {two}}}\n", encoding="utf-8")
    assert not HaltRagVerifier.from_config(str(ensemble)).verify(SOURCE, "It is old.").model.calibrated
