"""A model folder that is made in milliseconds: a tokenizer of letters and a cross-encoder without layers."""

from __future__ import annotations

import hashlib
import json
import string
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import RobertaProcessing

LABELS = ("entailment", "neutral", "contradiction")
SPECIAL = ("<s>", "<pad>", "</s>", "[UNK]")
LETTERS = string.ascii_lowercase + string.digits + string.punctuation
VOCABULARY = {token: index for index, token in enumerate((*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS)))}


def write_tokenizer(file: Path) -> None:
    """Makes each letter a token; asks for truncation and padding, which must be ignored."""
    tokenizer = Tokenizer(WordPiece(VOCABULARY, unk_token="[UNK]"))  # noqa: S106
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8, pad_id=1, pad_token="<pad>")  # noqa: S106
    tokenizer.save(str(file))


def tiny_onnx(*, words: int = len(VOCABULARY), head: Any = None, inputs: tuple[str, str] | None = None) -> bytes:
    """Weighted mean of word vectors, times a matrix, over the largest value in the batch.

    The last step is what dynamic quantization does to a real model: scores depend on the company, and on padding,
    which the mean counts too. A backend that batches or pads gives itself away.
    """
    rng = np.random.default_rng(0)
    ids, mask = inputs or ("input_ids", "attention_mask")
    constants: dict[str, Any] = {
        "table": rng.normal(0, 3, (words, 8)).astype(np.float32),
        "head": np.asarray(rng.normal(0, 3, (8, 3)) if head is None else head, np.float32),
        "axis": np.array([1], np.int64),
    }
    nodes = [
        helper.make_node("Gather", ["table", ids], ["words"]),
        helper.make_node("Cast", [mask], ["counted"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["counted", "last"], ["weights"]),
        helper.make_node("CumSum", ["weights", "one"], ["positions"]),
        helper.make_node("Sqrt", ["positions"], ["roots"]),
        helper.make_node("Mul", ["words", "roots"], ["placed"]),
        helper.make_node("ReduceMean", ["placed", "axis"], ["mean"], keepdims=0),
        helper.make_node("MatMul", ["mean", "head"], ["raw"]),
        helper.make_node("Abs", ["placed"], ["sizes"]),
        helper.make_node("ReduceMax", ["sizes"], ["largest"], keepdims=0),
        helper.make_node("Div", ["raw", "largest"], ["logits"]),
    ]
    constants |= {"last": np.array([2], np.int64), "one": np.array(1, np.int64)}
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in (ids, mask)],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "outputs"])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    return bytes(model.SerializeToString())


def write_model(folder: Path, *, onnx: bytes | None = None, labels: tuple[str, ...] = LABELS, **card: Any) -> Path:
    """Writes the three files of a model folder; ``card`` replaces keys of ``model.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    model = tiny_onnx() if onnx is None else onnx
    (folder / "model.onnx").write_bytes(model)
    write_tokenizer(folder / "tokenizer.json")
    keys = {
        "model_id": "tiny",
        "id2label": {str(index): label for index, label in enumerate(labels)},
        "max_tokens": 40,
        "sha256": hashlib.sha256(model).hexdigest(),
        "tokenizer_sha256": hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest(),
    }
    (folder / "model.json").write_text(json.dumps(keys | card), encoding="utf-8")
    return folder
