"""The backend that ships: a small cross-encoder on ONNX Runtime, offline, on a CPU; in two tiers of size."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from halt_rag.errors import ConfigurationError, InputError
from halt_rag.nli.labels import COLUMNS, label_order
from halt_rag.nli.model_folders import MODEL_FOLDER, tier_folder
from halt_rag.nli.onnx_session import OnnxCrossEncoder, PairInput, scored_once, softmax, usable_cores
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import ModelTokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MODEL_FOLDER", "EmbeddedNLI", "ModelCard", "read_card", "usable_cores"]

#: A card with this order of labels and this limit adds nothing to the revision.
_USUAL_ORDER, _USUAL_TOKENS = (0, 1, 2), 512


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What ``model.json`` says about the ``model.onnx`` next to it.

    Attributes:
        model_id: Name of the model.
        sha256: Hash of ``model.onnx``, 64 hexadecimal digits.
        tokenizer_sha256: Hash of ``tokenizer.json``.
        order: The outputs that are entailment, neutral and contradiction.
        max_tokens: How many tokens a pair may have, special tokens included.
        languages: BCP 47 tags of the languages that the model can be trusted with; None where nothing is stated.
        licence: SPDX identifier; None where nothing is stated.
    """

    model_id: str
    sha256: str
    tokenizer_sha256: str
    order: tuple[int, int, int]
    max_tokens: int
    languages: tuple[str, ...] | None = None
    licence: str | None = None

    @property
    def revision(self) -> str:
        """The first 12 digits of ``sha256``, and what else changes the use of these weights where it is not usual.

        With other names for the outputs or another limit, the same weights are another model: scores that were kept
        and task models that were fitted do not belong to it.
        """
        revision = self.sha256[:12]
        if (self.order, self.max_tokens) == (_USUAL_ORDER, _USUAL_TOKENS):
            return revision
        return f"{revision}-{''.join(map(str, self.order))}-{self.max_tokens}"


def read_card(folder: Path) -> ModelCard:
    """Reads ``model.json`` of a model folder.

    Raises:
        ConfigurationError: If the file is missing, lacks a key or names labels that cannot be mapped.
    """
    file = folder / "model.json"
    try:
        card = json.loads(file.read_text(encoding="utf-8"))
        id2label = {str(index): str(label) for index, label in dict(card["id2label"]).items()}
        sha256, tokenizer_sha256 = str(card["sha256"]), str(card["tokenizer_sha256"])
        model_id, max_tokens = str(card["model_id"]), int(card["max_tokens"])
        languages = tuple(map(str, card["languages"])) if "languages" in card else None
        licence = str(card["license"]) if "license" in card else None
    except OSError as error:
        raise ConfigurationError(
            f"There is no NLI model in {folder}: {error}.",
            hint="Reinstall the package, or give the folder of a model: model.onnx, tokenizer.json and model.json.",
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(
            f"{file} does not describe a model: {error!r}.",
            hint="It must be a JSON object with model_id, id2label, max_tokens, sha256 and tokenizer_sha256.",
        ) from error
    return ModelCard(model_id, sha256, tokenizer_sha256, label_order(id2label), max_tokens, languages, licence)


class EmbeddedNLI:
    """Scores pairs with an ONNX cross-encoder; an ``NLIBackend``.

    Each pair runs alone and unpadded, so its score is the same whatever else is scored with it: in an
    int8 model the quantization ranges of a batch span all its members, and padding would shift them.
    Several pairs run at the same time instead, one thread each. On a CPU that is also as fast as batches.

    Constructing costs nothing. The first use of ``model_id`` or ``revision`` reads ``model.json``, that of
    ``tokenizer`` the tokenizer, and the first ``score`` loads the model. Both files must have the SHA-256 that
    ``model.json`` states; checking it takes some 50 ms of the 200 ms that loading the model takes. All methods may be
    called from several threads; ``threads`` bounds the pairs that run at once in all of them together.

    Args:
        folder: Where ``model.onnx``, ``tokenizer.json`` and ``model.json`` lie; default: those of the tier.
            The ONNX graph takes ``input_ids`` and ``attention_mask`` (int64, shape (batch, tokens)) and gives
            ``logits`` (shape (batch, 3)).
        tier: Which of the models that ship: "fast", which the package carries; "base", larger and in a package of
            its own (halt-rag-base); "auto": "base" where it is installed, else "fast".
        threads: How many pairs run at once, at least 1; default: the cores that this process may use.
            Each pair of 512 tokens that runs takes some 70 MB.

    Raises:
        InputError: If ``threads`` is less than 1, or both a folder and a tier are given.
        UnknownNameError: If there is no such tier.
        MissingExtraError: If "base" is asked for and not installed.
    """

    name = "embedded"

    def __init__(self, folder: Path | None = None, *, tier: str = "auto", threads: int | None = None) -> None:
        if folder is not None and tier != "auto":
            raise InputError(f"A model is either the one in {folder} or that of the tier {tier!r}.")
        self._folder = tier_folder(tier) if folder is None else Path(folder)
        self._encoder = OnnxCrossEncoder(self.name, threads=threads)
        self._loading = threading.RLock()
        self._card: ModelCard | None = None
        self._tokenizer: ModelTokenizer | None = None

    @property
    def model_id(self) -> str:
        """Name of the model, from ``model.json``."""
        return self.card.model_id

    @property
    def revision(self) -> str:
        """The first 12 hexadecimal digits of the SHA-256 of ``model.onnx``; more where ``ModelCard.revision`` says."""
        return self.card.revision

    @property
    def languages(self) -> tuple[str, ...] | None:
        """The languages that the model can be trusted with, from ``model.json``."""
        return self.card.languages

    @property
    def card(self) -> ModelCard:
        """What ``model.json`` says.

        Raises:
            ConfigurationError: If it cannot be used.
        """
        with self._loading:
            if self._card is None:
                self._card = read_card(self._folder)
            return self._card

    @property
    def tokenizer(self) -> ModelTokenizer:
        """The model's own tokenizer.

        Raises:
            ConfigurationError: If it cannot be used.
        """
        with self._loading:
            if self._tokenizer is None:
                self._tokenizer = ModelTokenizer(
                    self._folder / "tokenizer.json", self.card.max_tokens, sha256=self.card.tokenizer_sha256
                )
            return self._tokenizer

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs, each for itself; equal pairs are run once.

        Raises:
            InputError: A ``PairTooLongError`` with the index of the first pair that is too long.
            BackendError: If the model fails or gives values that are not finite.
            ConfigurationError: If the model cannot be loaded.
        """

        def run(batch: list[PairInput]) -> NDArray[np.floating]:
            file, sha256 = self._folder / "model.onnx", self.card.sha256
            logits = self._encoder.logits(batch, len(COLUMNS), model_id=self.model_id, file=file, sha256=sha256)
            return softmax(logits[:, self.card.order])

        return scored_once(pairs, self.tokenizer.pair_inputs(pairs), run)
