"""The cross-encoder written out as an ONNX graph.

The graph is written by hand instead of traced: every layer is the same dozen operators, ONNX Runtime has
fused operators for most of them, and the form of the weights is then a choice per projection (`training.quantize`).
It needs neither torch nor an optimiser pass, and its parity with `training.model` is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[Any]
Weights = Mapping[str, NDArray[np.float32]]

MICROSOFT = "com.microsoft"
OPSETS = {"": 20, MICROSOFT: 1}
#: Written into the file; ONNX Runtime 1.22 reads it.
IR_VERSION = 10
LAYER_NORM_EPSILON = 1e-5
PAD_ID = 1


@dataclass
class Graph:
    """Nodes and constants in the making; each method returns the name of the value that it adds."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: dict[str, onnx.TensorProto] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)

    def add(self, operator: str, *inputs: str, domain: str = "", outputs: int = 1, **attributes: Any) -> str:
        """Adds a node; its outputs are ``name``, ``name.1``, and so on."""
        name = f"{operator}.{len(self.nodes)}"
        names = [name, *(f"{name}.{i}" for i in range(1, outputs))]
        self.nodes.append(helper.make_node(operator, list(inputs), names, name=name, domain=domain, **attributes))
        return name

    def constant(self, name: str, value: Array) -> str:
        """Adds a constant, once."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def once(self, key: str, make: Callable[[], str]) -> str:
        """The value that ``make`` adds, added once however often it is asked for."""
        if key not in self.shared:
            self.shared[key] = make()
        return self.shared[key]

    def model(self, output: str) -> onnx.ModelProto:
        """The finished model: ids and mask (batch, tokens) int64 in, logits (batch, 3) float32 out."""
        self.nodes.append(helper.make_node("Identity", [output], ["logits"], name="logits"))
        graph = helper.make_graph(
            self.nodes,
            "halt_rag_nli",
            [
                helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"]),
                helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"]),
            ],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])],
            list(self.constants.values()),
        )
        opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="halt-rag")


#: Writes ``x @ weight.T + bias``: graph, name, x, weight (out, in), bias (out,) -> value.
Linear = Callable[[Graph, str, str, Array, Array], str]
#: Writes the rows of ``table`` that ``ids`` name: graph, name, ids, table -> value.
Lookup = Callable[[Graph, str, str, Array], str]


def float_linear(graph: Graph, name: str, x: str, weight: Array, bias: Array) -> str:
    """A projection in float32."""
    product = graph.add("MatMul", x, graph.constant(f"{name}.weight", weight.T))
    return graph.add("Add", product, graph.constant(f"{name}.bias", bias))


def float_lookup(graph: Graph, name: str, ids: str, table: Array) -> str:
    """A table in float32."""
    return graph.add("Gather", graph.constant(name, table), ids)


def relative_buckets(tokens: int, buckets: int, max_distance: int = 128) -> NDArray[np.int64]:
    """Buckets of the distances ``-(tokens - 1) .. tokens - 1``, as MPNet (and T5) assign them.

    Half of the buckets are for keys after the query; in each half, small distances have a bucket of
    their own and larger ones share buckets whose width grows with the logarithm of the distance.
    """
    relative = np.arange(-(tokens - 1), tokens)
    half, exact = buckets // 2, buckets // 4
    distance = np.abs(relative)
    ratio = np.log(np.maximum(distance, 1).astype(np.float32) / np.float32(exact))
    far = exact + (ratio / np.float32(np.log(max_distance / exact)) * (half - exact)).astype(np.int64)
    bucket = np.where(distance < exact, distance, np.minimum(far, half - 1))
    return np.where(relative > 0, bucket + half, bucket)


def _shape(graph: Graph, *parts: int | str) -> str:
    """A shape of known numbers and of values that hold one number each."""
    names = [p if isinstance(p, str) else graph.constant(f"int.{p}", np.array([p], np.int64)) for p in parts]
    return graph.add("Concat", *names, axis=0)


def _position_bias(graph: Graph, table: Array, tokens: str, max_tokens: int) -> str:
    """Attention bias (1, heads, tokens, tokens) from the bias of each bucket (buckets, heads).

    Row i of the wanted matrix is the row of distances shifted by i. Repeating a row of length 2n and reading the
    copies as rows of length 2n - 1 makes that shift, with contiguous copies only.
    """
    one = graph.constant("int.1", np.array([1], np.int64))
    two = graph.constant("int.2", np.array([2], np.int64))
    last = graph.constant("axis.last", np.array([-1], np.int64))
    heads = table.shape[1]
    by_distance = table[relative_buckets(max_tokens, len(table))].T  # (heads, 2 * max_tokens - 1)
    padded = np.concatenate([by_distance, np.zeros((heads, 1), np.float32)], axis=1)
    middle = graph.constant("int.max_tokens", np.array([max_tokens], np.int64))
    start, end = graph.add("Sub", middle, tokens), graph.add("Add", middle, tokens)
    row = graph.add("Slice", graph.constant("position_bias", padded), start, end, last)  # (heads, 2n): -(n-1) .. n
    repeated = graph.add("Tile", row, _shape(graph, 1, tokens))
    odd = graph.add("Sub", graph.add("Mul", tokens, two), one)
    cut = graph.add(
        "Slice", repeated, graph.constant("int.0", np.array([0], np.int64)), graph.add("Mul", tokens, odd), last
    )
    rows = graph.add("Reshape", cut, _shape(graph, 1, heads, tokens, odd))
    return graph.add("Slice", rows, graph.add("Sub", tokens, one), odd, last)


@dataclass(frozen=True)
class Network:
    """What the weights alone do not say."""

    layers: int
    heads: int
    max_tokens: int
    epsilon: float = LAYER_NORM_EPSILON


def _embeddings(graph: Graph, weights: Weights, lookup: Lookup, places: Lookup, epsilon: float) -> str:
    """Word and position embeddings; positions count the tokens that are not padding, from PAD_ID + 1."""
    pad = graph.constant("pad", np.array(PAD_ID, np.int64))
    real = graph.add("Cast", graph.add("Not", graph.add("Equal", "input_ids", pad)), to=TensorProto.INT64)
    axis = graph.constant("axis.second", np.array(1, np.int64))
    positions = graph.add("Add", graph.add("Mul", graph.add("CumSum", real, axis), real), pad)
    prefix = "encoder.embeddings"
    words = lookup(graph, "words", "input_ids", weights[f"{prefix}.word_embeddings.weight"])
    where = places(graph, "positions", positions, weights[f"{prefix}.position_embeddings.weight"])
    both = graph.add("Reshape", graph.add("Add", words, where), _shape(graph, -1, weights["dense.weight"].shape[0]))
    return _layer_norm(graph, f"{prefix}.LayerNorm", both, weights, epsilon)


def _layer_norm(graph: Graph, name: str, x: str, weights: Weights, epsilon: float) -> str:
    """Layer normalisation from elementary operators, which are four times as fast on a CPU as the fused one.

    ONNX Runtime's LayerNormalization computes element by element; these are vectorised.
    """
    last = graph.constant("axis.last", np.array([-1], np.int64))
    centred = graph.add("Sub", x, graph.add("ReduceMean", x, last))
    variance = graph.add("ReduceMean", graph.add("Mul", centred, centred), last)
    stable = graph.add("Add", variance, graph.constant("epsilon", np.array(epsilon, np.float32)))
    unit = graph.add("Mul", centred, graph.add("Reciprocal", graph.add("Sqrt", stable)))
    scaled = graph.add("Mul", unit, graph.constant(f"{name}.weight", weights[f"{name}.weight"]))
    return graph.add("Add", scaled, graph.constant(f"{name}.bias", weights[f"{name}.bias"]))


def _attention(graph: Graph, joined: str, bias: str, mask: str, *, heads: int, width: int) -> str:
    """Attention over the joined queries, keys and values (rows, 3 * width)."""
    parts = graph.constant("split", np.array([width] * 3, np.int64))
    size = graph.once("size", lambda: graph.add("Shape", "input_ids"))
    shape = graph.once("joined", lambda: _shape(graph, size, 3 * width))
    queries = graph.add("Split", graph.add("Reshape", joined, shape), parts, outputs=3, axis=-1)
    inputs = (queries, f"{queries}.1", f"{queries}.2", "", mask, bias)
    context = graph.add("MultiHeadAttention", *inputs, domain=MICROSOFT, num_heads=heads)
    return graph.add("Reshape", context, _shape(graph, -1, width))


def _layer(
    graph: Graph,
    x: str,
    index: int,
    *,
    weights: Weights,
    linear: Callable[[str], Linear],
    network: Network,
    shared: Any,
) -> str:
    """One transformer layer (normalised after each residual sum)."""
    prefix = f"encoder.encoder.layer.{index}"

    def project(value: str, short: str, *names: str) -> str:
        weight = np.concatenate([weights[f"{prefix}.{n}.weight"] for n in names])
        bias = np.concatenate([weights[f"{prefix}.{n}.bias"] for n in names])
        name = f"{index}.{short}"
        return linear(name)(graph, name, value, weight, bias)

    bias, mask = shared
    width = weights[f"{prefix}.attention.attn.o.weight"].shape[0]
    joined = project(x, "qkv", *(f"attention.attn.{part}" for part in "qkv"))
    context = _attention(graph, joined, bias, mask, heads=network.heads, width=width)
    attended = project(context, "attended", "attention.attn.o")
    x = _layer_norm(graph, f"{prefix}.attention.LayerNorm", graph.add("Add", attended, x), weights, network.epsilon)
    up = graph.add("Gelu", project(x, "up", "intermediate.dense"))
    down = project(up, "down", "output.dense")
    return _layer_norm(graph, f"{prefix}.output.LayerNorm", graph.add("Add", down, x), weights, network.epsilon)


def _head(graph: Graph, hidden: str, weights: Weights, linear: Callable[[str], Linear]) -> str:
    """Logits from the first token and the mean of the tokens that are not masked."""
    last = graph.constant("axis.last", np.array([-1], np.int64))
    width = weights["out.weight"].shape[1]
    hidden = graph.add("Reshape", hidden, _shape(graph, graph.add("Shape", "input_ids"), width))
    second = graph.constant("axes.1", np.array([1], np.int64))
    mask = graph.add("Unsqueeze", graph.add("Cast", "attention_mask", to=TensorProto.FLOAT), last)
    total = graph.add("ReduceSum", graph.add("Mul", hidden, mask), second, keepdims=0)
    mean = graph.add("Div", total, graph.add("ReduceSum", mask, second, keepdims=0))
    first = graph.add("Gather", hidden, graph.constant("int.first", np.array(0, np.int64)), axis=1)
    pooled = graph.add("Concat", first, mean, axis=-1)
    dense = linear("head")(graph, "head", pooled, weights["dense.weight"], weights["dense.bias"])
    return float_linear(graph, "out", graph.add("Tanh", dense), weights["out.weight"], weights["out.bias"])


def build(
    weights: Weights,
    network: Network,
    *,
    linear: Callable[[str], Linear],
    lookup: Lookup,
    places: Lookup = float_lookup,
) -> onnx.ModelProto:
    """The whole network as an ONNX model.

    Args:
        weights: The state of `training.model.CrossEncoder`, as float32 arrays.
        network: Sizes that the weights do not tell.
        linear: Gives the writer of each projection by its name: ``0.qkv``, ``0.attended``, ``0.up``,
            ``0.down``, ..., ``head``.
        lookup: Writer of the word embeddings.
        places: Writer of the position embeddings.
    """
    graph = Graph()
    tokens = graph.add("Shape", "input_ids", start=1)
    table = weights["encoder.encoder.relative_attention_bias.weight"]
    bias = _position_bias(graph, table, tokens, network.max_tokens)
    mask = graph.add("Cast", "attention_mask", to=TensorProto.INT32)
    hidden = _embeddings(graph, weights, lookup, places, network.epsilon)
    for index in range(network.layers):
        hidden = _layer(graph, hidden, index, weights=weights, linear=linear, network=network, shared=(bias, mask))
    return graph.model(_head(graph, hidden, weights, linear))
