"""The exported graph computes what the trained network computes, whatever a pair is batched with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the export needs torch, which is not installed")
pytest.importorskip("transformers", reason="the export needs transformers, which is not installed")
pytest.importorskip("onnx", reason="the export needs onnx, which is not installed")

import onnx
import onnxruntime
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import MPNetConfig
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from training.calibrate import channel_peaks
from training.export import export, network_of, read_weights, recipe
from training.graph import Network, Weights, build, float_linear, float_lookup, relative_buckets
from training.model import CrossEncoder
from training.quantize import codes_of, pair_peaks, row_lookup, smoothing

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORDS = [f"w{i}" for i in range(90)]
CONFIG = {
    "vocab_size": 96,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "max_position_embeddings": 514,
    "relative_attention_num_buckets": 32,
    "layer_norm_eps": 1e-5,
}


@pytest.fixture(scope="module")
def model() -> CrossEncoder:
    torch.manual_seed(0)
    made = CrossEncoder(MPNetConfig.from_dict(CONFIG))
    with torch.no_grad():  # as initialised, biases are 0 and the layer norms are 1: a mistake in them would not show
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    made.eval()
    return made


@pytest.fixture(scope="module")
def weights(model: CrossEncoder) -> dict[str, NDArray[np.float32]]:
    return {name: value.numpy() for name, value in model.state_dict().items()}


@pytest.fixture(scope="module")
def network(weights: Weights) -> Network:
    return network_of(CONFIG, weights)


def session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    onnx.checker.check_model(model)
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


@pytest.fixture(scope="module")
def in_floats(weights: Weights, network: Network) -> onnxruntime.InferenceSession:
    return session(build(weights, network, linear=lambda _: float_linear, lookup=float_lookup))


@pytest.fixture(scope="module")
def as_shipped(weights: Weights, network: Network) -> onnxruntime.InferenceSession:
    peaks = channel_peaks(weights, network, pairs([9, 30, 17]))
    return session(build(weights, network, linear=recipe(weights, peaks, 8), lookup=row_lookup))


def pairs(lengths: list[int], seed: int = 0) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [[0, *rng.integers(4, 96, length - 2).tolist(), 2] for length in lengths]


def padded(ids: list[list[int]], width: int) -> dict[str, NDArray[np.int64]]:
    inputs = {
        "input_ids": np.ones((len(ids), width), np.int64),
        "attention_mask": np.zeros((len(ids), width), np.int64),
    }
    for row, item in enumerate(ids):
        inputs["input_ids"][row, : len(item)] = item
        inputs["attention_mask"][row, : len(item)] = 1
    return inputs


def scores(run: onnxruntime.InferenceSession, inputs: Mapping[str, Any]) -> NDArray[np.float32]:
    (logits,) = run.run(["logits"], dict(inputs))
    return np.asarray(logits)


def probabilities(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


@pytest.mark.parametrize("lengths", [[3], [40], [512], [5, 61, 200, 34]])
def test_the_graph_computes_what_the_trained_network_computes(
    model: CrossEncoder, in_floats: onnxruntime.InferenceSession, lengths: list[int]
) -> None:
    inputs = padded(pairs(lengths), max(lengths))
    with torch.no_grad():
        expected = model(*(torch.from_numpy(inputs[name]) for name in ("input_ids", "attention_mask"))).numpy()
    assert np.abs(scores(in_floats, inputs) - expected).max() < 1e-4


def test_positions_skip_padding_ids_within_the_text(
    model: CrossEncoder, in_floats: onnxruntime.InferenceSession
) -> None:
    ids = torch.tensor([[0, 5, 1, 1, 9, 2]])
    with torch.no_grad():
        expected = model(ids, torch.ones_like(ids)).numpy()
    assert np.abs(scores(in_floats, padded(ids.tolist(), 6)) - expected).max() < 1e-4


def test_more_tokens_than_positions_are_refused(in_floats: onnxruntime.InferenceSession) -> None:
    with pytest.raises(onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument):
        scores(in_floats, padded(pairs([513]), 513))


def test_relative_buckets_are_those_of_the_encoder() -> None:
    relative = torch.arange(-511, 512)
    expected = MPNetEncoder.relative_position_bucket(relative, num_buckets=32)  # type: ignore[no-untyped-call,unused-ignore]
    assert relative_buckets(512, 32).tolist() == expected.tolist()


def test_a_pair_scores_the_same_alone_and_in_any_company(as_shipped: onnxruntime.InferenceSession) -> None:
    ids = pairs([12, 90, 31, 200, 7], seed=4)
    alone = np.concatenate([probabilities(scores(as_shipped, padded([item], len(item)))) for item in ids])
    for company in (ids, ids[::-1], [ids[0]] * 5):
        for width in (200, 333):
            together = probabilities(scores(as_shipped, padded(company, width)))
            expected = np.stack([alone[ids.index(item)] for item in company])
            assert np.abs(together - expected).max() < 1e-5


def test_eight_bits_stay_close_to_floats(
    in_floats: onnxruntime.InferenceSession, as_shipped: onnxruntime.InferenceSession
) -> None:
    inputs = padded(pairs([60] * 40, seed=2), 60)
    exact, rounded = scores(in_floats, inputs), scores(as_shipped, inputs)
    assert 0 < np.abs(exact - rounded).mean() < 0.05 * exact.std()


def test_codes_give_back_the_rows() -> None:
    rows = np.random.default_rng(1).normal(size=(8, 32)).astype(np.float32) * np.arange(8)[:, None]
    codes, scales = codes_of(rows, np.abs(rows).max(1))
    assert codes.dtype == np.int8
    assert np.abs(codes).max() == 127
    assert np.all(np.abs(codes * scales[:, None] - rows) <= scales[:, None] * 0.5001)


@pytest.mark.parametrize("row", [[5, 5, 0, 1], [-5, -4, 0, 1], [5, -5, 1, 1], [0, 0, 0, 0]])
def test_no_processor_saturates(row: list[float]) -> None:
    rng = np.random.default_rng(2)
    weight = np.concatenate([np.array([row], np.float32), rng.normal(size=(40, 4)).astype(np.float32)])
    codes, _ = codes_of(weight, pair_peaks(weight))
    for inputs in ([255, 255, 255, 255], [255, 0, 0, 255], [0, 255, 255, 0]):
        products = codes.astype(int) * inputs
        assert np.abs(products[:, 0] + products[:, 1]).max() < 2**15
        assert np.abs(products[:, 2] + products[:, 3]).max() < 2**15
    assert np.abs(codes).max() > 100  # without giving bits away


def test_smoothing_evens_out_and_changes_no_product() -> None:
    rng = np.random.default_rng(3)
    weight = rng.normal(size=(16, 12))
    x = rng.normal(size=(50, 12)) * np.array([30.0] + [1.0] * 11)
    factors = smoothing(np.abs(x).max(0), weight)
    np.testing.assert_allclose((x / factors) @ (weight * factors).T, x @ weight.T, rtol=1e-5, atol=1e-6)
    peaks = np.abs(x).max(0), np.abs(x / factors).max(0)
    assert peaks[1].max() / np.median(peaks[1]) < 0.5 * peaks[0].max() / np.median(peaks[0])
    assert float(np.log(factors).mean()) == pytest.approx(0, abs=1e-6)


def test_peaks_are_the_largest_values_over_all_pairs(weights: Weights, network: Network) -> None:
    one, other = (channel_peaks(weights, network, [ids]) for ids in pairs([9, 30]))
    both = channel_peaks(weights, network, pairs([9, 30]))
    assert {"0.qkv", "1.attended", "1.up", "0.down", "head"} <= both.keys()
    assert both["0.down"].shape == (128,)
    for name, peak in both.items():
        assert np.array_equal(peak, np.maximum(one[name], other[name]))


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    folder = tmp_path / "mpnet"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    vocabulary = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3} | {word: 4 + i for i, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))  # noqa: S106
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    tokenizer.enable_truncation(16)
    tokenizer.enable_padding()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.mark.parametrize("kind", ["final", "checkpoint"])
def test_the_export_writes_three_files_that_belong_together(
    model: CrossEncoder, encoder: Path, tmp_path: Path, kind: str
) -> None:
    state = model.state_dict()
    torch.save(state if kind == "final" else {"model": state, "step": 3}, tmp_path / "weights.pt")
    out = tmp_path / "out"
    record = export(tmp_path / "weights.pt", encoder, out, model_id="made")
    assert sorted(path.name for path in out.iterdir()) == ["model.json", "model.onnx", "tokenizer.json"]
    assert json.loads((out / "model.json").read_text()) == record
    for key, name in {"sha256": "model.onnx", "tokenizer_sha256": "tokenizer.json"}.items():
        assert record[key] == hashlib.sha256((out / name).read_bytes()).hexdigest()
    assert record["id2label"] == {"0": "entailment", "1": "neutral", "2": "contradiction"}
    assert (record["max_tokens"], record["layers"]) == (512, 2)
    without_a_word = (CONFIG["vocab_size"] - 4 - len(WORDS)) * CONFIG["hidden_size"]  # these rows are left out
    assert record["parameters"] == sum(p.numel() for p in model.parameters()) - without_a_word

    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    ids = tokenizer.encode(" ".join(WORDS), "w1 w2").ids
    assert len(ids) == len(WORDS) + 2 + 4  # neither cut nor padded
    logits = scores(onnxruntime.InferenceSession(out / "model.onnx"), padded([ids], len(ids)))
    with torch.no_grad():
        expected = model(torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.long)).numpy()
    assert logits.dtype == np.float32
    assert np.abs(logits - expected).max() < 0.1


def test_the_same_weights_make_the_same_file(model: CrossEncoder, encoder: Path, tmp_path: Path) -> None:
    torch.save(model.state_dict(), tmp_path / "weights.pt")
    made = [export(tmp_path / "weights.pt", encoder, tmp_path / name, model_id="made")["sha256"] for name in ("a", "b")]
    assert made[0] == made[1]


def test_half_precision_weights_are_read_as_floats(model: CrossEncoder, tmp_path: Path) -> None:
    torch.save({k: v.bfloat16() for k, v in model.state_dict().items()}, tmp_path / "half.pt")
    assert {value.dtype for value in read_weights(tmp_path / "half.pt").values()} == {np.dtype(np.float32)}
