"""4-bit weights: what is stored is what training saw, and what the model computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch, which is not installed")
pytest.importorskip("transformers", reason="needs transformers, which is not installed")
pytest.importorskip("onnx", reason="needs onnx, which is not installed")

import onnxruntime
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from transformers import MPNetConfig

from training.export import network_of
from training.graph import Graph, Weights, build
from training.lowbit import BLOCK, codes_of, exact_state, packed_linear, packed_lookup, round_weights, rounded
from training.model import CrossEncoder, from_weights
from training.quantize import row_lookup

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONFIG: dict[str, Any] = {
    "vocab_size": 100,
    "hidden_size": 64,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "max_position_embeddings": 514,
    "layer_norm_eps": 1e-12,
}
MATRICES = arrays(np.float32, (3, 2 * BLOCK), elements=st.floats(-4, 4, width=32, allow_subnormal=False))


@given(MATRICES)
def test_codes_keep_within_four_bits_and_neighbours_within_eight(rows: NDArray[np.float32]) -> None:
    codes, multipliers, scales = codes_of(rows)
    assert np.abs(codes).max() <= 7
    assert multipliers.min() >= 1
    assert multipliers.max() <= 9
    whole = codes * np.repeat(multipliers, BLOCK, 1)
    neighbours = whole.reshape(3, -1, 2).astype(int)
    assert np.abs(neighbours.sum(-1)).max() <= 127
    back = whole * scales[:, None]
    step = np.repeat(multipliers, BLOCK, 1) * scales[:, None]
    assert (np.abs(back - rows) <= 0.51 * step + 1e-6).all()


@given(MATRICES)
def test_training_sees_what_is_stored(rows: NDArray[np.float32]) -> None:
    codes, multipliers, scales = codes_of(rows)
    stored = codes * np.repeat(multipliers, BLOCK, 1) * scales[:, None]
    np.testing.assert_allclose(rounded(torch.from_numpy(rows)).numpy(), stored, atol=1e-6)


@pytest.fixture
def network() -> Any:
    torch.manual_seed(0)
    return CrossEncoder(MPNetConfig(**CONFIG)).eval()


def test_the_stored_model_computes_what_the_rounded_one_does(network: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    factors = {
        f"{i}.{k}": rng.uniform(0.6, 2, w).astype(np.float32) for i in (0, 1) for k, w in (("qkv", 64), ("down", 128))
    }
    words = network.encoder.embeddings.word_embeddings.weight.detach().clone()
    round_weights(network, factors)
    weights: Weights = {k: v.numpy() for k, v in exact_state(network, words).items() if v.is_floating_point()}
    model = build(
        weights,
        network_of(CONFIG, weights),
        linear=lambda name: packed_linear(factors.get(name), gelu=name.endswith("down")),
        lookup=packed_lookup,
        places=row_lookup,
    )
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    ids = np.array([[0, *rng.integers(4, 96, 20), 2]])
    (logits,) = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
    with torch.no_grad():
        expected = network(torch.from_numpy(ids), torch.ones(ids.shape, dtype=torch.long)).numpy()
    assert np.abs(logits - expected).max() < 0.02

    torch.save({"model": exact_state(network, words)}, tmp_path / "model.pt")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    again = from_weights(tmp_path, tmp_path / "model.pt")
    assert torch.equal(again.encoder.embeddings.word_embeddings.weight, words)


def test_gradients_reach_the_exact_weights(network: Any) -> None:
    round_weights(network, {})
    ids = torch.tensor([[0, 5, 6, 2]])
    network(ids, torch.ones_like(ids)).sum().backward()
    dense = network.encoder.encoder.layer[0].output.dense
    assert dense.parametrizations.weight.original.grad.abs().sum() > 0


def test_a_packed_table_gives_its_rows() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(7, 2 * BLOCK)).astype(np.float32)
    graph = Graph()
    name = packed_lookup(graph, "words", "input_ids", table)
    model = graph.model(name)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    ids = np.array([[3, 0, 6]])
    (rows,) = session.run(None, {"input_ids": ids, "attention_mask": ids})
    np.testing.assert_allclose(rows[0], rounded(torch.from_numpy(table))[ids[0]].numpy(), atol=1e-6)


def test_layers_can_be_left_out(network: Any, tmp_path: Path) -> None:
    torch.save(network.state_dict(), tmp_path / "model.pt")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    small: Any = from_weights(tmp_path, tmp_path / "model.pt", (1,))
    one, other = small.encoder.encoder.layer[0], network.encoder.encoder.layer[1]
    assert torch.equal(one.output.dense.weight, other.output.dense.weight)
