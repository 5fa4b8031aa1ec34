from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.checkpoint import Reading, keep_reading
from halt_rag.nli.local import LocalNLI
from halt_rag.nli.plain_reference import transformers_reference
from halt_rag.nli.scores import Pair
from tests.nli.checkpoints import write_checkpoint
from tests.nli.contract import PAIRS, BackendContract

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

FAMILIES = ["roberta", "bert", "mpnet", "deberta-v2", "modernbert"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def backend(folder: Path) -> LocalNLI:
    return LocalNLI(folder, device="cpu")


class TestContract(BackendContract):
    pass


@pytest.mark.parametrize("family", FAMILIES)
def test_it_agrees_with_transformers_itself(tmp_path: Path, family: str) -> None:
    source = write_checkpoint(tmp_path / family, family, labels=("contradiction", "entailment", "neutral"))
    backend = LocalNLI(source, device="cpu", batch_size=3)
    reference = transformers_reference(str(source), backend.tokenizer, reading=Reading())
    assert backend.score(PAIRS).probabilities == pytest.approx(reference.score(PAIRS).probabilities, abs=1e-4)
    assert backend.description.max_tokens == 120


def test_the_checkpoint_says_who_it_is(folder: Path, backend: LocalNLI) -> None:
    assert (backend.name, backend.model_id) == ("local", "tiny")
    weights, labels, length = backend.revision.split("-")
    assert (len(weights), labels, length) == (12, "012", "120")
    assert LocalNLI(folder, dtype="bfloat16").revision == backend.revision + "-bfloat16"


def test_half_precision_is_near(folder: Path, backend: LocalNLI) -> None:
    half = LocalNLI(folder, device="cpu", dtype="bfloat16").score(PAIRS).probabilities
    assert half == pytest.approx(backend.score(PAIRS).probabilities, abs=0.1)


@pytest.mark.parametrize("template", ["{premise}{sep}{hypothesis}", 'Does "{premise}" say "{hypothesis}"?'])
def test_graders_read_one_text(tmp_path: Path, template: str) -> None:
    source = write_checkpoint(tmp_path / "grader", labels=("LABEL_0", "LABEL_1"))
    with pytest.raises(ConfigurationError, match="LABEL_0"):
        LocalNLI(source).score(PAIRS)
    reading = Reading(("not entailed", "entailment"), 100, template)
    backend = LocalNLI(source, reading, device="cpu")
    scores = backend.score(PAIRS)
    reference = transformers_reference(str(source), backend.tokenizer, reading=reading)
    assert scores.probabilities == pytest.approx(reference.score(PAIRS).probabilities, abs=1e-4)
    assert not scores.contradiction.any()
    with pytest.raises(InputError, match="at most 100"):
        backend.score([Pair("a " * 100, "b")])
    keep_reading(source, reading)
    assert LocalNLI(source).revision == backend.revision


def test_stated_labels_must_agree(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="stated to be"):
        LocalNLI(folder, Reading(("contradiction", "neutral", "entailment"))).score(PAIRS)


def test_pickled_weights_are_not_read(tmp_path: Path) -> None:
    source = write_checkpoint(tmp_path / "old")
    (source / "model.safetensors").unlink()
    torch.save({}, source / "pytorch_model.bin")
    with pytest.raises(ConfigurationError, match=r"model\.safetensors"):
        LocalNLI(source).score(PAIRS)


def test_weights_that_are_not_numbers(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    source = write_checkpoint(tmp_path / "broken")
    weights = load_file(source / "model.safetensors")
    save_file(
        {name: value * float("nan") for name, value in weights.items()}, source / "model.safetensors", {"format": "pt"}
    )
    with pytest.raises(BackendError, match="not finite"):
        LocalNLI(source, device="cpu").score(PAIRS)


@pytest.mark.parametrize(("options", "shown"), [({"device": "abacus"}, "no device"), ({"batch_size": 0}, "at least 1")])
def test_options_that_are_refused(folder: Path, options: dict[str, object], shown: str) -> None:
    with pytest.raises((ConfigurationError, InputError), match=shown):
        LocalNLI(folder, **options).score(PAIRS)  # type: ignore[arg-type] # wrong on purpose


def test_a_folder_that_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot read"):
        LocalNLI(tmp_path).score(PAIRS)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "roberta"}), encoding="utf-8")
    with pytest.raises(ConfigurationError):
        LocalNLI(tmp_path).score(PAIRS)


def test_a_head_that_was_never_trained_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    source = write_checkpoint(tmp_path / "encoder")
    weights = load_file(source / "model.safetensors")
    kept = {name: value for name, value in weights.items() if "classifier" not in name}
    save_file(kept, source / "model.safetensors", {"format": "pt"})
    with pytest.raises(ConfigurationError, match=r"lacks weights.*classifier"):
        LocalNLI(source, device="cpu").score(PAIRS)


def test_a_tokenizer_that_joins_the_texts_is_refused(tmp_path: Path) -> None:
    source = write_checkpoint(tmp_path / "joined")
    described = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))
    (source / "tokenizer.json").write_text(json.dumps(described | {"post_processor": None}), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"joined puts no token between"):
        LocalNLI(source, device="cpu").score(PAIRS)


def test_a_length_that_the_model_does_not_have_is_an_error(tmp_path: Path) -> None:
    source = write_checkpoint(tmp_path / "short")
    with pytest.raises(BackendError, match="failed"):
        LocalNLI(source, Reading(max_tokens=400), device="cpu").score([Pair("a " * 300, "b")])


def test_batches_do_not_change_scores(folder: Path) -> None:
    one, four = (LocalNLI(folder, device="cpu", batch_size=size).score(PAIRS).probabilities for size in (1, 4))
    assert np.abs(one - four).max() < 1e-4
