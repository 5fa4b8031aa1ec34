"""What a Hugging Face checkpoint folder says about its model: labels, length, form of a pair, identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from halt_rag.errors import ConfigurationError
from halt_rag.nli.labels import Outputs, read_outputs

#: Families whose positions begin behind the padding token's index, so that the last ones hold no token.
_POSITIONS_AFTER_PADDING = frozenset({"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "mpnet", "longformer"})
#: ``model_max_length`` of tokenizers that know no limit is a number like 1e30.
_NO_LIMIT = 1_000_000
_KEPT = "halt-rag.json"


@dataclass(frozen=True, slots=True)
class Reading:
    """How a checkpoint is to be read where its files do not say it, or as a check of what they say.

    Attributes:
        labels: What each output means: entailment, neutral, contradiction in the model's order, or entailment and
            "not entailed". Must agree with the model's ``id2label`` where that has names.
        max_tokens: How many tokens a pair may have; default: what the files say.
        template: The text that a grader reads, with ``{premise}``, ``{hypothesis}`` and, for the special token between
            them, ``{sep}``; default: the tokenizer's form of a pair.
    """

    labels: tuple[str, ...] | None = None
    max_tokens: int | None = None
    template: str | None = None


@dataclass(frozen=True, slots=True)
class Description:
    """A model as its configuration describes it.

    Attributes:
        model_id: Its name.
        outputs: What each output means.
        max_tokens: How many tokens a pair may have, special tokens included.
        template: The text that it reads; None for pairs.
    """

    model_id: str
    outputs: Outputs
    max_tokens: int
    template: str | None

    def revision(self, weights: str, *more: str) -> str:
        """Which weights, and all that changes what they answer: labels, length, form, and ``more`` such as a type."""
        form = [hashlib.sha256(self.template.encode()).hexdigest()[:6]] if self.template else []
        return "-".join([weights, self.outputs.code, str(self.max_tokens), *form, *(part for part in more if part)])


def describe(
    config: Mapping[str, Any], tokenizer_config: Mapping[str, Any], model_id: str, reading: Reading
) -> Description:
    """Reads ``config.json`` and ``tokenizer_config.json``.

    Raises:
        ConfigurationError: If the labels cannot be mapped or no length is known.
    """
    id2label = config.get("id2label")
    if not isinstance(id2label, Mapping):
        raise ConfigurationError(f"The config.json of {model_id} has no id2label: it is no classifier.")
    return Description(
        model_id, read_outputs(id2label, reading.labels), _max_tokens(config, tokenizer_config, model_id, reading),
        reading.template,
    )  # fmt: skip


def describe_folder(folder: Path, reading: Reading, *, model_id: str | None = None) -> Description:
    """Reads the description of a checkpoint folder.

    Raises:
        ConfigurationError: As ``describe``, or if the files cannot be read.
    """
    tokenizer_file = folder / "tokenizer_config.json"
    tokenizer_config = read_json(tokenizer_file) if tokenizer_file.exists() else {}
    config = read_json(folder / "config.json")
    name = model_id or str(config.get("_name_or_path") or "") or folder.resolve().name
    return describe(config, tokenizer_config, name, reading)


def kept_reading(folder: Path) -> Reading | None:
    """The reading that ``keep_reading`` wrote into a folder, if it did.

    Raises:
        ConfigurationError: If the file is not what it wrote.
    """
    file = folder / _KEPT
    if not file.is_file():
        return None
    content = read_json(file)
    labels, most, template = content.get("labels"), content.get("max_tokens"), content.get("template")
    fits = (
        set(content) <= {"labels", "max_tokens", "template"}
        and (labels is None or (isinstance(labels, list) and all(isinstance(label, str) for label in labels)))
        and (most is None or (isinstance(most, int) and most > 0))
        and (template is None or isinstance(template, str))
    )
    if not fits:
        raise ConfigurationError(f"{file} is not what halt-rag writes.", hint="Delete it, or make the folder anew.")
    return Reading(None if labels is None else tuple(labels), most, template)


def keep_reading(folder: Path, reading: Reading) -> None:
    """Writes a reading into a checkpoint folder, where ``kept_reading`` finds it."""
    (folder / _KEPT).write_text(json.dumps(asdict(reading), indent=2) + "\n", encoding="utf-8")


def read_json(file: Path) -> dict[str, Any]:
    """A JSON object in a file.

    Raises:
        ConfigurationError: If there is none.
    """
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{file} cannot be read: {error}.", hint="Give the folder of a checkpoint, with config.json in it."
        ) from error
    if not isinstance(content, dict):
        raise ConfigurationError(f"{file} is no JSON object.")
    return content


def weights_digest(files: Iterable[Path]) -> str:
    """The first 12 hexadecimal digits of the SHA-256 over files in the order of their names.

    Raises:
        ConfigurationError: If there is none, or one cannot be read.
    """
    found = sorted(files, key=lambda file: file.name)
    if not found:
        raise ConfigurationError("There are no weights of the model.")
    total = hashlib.sha256()
    for file in found:
        try:
            with file.open("rb") as stream:
                total.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as error:
            raise ConfigurationError(f"{file} cannot be read: {error.strerror}.") from error
    return total.hexdigest()[:12]


def _max_tokens(config: Mapping[str, Any], tokenizer_config: Mapping[str, Any], model_id: str, reading: Reading) -> int:
    if reading.max_tokens is not None:
        return reading.max_tokens
    limits = []
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and positions > 0:
        behind = config.get("model_type") in _POSITIONS_AFTER_PADDING
        limits.append(positions - (int(config.get("pad_token_id") or 0) + 1 if behind else 0))
    length = tokenizer_config.get("model_max_length")
    if isinstance(length, int | float) and 0 < length < _NO_LIMIT:
        limits.append(int(length))
    if not limits:
        raise ConfigurationError(
            f"{model_id} does not say how many tokens it reads.", hint="Give max_tokens; 512 is usual."
        )
    return min(limits)
