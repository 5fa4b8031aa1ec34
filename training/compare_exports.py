"""Compares forms of the weights on size, speed, fidelity to the float model and dependence on the batch.

    python -m training.compare_exports --weights build/v0/model.pt --encoder build/encoder --data ../shared/data/train

Prints the table of ``docs/design/quantization.md``. Speed is in tokens per second of processor time, one pair per
run, unpadded: the figure holds on a busy machine as well.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer

from training.calibrate import PAIRS, channel_peaks
from training.data import VALIDATION, load, twins
from training.encoder import tokenizer_in
from training.export import network_of, read_factors, read_weights, recipe
from training.graph import MICROSOFT, Array, Graph, Linear, Network, Weights, build, float_linear, float_lookup
from training.lowbit import as_stored, packed_lookup
from training.quantize import MIDDLE, codes_of, pair_peaks, row_linear, row_lookup, smoothing

Probabilities = NDArray[np.float32]
BATCH = 8


def block_linear(bits: int, block: int, accuracy_level: int = 4) -> Linear:
    """Weights of 4 or 8 bits with a scale per block of a row (MatMulNBits).

    At accuracy level 4, ONNX Runtime rounds each block of a row of activations to 8 bits and multiplies integers; at
    level 0 it turns the weights back into floats.
    """

    def write(graph: Graph, name: str, x: str, weight: Array, bias: Array) -> str:
        out, width = weight.shape
        middle = 2 ** (bits - 1)
        blocks = weight.reshape(out, width // block, block)
        # The largest weight of a block, whatever its sign, takes code 0: there is one step more below the middle.
        peaks = np.take_along_axis(blocks, np.abs(blocks).argmax(-1, keepdims=True), -1)
        scales = np.where(peaks == 0, 1, peaks / -middle).astype(np.float32)
        codes = np.clip(np.rint(blocks / scales) + middle, 0, 2 * middle - 1).astype(np.uint8)
        if bits == 4:  # two codes a byte, the first in the low half
            codes = codes[..., 0::2] | (codes[..., 1::2] << 4)
        inputs = (
            graph.constant(f"{name}.codes", codes),
            graph.constant(f"{name}.scales", scales[..., 0]),
            "",
            "",
            graph.constant(f"{name}.bias", bias),
        )
        sizes = {"K": width, "N": out, "bits": bits, "block_size": block, "accuracy_level": accuracy_level}
        return graph.add("MatMulNBits", x, *inputs, domain=MICROSOFT, **sizes)

    return write


def dynamic_linear(graph: Graph, name: str, x: str, weight: Array, bias: Array) -> str:
    """8 bits, one scale for all the activations of a run: what ``quantize_dynamic`` makes, per channel."""
    codes, scales = codes_of(weight, pair_peaks(weight))
    inputs = (
        graph.constant(f"{name}.codes", codes.T),
        graph.constant(f"{name}.scales", scales),
        "",
        graph.constant(f"{name}.bias", bias),
    )
    return graph.add("DynamicQuantizeMatMul", x, *inputs, domain=MICROSOFT)


def static_linear(peaks: Array, *, smooth: bool) -> Linear:
    """8 bits, one scale for all activations, fixed in advance."""

    def write(graph: Graph, name: str, x: str, weight: Array, bias: Array) -> str:
        largest = peaks
        if smooth:
            factors = smoothing(peaks, weight)
            x, weight = graph.add("Mul", x, graph.constant(f"{name}.smoothing", 1 / factors)), weight * factors
            largest = peaks / factors
        codes, scales = codes_of(weight, pair_peaks(weight))
        scale = graph.constant(f"{name}.scale", np.array(largest.max() / 127, np.float32))
        zero = graph.constant("zero", np.array(MIDDLE, np.uint8))
        inputs = (
            graph.add("QuantizeLinear", x, scale, zero),
            graph.constant(f"{name}.codes", codes.T),
            scale,
            graph.constant(f"{name}.scales", scales),
            zero,
            "",
            graph.constant(f"{name}.bias", bias),
        )
        return graph.add("MatMulIntegerToFloat", *inputs, domain=MICROSOFT)

    return write


def candidates(
    weights: Weights, peaks: Mapping[str, Array], own_peaks: Mapping[str, Array]
) -> dict[str, Callable[[str], Linear]]:
    """The forms that are compared, each as the writer of a projection by its name."""
    eight, four = block_linear(8, 128), block_linear(4, 32)
    return {
        "8-bit blocks of 32": lambda _: block_linear(8, 32),
        "8-bit blocks of 128": lambda _: eight,
        "8-bit blocks of 128, float products": lambda _: block_linear(8, 128, 0),
        "4-bit blocks of 32": lambda _: four,
        "4-bit up and down, 8-bit others": lambda name: four if name.endswith(("up", "down")) else eight,
        "int8, scale per run": lambda _: dynamic_linear,
        "int8, scale fixed": lambda name: static_linear(peaks[name], smooth=False),
        "int8, scale fixed, smoothed": lambda name: static_linear(peaks[name], smooth=True),
        "int8, scale per token": lambda _: row_linear(),
        "int8, scale per token, smoothed (shipped: base)": recipe(weights, own_peaks, 8),
        "4 bits in the file, int8 at work, smoothed (shipped: fast)": recipe(weights, own_peaks, 4),
        "the same, peaks of training pairs": recipe(weights, peaks, 8),
    }


class Scorer:
    """A single-threaded session over one form of the network."""

    def __init__(self, model: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.megabytes = len(model) / 1e6
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def batch(self, ids: Sequence[Sequence[int]]) -> Probabilities:
        """Probabilities of pairs padded to the longest."""
        width = max(map(len, ids))
        mask = np.array([[1] * len(item) + [0] * (width - len(item)) for item in ids], np.int64)
        padded = np.array([[*item, *[1] * (width - len(item))] for item in ids], np.int64)
        (logits,) = self.session.run(None, {"input_ids": padded, "attention_mask": mask})
        powers = np.exp(logits - logits.max(-1, keepdims=True))
        return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)

    def alone(self, ids: Sequence[Sequence[int]]) -> Probabilities:
        """Probabilities of pairs that are run one by one."""
        return np.concatenate([self.batch([item]) for item in ids])


def measure(scorer: Scorer, ids: list[list[int]], entailed: NDArray[np.bool_], exact: Probabilities) -> dict[str, Any]:
    """One row of the table."""
    started = time.process_time()
    found = scorer.alone(ids)
    seconds = time.process_time() - started
    shift = np.abs(found - exact)[:, 0]
    some = ids[: 2 * BATCH]
    together = np.concatenate([scorer.batch(some[i : i + BATCH]) for i in range(0, len(some), BATCH)])
    return {
        "MB": f"{scorer.megabytes:.0f}",
        "tokens/s": f"{sum(map(len, ids)) / seconds:.0f}",
        "mean shift": f"{shift.mean():.4f}",
        "largest shift": f"{shift.max():.3f}",
        "label flips": f"{(found.argmax(1) != exact.argmax(1)).mean():.1%}",
        "AUROC": f"{roc_auc_score(entailed, found[:, 0]) - roc_auc_score(entailed, exact[:, 0]):+.4f}",
        "batch": f"{np.abs(together - found[: len(some)]).max():.0e}",
    }


def sample(
    data: Path, tokenizer: Tokenizer, pairs: int, *, max_tokens: int
) -> tuple[list[list[int]], NDArray[np.bool_]]:
    """Token ids of validation pairs, and whether each is entailed."""
    examples = load(data, "validation", VALIDATION) + twins(data, "validation", VALIDATION)
    random.Random(11).shuffle(examples)
    ids = [e.ids for e in tokenizer.encode_batch([(e.premise, e.hypothesis) for e in examples[: 2 * pairs]])]
    kept = [(i, e.target == 0) for i, e in zip(ids, examples, strict=False) if len(i) <= max_tokens][:pairs]
    return [i for i, _ in kept], np.array([label for _, label in kept])


def peaks_on(data: Path, tokenizer: Tokenizer, weights: Weights, network: Network) -> dict[str, NDArray[np.float32]]:
    """Channel peaks on 60 training pairs."""
    examples = load(data, "train", VALIDATION)
    random.Random(5).shuffle(examples)
    encoded = tokenizer.encode_batch([(e.premise, e.hypothesis) for e in examples[:60]])
    return channel_peaks(weights, network, [e.ids for e in encoded])


def main() -> None:
    """Prints one row for each form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training sets")
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--max-tokens", type=int, default=384, help="longer pairs are left out")
    parser.add_argument("--only", default="", help="forms whose name contains this")
    args = parser.parse_args()

    folder = args.encoder / "mpnet"
    weights = read_weights(args.weights)
    network = network_of(json.loads((folder / "config.json").read_text(encoding="utf-8")), weights)
    tokenizer = tokenizer_in(folder)
    ids, entailed = sample(args.data, tokenizer, args.pairs, max_tokens=args.max_tokens)
    own = channel_peaks(weights, network, [e.ids for e in tokenizer.encode_batch(list(PAIRS))])
    forms = candidates(weights, peaks_on(args.data, tokenizer, weights, network), own)

    factors, trained = read_factors(args.weights), weights
    if factors is not None:  # trained with rounded weights: these are exact, and only their own form is compared
        trained = as_stored(weights, factors)
        forms = {"4 bits in the file, int8 at work, smoothed (shipped: fast)": recipe(weights, own, 4, factors)}
    exact_scorer = Scorer(
        build(trained, network, linear=lambda _: float_linear, lookup=float_lookup).SerializeToString()
    )
    exact = exact_scorer.alone(ids)
    print(f"{len(ids)} pairs, {sum(map(len, ids))} tokens, AUROC {roc_auc_score(entailed, exact[:, 0]):.4f}\n")
    row = measure(exact_scorer, ids, entailed, exact)
    print(f"| form | {' | '.join(row)} |\n|---|{'---|' * len(row)}")
    print(f"| float32 | {' | '.join(row.values())} |", flush=True)
    for name, linear in forms.items():
        if args.only in name:
            lookup, places = (packed_lookup, row_lookup) if name.startswith("4 bits") else (row_lookup, float_lookup)
            whole = build(weights, network, linear=linear, lookup=lookup, places=places)
            scorer = Scorer(whole.SerializeToString())
            print(f"| {name} | {' | '.join(measure(scorer, ids, entailed, exact).values())} |", flush=True)


if __name__ == "__main__":
    main()
