"""Checkpoints that are made in the tests: random ones of several families, with the tokenizer of letters."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.nli.tiny import LABELS, VOCABULARY, write_tokenizer


def write_checkpoint(
    folder: Path,
    family: str = "roberta",
    *,
    labels: tuple[str, ...] = LABELS,
    max_tokens: int = 120,
    positions: int = 130,
    tokenizer: Path | None = None,
    **sizes: int | float,
) -> Path:
    """Writes ``config.json``, ``model.safetensors`` and the tokenizer's files; ``sizes`` replaces keys of the first."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(7)
    common: dict[str, Any] = {
        "vocab_size": len(VOCABULARY), "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 32, "max_position_embeddings": positions, "pad_token_id": 1, "bos_token_id": 0,
        "eos_token_id": 2, "initializer_range": 0.6, "num_labels": len(labels), "hidden_dropout_prob": 0.0,
    }  # fmt: skip
    own: dict[str, dict[str, Any]] = {
        "roberta": {"type_vocab_size": 1},
        "bert": {"type_vocab_size": 2},
        "deberta-v2": {
            "type_vocab_size": 0, "relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 16,
            "position_biased_input": False, "norm_rel_ebd": "layer_norm", "share_att_key": True,
        },
        "mpnet": {},
        "modernbert": {"cls_token_id": 0, "sep_token_id": 2, "global_attn_every_n_layers": 2, "local_attention": 64},
    }  # fmt: skip
    names = {str(index): label for index, label in enumerate(labels)}
    config = transformers.AutoConfig.for_model(family, **common | own[family] | sizes)
    config.id2label = {int(index): label for index, label in names.items()}
    config.label2id = {label: int(index) for index, label in names.items()}
    model = transformers.AutoModelForSequenceClassification.from_config(config).eval()
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    if tokenizer is None:
        write_tokenizer(folder / "tokenizer.json")
    else:
        shutil.copyfile(tokenizer, folder / "tokenizer.json")
    described = {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": max_tokens, "pad_token": "<pad>",
        "bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>", "unk_token": "[UNK]",
    }  # fmt: skip
    (folder / "tokenizer_config.json").write_text(json.dumps(described), encoding="utf-8")
    return folder
