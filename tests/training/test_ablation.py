"""Ablations: the upper layers over kept states are the network, and every generator belongs to a group."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch, which is not installed")
pytest.importorskip("transformers", reason="needs transformers, which is not installed")

import torch
from transformers import MPNetConfig

from training.ablation import GROUPS, Upper, group_of, report, right, trained
from training.data import Example
from training.made import MAKERS
from training.model import CrossEncoder
from training.train import collate

CONFIG: dict[str, Any] = {
    "vocab_size": 100,
    "hidden_size": 64,
    "num_attention_heads": 2,
    "num_hidden_layers": 3,
    "intermediate_size": 128,
    "max_position_embeddings": 514,
}
IDS = [[0, *range(5 + i, 12 + 3 * i), 2] for i in range(12)]


@pytest.fixture
def upper(tmp_path: Path) -> Upper:
    torch.manual_seed(0)
    torch.save(CrossEncoder(MPNetConfig(**CONFIG)).state_dict(), tmp_path / "model.pt")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    return Upper(tmp_path, tmp_path / "model.pt")


def test_upper_layers_over_kept_states_are_the_network(upper: Upper) -> None:
    states = upper.lower(IDS)
    upper.model.eval()
    with torch.no_grad():
        whole = upper.model(*collate(IDS))
        parts = upper.logits(states)
    torch.testing.assert_close(parts, whole, atol=0.02, rtol=0.05)  # kept in bfloat16


def test_training_changes_the_upper_layers_only_and_starts_afresh_each_time(upper: Upper) -> None:
    states = upper.lower(IDS)
    examples = [Example("p", "h", i % 3, "rte", str(i)) for i in range(len(IDS))]
    before = {k: v.clone() for k, v in upper.model.state_dict().items()}
    trained(upper, states, examples, range(len(IDS)))
    after = {k: v.clone() for k, v in upper.model.state_dict().items()}
    changed = {k for k, v in after.items() if not torch.equal(v, before[k])}
    assert changed
    assert all(".layer.1." in k or ".layer.2." in k or not k.startswith("encoder.") for k in changed)
    trained(upper, states, examples, range(len(IDS)))
    again = upper.model.state_dict()
    assert all(torch.equal(again[k], v) for k, v in after.items())
    assert right(upper, states, examples).shape == (len(IDS),)


def test_every_generator_is_in_one_group() -> None:
    kinds = [kind for kinds in GROUPS.values() for kind in kinds]
    assert sorted(kinds) == sorted([*MAKERS, "joined", "twin"])
    assert group_of(Example("p", "h", 0, "made_order", "g")) == "comparisons and dates"
    assert group_of(Example("p", "h", 0, "twin_passage_name", "g")) == "edited twins"
    assert group_of(Example("p", "h", 0, "rte", "g")) == "public"


def test_the_report_compares_with_the_run_that_leaves_nothing_out() -> None:
    runs = {"none left out": np.array([1, 1, 1, 0], bool), "absent": np.array([0, 1, 1, 1], bool)}
    row = report(runs, ["absent", "absent", "public", "public"])["absent"]
    assert (row["own_rows"], row["own_with"], row["own_without"]) == (2, 1.0, 0.5)
    assert (row["public_rows"], row["public_with"], row["public_without"]) == (2, 0.5, 1.0)
