"""Task models are read whole or refused with the field that is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from halt_rag import ArtifactMismatchError, ConfigurationError, HaltRagVerifier, UnknownNameError
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify import artifact
from halt_rag.verify.artifact import LinearHead, TaskModel
from tests.verify.support import head, task_model


def stored(tmp_path: Path, change: Callable[[dict[str, Any]], object] = lambda content: None) -> Path:
    content = task_model().model_dump(mode="json")
    change(content)
    file = tmp_path / "general.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def test_round_trip(tmp_path: Path) -> None:
    loaded = artifact.load(stored(tmp_path))
    assert loaded == task_model()
    assert loaded.id == task_model().id
    assert re.fullmatch(r"general-[0-9a-f]{12}", loaded.id)


def test_the_id_tells_contents_apart(tmp_path: Path) -> None:
    other = artifact.load(stored(tmp_path, lambda c: c["claim_head"].update(intercept=0.75)))
    assert other.id != task_model().id


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda c: c.pop("revision"), "revision"),
        (lambda c: c.update(schema_version=2), "schema_version"),
        (lambda c: c.update(surprise=1), "surprise"),
        (lambda c: c["claim_head"].update(mean=[0.0]), "claim_head"),
        (lambda c: c["claim_head"]["scale"].__setitem__(0, 0), "claim_head"),
        (lambda c: c["claim_head"]["coef"].__setitem__(0, "x"), "claim_head.coef.0"),
        (lambda c: c["claim_head"].update(intercept=float("nan")), "claim_head.intercept"),
        (lambda c: c["claim_head"]["features"].__setitem__(0, "astrology"), "astrology"),
        (lambda c: c["cuts"].update(supported_below=0.9), "cuts"),
        (lambda c: c["cuts"].update(threshold=1.5), "cuts.threshold"),
        (lambda c: c["pipeline"].update(window_tokens=0), "pipeline.window_tokens"),
    ],
)
def test_a_malformed_file_is_refused_naming_the_field(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], field: str
) -> None:
    file = stored(tmp_path, change)
    with pytest.raises(ConfigurationError, match=re.escape(field)) as caught:
        artifact.load(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_task_model_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(content)
    with pytest.raises(ConfigurationError, match="is no task model"):
        artifact.load(file)


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        artifact.load(tmp_path / name)


@pytest.mark.parametrize("change", [{"model_id": "other"}, {"revision": "other"}])
def test_a_task_model_of_another_model_is_refused(change: dict[str, str]) -> None:
    verifier = HaltRagVerifier(backend=FakeNLI(), artifact=task_model().model_copy(update=change))
    with pytest.raises(ArtifactMismatchError, match="other"):
        verifier.verify("It rained.", "It rained.")


def test_a_task_model_from_a_file_is_used(tmp_path: Path) -> None:
    result = HaltRagVerifier(backend=FakeNLI(), artifact=stored(tmp_path)).verify("It rained.", "It rained.")
    assert result.model.calibrated
    assert result.model.artifact == task_model().id
    assert result.threshold == 0.5


def test_unknown_tasks() -> None:
    with pytest.raises(UnknownNameError, match="'astrology'"):
        artifact.shipped("astrology", "halt-rag-nli-fast-2")
    with pytest.raises(UnknownNameError, match="'astrology'"):
        HaltRagVerifier(backend=FakeNLI(), task="astrology").verify("It rained.", "It rained.")


@pytest.mark.parametrize("model_id", ["../../nli", "/etc", "..", ""])
def test_a_model_id_is_no_path(model_id: str) -> None:
    with pytest.raises(UnknownNameError):
        artifact.shipped("general", model_id)


@pytest.mark.parametrize("task", ["general", None])
def test_without_a_task_model_probabilities_are_marked_uncalibrated(task: str | None) -> None:
    answers = {("It rained.", "It was wet."): (0.75, 0.125, 0.125)}
    result = HaltRagVerifier(backend=FakeNLI(answers), task=task).verify("It rained.", "It was wet.")
    assert not result.model.calibrated
    assert result.model.artifact is None
    assert result.calibrated_prob == result.claims[0].p_hallucinated == 0.25


def test_head_is_a_logistic_model() -> None:
    model = LinearHead(features=["a", "b"], mean=[1.0, 0.0], scale=[2.0, 1.0], coef=[2.0, -1.0], intercept=0.5)
    assert model.probability({"a": 3.0, "b": 2.5, "other": 9.0}) == 0.5
    assert 0 < model.probability({"a": -1e300, "b": 0.0}) < 1e-12
    assert 1 - 1e-12 < model.probability({"a": 1e300, "b": 0.0}) < 1
    assert head({}, 0.0).probability({}) == 0.5


def test_the_shipped_task_model_fits_the_shipped_model_and_is_monotone(shipped_model: EmbeddedNLI) -> None:
    model: TaskModel = artifact.shipped("general", shipped_model.model_id)
    model.check_fits(shipped_model.model_id, shipped_model.revision)
    weights = dict(zip(model.claim_head.features, model.claim_head.coef, strict=True))
    assert all(weights.get(name, 0) <= 0 for name in ("nli_support", "word_recall", "bigram_recall"))
    assert all(weights.get(name, 0) >= 0 for name in ("missing_words", "missing_numbers", "missing_names"))
