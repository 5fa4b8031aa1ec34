"""From a checkpoint to an ONNX folder that runs without torch, with int8 weights if wanted, and checked for parity."""

from __future__ import annotations

import json
import logging
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from halt_rag.errors import ConfigurationError, MissingExtraError
from halt_rag.nli.checkpoint import Reading, keep_reading
from halt_rag.nli.local import LocalNLI
from halt_rag.nli.onnx_folder import OnnxNLI
from halt_rag.nli.parity import Parity, check_parity
from halt_rag.nli.presets import reading_of

#: What int8 weights may change in a probability. Float32 exports differ by less than 0.001.
QUANTIZED_TOLERANCE = 0.15


def convert(
    model: str, folder: Path, *, quantized: bool = True, tolerance: float | None = None, revision: str | None = None
) -> Parity:
    """Writes ``model.onnx``, ``config.json`` and ``tokenizer.json`` for the backend ``onnx``, and checks it.

    Args:
        model: A checkpoint folder, a repository or a preset.
        folder: Where the files go; must be empty or not exist.
        quantized: Whether weights become int8: a quarter of the size, and other scores.
        tolerance: The largest difference of a probability that passes; default: 0.15 quantized, else 0.01.
        revision: A commit of the repository.

    Returns:
        What the parity gate found, with the checkpoint in float32 as the reference.

    Raises:
        MissingExtraError: If torch, transformers, onnx or onnxscript is not installed.
        ConfigurationError: If the folder is in use, or the model cannot be exported.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ConfigurationError(f"{folder} is not empty.", hint="Name a new folder.")
    source = LocalNLI(model, device="cpu", revision=revision)
    reading = source.description
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "model.onnx"
    if quantized:
        draft = folder / "float32.onnx"
        _export(source, draft)
        _quantize(draft, file)
        for part in folder.glob("float32.onnx*"):
            part.unlink()
    else:
        _export(source, file)
    config = source.model().config.to_dict() | {"_name_or_path": source.model_id}
    (folder / "config.json").write_text(json.dumps(config, indent=2, default=str) + "\n", encoding="utf-8")
    _copy_tokenizer(source, folder, model)
    labels = reading_of(model).labels
    keep_reading(folder, Reading(labels, reading.max_tokens, reading.template))
    limit = tolerance if tolerance is not None else (QUANTIZED_TOLERANCE if quantized else 0.01)
    return check_parity(OnnxNLI(folder), source, tolerance=limit)


def _export(source: LocalNLI, file: Path) -> None:
    try:
        import onnxscript  # noqa: F401 - the exporter of torch needs it
        import torch
    except ImportError as error:
        raise MissingExtraError("onnxscript or torch", "convert") from error
    model = source.model()
    names = ["input_ids", "attention_mask"]
    if int(getattr(model.config, "type_vocab_size", 0) or 0) > 1:
        names.append("token_type_ids")

    class Logits(torch.nn.Module):  # type: ignore[misc,unused-ignore]  # where torch is not installed
        """The model with logits as its only output."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *inputs: Any) -> Any:
            return self.model(**dict(zip(names, inputs, strict=True))).logits

    # A tensor for each input: the exporter takes one that is given twice for one input.
    samples = tuple(torch.ones((2, 12), dtype=torch.int64) for _ in names)
    sizes = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    try:
        with _quiet():
            torch.onnx.export(
                Logits(), samples, file, input_names=names, output_names=["logits"],
                dynamo=True, dynamic_shapes=(tuple(sizes for _ in names),), external_data=False, verbose=False,
            )  # fmt: skip
    except (torch.onnx.OnnxExporterError, RuntimeError) as error:
        first = str(error).strip().partition("\n")[0]
        raise ConfigurationError(
            f"{source.model_id} cannot be exported: {first}", hint="Use the backend local for it."
        ) from error


def _quantize(draft: Path, file: Path) -> None:
    try:
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise MissingExtraError("onnx", "convert") from error
    with _quiet():
        quantize_dynamic(draft, file, weight_type=QuantType.QInt8, per_channel=True)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the warnings of exporter and quantizer, which are about themselves."""
    before = logging.root.manager.disable
    logging.disable(max(before, logging.WARNING))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _copy_tokenizer(source: LocalNLI, folder: Path, model: str) -> None:
    (folder / "tokenizer.json").write_text(source.tokenizer.to_json(), encoding="utf-8")
    described = Path(model) / "tokenizer_config.json"
    if described.is_file():
        shutil.copyfile(described, folder / "tokenizer_config.json")
