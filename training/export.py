"""Writes the trained cross-encoder as the files that the package carries.

    python -m training.export --weights build/v0/model.pt --encoder build/encoder --out src/halt_rag/models/nli-v0

Makes ``model.onnx`` (weights in few bits, one file), ``tokenizer.json`` and ``model.json``.
How the recipe was chosen: ``docs/design/quantization.md``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.calibrate import PAIRS, channel_peaks
from training.encoder import PARTS, VERSION, WEIGHTS_SHA256
from training.graph import Linear, Network, Weights, build
from training.model import LABELS
from training.quantize import row_linear, row_lookup

MODEL_ID = "halt-rag-nli-v0"
MAX_TOKENS = 512
#: Projections whose inputs or weights have a few channels that are far larger than the rest.
SMOOTHED = ("qkv", "up", "down")


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """The state of the cross-encoder as arrays, from final weights or from a checkpoint of the training."""
    state = torch.load(path, weights_only=True, map_location="cpu")
    state = state.get("model", state)
    return {name: value.float().numpy() for name, value in state.items() if value.is_floating_point()}


def network_of(config: Mapping[str, Any], weights: Weights) -> Network:
    """The sizes of the network, from the encoder's configuration and the layers that the weights have."""
    layers = {name.split(".")[3] for name in weights if name.startswith("encoder.encoder.layer.")}
    positions = config["max_position_embeddings"] - 2  # the first two are never used
    return Network(
        layers=len(layers),
        heads=config["num_attention_heads"],
        max_tokens=min(MAX_TOKENS, positions),
        epsilon=config["layer_norm_eps"],
    )


def recipe(peaks: Mapping[str, NDArray[np.float32]]) -> Callable[[str], Linear]:
    """The writer of each projection in the form that is shipped; peaks as of `training.calibrate`."""

    def linear(name: str) -> Linear:
        kind = name.rpartition(".")[2]
        return row_linear(peaks[name] if kind in SMOOTHED else None, gelu=kind == "down")

    return linear


def shipped(weights: Weights, network: Network, tokenizer: Tokenizer) -> onnx.ModelProto:
    """The network in the form that is shipped."""
    encoded = [encoding.ids for encoding in tokenizer.encode_batch(list(PAIRS))]
    return build(weights, network, linear=recipe(channel_peaks(weights, network, encoded)), lookup=row_lookup)


def describe(weights: Weights, network: Network, *, model: bytes, tokenizer: bytes) -> dict[str, Any]:
    """The contents of ``model.json``."""
    return {
        "model_id": MODEL_ID,
        "file": "model.onnx",
        "sha256": hashlib.sha256(model).hexdigest(),
        "tokenizer_sha256": hashlib.sha256(tokenizer).hexdigest(),
        "bytes": len(model),
        "id2label": {str(i): label for i, label in enumerate(LABELS)},
        "max_tokens": network.max_tokens,
        "layers": network.layers,
        "parameters": int(sum(value.size for value in weights.values())),
        "quantization": {
            "projections": "int8, one scale per output",
            "activations": "8 bits, one scale per token, found when the model runs",
            "smoothed": list(SMOOTHED),
            "word_embeddings": "int8, one scale per row",
            "rest": "float32",
        },
        "encoder": {
            "name": "MPNet-base (all-mpnet-base-v2)",
            "packages": [f"{part}=={VERSION}" for part in PARTS],
            "sha256": WEIGHTS_SHA256,
        },
        "license": "Apache-2.0",  # that of the encoder, which these weights are derived from
    }


def export(weights: Path, encoder: Path, out: Path) -> dict[str, Any]:
    """Writes the three files and returns what ``model.json`` says."""
    out.mkdir(parents=True, exist_ok=True)
    state = read_weights(weights)
    network = network_of(json.loads((encoder / "config.json").read_text(encoding="utf-8")), state)
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(out / "tokenizer.json"))
    model = shipped(state, network, tokenizer).SerializeToString(deterministic=True)
    (out / "model.onnx").write_bytes(model)
    record = describe(state, network, model=model, tokenizer=(out / "tokenizer.json").read_bytes())
    (out / "model.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def main() -> None:
    """Exports, and prints the size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="model.pt or checkpoint.pt of the training")
    parser.add_argument("--encoder", type=Path, required=True, help="folder that training.encoder fills")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    record = export(args.weights, args.encoder / "mpnet", args.out)
    print(f"{args.out}: {record['bytes'] / 1e6:.1f} MB, SHA-256 {record['sha256']}")


if __name__ == "__main__":
    main()
