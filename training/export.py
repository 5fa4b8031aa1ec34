r"""Writes the trained cross-encoder as the files that the package carries.

    python -m training.export --weights build/fast/model.pt --encoder build/encoder --out build/nli-fast \
        --model-id halt-rag-nli-fast --bits 4

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
from training.encoder import PARTS, VERSION, WEIGHTS_SHA256, tokenizer_in
from training.graph import Linear, Network, Weights, build, float_lookup
from training.lowbit import PROJECTIONS, packed_linear, packed_lookup
from training.model import LABELS, CrossEncoder
from training.quantize import factors_of, row_linear, row_lookup
from training.vocabulary import without_unused

Factors = Mapping[str, NDArray[np.float32]]

MAX_TOKENS = 512
WORDS = "encoder.embeddings.word_embeddings.weight"
#: Projections whose inputs or weights have a few channels that are far larger than the rest.
SMOOTHED = ("qkv", "up", "down")


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """The state of the cross-encoder as arrays, from final weights or from a checkpoint of the training."""
    state = torch.load(path, weights_only=True, map_location="cpu")
    state = state.get("model", state)
    return {name: value.float().numpy() for name, value in state.items() if value.is_floating_point()}


def read_factors(path: Path) -> Factors | None:
    """The smoothing that the weights were trained with; None where they were trained unrounded."""
    found = torch.load(path, weights_only=True, map_location="cpu").get("factors")
    return None if found is None else {name: value.numpy() for name, value in found.items()}


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


def weight_of(weights: Weights, name: str) -> NDArray[np.float32]:
    """The weight (out, in) of a projection, by its short name in `training.graph`."""
    index, _, kind = name.partition(".")
    return np.concatenate([weights[f"encoder.encoder.layer.{index}.{n}.weight"] for n in PROJECTIONS[kind]])


def recipe(
    weights: Weights, peaks: Mapping[str, NDArray[np.float32]], bits: int, factors: Factors | None = None
) -> Callable[[str], Linear]:
    """The writer of each projection in the form that is shipped.

    Args:
        weights: The state of the cross-encoder.
        peaks: As of `training.calibrate`.
        bits: 8 or 4, of the weights of the layers; those of the head have 8.
        factors: The smoothing that the weights were trained with, where they were.
    """

    def linear(name: str) -> Linear:
        kind = name.rpartition(".")[2]
        smoothed, gelu = kind in SMOOTHED, kind == "down"
        if bits == 8 or name == "head":
            return row_linear(peaks[name] if smoothed else None, gelu=gelu)
        if factors is not None:
            return packed_linear(factors.get(name), gelu=gelu)
        found = factors_of(peaks[name], weight_of(weights, name), gelu=gelu) if smoothed else None
        return packed_linear(found, gelu=gelu)

    return linear


def smoothing_factors(model: CrossEncoder, encoder: Path, tokenizer: Tokenizer) -> dict[str, NDArray[np.float32]]:
    """By what the channels of each smoothed projection are divided, for weights as they are now."""
    weights = {k: v.float().numpy() for k, v in model.state_dict().items() if v.is_floating_point()}
    network = network_of(json.loads((encoder / "config.json").read_text(encoding="utf-8")), weights)
    peaks = channel_peaks(weights, network, [e.ids for e in tokenizer.encode_batch(list(PAIRS))])
    found = {}
    for name, peak in peaks.items():
        kind = name.rpartition(".")[2]
        if kind in SMOOTHED:
            factors = factors_of(peak, weight_of(weights, name), gelu=kind == "down")
            found[name] = np.asarray(factors, np.float32)
    return found


def shipped(
    weights: Weights, network: Network, tokenizer: Tokenizer, *, bits: int = 8, factors: Factors | None = None
) -> onnx.ModelProto:
    """The network in the form that is shipped."""
    encoded = [encoding.ids for encoding in tokenizer.encode_batch(list(PAIRS))]
    peaks = channel_peaks(weights, network, encoded)
    lookup, places = (packed_lookup, row_lookup) if bits == 4 else (row_lookup, float_lookup)
    return build(weights, network, linear=recipe(weights, peaks, bits, factors), lookup=lookup, places=places)


def describe(
    weights: Weights, network: Network, *, model_id: str, bits: int, model: bytes, tokenizer: bytes
) -> dict[str, Any]:
    """The contents of ``model.json``."""
    return {
        "model_id": model_id,
        "file": "model.onnx",
        "sha256": hashlib.sha256(model).hexdigest(),
        "tokenizer_sha256": hashlib.sha256(tokenizer).hexdigest(),
        "bytes": len(model),
        "id2label": {str(i): label for i, label in enumerate(LABELS)},
        "max_tokens": network.max_tokens,
        "languages": ["en"],
        "layers": network.layers,
        "feed_forward": len(weights["encoder.encoder.layer.0.intermediate.dense.bias"]),
        "parameters": int(sum(value.size for value in weights.values())),
        "quantization": {
            "projections": "int8, one scale per output"
            if bits == 8
            else "4 bits, one multiplier per block of 32 and one scale per output; unpacked to int8 at loading",
            "activations": "8 bits, one scale per token, found when the model runs",
            "smoothed": list(SMOOTHED),
            "word_embeddings": "int8, one scale per row"
            if bits == 8
            else "4 bits, one multiplier per block of 32 and one scale per row",
            "rest": "float32",
        },
        "encoder": {
            "name": "MPNet-base (all-mpnet-base-v2)",
            "packages": [f"{part}=={VERSION}" for part in PARTS],
            "sha256": WEIGHTS_SHA256,
        },
        "license": "Apache-2.0",  # that of the encoder, which these weights are derived from
    }


def export(weights: Path, encoder: Path, out: Path, *, model_id: str, bits: int = 8) -> dict[str, Any]:
    """Writes the three files and returns what ``model.json`` says."""
    out.mkdir(parents=True, exist_ok=True)
    state = read_weights(weights)
    network = network_of(json.loads((encoder / "config.json").read_text(encoding="utf-8")), state)
    tokenizer = tokenizer_in(encoder)
    words, kept = without_unused(tokenizer.to_str())
    (out / "tokenizer.json").write_text(words, encoding="utf-8")
    state[WORDS] = state[WORDS][kept]
    tokenizer = Tokenizer.from_str(words)
    whole = shipped(state, network, tokenizer, bits=bits, factors=read_factors(weights))
    model = whole.SerializeToString(deterministic=True)
    (out / "model.onnx").write_bytes(model)
    tokens = (out / "tokenizer.json").read_bytes()
    record = describe(state, network, model_id=model_id, bits=bits, model=model, tokenizer=tokens)
    (out / "model.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def main() -> None:
    """Exports, and prints the size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="model.pt or checkpoint.pt of the training")
    parser.add_argument("--encoder", type=Path, required=True, help="folder that training.encoder fills")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model-id", required=True, help='its name in every result, such as "halt-rag-nli-base"')
    parser.add_argument("--bits", type=int, choices=(4, 8), default=8, help="of the weights in the file")
    args = parser.parse_args()
    record = export(args.weights, args.encoder / "mpnet", args.out, model_id=args.model_id, bits=args.bits)
    print(f"{args.out}: {record['bytes'] / 1e6:.1f} MB, SHA-256 {record['sha256']}")


if __name__ == "__main__":
    main()
