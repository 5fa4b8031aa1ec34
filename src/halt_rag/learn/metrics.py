"""How good are probabilities and decisions? Hallucinated is the positive class throughout."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from halt_rag.errors import MissingExtraError
from halt_rag.learn import selective

if TYPE_CHECKING:
    from numpy.typing import NDArray

try:
    from scipy.stats import rankdata
    from sklearn import metrics as sk
except ImportError as error:
    raise MissingExtraError("scikit-learn", "evaluate") from error

_BINS = 15
_DRAWS = 200

Metric = Callable[["Outcomes"], float]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Predictions on labelled rows; all arrays of shape (rows,).

    Attributes:
        hallucinated: bool, the label.
        p: float, P(hallucinated); NaN where there is none, which only ``coverage`` allows for.
        decided: bool, whether the verifier decided.
        threshold: From this ``p`` on a text counts as hallucinated.
    """

    hallucinated: NDArray[np.bool_]
    p: NDArray[np.float64]
    decided: NDArray[np.bool_]
    threshold: float

    def __len__(self) -> int:
        return len(self.p)

    @property
    def called(self) -> NDArray[np.bool_]:
        """Which rows are called hallucinated at the threshold, abstentions included."""
        return self.p >= self.threshold

    def take(self, rows: NDArray[np.intp]) -> Outcomes:
        """The outcomes of some rows."""
        return Outcomes(self.hallucinated[rows], self.p[rows], self.decided[rows], self.threshold)

    def only(self, decided: NDArray[np.bool_]) -> Outcomes:
        """The same with no more decisions than these."""
        return replace(self, decided=self.decided & decided)

    def with_probability(self) -> Outcomes:
        """The outcomes of the rows that have a probability."""
        missing = np.isnan(self.p)
        return self.take(np.flatnonzero(~missing)) if missing.any() else self


def _rate(part: int, whole: int) -> float:
    """A share; undefined (NaN) of nothing, which reports turn into null."""
    return part / whole if whole else math.nan


def balanced_accuracy(o: Outcomes) -> float:
    """Mean of the recalls of both classes at the threshold; 0.5 is chance. Undefined with one class."""
    right = o.called == o.hallucinated
    positives, negatives = int(o.hallucinated.sum()), int((~o.hallucinated).sum())
    return (
        _rate(int(right[o.hallucinated].sum()), positives) + _rate(int(right[~o.hallucinated].sum()), negatives)
    ) / 2


def precision(o: Outcomes) -> float:
    """Of the rows called hallucinated, the share that is."""
    return _rate(int((o.called & o.hallucinated).sum()), int(o.called.sum()))


def recall(o: Outcomes) -> float:
    """Of the hallucinated rows, the share that is called so."""
    return _rate(int((o.called & o.hallucinated).sum()), int(o.hallucinated.sum()))


def f1(o: Outcomes) -> float:
    """Harmonic mean of precision and recall; 0 where nothing is found."""
    found = int((o.called & o.hallucinated).sum())
    return _rate(2 * found, int(o.called.sum()) + int(o.hallucinated.sum()))


def accuracy(o: Outcomes) -> float:
    """Share of rows on the right side of the threshold."""
    return float((o.called == o.hallucinated).mean()) if len(o) else math.nan


def false_positive_rate(o: Outcomes) -> float:
    """Of the supported rows, the share that is called hallucinated; lower is better."""
    return _rate(int((o.called & ~o.hallucinated).sum()), int((~o.hallucinated).sum()))


def auroc(o: Outcomes) -> float:
    """Area under the ROC curve: the share of pairs of both classes ranked rightly. Undefined with one class.

    By ranks (Mann-Whitney), as it is computed for thousands of samples.
    """
    positives, negatives = int(o.hallucinated.sum()), int((~o.hallucinated).sum())
    above = float(rankdata(o.p)[o.hallucinated].sum()) - positives * (positives + 1) / 2
    return above / (positives * negatives) if positives and negatives else math.nan


def aupr(o: Outcomes) -> float:
    """Average precision of ranking hallucinated rows first; chance is their share."""
    return float(sk.average_precision_score(o.hallucinated, o.p)) if o.hallucinated.any() else math.nan


def brier(o: Outcomes) -> float:
    """Mean squared error of the probability, 0 to 1, lower is better."""
    return float(np.mean((o.p - o.hallucinated) ** 2)) if len(o) else math.nan


def coverage(o: Outcomes) -> float:
    """Share of rows on which the verifier decides."""
    return float(o.decided.mean()) if len(o) else math.nan


def accuracy_on_decided(o: Outcomes) -> float:
    """Share of right decisions among those made."""
    return _rate(int((o.called == o.hallucinated)[o.decided].sum()), int(o.decided.sum()))


def aurc(o: Outcomes) -> float:
    """Mean share of wrong decisions over all coverages, the rows farthest from the threshold first; lower is better."""
    return selective.aurc(o.called != o.hallucinated, np.abs(o.p - o.threshold))


