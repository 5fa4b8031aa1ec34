"""Where to cut: the threshold, a floor for its precision that holds on new data, and the band of abstention."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from halt_rag.errors import MissingExtraError
from halt_rag.verify.artifact import Cuts
from halt_rag.verify.text_model import KeptFloor

if TYPE_CHECKING:
    from numpy.typing import NDArray

try:
    from scipy.stats import binom
except ImportError as error:
    raise MissingExtraError("scikit-learn", "pipeline") from error

#: Thresholds that the test of a floor goes through at most.
_STEPS = 100


@dataclass(frozen=True, slots=True)
class _Counts:
    """What each threshold calls; all of shape (thresholds,), thresholds falling."""

    thresholds: NDArray[np.float64]
    called: NDArray[np.intp]
    right: NDArray[np.intp]


def _counts(p: NDArray[np.float64], hallucinated: NDArray[np.bool_]) -> _Counts:
    """For each distinct probability as the threshold, how many rows are called hallucinated, and how many rightly."""
    order = np.argsort(-p, kind="stable")
    falling = p[order]
    last = np.flatnonzero(np.append(falling[1:] != falling[:-1], True))
    right = np.cumsum(hallucinated[order].astype(np.intp))
    return _Counts(falling[last], (last + 1).astype(np.intp), right[last])


def best_f1(p: NDArray[np.float64], hallucinated: NDArray[np.bool_], *, min_precision: float) -> float | None:
    """The threshold with the highest F1 among those with at least this precision, on these rows.

    Precision on new rows falls below the floor about as often as not; ``guaranteed`` is for those who need it kept.

    Returns:
        The threshold, one of the probabilities (the highest of equally good ones); None where none has the precision.
    """
    counts = _counts(p, hallucinated)
    f1 = 2 * counts.right / (counts.called + hallucinated.sum())
    f1[counts.right < min_precision * counts.called - 1e-9] = -1
    best = int(f1.argmax())
    return float(counts.thresholds[best]) if f1[best] > 0 else None


@dataclass(frozen=True, slots=True)
class Scored:
    """Rows with a probability; all of shape (rows,).

    Attributes:
        p: P(hallucinated).
        hallucinated: The labels.
        callable: Whether the verifier may call the row hallucinated: it has something to check, and its claims do not
            say the opposite.
    """

    p: NDArray[np.float64]
    hallucinated: NDArray[np.bool_]
    callable: NDArray[np.bool_]

    def take(self, rows: NDArray[np.intp]) -> Scored:
        """Some of the rows."""
        return Scored(self.p[rows], self.hallucinated[rows], self.callable[rows])

    def called(self, cuts: Cuts) -> tuple[int, int]:
        """How many rows are called hallucinated, and how many of them rightly."""
        called = self.callable & (self.p >= cuts.hallucinated_from)
        return int(called.sum()), int(self.hallucinated[called].sum())


def guaranteed(
    chosen: Scored,
    tested: Scored,
    groups: Sequence[str],
    *,
    precision: float,
    confidence: float,
    coverage: float,
) -> tuple[Cuts | None, KeptFloor]:
    """Cuts whose calls have at least a precision, at a stated confidence, by split fixed-sequence testing.

    What is tested is what the verifier does: a row is called hallucinated from the upper edge of the band of
    abstention on, which belongs to the threshold, and only where it may be.

    The rows of ``chosen`` say which cuts are tried in which order: up to 100, the one whose precision is most clearly
    above the floor first. On the rows of ``tested``, which nothing was fitted on, "the precision here is below
    the floor" is tested one after the other, by the exact binomial distribution at level 1 - confidence,
    until it is not rejected once. As the order was fixed beforehand, no correction for the number of tests is needed
    (Angelopoulos et al., arXiv:2110.01052, split fixed-sequence testing). Rows of a group are not independent: one of
    each group, drawn by hash, is tested.

    Args:
        chosen: The rows that fix the cuts and their order.
        tested: The rows that are tested.
        groups: The groups of the tested rows.
        precision: The floor.
        confidence: How sure it must be, e.g. 0.9.
        coverage: Share of the rows to decide on; gives each threshold its band, on ``chosen``.

    Returns:
        Of the cuts that passed, those whose calls have the highest F1 on ``chosen``; None where none passed. And what
        was tested.
    """
    rows = one_of_each(groups)
    one_each = tested.take(rows)
    best: tuple[float, Cuts, int, int] | None = None
    positives = int(chosen.hallucinated.sum())
    for cuts, called, right in _sequence(chosen, precision, coverage):
        now, right_now = one_each.called(cuts)
        if p_value(right_now, now, precision) > 1 - confidence:
            break
        f1 = 2 * right / (called + positives)
        if best is None or f1 > best[0]:
            best = (f1, cuts, now, right_now)
    _, found, called_rows, right_rows = best or (0.0, None, 0, 0)
    floor = KeptFloor(
        precision=precision,
        confidence=confidence,
        attained=best is not None,
        tested_rows=len(rows),
        called=called_rows,
        right=right_rows,
    )
    return found, floor


def p_value(right: int, called: int, precision: float) -> float:
    """P(Bin(called, precision) >= right): how probable so many right ones, or more, are at exactly this precision."""
    return float(binom.sf(right - 1, called, precision)) if called else 1.0


def _sequence(chosen: Scored, precision: float, coverage: float) -> list[tuple[Cuts, int, int]]:
    """What to try, in order, and what each calls on ``chosen``, and how much of it rightly.

    Evenly spaced thresholds with their bands, by how surely the precision of their calls is above the floor.
    """
    every = np.unique(chosen.p)
    picked = every[np.unique(np.linspace(0, len(every) - 1, min(_STEPS, len(every))).round().astype(np.intp))]
    cuts = [with_abstention(chosen.p, threshold, coverage) for threshold in picked.tolist()]
    counts = [chosen.called(each) for each in cuts]
    called, right = np.array(counts).T
    # Logarithms: with thousands of rows the probabilities themselves are 0. Some of these are as well, and tie.
    doubt = binom.logsf(right - 1, called, precision)
    doubt[called == 0] = 0.0
    return [(cuts[i], *counts[i]) for i in np.lexsort((-called, doubt)).tolist()]


def one_of_each(groups: Sequence[str]) -> NDArray[np.intp]:
    """One row of each group, drawn by hash: the same rows whatever the order of the groups."""
    drawn: dict[str, tuple[bytes, int]] = {}
    seen: dict[str, int] = {}
    for row, group in enumerate(groups):
        seen[group] = seen.get(group, 0) + 1
        ticket = hashlib.sha256(f"{group}\0{seen[group]}".encode("utf-8", "surrogatepass")).digest()
        if group not in drawn or ticket < drawn[group][0]:
            drawn[group] = (ticket, row)
    return np.array(sorted(row for _, row in drawn.values()), dtype=np.intp)


def with_abstention(p: NDArray[np.float64], threshold: float, coverage: float) -> Cuts:
    """The narrowest band around a threshold outside which at least this share of the rows lies.

    The most certain rows are those farthest from the threshold. Rows that are equally far are decided together, so
    coverage can be higher than asked for and never lower, whatever the order of the rows.
    """
    keep = max(1, math.ceil(coverage * len(p) - 1e-9))
    width = float(np.sort(np.abs(p - threshold))[::-1][keep - 1])
    kept = np.abs(p - threshold) >= width
    low, high = p[kept & (p < threshold)], p[kept & (p >= threshold)]
    lower, upper = max(0.0, threshold - width), min(1.0, threshold + width)
    # Rows right at the edge are decided, rounding or not: one is supported below a cut and hallucinated from one on.
    if len(low):
        lower = min(threshold, max(lower, math.nextafter(float(low.max()), 1)))
    if len(high):
        upper = max(threshold, min(upper, float(high.min())))
    return Cuts(threshold=threshold, supported_below=lower, hallucinated_from=upper)


def decided(p: NDArray[np.float64], cuts: Cuts) -> NDArray[np.bool_]:
    """Which rows the verifier decides."""
    outside: NDArray[np.bool_] = (p < cuts.supported_below) | (p >= cuts.hallucinated_from)
    return outside
