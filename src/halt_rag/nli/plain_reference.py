"""Models asked in the plainest way, one pair at a time: what the parity gate compares backends with.

Nothing here is shared with the backends but the tables of labels, so that a fault of theirs is not repeated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halt_rag.errors import ConfigurationError, MissingExtraError
from halt_rag.nli.checkpoint import Reading
from halt_rag.nli.labels import read_outputs
from halt_rag.nli.scores import NLIScores, Pair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from halt_rag.text.windows import Tokenizer


class PlainReference:
    """An ``NLIBackend`` from a function that gives the logits of one pair.

    Args:
        model_id: Which model.
        id2label: The label of each output.
        logits: Gives the logits of a premise and a hypothesis.
        tokenizer: What the checked backend counts with; nothing is cut or counted here.
        labels: What the outputs mean, where ``id2label`` does not say.
    """

    name = "reference"
    revision = "as given"

    def __init__(
        self,
        model_id: str,
        id2label: dict[Any, Any],
        *,
        logits: Callable[[str, str], Sequence[float]],
        tokenizer: Tokenizer,
        labels: Sequence[str] | None = None,
    ) -> None:
        self.model_id, self._logits, self.tokenizer = model_id, logits, tokenizer
        self._outputs = read_outputs(id2label, labels)

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs one after the other."""
        import numpy as np

        rows: list[NDArray[np.float64]] = []
        for pair in pairs:
            logits = np.asarray(self._logits(pair.premise, pair.hypothesis), dtype=np.float64)
            exponentials = np.exp(logits - logits.max())
            rows.append(exponentials / exponentials.sum())
        return NLIScores(self._outputs.columns(np.array(rows)).astype(np.float32))


def onnx_reference(folder: Path, model_file: Path, tokenizer: Tokenizer, *, reading: Reading) -> PlainReference:
    """The model of a folder, by ONNX Runtime and the tokenizers library alone.

    Raises:
        ConfigurationError: If the folder cannot be read.
    """
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer as Loaded

    card = folder / "model.json"
    config = card if card.exists() else folder / "config.json"
    try:
        described = json.loads(config.read_text(encoding="utf-8"))
        loaded = Loaded.from_file(str(folder / "tokenizer.json"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{folder} cannot be read: {error}.") from error
    loaded.no_padding()
    loaded.no_truncation()
    session = onnxruntime.InferenceSession(str(model_file), providers=["CPUExecutionProvider"])
    taken = {entry.name for entry in session.get_inputs()}

    def logits(premise: str, hypothesis: str) -> Sequence[float]:
        texts = _texts(reading.template, premise, hypothesis, _ending(loaded))
        whole = loaded.encode(texts[0], texts[1] if len(texts) > 1 else None)
        feed = {
            "input_ids": np.array([whole.ids], np.int64),
            "attention_mask": np.array([whole.attention_mask], np.int64),
            "token_type_ids": np.array([whole.type_ids], np.int64),
        }
        (found,) = session.run(["logits"], {name: feed[name] for name in taken})
        row: list[float] = found[0].tolist()
        return row

    name = str(described.get("model_id") or folder.resolve().name)
    return PlainReference(name, described["id2label"], logits=logits, tokenizer=tokenizer, labels=reading.labels)


def transformers_reference(
    source: str, tokenizer: Tokenizer, *, reading: Reading, revision: str | None = None
) -> PlainReference:
    """A checkpoint, by transformers alone, in float32 on the CPU.

    Raises:
        MissingExtraError: If the extra ``local`` is not installed.
        ConfigurationError: If the checkpoint cannot be read.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError("transformers and torch", "local") from error
    options: dict[str, Any] = {"revision": revision} if revision and not Path(source).is_dir() else {}
    try:
        words = transformers.AutoTokenizer.from_pretrained(source, **options)
        network = transformers.AutoModelForSequenceClassification.from_pretrained(
            source, use_safetensors=True, dtype=torch.float32, **options
        ).eval()
    except (OSError, ValueError) as error:
        first = str(error).strip().partition("\n")[0]
        raise ConfigurationError(
            f"The reference {source} cannot be read: {first.removesuffix('.')}.",
            hint="Name the same model as it lies on this machine: local:FOLDER or onnx:FOLDER.",
        ) from error

    def logits(premise: str, hypothesis: str) -> Sequence[float]:
        texts = _texts(reading.template, premise, hypothesis, words.eos_token or words.sep_token)
        with torch.inference_mode():
            row: list[float] = network(**words(*texts, return_tensors="pt")).logits[0].tolist()
        return row

    return PlainReference(source, network.config.id2label, logits=logits, tokenizer=tokenizer, labels=reading.labels)


def _texts(template: str | None, premise: str, hypothesis: str, ending: str) -> tuple[str, ...]:
    if template is None:
        return premise, hypothesis
    places = {"sep": ending, "premise": premise, "hypothesis": hypothesis}
    return (re.sub(r"\{(sep|premise|hypothesis)\}", lambda place: places[place[1]], template),)


def _ending(loaded: Any) -> str:
    return str(loaded.id_to_token(loaded.encode("").ids[-1]))
