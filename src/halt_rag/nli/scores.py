"""What a natural language inference (NLI) backend takes and gives."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from halt_rag.errors import BackendError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from halt_rag.text.windows import Tokenizer


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise and the hypothesis that it may entail."""

    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class NLIScores:
    """Probabilities of a batch, in the order of its pairs.

    Attributes:
        probabilities: float32 array of shape (pairs, 3); the columns are entailment, neutral and
            contradiction whatever the model's own order is. Rows sum to 1. Raw softmax, not calibrated.
        cached: bool array of shape (pairs,): which pairs a cache answered; None means none.
    """

    probabilities: NDArray[np.float32]
    cached: NDArray[np.bool_] | None = None

    @property
    def cache_hits(self) -> int:
        """How many of the pairs were answered from a cache."""
        return 0 if self.cached is None else int(self.cached.sum())

    def part(self, start: int, stop: int) -> NLIScores:
        """The scores of the pairs from ``start`` to before ``stop``."""
        return NLIScores(self.probabilities[start:stop], None if self.cached is None else self.cached[start:stop])

    @property
    def entailment(self) -> NDArray[np.float32]:
        """P(premise entails hypothesis), shape (pairs,)."""
        return self.probabilities[:, 0]

    @property
    def neutral(self) -> NDArray[np.float32]:
        """P(neither), shape (pairs,)."""
        return self.probabilities[:, 1]

    @property
    def contradiction(self) -> NDArray[np.float32]:
        """P(premise contradicts hypothesis), shape (pairs,)."""
        return self.probabilities[:, 2]

    def __len__(self) -> int:
        return len(self.probabilities)


@runtime_checkable
class NLIBackend(Protocol):
    """The one seam to models: anything with these five members is a backend.

    Every implementation passes ``tests/nli/contract.py``.
    """

    @property
    def name(self) -> str:
        """Name of the kind of backend, e.g. ``embedded``."""
        ...

    @property
    def model_id(self) -> str:
        """Which model, e.g. ``halt-rag-nli-fast-2``."""
        ...

    @property
    def revision(self) -> str:
        """Which weights: a content hash or a commit."""
        ...

    @property
    def tokenizer(self) -> Tokenizer:
        """The model's own tokenizer; says how many tokens a pair may have (``max_tokens``)."""
        ...

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs; the answer to a pair does not depend on the others.

        Raises:
            InputError: If a pair is longer than the model can read; nothing is truncated.
            BackendError: If the model cannot be asked or answers unusably.
        """
        ...


def asked(backend: NLIBackend, pairs: Sequence[Pair]) -> NLIScores:
    """Asks a backend, and takes nothing but probabilities from it.

    Raises:
        InputError: As the backend does.
        BackendError: As the backend does, or if its answer is none.
    """
    scores = backend.score(pairs)
    check_answer(backend, scores.probabilities, len(pairs))
    return scores


def check_answer(backend: NLIBackend, p: NDArray[np.float32], pairs: int) -> None:
    """Refuses what no probabilities of so many pairs are; NaN would otherwise end as a verdict.

    Raises:
        BackendError: If the shape is another, or a value is outside 0 to 1.
    """
    if p.shape != (pairs, 3) or not ((p >= 0) & (p <= 1)).all():
        raise BackendError(
            f"{backend.model_id} gave no probabilities of shape {(pairs, 3)}: "
            f"the shape is {p.shape}, or values are outside 0 to 1.",
            backend=backend.name,
        )


class StandIn:
    """What stands before a backend and answers in its name; a subclass says how it scores.

    Args:
        backend: The backend.
    """

    def __init__(self, backend: NLIBackend) -> None:
        self._backend = backend

    @property
    def name(self) -> str:
        """The name of the backend."""
        return self._backend.name

    @property
    def model_id(self) -> str:
        """The model of the backend."""
        return self._backend.model_id

    @property
    def revision(self) -> str:
        """The revision of the backend's model."""
        return self._backend.revision

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of the backend."""
        return self._backend.tokenizer

    @property
    def languages(self) -> Collection[str] | None:
        """The languages of the backend, where it declares any."""
        languages: Collection[str] | None = getattr(self._backend, "languages", None)
        return languages


@runtime_checkable
class GradualBackend(NLIBackend, Protocol):
    """A backend whose scores come one after the other, and cost enough that none should be lost to a later error."""

    def score_gradually(self, pairs: Sequence[Pair]) -> Iterator[tuple[Sequence[int], NDArray[np.float32]]]:
        """Indices of pairs with their rows (float32, shape (indices, 3)), each pair once, in any order.

        Raises:
            InputError: As ``score``, before the first part.
            BackendError: As ``score``, after the parts that were answered.
        """
        ...
