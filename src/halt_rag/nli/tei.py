"""A Text Embeddings Inference server of one's own. Needs the extra ``hosted``."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.checkpoint import Reading
from halt_rag.nli.labels import read_outputs
from halt_rag.nli.presets import reading_of, repository_of
from halt_rag.nli.remote.answers import AnswerReader, in_batches, reader_of
from halt_rag.nli.remote.client import RemoteClient, Request
from halt_rag.nli.remote.scoring import Estimate, check_pairs, estimate, gather, sendable, tokenizer_for
from halt_rag.nli.remote.settings import Connection, Manners, check_url
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import fill

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from halt_rag.text.windows import Tokenizer

#: The server takes 2 MB in a request; the rest is for quotation marks and escapes.
_MOST_BYTES: Final = 1_500_000


@dataclass(frozen=True, slots=True)
class _Info:
    """What ``/info`` says."""

    model_id: str
    sha: str
    dtype: str
    id2label: dict[str, str]
    max_tokens: int
    batch: int
    truncates: bool


class TeiNLI:
    """Scores pairs with a Text Embeddings Inference server (``/predict``); an ``NLIBackend``.

    The first use asks ``/info``: which model and revision answers, what its outputs are called, how many tokens it
    reads and how many pairs it takes at once. Pairs go as ``[premise, hypothesis]``, never joined, with truncation off.

    Args:
        url: Address of the server.
        tokenizer: The model's own: a ``tokenizer.json``, a checkpoint folder or an object. Without one, tokens are
            counted cautiously, and the server must not be one that truncates (``--auto-truncate``).
        model: The repository or preset that should answer; another is refused.
        reading: What its outputs mean and how it is fed; default: what the preset of the model says.
        connection: Token, proxy and certificates.
        manners: Concurrency, rate, retries, deadline and budget.

    Raises:
        InputError: If the address is none, or the token would be sent unencrypted.
        MissingExtraError: If the extra is not installed.
    """

    name = "tei"

    def __init__(
        self,
        url: str,
        tokenizer: Tokenizer | Path | str | None = None,
        *,
        model: str | None = None,
        reading: Reading | None = None,
        connection: Connection | None = None,
        manners: Manners | None = None,
    ) -> None:
        connection = connection or Connection()
        check_url(url, connection)
        self._url, self._given_tokenizer = url.rstrip("/"), tokenizer
        self._expected, self._given_reading = repository_of(model) if model else None, reading
        self._manners = manners or Manners()
        self._client = RemoteClient(self.name, connection, self._manners)
        self._asking = threading.RLock()
        self._known: tuple[_Info, Reading, AnswerReader, Tokenizer] | None = None

    @property
    def model_id(self) -> str:
        """The model that the server says it serves."""
        return self._ready()[0].model_id

    @property
    def revision(self) -> str:
        """The commit that the server says, the order of labels, the length and the type of its numbers."""
        info, reading, _, tokenizer = self._ready()
        outputs = read_outputs(info.id2label, reading.labels)
        return f"{info.sha[:12] or 'unpinned'}-{outputs.code}-{tokenizer.max_tokens}-{info.dtype}"

    @property
    def tokenizer(self) -> Tokenizer:
        """Counts the tokens of a pair."""
        return self._ready()[3]

    @property
    def calls(self) -> int:
        """How many requests were sent so far."""
        return self._client.spending.calls

    def estimate(self, pairs: Sequence[Pair]) -> Estimate:
        """What scoring these pairs takes; only ``/info`` is asked."""
        return estimate(pairs, len(self._batches(list(dict.fromkeys(pairs)))), self._manners)

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs; equal pairs are sent once.

        Raises:
            InputError: A ``PairTooLongError`` with the index of the first pair that is too long.
            BackendError: If the server cannot be asked or answers unusably. Use ``CachedNLI`` to keep what it answered.
            ConfigurationError: If another model answers, or its labels cannot be mapped.
        """
        check_pairs(pairs, self.tokenizer)
        distinct = list(dict.fromkeys(pairs))
        return gather(pairs, distinct, self.score_gradually(distinct))

    def score_gradually(self, pairs: Sequence[Pair]) -> Iterator[tuple[Sequence[int], NDArray[np.float32]]]:
        """Indices of pairs with their rows, as they come; an error is raised after what was answered before it.

        Raises:
            InputError: As ``score``, before any pair is sent.
            BackendError: As ``score``.
            ConfigurationError: As ``score``.
        """
        check_pairs(pairs, self.tokenizer)
        batches = self._batches(pairs)
        requests = [self._request([pairs[index] for index in batch]) for batch in batches]
        for number, rows in self._client.send(requests):
            yield batches[number], rows

    def close(self) -> None:
        """Closes the connections; a later use opens new ones."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _batches(self, pairs: Sequence[Pair]) -> list[list[int]]:
        sizes = [len(pair.premise.encode("utf-8", "replace")) + len(pair.hypothesis.encode("utf-8", "replace"))
                 for pair in pairs]  # fmt: skip
        return in_batches(sizes, self._ready()[0].batch, _MOST_BYTES)

    def _request(self, pairs: Sequence[Pair]) -> Request:
        _, reading, reader, _ = self._ready()
        texts = [[sendable(pair.premise), sendable(pair.hypothesis)] for pair in pairs]
        if reading.template:
            texts = [[fill(reading.template, *both)] for both in texts]
        body = {"inputs": texts, "truncate": False, "raw_scores": False}
        return Request(f"{self._url}/predict", body, reader_of(reader.rows, len(pairs)))

    def _ready(self) -> tuple[_Info, Reading, AnswerReader, Tokenizer]:
        with self._asking:
            if self._known is None:
                ((_, info),) = self._client.send([Request(f"{self._url}/info", None, self._read_info)])
                self._known = self._checked(info)
            return self._known

    def _read_info(self, answer: Any) -> _Info:
        try:
            labels = answer["model_type"]["classifier"]["id2label"]
            return _Info(
                model_id=str(answer["model_id"]), sha=str(answer.get("model_sha") or ""),
                dtype=str(answer.get("model_dtype") or "unknown"), id2label={str(k): str(v) for k, v in labels.items()},
                max_tokens=int(answer["max_input_length"]), batch=max(1, int(answer["max_client_batch_size"])),
                truncates=bool(answer.get("auto_truncate")),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BackendError(
                f"The tei server's /info does not describe a classifier ({type(error).__name__}: {error}).",
                backend=self.name, hint="Start it with a sequence-classification model.",
            ) from error  # fmt: skip

    def _checked(self, info: _Info) -> tuple[_Info, Reading, AnswerReader, Tokenizer]:
        if self._expected and self._expected != info.model_id:
            raise ConfigurationError(
                f"The tei server serves {info.model_id}, not {self._expected}.", hint="Correct the address or the name."
            )
        reading = self._given_reading or reading_of(info.model_id)
        if "{sep}" in (reading.template or ""):
            raise InputError(
                f"{info.model_id} reads texts joined by a special token, which this server cannot be sent safely.",
                hint="Run it with the backend local or onnx.",
            )
        if info.truncates and self._given_tokenizer is None:
            raise ConfigurationError(
                "The tei server truncates long texts without saying so (auto_truncate).",
                hint="Give the model's tokenizer, so that nothing too long is sent, or start it without auto-truncate.",
            )
        if (reading.max_tokens or info.max_tokens) > info.max_tokens:
            reading = Reading(reading.labels, info.max_tokens, reading.template)
        tokenizer = tokenizer_for(self._given_tokenizer, reading, info.max_tokens)
        return info, reading, AnswerReader(self.name, reading.labels, id2label=info.id2label), tokenizer
