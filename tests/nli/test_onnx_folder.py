from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halt_rag.errors import ConfigurationError, InputError
from halt_rag.nli.checkpoint import Reading, keep_reading, kept_reading
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.onnx_folder import OnnxNLI
from halt_rag.nli.plain_reference import onnx_reference
from tests.nli.contract import PAIRS, BackendContract
from tests.nli.tiny import LABELS, tiny_onnx, write_model


def export(folder: Path, *, labels: tuple[str, ...] = LABELS, place: str = "model.onnx", **config: Any) -> Path:
    """An exported checkpoint folder around the model without layers."""
    head = np.random.default_rng(1).normal(0, 3, (8, len(labels)))
    write_model(folder, onnx=tiny_onnx(head=head))
    (folder / "model.json").unlink()
    (folder / place).parent.mkdir(exist_ok=True)
    (folder / "model.onnx").rename(folder / place)
    described = {
        "model_type": "roberta", "pad_token_id": 1, "max_position_embeddings": 122,
        "id2label": {str(index): label for index, label in enumerate(labels)},
    } | config  # fmt: skip
    (folder / "config.json").write_text(json.dumps(described), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(tmp_path_factory.mktemp("models") / "exported")


@pytest.fixture(scope="module")
def backend(folder: Path) -> OnnxNLI:
    return OnnxNLI(folder, threads=2)


class TestContract(BackendContract):
    pass


def test_it_agrees_with_onnx_runtime_itself(folder: Path, backend: OnnxNLI) -> None:
    reference = onnx_reference(folder, folder / "model.onnx", backend.tokenizer, reading=Reading())
    assert backend.score(PAIRS).probabilities == pytest.approx(reference.score(PAIRS).probabilities, abs=1e-6)


def test_it_scores_as_the_embedded_backend_does(tmp_path: Path) -> None:
    embedded = EmbeddedNLI(write_model(tmp_path / "own", max_tokens=120))
    (tmp_path / "own" / "config.json").write_text(
        json.dumps({"id2label": dict(enumerate(LABELS)), "max_position_embeddings": 120}), encoding="utf-8"
    )
    assert np.array_equal(OnnxNLI(tmp_path / "own").score(PAIRS).probabilities, embedded.score(PAIRS).probabilities)


def test_labels_follow_names(tmp_path: Path) -> None:
    usual = OnnxNLI(export(tmp_path / "usual")).score(PAIRS).probabilities
    moved = (
        OnnxNLI(export(tmp_path / "moved", labels=("CONTRADICTION", "entail", "Neutral"))).score(PAIRS).probabilities
    )
    assert np.array_equal(moved, usual[:, [1, 2, 0]])


def test_identity_and_length_come_from_the_files(folder: Path, backend: OnnxNLI, tmp_path: Path) -> None:
    assert backend.model_id == "exported"
    # Two positions of this family hold no token.
    assert backend.tokenizer.max_tokens == 120
    assert backend.revision.endswith("-012-120")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 64}), encoding="utf-8")
    shorter = OnnxNLI(export(tmp_path, _name_or_path="some/model"))
    assert (shorter.model_id, shorter.tokenizer.max_tokens) == ("some/model", 64)
    assert OnnxNLI(folder, Reading(max_tokens=50)).revision.endswith("-012-50")


@pytest.mark.parametrize("place", ["model.onnx", "onnx/model.onnx", "model_quantized.onnx", "mine.onnx"])
def test_where_the_model_may_lie(tmp_path: Path, place: str) -> None:
    folder = export(tmp_path / "folder", place=place)
    assert len(OnnxNLI(folder, file=place if place == "mine.onnx" else None).score(PAIRS)) == len(PAIRS)


def test_a_grader_gives_support_and_nothing_else(tmp_path: Path) -> None:
    folder = export(tmp_path / "grader", labels=("LABEL_0", "LABEL_1"))
    keep_reading(folder, reading := Reading(("not entailed", "entailment"), 100, "{premise}{sep}{hypothesis}"))
    assert kept_reading(folder) == reading
    backend = OnnxNLI(folder)
    scores = backend.score(PAIRS)
    assert not scores.contradiction.any()
    assert scores.entailment + scores.neutral == pytest.approx(1)
    assert "-s1-100-" in backend.revision
    reference = onnx_reference(folder, folder / "model.onnx", backend.tokenizer, reading=reading)
    assert scores.probabilities == pytest.approx(reference.score(PAIRS).probabilities, abs=1e-6)


@pytest.mark.parametrize(
    ("config", "shown"),
    [
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}, "LABEL_1"),
        ({"id2label": {"0": "positive", "1": "negative"}}, "positive"),
        ({"id2label": {"0": "entailment", "1": "neutral"}}, "entailment, neutral"),
        ({"id2label": {"1": "entailment", "2": "neutral"}}, "from 0"),
        ({"id2label": None}, "no classifier"),
        ({"max_position_embeddings": None}, "how many tokens"),
    ],
)
def test_configurations_that_do_not_fit(tmp_path: Path, config: dict[str, Any], shown: str) -> None:
    with pytest.raises(ConfigurationError, match=shown):
        OnnxNLI(export(tmp_path / "folder", **config)).score(PAIRS)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.onnx"])
def test_missing_files(tmp_path: Path, name: str) -> None:
    folder = export(tmp_path / "folder")
    (folder / name).unlink()
    with pytest.raises(ConfigurationError, match=name if name != "model.onnx" else "no ONNX model"):
        OnnxNLI(folder).score(PAIRS)


@pytest.mark.parametrize("content", ["[]", "{", '{"labels": "entailment"}', '{"max_tokens": 0}', '{"other": 1}'])
def test_a_kept_reading_that_is_not_ours(tmp_path: Path, content: str) -> None:
    folder = export(tmp_path / "folder")
    (folder / "halt-rag.json").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"halt-rag\.json"):
        OnnxNLI(folder).score(PAIRS)


def test_templates_need_both_texts(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"\{hypothesis\}"):
        OnnxNLI(folder, Reading(template="{premise}")).score(PAIRS)


def test_threads_must_be_positive(folder: Path) -> None:
    with pytest.raises(InputError, match="at least 1"):
        OnnxNLI(folder, threads=0)
