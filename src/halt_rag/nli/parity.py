"""The parity gate: a backend and a reference score the same 20 pairs, and must agree."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

from halt_rag.errors import BackendError, InputError
from halt_rag.nli.labels import COLUMNS
from halt_rag.nli.parity_pairs import GATE_PAIRS, over_long
from halt_rag.nli.scores import NLIBackend, Pair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Half-precision servers differ by less from float32; every fault differs by more on some pair.
TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class Row:
    """One pair of the gate.

    Attributes:
        kind: What it is there for.
        backend: The backend's probabilities of entailment, neutral and contradiction.
        reference: The reference's.
        difference: The largest of the three absolute differences.
    """

    kind: str
    backend: tuple[float, float, float]
    reference: tuple[float, float, float]
    difference: float


@dataclass(frozen=True, slots=True)
class Parity:
    """What the gate found.

    Attributes:
        backend: Name of the backend.
        model_id: Its model.
        revision: Which weights.
        reference: Name, model and revision of the reference.
        tolerance: The largest difference that passes.
        rows: The pairs; empty if the backend could not score them.
        max_difference: The largest difference; None without rows.
        failures: What is wrong, one sentence each; empty if the gate is passed.
    """

    backend: str
    model_id: str
    revision: str
    reference: str
    tolerance: float
    rows: tuple[Row, ...]
    max_difference: float | None
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the backend may be trusted to be the model that it says it is."""
        return not self.failures

    def to_dict(self) -> dict[str, Any]:
        """As JSON data, with ``passed``."""
        return {**asdict(self), "passed": self.passed}


def check_parity(backend: NLIBackend, reference: NLIBackend, *, tolerance: float = TOLERANCE) -> Parity:
    """Scores the gate's pairs with both, and the backend's also one by one.

    Catches swapped premise and hypothesis, joined texts, a wrong order of labels, a sigmoid in place of the softmax,
    truncation other than by refusal, and answers to the first pair of a batch only. Where it can, a failure names the
    likely cause.

    Args:
        backend: What is checked.
        reference: The same model, asked in a way that is known to be right.
        tolerance: The largest absolute difference of a probability that passes.

    Raises:
        InputError: If the reference reads less than the pairs need.
        BackendError: If the reference cannot be asked, or the backend cannot for a reason that may pass.
    """
    import numpy as np

    pairs = [pair for _, pair in GATE_PAIRS]
    expected = reference.score(pairs).probabilities.astype(float)
    about = f"{reference.name} {reference.model_id} {reference.revision}"
    identity = (backend.name, backend.model_id, backend.revision, about, tolerance)
    try:
        observed = backend.score(pairs).probabilities.astype(float)
        alone = [backend.score([pair]).probabilities.astype(float)[0] for pair in pairs]
    except (BackendError, InputError) as error:
        if isinstance(error, BackendError) and error.retryable:
            raise
        return Parity(*identity, (), None, (f"The backend cannot score the pairs: {error}",))
    rows = tuple(
        Row(kind, _triple(ours), _triple(theirs), float(abs(ours - theirs).max()))
        for (kind, _), ours, theirs in zip(GATE_PAIRS, observed, expected, strict=True)
    )
    largest = max(row.difference for row in rows)
    failures = []
    if not largest <= tolerance:
        cause = _likely_cause(observed, expected, reference=reference, tolerance=tolerance, alone=np.array(alone))
        failures.append(f"The largest difference is {largest:.4f}, above {tolerance:g}. {cause}".rstrip())
    if (company := max(float(abs(one - many).max()) for one, many in zip(alone, observed, strict=True))) > tolerance:
        failures.append(f"The score of a pair depends on what is scored with it, by up to {company:.4f}.")
    failures += _refusal(backend)
    return Parity(*identity, rows, largest, tuple(failures))


def pairs_digest() -> str:
    """Which pairs the gate has: a pass for other pairs is no pass."""
    texts = [[kind, pair.premise, pair.hypothesis] for kind, pair in GATE_PAIRS]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:12]


def _triple(row: NDArray[np.float64]) -> tuple[float, float, float]:
    entailment, neutral, contradiction = (float(p) for p in row)
    return entailment, neutral, contradiction


def _refusal(backend: NLIBackend) -> list[str]:
    """A pair that is too long must be refused, not cut."""
    limit = backend.tokenizer.max_tokens
    try:
        backend.score([over_long(limit)])
    except InputError:
        return []
    except BackendError as error:
        return [f"A pair above the limit of {limit} tokens is not refused beforehand, and the model fails: {error}"]
    return [f"A pair above the limit of {limit} tokens is not refused, so it was truncated."]


def _likely_cause(
    observed: NDArray[np.float64],
    expected: NDArray[np.float64],
    *,
    reference: NLIBackend,
    tolerance: float,
    alone: NDArray[np.float64],
) -> str:
    import numpy as np

    def agrees(other: NDArray[np.float64], rows: Sequence[int] = range(len(GATE_PAIRS))) -> bool:
        # A cause need not explain the last digit.
        return bool(np.abs(observed[rows] - other[rows]).max() <= 2 * tolerance)

    swapped = reference.score([Pair(pair.hypothesis, pair.premise) for _, pair in GATE_PAIRS]).probabilities
    if agrees(swapped.astype(float)):
        return "Premise and hypothesis are swapped."
    for order in permutations(range(3)):
        if order != (0, 1, 2) and agrees(expected[:, order]):
            named = ", ".join(f"{COLUMNS[column]} for {COLUMNS[place]}" for place, column in enumerate(order)
                              if place != column)  # fmt: skip
            return f"The labels are in the wrong order: it gives {named}."
    if np.abs(observed - observed[0]).max() <= tolerance:
        return "All pairs get the scores of the first."
    if np.abs(alone - expected).max() <= 2 * tolerance:
        return "Pairs that are scored alone are right: the answers to a batch come in another order, it seems."
    short = [index for index, (kind, _) in enumerate(GATE_PAIRS) if kind != "long"]
    if agrees(expected, short):
        return "Only long pairs differ: they are truncated."
    surer = observed.max(axis=1) - expected.max(axis=1)
    one_way = surer.min() >= -tolerance / 4 or surer.max() <= tolerance / 4
    if one_way and (observed.argmax(axis=1) == expected.argmax(axis=1)).all():
        how = "more" if surer.mean() > 0 else "less"
        return f"The most probable labels agree but are {how} certain: no softmax, it seems."
    return "Perhaps the two texts are joined to one, or another model or tokenizer answers."
