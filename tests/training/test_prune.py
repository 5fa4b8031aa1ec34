"""Narrower feed-forward layers: what does not matter goes, what matters stays, and the sizes fit everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch, which is not installed")
pytest.importorskip("transformers", reason="needs transformers, which is not installed")

import torch
from transformers import MPNetConfig

from training.model import CrossEncoder, from_weights
from training.prune import importance, narrowed

CONFIG: dict[str, Any] = {
    "vocab_size": 100,
    "hidden_size": 64,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "max_position_embeddings": 514,
}
IDS = [[0, *range(5 + i, 12 + 2 * i), 2] for i in range(30)]
TARGETS = [i % 4 for i in range(30)]


@pytest.fixture
def network() -> Any:
    torch.manual_seed(0)
    network: Any = CrossEncoder(MPNetConfig(**CONFIG)).eval()
    with torch.no_grad():
        for layer in network.encoder.encoder.layer:
            layer.output.dense.weight[:, ::2] = 0  # every other channel leads nowhere
    return network


def test_channels_that_lead_nowhere_go_and_the_network_computes_the_same(network: Any, tmp_path: Path) -> None:
    matters = importance(network, IDS, TARGETS)
    for scores in matters:
        assert scores[::2].max() == 0
        assert scores[1::2].min() > 0
    torch.save({"model": narrowed(network.state_dict(), matters, 64)}, tmp_path / "start.pt")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    small: Any = from_weights(tmp_path, tmp_path / "start.pt").eval()
    assert small.encoder.encoder.layer[1].output.dense.in_features == 64
    ids = torch.tensor([[0, 9, 8, 7, 2]])
    with torch.no_grad():
        torch.testing.assert_close(small(ids, torch.ones_like(ids)), network(ids, torch.ones_like(ids)))


def test_measuring_leaves_the_network_as_it_was(network: Any) -> None:
    before = {name: value.clone() for name, value in network.state_dict().items()}
    importance(network, IDS, TARGETS)
    assert all(torch.equal(value, before[name]) for name, value in network.state_dict().items())
    assert not any(layer.output.dense._forward_pre_hooks for layer in network.encoder.encoder.layer)


def test_more_channels_than_there_are_is_an_error(network: Any) -> None:
    with pytest.raises(ValueError, match="layer 0 has 128 channels, fewer than 200"):
        narrowed(network.state_dict(), importance(network, IDS[:2], TARGETS[:2]), 200)
