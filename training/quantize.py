"""Weights in 8 or 4 bits, in the forms that ONNX Runtime computes with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from training.graph import MICROSOFT, Array, Graph, Linear


def blocks_of(weight: Array, bits: int, block: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Rounds each block of a row to ``bits`` bits around a zero point in the middle of the range.

    Args:
        weight: (out, in), where ``in`` is a multiple of ``block``.
        bits: 4 or 8.
        block: Number of neighbouring weights that share a scale.

    Returns:
        Codes (out, in) in ``0 .. 2**bits - 1`` and scales (out, in / block):
        ``weight ~ (code - 2**(bits - 1)) * scale``.
    """
    out, width = weight.shape
    middle = 2 ** (bits - 1)
    blocks = weight.reshape(out, width // block, block).astype(np.float32)
    # The largest weight of a block, whatever its sign, takes the code 0: the range has one more step below zero.
    position = np.abs(blocks).argmax(-1, keepdims=True)
    scales = np.take_along_axis(blocks, position, -1) / -middle
    safe = np.where(scales == 0, 1, scales)
    codes = np.clip(np.rint(blocks / safe) + middle, 0, 2 * middle - 1).astype(np.uint8)
    return codes.reshape(out, width), scales[..., 0].astype(np.float32)


def block_linear(bits: int, block: int, accuracy_level: int = 4) -> Linear:
    """A projection with block-wise weights (MatMulNBits).

    With accuracy level 4, ONNX Runtime rounds the activations of each row and block to 8 bits as well and
    multiplies integers; a row's result does not depend on other rows.
    """

    def write(graph: Graph, name: str, x: str, weight: Array, bias: Array) -> str:
        out, width = weight.shape
        codes, scales = blocks_of(weight, bits, block)
        if bits == 4:  # two codes a byte, the first in the low half
            codes = codes[:, 0::2] | (codes[:, 1::2] << 4)
        packed = codes.reshape(out, width // block, block * bits // 8)
        inputs = (
            graph.constant(f"{name}.codes", packed),
            graph.constant(f"{name}.scales", scales),
            "",
            "",
            graph.constant(f"{name}.bias", bias),
        )
        sizes = {"K": width, "N": out, "bits": bits, "block_size": block}
        return graph.add("MatMulNBits", x, *inputs, domain=MICROSOFT, accuracy_level=accuracy_level, **sizes)

    return write


def row_lookup(graph: Graph, name: str, ids: str, table: Array) -> str:
    """A table of int8 rows, each with a scale."""
    scales = np.maximum(np.abs(table).max(1, keepdims=True), 1e-12).astype(np.float32) / 127
    codes = np.rint(table / scales).astype(np.int8)
    rows = graph.add("Cast", graph.add("Gather", graph.constant(name, codes), ids), to=TensorProto.FLOAT)
    return graph.add("Mul", rows, graph.add("Gather", graph.constant(f"{name}.scales", scales), ids))