def augrc(o: Outcomes) -> float:
    """Mean share of all rows that are decided wrongly, over all coverages; lower is better."""
    return selective.augrc(o.called != o.hallucinated, np.abs(o.p - o.threshold))


def ece(o: Outcomes) -> float:
    """Expected calibration error with 15 bins of equal mass: mean |observed share - mean p|, lower is better.

    Rows of one probability may lie in two bins: their labels are spread evenly over both.
    """
    return _binned_error(o.hallucinated.astype(np.float64), o.p, _block(o.p)) if len(o) else math.nan


def ece_debiased(o: Outcomes) -> float:
    """``ece`` less what perfectly calibrated probabilities of these values would show by chance; at least 0.

    The plain estimate is biased upwards on few rows; the bias is simulated by drawing labels from the probabilities
    (200 seeded draws), the idea of Roelofs et al. 2022, arXiv:2012.08668.
    """
    if not len(o):
        return math.nan
    block, rng = _block(o.p), np.random.default_rng(0)
    by_chance = [_binned_error((rng.random(len(o)) < o.p).astype(np.float64), o.p, block) for _ in range(_DRAWS)]
    return max(0.0, ece(o) - float(np.mean(by_chance)))


def _block(p: NDArray[np.float64]) -> NDArray[np.intp]:
    """Which of the distinct probabilities, rising, each row has."""
    return np.unique(p, return_inverse=True)[1]


def _binned_error(labels: NDArray[np.float64], p: NDArray[np.float64], block: NDArray[np.intp]) -> float:
    return float(sum(abs(seen - said) * rows for said, seen, rows in _binned(labels, p, block)) / len(p))


def _binned(
    labels: NDArray[np.float64], p: NDArray[np.float64], block: NDArray[np.intp]
) -> list[tuple[float, float, int]]:
    """Mean probability, share of hallucinated rows, and rows, of each bin; whatever the order of equal rows."""
    bins = min(_BINS, len(p))
    spread = selective.spread_evenly(labels, block)
    parts = zip(np.array_split(np.sort(p), bins), np.array_split(spread, bins), strict=True)
    return [(float(said.mean()), float(seen.mean()), len(said)) for said, seen in parts]


def reliability(o: Outcomes) -> list[tuple[float, float, int]]:
    """The bins of ``ece``: mean P(hallucinated), the share of hallucinated rows, and how many rows, of each."""
    return _binned(o.hallucinated.astype(np.float64), o.p, _block(o.p))


METRICS: dict[str, Metric] = {
    "balanced_accuracy": balanced_accuracy,
    "auroc": auroc,
    "aupr": aupr,
    "f1": f1,
    "precision": precision,
    "recall": recall,
    "accuracy": accuracy,
    "false_positive_rate": false_positive_rate,
    "ece": ece,
    "ece_debiased": ece_debiased,
    "brier": brier,
    "coverage": coverage,
    "accuracy_on_decided": accuracy_on_decided,
    "aurc": aurc,
    "augrc": augrc,
}
#: Resampling adds the upward bias of these once more: their intervals are moved down by it.
_BIASED = frozenset({"ece", "ece_debiased"})


def measure(
    o: Outcomes, groups: Sequence[str], *, names: Iterable[str] = METRICS, resamples: int = 1000
) -> dict[str, dict[str, float | None]]:
    """Metrics, by default all, with a 95 % percentile bootstrap interval, resampling whole groups (seeded).

    Coverage is of all rows; the other figures are of those with a probability. The intervals of both calibration errors
    are the percentiles of resampled ``ece``, moved so that their mean is the value, and at least 0: neither the bias
    nor its simulation is repeated in each sample.

    Returns:
        Name to ``value``, ``low`` and ``high``; null where undefined, intervals null with fewer than two groups.
    """
    values = {name: _figure(name, o) for name in names}
    drawn: dict[str, list[float]] = {"ece" if name in _BIASED else name: [] for name in values}
    members = [np.array(rows, dtype=np.intp) for rows in rows_by_group(groups).values()]
    rng = np.random.default_rng(0)
    for _ in range(resamples if len(members) > 1 else 0):
        sample = o.take(np.concatenate([members[i] for i in rng.integers(len(members), size=len(members))]))
        for name, found in drawn.items():
            found.append(_figure(name, sample))
    report: dict[str, dict[str, float | None]] = {}
    for name, value in values.items():
        defined = [x for x in drawn["ece" if name in _BIASED else name] if not math.isnan(x)]
        low: float | None = None
        high: float | None = None
        if defined:
            shift = float(np.mean(defined)) - value if name in _BIASED else 0.0
            low, high = (max(0.0, x - shift) for x in np.percentile(defined, [2.5, 97.5]).tolist())
        report[name] = {"value": None if math.isnan(value) else value, "low": low, "high": high}
    return report


def _figure(name: str, o: Outcomes) -> float:
    return METRICS[name](o if name == "coverage" else o.with_probability())


def rows_by_group(groups: Sequence[str]) -> dict[str, list[int]]:
    """Numbers of the rows of each group, in the order in which groups first occur."""
    rows: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    return rows
