"""Projections and tables with 8-bit weights. How the recipe was chosen: ``docs/design/quantization.md``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from training.graph import MICROSOFT, Array, Graph, Linear

#: Least scale of a row: a row of zeros has one as well.
TINY = 1e-12
#: Code of zero where values have no sign in particular: as many codes below as above.
MIDDLE = 128
#: After GELU no value lies below -0.17, so that nearly all codes can stand for positive values. A channel is
#: multiplied at most by 2 when it is smoothed, hence this least scale.
GELU_ZERO, GELU_LEAST = 16, 0.17 * 2 / 16


def smoothing(peaks: Array, weight: Array) -> NDArray[np.float32]:
    """Factors by which channels are divided before rounding, and their weights multiplied.

    A few channels of MPNet are ten to forty times as large as the others, which then share few codes. Half of the
    imbalance is moved into the weights (SmoothQuant, arXiv:2211.10438, with alpha 0.5).

    Args:
        peaks: Largest absolute value of each input channel, (in,).
        weight: (out, in).

    Returns:
        (in,), with geometric mean 1.
    """
    ratio = np.maximum(peaks, 1e-5) / np.maximum(np.abs(weight).max(0), 1e-5)
    root = np.sqrt(ratio)
    return np.asarray(root / np.exp(np.log(root).mean()), np.float32)


def codes_of(rows: Array, peaks: Array) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Codes (rows, columns) such that the peak of each row takes the code 127, and scales (rows,)."""
    scales = (np.maximum(peaks, TINY) / 127).astype(np.float32)
    return np.rint(rows / scales[:, None]).astype(np.int8), scales


def pair_peaks(weight: Array) -> NDArray[Any]:
    """The largest sum of two neighbouring weights of one sign, for each row.

    x86 processors without VNNI add the products of two neighbouring inputs (codes 0..255) in 16 bits and saturate.
    With codes of at most 127 in sum, 128 after rounding, no sum leaves 16 bits: 255 * 128 < 2**15.
    """
    neighbours = weight.reshape(len(weight), -1, 2)
    rising, falling = (np.maximum(sign * neighbours, 0).sum(-1) for sign in (1, -1))
    return np.asarray(np.maximum(rising, falling).max(-1))


def factors_of(peaks: Array | None, weight: Array, *, gelu: bool) -> NDArray[np.float32] | None:
    """What the input channels of a projection are divided by, and its weights multiplied; None: by nothing."""
    return None if peaks is None else np.maximum(smoothing(peaks, weight), 0.5 if gelu else 0)


def coded_product(graph: Graph, name: str, x: str, *, codes: str, scales: Array, bias: Array, gelu: bool) -> str:
    """The product of rounded rows and of weights in int8.

    The rows are rounded when the model runs, each by its own largest value, so that a token's result depends on no
    other token, let alone on another pair.

    Args:
        graph: Where to.
        name: Of the projection.
        x: (rows, in), smoothed.
        codes: Codes of the weights, (in, out).
        scales: One per output of the weights, (out,).
        bias: (out,).
        gelu: Whether the input comes out of GELU.
    """
    zero, least = (GELU_ZERO, GELU_LEAST) if gelu else (MIDDLE, TINY)
    axis = graph.constant("axis.1", np.array([1], np.int64))
    largest = graph.add("ReduceMax", graph.add("Abs", x), axis, keepdims=1)
    row_scale = graph.add("Mul", largest, graph.constant(f"step.{zero}", np.array(1 / (255 - zero), np.float32)))
    row_scale = graph.add("Max", row_scale, graph.constant(f"least.{zero}", np.array(least, np.float32)))
    zero_code = graph.constant(f"zero.{zero}", np.array(zero, np.uint8))
    flat_scale = graph.add("Squeeze", row_scale, axis)
    zeros = graph.add("Expand", zero_code, graph.add("Shape", flat_scale))
    product = graph.add(
        "MatMulIntegerToFloat",
        graph.add("QuantizeLinear", x, flat_scale, zeros, axis=0),
        codes,
        graph.constant("one", np.array(1, np.float32)),
        graph.constant(f"{name}.scales", scales),
        zero_code,
        domain=MICROSOFT,
    )
    # (1, out) and not (out,): ONNX Runtime would fuse the sum with GELU into an operator that is slower.
    return graph.add("Add", graph.add("Mul", product, row_scale), graph.constant(f"{name}.bias", bias[None]))


def row_linear(peaks: Array | None = None, *, gelu: bool = False) -> Linear:
    """A projection in int8, with one scale per output of the weights and one per row of the activations.

    Args:
        peaks: Largest absolute value of each input channel, to smooth by; None leaves the channels as they are.
        gelu: Whether the input comes out of GELU.
    """

    def write(graph: Graph, name: str, x: str, weight: Array, bias: Array) -> str:
        factors = factors_of(peaks, weight, gelu=gelu)
        if factors is not None:
            x, weight = graph.add("Mul", x, graph.constant(f"{name}.smoothing", 1 / factors)), weight * factors
        rows, scales = codes_of(weight, pair_peaks(weight))
        codes = graph.constant(f"{name}.codes", rows.T)
        return coded_product(graph, name, x, codes=codes, scales=scales, bias=bias, gelu=gelu)

    return write


def row_lookup(graph: Graph, name: str, ids: str, table: Array) -> str:
    """A table of int8 rows, each with a scale."""
    codes, scales = codes_of(table, np.abs(table).max(1))
    rows = graph.add("Cast", graph.add("Gather", graph.constant(f"{name}.codes", codes), ids), to=TensorProto.FLOAT)
    return graph.add("Mul", rows, graph.add("Gather", graph.constant(f"{name}.scales", scales[:, None]), ids))
