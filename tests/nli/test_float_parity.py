"""The models that ship against the networks as they were trained, in float32, on made pairs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn, which is not installed")

from sklearn.metrics import roc_auc_score

from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.scores import Pair
from tests.nli.test_shipped import TIERS
from training.parity_sample import fingerprint, sample


@pytest.mark.parametrize("tier", TIERS)
def test_what_ships_says_what_was_trained(tier: str) -> None:
    if not (TIERS[tier][0] / "model.onnx").exists():
        pytest.skip(f"there is no model of the tier {tier} in this tree: export one first")
    record = json.loads((Path(__file__).parent / f"parity_{tier}.json").read_text(encoding="utf-8"))
    pairs = sample()
    assert record["pairs_sha256"] == fingerprint(pairs), "the makers have changed: run training.parity_sample again"
    trained = np.array(record["probabilities"])
    shipped = EmbeddedNLI(TIERS[tier][0]).score([Pair(source, claim) for source, claim, _ in pairs]).probabilities
    shift = np.abs(shipped - trained)[:, 0]
    entailed = [label for *_, label in pairs]
    assert shift.mean() <= 0.015
    assert shift.max() <= 0.25
    assert abs(roc_auc_score(entailed, shipped[:, 0]) - roc_auc_score(entailed, trained[:, 0])) <= 0.003
