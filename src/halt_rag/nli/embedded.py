"""The backend that ships with the package: a small cross-encoder on ONNX Runtime, offline, on a CPU."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.labels import COLUMNS, label_order
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import ModelTokenizer, check_digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

#: The model that the package carries.
MODEL_FOLDER = Path(__file__).parents[1] / "models" / "nli-v0"
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
    """

    model_id: str
    sha256: str
    tokenizer_sha256: str
    order: tuple[int, int, int]
    max_tokens: int

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
    except OSError as error:
        raise ConfigurationError(
            f"There is no NLI model in {folder}: {error}.",
            hint="Reinstall halt-rag, or give the folder of a model: model.onnx, tokenizer.json and model.json.",
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(
            f"{file} does not describe a model: {error!r}.",
            hint="It must be a JSON object with model_id, id2label, max_tokens, sha256 and tokenizer_sha256.",
        ) from error
    return ModelCard(model_id, sha256, tokenizer_sha256, label_order(id2label), max_tokens)


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
        folder: Where ``model.onnx``, ``tokenizer.json`` and ``model.json`` lie; default: the model that
            the package carries. The ONNX graph takes ``input_ids`` and ``attention_mask`` (int64, shape
            (batch, tokens)) and gives ``logits`` (shape (batch, 3)).
        threads: How many pairs run at once, at least 1; default: the cores that this process may use.
            Each pair of 512 tokens that runs takes some 70 MB.

    Raises:
        InputError: If ``threads`` is less than 1.
    """

    name = "embedded"

    def __init__(self, folder: Path | None = None, *, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise InputError(f"threads must be at least 1, not {threads}.")
        self._folder = MODEL_FOLDER if folder is None else Path(folder)
        self._threads = threads or usable_cores()
        self._slots = threading.BoundedSemaphore(self._threads)
        self._loading = threading.RLock()
        self._card: ModelCard | None = None
        self._tokenizer: ModelTokenizer | None = None
        self._session: InferenceSession | None = None

    @property
    def model_id(self) -> str:
        """Name of the model, from ``model.json``."""
        return self.card.model_id

    @property
    def revision(self) -> str:
        """The first 12 hexadecimal digits of the SHA-256 of ``model.onnx``; more where ``ModelCard.revision`` says."""
        return self.card.revision

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
        import numpy as np

        distinct = list(dict.fromkeys(pairs))
        # Over the given pairs, not the distinct ones: an error names the caller's index.
        ids = dict(zip(pairs, self.tokenizer.pair_ids(pairs), strict=True))
        # The longest first, so that no worker is left with a long pair at the end.
        distinct.sort(key=lambda pair: -len(ids[pair]))
        rows = {pair: row for row, pair in enumerate(distinct)}
        logits = self._logits([ids[pair] for pair in distinct])
        probabilities = _softmax(logits[:, self.card.order])
        return NLIScores(probabilities[np.array([rows[pair] for pair in pairs], dtype=np.intp)])

    def _logits(self, batch: list[list[int]]) -> NDArray[np.float64]:
        import numpy as np

        if not batch:
            return np.zeros((0, len(COLUMNS)))
        session = self._loaded_session()
        if self._threads == 1 or len(batch) == 1:
            rows = [self._run(session, ids) for ids in batch]
        else:
            # A pool for each call: threads of a lasting one would be missing after a fork.
            with ThreadPoolExecutor(min(self._threads, len(batch)), "halt-rag-nli") as pool:
                rows = list(pool.map(lambda ids: self._run(session, ids), batch))
        logits = np.concatenate(rows).astype(np.float64)
        if not np.isfinite(logits).all():
            raise BackendError(f"{self.model_id} gave logits that are not finite.", backend=self.name)
        return logits

    def _run(self, session: InferenceSession, ids: list[int]) -> NDArray[np.float32]:
        import numpy as np
        from onnxruntime.capi import onnxruntime_pybind11_state as failures

        tokens = np.array([ids], dtype=np.int64)
        try:
            with self._slots:
                (logits,) = session.run(["logits"], {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})
        except (failures.Fail, failures.InvalidArgument, failures.RuntimeException, failures.EPFail) as error:
            raise BackendError(f"{self.model_id} failed: {error}", backend=self.name) from error
        if logits.shape != (1, len(COLUMNS)):
            raise BackendError(f"{self.model_id} gave logits of shape {logits.shape}, not (1, 3).", backend=self.name)
        row: NDArray[np.float32] = logits
        return row

    def _loaded_session(self) -> InferenceSession:
        with self._loading:
            if self._session is None:
                self._session = _load(self._folder / "model.onnx", self.card.sha256)
            return self._session


def _load(file: Path, sha256: str) -> InferenceSession:
    """Opens a model whose hash is as stated."""
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as failures

    try:
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"The NLI model cannot be read: {error}.", hint="Reinstall halt-rag.") from error
    check_digest(file, digest, sha256)
    options = onnxruntime.SessionOptions()
    # One thread a run and none of the session's own; parallelism is over pairs.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Patterns pay off when shapes repeat; ours differ from pair to pair, and each would keep its own memory plan.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except (
        failures.Fail,
        failures.InvalidArgument,
        failures.InvalidGraph,
        failures.InvalidProtobuf,
        failures.NotImplemented,
        failures.RuntimeException,
    ) as error:
        raise ConfigurationError(f"ONNX Runtime cannot load {file}: {error}") from error
    inputs, outputs = {i.name for i in session.get_inputs()}, {o.name for o in session.get_outputs()}
    if inputs != {"input_ids", "attention_mask"} or "logits" not in outputs:
        raise ConfigurationError(
            f"{file} takes {sorted(inputs)} and gives {sorted(outputs)}.",
            hint="A model must take input_ids and attention_mask and give logits.",
        )
    return session


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float32]:
    """Probabilities of each row, shape as given; computed in float64."""
    import numpy as np

    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: NDArray[np.float32] = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    return probabilities


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
