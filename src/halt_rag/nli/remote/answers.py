"""From the labels and scores of a server to a row of probabilities. Nothing is read by its position."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from halt_rag.errors import BackendError, ConfigurationError
from halt_rag.nli.labels import Outputs, meaning, read_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_UNNAMED: Final = re.compile(r"LABEL_(\d{1,3})", re.IGNORECASE)
#: Half-precision softmax sums to 1 within this; three sigmoids do not.
_SUM_TOLERANCE: Final = 0.02


class AnswerReader:
    """Reads the answers of one server.

    Args:
        backend: Name of the backend, for errors.
        stated: What each output means, in the order of the model, where that is known.
        id2label: The label of each output, where the server says so.

    Raises:
        ConfigurationError: If what is stated disagrees with ``id2label``.
    """

    def __init__(
        self, backend: str, stated: Sequence[str] | None = None, *, id2label: dict[str, str] | None = None
    ) -> None:
        self._backend = backend
        self._stated = None if stated is None else Outputs(tuple(stated))
        self._meanings: dict[str, str] | None = None
        if id2label is not None:
            outputs = read_outputs(id2label, stated)
            self._meanings = {label: outputs.meanings[int(index)] for index, label in id2label.items()}

    def rows(self, answer: Any, count: int) -> NDArray[np.float32]:
        """The rows, shape (count, 3), of an answer to ``count`` pairs: nested lists, or one flat list for one pair.

        Raises:
            BackendError: If it is not that, or labels or scores are not those of an NLI model.
        """
        import numpy as np

        lists = [answer] if count == 1 and _is_flat(answer) else answer
        if not isinstance(lists, list) or len(lists) != count or not all(isinstance(items, list) for items in lists):
            got = len(lists) if isinstance(lists, list) and not _is_flat(lists) else 1
            raise self.unusable(f"it gave {got} result(s) for {count} pair(s)")
        return np.concatenate([self._row(items) for items in lists]).astype(np.float32)

    def unusable(self, what: str, hint: str = "") -> BackendError:
        """The error for an answer that cannot be used."""
        return BackendError(
            f"The {self._backend} server's answer cannot be used: {what}.", backend=self._backend, hint=hint
        )

    def _row(self, items: list[Any]) -> NDArray[np.float64]:
        import numpy as np

        scores: dict[str, float] = {}
        for item in items:
            label, score = (item.get("label"), item.get("score")) if isinstance(item, dict) else (None, None)
            if not isinstance(label, str) or not is_probability(score):
                raise self.unusable("it is no list of labels with scores from 0 to 1")
            found = self._meaning(label)
            if found in scores:
                raise self.unusable(f"the label {label!r} occurs twice")
            scores[found] = float(score)
        try:
            outputs = Outputs(tuple(sorted(scores)))
        except ConfigurationError as error:
            raise self.unusable(f"it has scores for {', '.join(scores) or 'nothing'} only", error.hint) from error
        if self._stated is not None and set(self._stated.meanings) != set(outputs.meanings):
            raise self.unusable(
                f"its labels mean {', '.join(outputs.meanings)}, but the model's should mean "
                f"{', '.join(self._stated.meanings)}",
                "Another model answers than the one that was meant.",
            )
        total = math.fsum(scores.values())
        if abs(total - 1) > _SUM_TOLERANCE:
            raise self.unusable(
                f"its scores add up to {total:.3f}, not 1",
                "The server applies a sigmoid, or no function at all, where a softmax belongs.",
            )
        row = np.array([[scores[name] / total for name in outputs.meanings]])
        return outputs.columns(row)

    def _meaning(self, label: str) -> str:
        if self._meanings is not None:
            known = self._meanings.get(label)
        elif self._stated is not None and (number := _UNNAMED.fullmatch(label)):
            index = int(number[1])
            known = self._stated.meanings[index] if index < len(self._stated.meanings) else None
        else:
            known = meaning(label)
        if known is None:
            raise self.unusable(
                f"nobody knows what the label {label[:40]!r} means",
                "Use a preset, or state what each output means (reading=Reading(labels=...)).",
            )
        return known


def is_probability(score: Any) -> TypeGuard[float]:
    """Whether something from JSON is a number from 0 to 1, give or take rounding at 1."""
    return isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1 + 1e-6


def in_batches(sizes: Sequence[int], most: int, most_bytes: int) -> list[list[int]]:
    """Indices in groups of at most ``most`` whose sizes add up to at most ``most_bytes``, each group not empty."""
    batches: list[list[int]] = []
    room = 0
    for index, size in enumerate(sizes):
        if not batches or len(batches[-1]) == most or size > room:
            batches.append([])
            room = most_bytes
        batches[-1].append(index)
        room -= size
    return batches


def reader_of(read: Callable[[Any, int], Any], count: int) -> Callable[[Any], Any]:
    """``read`` for answers to so many pairs."""
    return lambda answer: read(answer, count)


def _is_flat(answer: Any) -> bool:
    return isinstance(answer, list) and bool(answer) and all(isinstance(item, dict) for item in answer)
