"""Weights in 4 bits, for the file; they are unpacked to 8 bits when the model is loaded, and computed with as such.

Each block of 32 weights of an output has a multiplier from 1 to 9 and each output a scale, so that a weight is
``scale * multiplier * code`` with a code from -7 to 7 (two levels of scales, as in QLoRA, arXiv:2305.14314).
``multiplier * code`` lies within -63 .. 63: it is an 8-bit code of ``training.quantize``, and two neighbours keep to
its limit of 127 in sum. Four bits alone cost accuracy, so the network is trained with its weights rounded (`Rounded`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from onnx import TensorProto
from torch import nn
from torch.nn.utils import parametrize

from training.graph import Array, Graph, Linear, Weights
from training.model import CrossEncoder
from training.quantize import TINY, coded_product

BLOCK = 32
MOST_CODE, MOST_MULTIPLIER = 7, 9
#: Codes are stored as 1 .. 15.
OFFSET = 8


def codes_of(rows: Array) -> tuple[NDArray[np.int8], NDArray[np.uint8], NDArray[np.float32]]:
    """Codes (rows, columns), multipliers (rows, blocks) and scales (rows,) of a matrix; columns a multiple of 32."""
    blocks = np.asarray(rows, np.float32).reshape(len(rows), -1, BLOCK)
    peaks = np.abs(blocks).max(-1)
    scales = (np.maximum(peaks.max(1), TINY) / (MOST_CODE * MOST_MULTIPLIER)).astype(np.float32)
    multipliers = np.clip(np.ceil(peaks / (MOST_CODE * scales[:, None]) - 1e-4), 1, MOST_MULTIPLIER)
    steps = (multipliers * scales[:, None])[..., None]
    codes = np.clip(np.rint(blocks / steps), -MOST_CODE, MOST_CODE).astype(np.int8)
    return codes.reshape(rows.shape), multipliers.astype(np.uint8), scales


def rounded(rows: torch.Tensor) -> torch.Tensor:
    """The matrix as ``codes_of`` stores it."""
    blocks = rows.reshape(len(rows), -1, BLOCK)
    peaks = blocks.abs().amax(-1)
    scales = peaks.amax(1).clamp_min(TINY) / (MOST_CODE * MOST_MULTIPLIER)
    multipliers = (peaks / (MOST_CODE * scales[:, None]) - 1e-4).ceil().clamp(1, MOST_MULTIPLIER)
    steps = (multipliers * scales[:, None]).unsqueeze(-1)
    return ((blocks / steps).round().clamp(-MOST_CODE, MOST_CODE) * steps).reshape(rows.shape)


class Rounded(nn.Module):  # type: ignore[misc,unused-ignore]  # where torch is not installed
    """Shows a projection its weight as it will be stored; gradients pass to the exact weight unchanged."""

    def __init__(self, factors: torch.Tensor | None) -> None:
        super().__init__()
        self.factors: torch.Tensor | None
        self.register_buffer("factors", factors)

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        """The weight (out, in), smoothed, rounded and put back."""
        with torch.no_grad():
            smooth = weight if self.factors is None else weight * self.factors
            stored = rounded(smooth)
            change = (stored if self.factors is None else stored / self.factors) - weight
        return weight + change


#: The projections of a layer, by their short names in `training.graph`.
PROJECTIONS = {
    "qkv": ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    "attended": ("attention.attn.o",),
    "up": ("intermediate.dense",),
    "down": ("output.dense",),
}


def round_weights(model: CrossEncoder, factors: Mapping[str, NDArray[np.float32]]) -> None:
    """Rounds the projections of all layers while the model is trained, and its word embeddings for good.

    Args:
        model: The network.
        factors: What the input channels of a projection are divided by, by its name (``0.qkv``).
    """
    for index, layer in enumerate(model.encoder.encoder.layer):
        for short, names in PROJECTIONS.items():
            factor = factors.get(f"{index}.{short}")
            for name in names:
                smooth = None if factor is None else torch.from_numpy(np.array(factor))
                parametrize.register_parametrization(layer.get_submodule(name), "weight", Rounded(smooth))
    words = model.encoder.embeddings.word_embeddings.weight
    words.data = rounded(words.data)


def exact_state(model: CrossEncoder, words: torch.Tensor) -> dict[str, torch.Tensor]:
    """The state without rounding: the weights that ``codes_of`` has to be given.

    Args:
        model: As ``round_weights`` left it.
        words: The word embeddings before they were rounded.
    """
    ending = ".parametrizations.weight.original"
    state = {k: v for k, v in model.state_dict().items() if not k.endswith(".parametrizations.weight.0.factors")}
    state = {k.removesuffix(ending) + ".weight" if k.endswith(ending) else k: v for k, v in state.items()}
    return state | {"encoder.embeddings.word_embeddings.weight": words}


def as_stored(weights: Weights, factors: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """The weights with those of the layers and the word embeddings rounded: what training saw, and the file holds."""
    found = dict(weights)
    layers = {name.split(".")[3] for name in weights if name.startswith("encoder.encoder.layer.")}
    for index in layers:
        for short, names in PROJECTIONS.items():
            factor = factors.get(f"{index}.{short}", np.float32(1))
            for name in (f"encoder.encoder.layer.{index}.{n}.weight" for n in names):
                stored = rounded(torch.from_numpy(weights[name] * factor)).numpy()
                found[name] = np.asarray(stored / factor, np.float32)
    words = "encoder.embeddings.word_embeddings.weight"
    found[words] = rounded(torch.from_numpy(weights[words])).numpy()
    return found


def _packed(codes: Array, axis: int) -> NDArray[np.uint8]:
    """Two codes from 0 to 15 a byte: the first half of an axis in the low bits, the second in the high ones."""
    low, high = np.split(codes.astype(np.uint8), 2, axis)
    return np.asarray(low | (high << 4), np.uint8)


def _unpacked(graph: Graph, packed: str, axis: int, kind: int = TensorProto.FLOAT) -> str:
    """The codes again, in the type that is asked for."""
    low = graph.add("BitwiseAnd", packed, graph.constant("bits.low", np.array(15, np.uint8)))
    high = graph.add("BitShift", packed, graph.constant("bits.shift", np.array(4, np.uint8)), direction="RIGHT")
    return graph.add("Cast", graph.add("Concat", low, high, axis=axis), to=kind)


def _product(graph: Graph, codes: str, multipliers: str, blocks: list[int], whole: list[int]) -> str:
    """``multiplier * code``, computed in the shape of the blocks and given in the shape of the whole."""
    centred = graph.add("Sub", codes, graph.constant("bits.offset", np.array(OFFSET, np.float32)))

    def shape(numbers: list[int]) -> str:
        return graph.constant("shape." + ".".join(map(str, numbers)), np.array(numbers, np.int64))

    product = graph.add("Mul", graph.add("Reshape", centred, shape(blocks)), multipliers)
    return graph.add("Reshape", product, shape(whole))


def _bytes_product(graph: Graph, codes: str, multipliers: str, sizes: tuple[int, int]) -> str:
    """``multiplier * code`` in int8, (inputs, outputs), from packed codes (blocks, outputs, 32) and multipliers.

    A depthwise convolution with windows of one value multiplies every block by its multiplier, in bytes. It is a
    standard operator, so ONNX Runtime computes it once, when it loads the model, and keeps the weights in the form
    that its products need. (Of its own QLinearMul it does not know that, and computed it in every run.)
    """
    inputs, outputs = sizes
    channels = inputs // BLOCK * outputs
    one, none = graph.constant("one", np.array(1, np.float32)), graph.constant("zero.i8", np.array(0, np.int8))
    middle = graph.constant("offset.i8", np.array(OFFSET, np.int8))

    def shaped(value: str, *numbers: int) -> str:
        shape = graph.constant("shape." + ".".join(map(str, numbers)), np.array(numbers, np.int64))
        return graph.add("Reshape", value, shape)

    x = shaped(_unpacked(graph, codes, 0, TensorProto.INT8), 1, channels, BLOCK, 1)
    w = shaped(_unpacked(graph, multipliers, 0, TensorProto.INT8), channels, 1, 1, 1)
    product = graph.add("QLinearConv", x, one, middle, w, one, none, one, none, group=channels)
    blocks = graph.add("Transpose", shaped(product, inputs // BLOCK, outputs, BLOCK), perm=[0, 2, 1])
    return shaped(blocks, inputs, outputs)


def packed_linear(factors: Array | None, *, gelu: bool = False) -> Linear:
    """A projection whose weights are stored in 4 bits; unpacking them is constant, so it is done at loading.

    Args:
        factors: What the input channels are divided by; None: nothing.
        gelu: Whether the input comes out of GELU.
    """

    def write(graph: Graph, name: str, x: str, weight: Array, bias: Array) -> str:
        if factors is not None:
            x, weight = graph.add("Mul", x, graph.constant(f"{name}.smoothing", 1 / factors)), weight * factors
        codes, multipliers, scales = codes_of(weight)
        outputs, inputs = weight.shape
        blocks = (codes + OFFSET).reshape(outputs, inputs // BLOCK, BLOCK).transpose(1, 0, 2)
        whole = _bytes_product(
            graph,
            graph.constant(f"{name}.packed", _packed(blocks, 0)),
            graph.constant(f"{name}.multipliers", _packed(multipliers.T, 0)),
            (inputs, outputs),
        )
        return coded_product(graph, name, x, codes=whole, scales=scales, bias=bias, gelu=gelu)

    return write


def packed_lookup(graph: Graph, name: str, ids: str, table: Array) -> str:
    """Rows of a table that is stored in 4 bits; only the rows that are read are unpacked."""
    codes, multipliers, scales = codes_of(table)
    rows = graph.add("Gather", graph.constant(f"{name}.packed", _packed(codes + OFFSET, 1)), ids)
    by_block = graph.add("Gather", graph.constant(f"{name}.multipliers", _packed(multipliers, 1)), ids)
    last = graph.constant("axis.last", np.array([-1], np.int64))
    width = table.shape[1]
    product = _product(
        graph,
        _unpacked(graph, rows, -1),
        graph.add("Unsqueeze", _unpacked(graph, by_block, -1), last),
        [0, 0, width // BLOCK, BLOCK],
        [0, 0, width],
    )
    return graph.add("Mul", product, graph.add("Gather", graph.constant(f"{name}.scales", scales[:, None]), ids))
