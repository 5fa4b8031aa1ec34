"""A cross-encoder in ONNX Runtime: token ids in, logits out. What the embedded and the folder backend share."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import check_digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

#: Token ids of a pair, and for each token to which of the two texts it belongs.
PairInput = tuple[list[int], list[int]]
_NEEDED, _KNOWN = {"input_ids", "attention_mask"}, {"input_ids", "attention_mask", "token_type_ids"}


class OnnxCrossEncoder:
    """Runs each pair alone and unpadded, several side by side; loads the model on first use.

    In an int8 model the quantization ranges of a batch span all its members, and padding would shift them: alone, the
    score of a pair is the same whatever else is scored. On a CPU that is also as fast as batches.

    Args:
        backend: Name of the backend, for errors.
        threads: How many pairs run at once, at least 1; default: the cores that this process may use.

    Raises:
        InputError: If ``threads`` is less than 1.
    """

    def __init__(self, backend: str, *, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise InputError(f"threads must be at least 1, not {threads}.")
        self._backend = backend
        self._threads = threads or usable_cores()
        self._slots = threading.BoundedSemaphore(self._threads)
        self._loading = threading.Lock()
        self._session: InferenceSession | None = None

    def logits(
        self, batch: Sequence[PairInput], outputs: int, *, model_id: str, file: Path, sha256: str | None
    ) -> NDArray[np.float64]:
        """Logits of shape (pairs, outputs).

        Args:
            batch: The pairs.
            outputs: How many outputs the model has.
            model_id: For errors.
            file: The model.
            sha256: What its SHA-256 must be, 64 hexadecimal digits; None accepts any.

        Raises:
            BackendError: If the model fails or gives values that are not finite.
            ConfigurationError: If the file cannot be loaded, or has another hash than is stated.
        """
        import numpy as np

        if not batch:
            return np.zeros((0, outputs))
        with self._loading:
            if self._session is None:
                self._session = _load(file, sha256)
            session = self._session
        # The longest first, so that no worker is left with a long pair at the end.
        order = sorted(range(len(batch)), key=lambda index: -len(batch[index][0]))
        if self._threads == 1 or len(batch) == 1:
            rows = [self._run(session, batch[index], outputs, model_id) for index in order]
        else:
            # A pool for each call: threads of a lasting one would be missing after a fork.
            with ThreadPoolExecutor(min(self._threads, len(batch)), "halt-rag-nli") as pool:
                rows = list(pool.map(lambda index: self._run(session, batch[index], outputs, model_id), order))
        logits = np.empty((len(batch), outputs))
        logits[order] = np.concatenate(rows)
        if not np.isfinite(logits).all():
            raise BackendError(f"{model_id} gave logits that are not finite.", backend=self._backend)
        return logits

    def _run(self, session: InferenceSession, pair: PairInput, outputs: int, model_id: str) -> NDArray[np.float32]:
        import numpy as np
        from onnxruntime.capi import onnxruntime_pybind11_state as failures

        tokens = np.array([pair[0]], dtype=np.int64)
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
        if any(taken.name == "token_type_ids" for taken in session.get_inputs()):
            feed["token_type_ids"] = np.array([pair[1]], dtype=np.int64)
        try:
            with self._slots:
                (logits,) = session.run(["logits"], feed)
        except (failures.Fail, failures.InvalidArgument, failures.RuntimeException, failures.EPFail) as error:
            raise BackendError(f"{model_id} failed: {error}", backend=self._backend) from error
        if logits.shape != (1, outputs):
            raise BackendError(
                f"{model_id} gave logits of shape {logits.shape}, not (1, {outputs}).", backend=self._backend
            )
        row: NDArray[np.float32] = logits
        return row


def _load(file: Path, sha256: str | None) -> InferenceSession:
    """Opens a model whose hash is as stated."""
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as failures

    if sha256:
        try:
            with file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise ConfigurationError(
                f"The NLI model cannot be read: {error}.", hint="Reinstall the package."
            ) from error
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
    if not _NEEDED <= inputs <= _KNOWN or "logits" not in outputs:
        raise ConfigurationError(
            f"{file} takes {sorted(inputs)} and gives {sorted(outputs)}.",
            hint="A model must take input_ids, attention_mask and, if it likes, token_type_ids, and give logits.",
        )
    return session


def scored_once(
    pairs: Sequence[Pair],
    inputs: Sequence[PairInput],
    probabilities: Callable[[list[PairInput]], NDArray[np.floating]],
) -> NLIScores:
    """Scores of pairs, of which equal ones are run once.

    Args:
        pairs: The pairs.
        inputs: The token ids of each of them, equal ones too: an error in making these names the caller's index.
        probabilities: Runs the model: inputs to rows of entailment, neutral, contradiction.
    """
    import numpy as np

    distinct = dict(zip(pairs, inputs, strict=True))
    rows = {pair: row for row, pair in enumerate(distinct)}
    found = probabilities(list(distinct.values())).astype(np.float32)
    return NLIScores(found[np.array([rows[pair] for pair in pairs], dtype=np.intp)])


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of each row, shape as given."""
    import numpy as np

    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return probabilities


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
