"""Models that Hugging Face hosts, over plain HTTP. Needs the extra ``hosted``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self
from urllib.parse import quote

from halt_rag.errors import InputError
from halt_rag.nli.checkpoint import Reading
from halt_rag.nli.labels import COLUMNS, Outputs
from halt_rag.nli.presets import reading_of, repository_of
from halt_rag.nli.remote.answers import AnswerReader, is_probability, reader_of
from halt_rag.nli.remote.cautious import CautiousTokenizer
from halt_rag.nli.remote.client import RemoteClient, Request
from halt_rag.nli.remote.scoring import Estimate, check_pairs, estimate, gather, sendable, tokenizer_for
from halt_rag.nli.remote.settings import Connection, Manners, check_url
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import fill

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from halt_rag.text.windows import Tokenizer

#: Where Hugging Face routes requests to its own inference service.
ROUTER = "https://router.huggingface.co/hf-inference/models"

Form = Literal["pair", "zero-shot"]


class HostedNLI:
    """Scores pairs with a model behind the Hugging Face inference API; an ``NLIBackend``.

    A pair is sent as ``{"text": premise, "text_pair": hypothesis}``, one a request, and labels are read by name. The
    service does not say which revision of a model answers, so ``revision`` says "unpinned", and a run that takes weeks
    should be checked with ``halt-rag doctor`` more than once.

    The form "zero-shot" is for models that refuse pairs: the hypothesis is the one candidate label. It yields
    e / (e + c), where e and c are entailment and contradiction, not P(entailment), and says nothing about how the rest
    is divided. It is given as entailment with the rest split evenly, ``approximate`` is true, and such scores are
    never mixed with others: their revision is another.

    Args:
        model: The name of a repository on the hub, or of a preset.
        tokenizer: The model's own: a ``tokenizer.json``, a checkpoint folder or an object. Without one, tokens are
            counted cautiously (``CautiousTokenizer``), and no truncation is asked of the server.
        reading: What its outputs mean and how it is fed; default: what the preset of the model says.
        form: "pair" or "zero-shot".
        url: The address that the model's name is put behind.
        connection: Token, proxy and certificates.
        manners: Concurrency, rate, retries, deadline and budget.

    Raises:
        InputError: If the token would be sent unencrypted, or the form does not fit the model.
        MissingExtraError: If the extra is not installed.
    """

    name = "hosted"

    def __init__(
        self,
        model: str,
        tokenizer: Tokenizer | Path | str | None = None,
        *,
        reading: Reading | None = None,
        form: Form = "pair",
        url: str = ROUTER,
        connection: Connection | None = None,
        manners: Manners | None = None,
    ) -> None:
        self._model = repository_of(model)
        self._reading = reading or reading_of(model)
        if form not in ("pair", "zero-shot"):
            raise InputError(f"There is no form {form!r}; use 'pair' or 'zero-shot'.")
        if "{sep}" in (self._reading.template or ""):
            raise InputError(
                f"{self._model} reads texts joined by a special token, which this service cannot be sent safely.",
                hint="Run it with the backend local or onnx.",
            )
        self._form, self._manners = form, manners or Manners()
        connection = connection or Connection()
        check_url(url, connection)
        self._url = f"{url.rstrip('/')}/{quote(self._model)}"
        self._tokenizer = tokenizer_for(tokenizer, self._reading)
        self._client = RemoteClient(self.name, connection, self._manners)
        self._reader = AnswerReader(self.name, self._reading.labels)

    @property
    def model_id(self) -> str:
        """The repository."""
        return self._model

    @property
    def revision(self) -> str:
        """That no revision is known, the length, and the form where it is not that of pairs."""
        labels = Outputs(self._reading.labels).code if self._reading.labels else "named"
        parts = ["unpinned", labels, str(self.tokenizer.max_tokens)]
        return "-".join(parts + (["zero-shot"] if self.approximate else []))

    @property
    def approximate(self) -> bool:
        """Whether the scores are not the model's own three probabilities."""
        return self._form == "zero-shot"

    @property
    def tokenizer(self) -> Tokenizer:
        """Counts the tokens of a pair."""
        return self._tokenizer

    @property
    def calls(self) -> int:
        """How many requests were sent so far."""
        return self._client.spending.calls

    def estimate(self, pairs: Sequence[Pair]) -> Estimate:
        """What scoring these pairs takes; nothing is sent."""
        return estimate(pairs, len(set(pairs)), self._manners)

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs; equal pairs are sent once.

        Raises:
            InputError: A ``PairTooLongError`` with the index of the first pair that is too long.
            BackendError: If the server cannot be asked or answers unusably. Use ``CachedNLI`` to keep what it answered.
        """
        check_pairs(pairs, self._tokenizer)
        distinct = list(dict.fromkeys(pairs))
        return gather(pairs, distinct, self.score_gradually(distinct))

    def score_gradually(self, pairs: Sequence[Pair]) -> Iterator[tuple[Sequence[int], NDArray[np.float32]]]:
        """Indices of pairs with their rows, as they come; an error is raised after what was answered before it.

        Raises:
            InputError: As ``score``, before anything is sent.
            BackendError: As ``score``.
        """
        check_pairs(pairs, self._tokenizer)
        for index, rows in self._client.send([self._request(pair) for pair in pairs]):
            yield [index], rows

    def close(self) -> None:
        """Closes the connections; a later use opens new ones."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(self, pair: Pair) -> Request:
        premise, hypothesis = sendable(pair.premise), sendable(pair.hypothesis)
        if self._form == "zero-shot":
            parameters = {"candidate_labels": [hypothesis], "hypothesis_template": "{}", "multi_label": True}
            return Request(self._url, {"inputs": premise, "parameters": parameters}, self._zero_shot)
        options: dict[str, Any] = {"top_k": len(self._reading.labels or COLUMNS)}
        if not isinstance(self._tokenizer, CautiousTokenizer):
            options["truncation"] = "only_first"
        text: dict[str, str] = {"text": premise, "text_pair": hypothesis}
        if self._reading.template:
            text = {"text": fill(self._reading.template, premise, hypothesis)}
        return Request(self._url, {"inputs": [text], "parameters": options}, reader_of(self._reader.rows, 1))

    def _zero_shot(self, answer: Any) -> NDArray[np.float32]:
        """``[{label, score}]`` or the older ``{labels, scores}``, perhaps in a list."""
        import numpy as np

        item = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
        score = item.get("score", item.get("scores")) if isinstance(item, dict) else None
        if isinstance(score, list) and len(score) == 1:
            score = score[0]
        if not is_probability(score):
            raise self._reader.unusable("it is no score of one candidate label")
        rest = (1 - min(float(score), 1.0)) / 2
        return np.array([[1 - 2 * rest, rest, rest]], dtype=np.float32)
