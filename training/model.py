"""The cross-encoder: the first layers of MPNet and a three-way head."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn
from transformers import MPNetConfig, MPNetModel

LABELS = ("entailment", "neutral", "contradiction")


class CrossEncoder(nn.Module):  # type: ignore[misc,unused-ignore]  # where torch is not installed
    """Scores a premise-hypothesis pair; the head reads the first token and the mean of all."""

    def __init__(self, config: MPNetConfig) -> None:
        super().__init__()
        self.encoder = MPNetModel(config, add_pooling_layer=False)
        self.dense = nn.Linear(2 * config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(0.1)
        self.out = nn.Linear(config.hidden_size, len(LABELS))

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Logits of shape (pairs, 3) from ids and mask of shape (pairs, tokens)."""
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * mask).sum(1) / mask.sum(1)
        pooled = torch.cat([hidden[:, 0], mean], dim=-1)
        logits: torch.Tensor = self.out(self.dropout(torch.tanh(self.dense(pooled))))
        return logits


def _network(folder: Path, layers: int, channels: int | None = None) -> CrossEncoder:
    fields = json.loads((folder / "config.json").read_text())
    fields["num_hidden_layers"] = layers
    fields["intermediate_size"] = channels or fields["intermediate_size"]
    return CrossEncoder(MPNetConfig(**fields))


def from_pretrained(folder: Path, layers: int) -> CrossEncoder:
    """Builds the cross-encoder from the first ``layers`` layers of the encoder in ``folder``."""
    model = _network(folder, layers)
    weights = load_file(folder / "model.safetensors")
    kept = {k: v for k, v in weights.items() if k in model.encoder.state_dict()}
    missing = set(model.encoder.state_dict()) - set(kept) - {"embeddings.position_ids"}
    if missing:
        raise SystemExit(f"weights missing from {folder}: {sorted(missing)[:5]}")
    model.encoder.load_state_dict(kept, strict=False)
    return model


def from_weights(folder: Path, weights: Path, keep: tuple[int, ...] = ()) -> CrossEncoder:
    """Builds the cross-encoder from weights that were trained here, in their own size.

    Args:
        folder: The encoder, for what the weights do not say.
        weights: ``model.pt`` or a checkpoint of the training.
        keep: Only these of their layers, in this order; empty: all.
    """
    state = torch.load(weights, weights_only=True)
    state = state.get("model", state)
    prefix = "encoder.encoder.layer."
    if keep:
        layers = {k: v for k, v in state.items() if k.startswith(prefix)}
        state = {k: v for k, v in state.items() if not k.startswith(prefix)}
        for new, old in enumerate(keep):
            start = f"{prefix}{old}."
            state |= {f"{prefix}{new}.{k.removeprefix(start)}": v for k, v in layers.items() if k.startswith(start)}
    count = len({k.split(".")[3] for k in state if k.startswith(prefix)})
    model = _network(folder, count, len(state[f"{prefix}0.intermediate.dense.bias"]))
    model.load_state_dict(state)
    return model
