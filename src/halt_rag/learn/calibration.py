"""From scores to probabilities: Platt scaling, isotonic regression, Venn-Abers; measured on rows they did not see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np

from halt_rag.errors import InputError, MissingExtraError
from halt_rag.verify.text_model import Calibrator, Curve, Platt

if TYPE_CHECKING:
    from numpy.typing import NDArray

try:
    from sklearn.isotonic import IsotonicRegression, isotonic_regression
    from sklearn.linear_model import LogisticRegression
except ImportError as error:
    raise MissingExtraError("scikit-learn", "pipeline") from error

Method = Literal["auto", "isotonic", "platt", "venn_abers"]

#: Below so many rows, isotonic regression fits the noise: ``auto`` then takes Platt or Venn-Abers.
ENOUGH_FOR_ISOTONIC = 2000
#: Scores at which Venn-Abers is computed; between them it is interpolated.
_KNOTS = 200
_CLIP = 1e-6


def fit_platt(scores: NDArray[np.float64], hallucinated: NDArray[np.bool_]) -> Platt:
    """A sigmoid, fitted to labels that are drawn in a little from 0 and 1, as Platt (1999) does, against over-fitting.

    A slope that would be negative is 0: a higher score never means a lower probability.
    """
    positives, negatives = int(hallucinated.sum()), int((~hallucinated).sum())
    target = np.where(hallucinated, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    scale = float(scores.std()) or 1.0
    # A soft label is the row with both labels, weighted.
    x = np.concatenate([scores, scores])[:, None] / scale
    y = np.repeat([True, False], len(scores))
    model = LogisticRegression(C=1e6, max_iter=1000).fit(x, y, sample_weight=np.concatenate([target, 1 - target]))
    slope, intercept = float(model.coef_[0, 0]) / scale, float(model.intercept_[0])
    if slope < 0:
        share = float(target.mean())
        slope, intercept = 0.0, float(np.log(share / (1 - share)))
    return Platt(slope=slope, intercept=intercept)


def fit_isotonic(scores: NDArray[np.float64], hallucinated: NDArray[np.bool_]) -> Curve:
    """The rising step curve with the least squared error, straight between its steps."""
    model = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, hallucinated.astype(np.float64))
    return _curve("isotonic", model.X_thresholds_, model.y_thresholds_)


def fit_venn_abers(scores: NDArray[np.float64], hallucinated: NDArray[np.bool_]) -> Curve:
    """Inductive Venn-Abers: isotonic regression with the new text added once with either label, p1 / (1 - p0 + p1).

    Vovk, Petej and Fedorova (2015), arXiv:1511.00213. Computed at up to 200 of the scores, and interpolated between.
    """
    at, where = np.unique(scores, return_inverse=True)
    weight: NDArray[np.float64] = np.bincount(where).astype(np.float64)
    positive: NDArray[np.float64] = np.bincount(where, weights=hallucinated.astype(np.float64)).astype(np.float64)
    knots = np.unique(np.linspace(0, len(at) - 1, min(len(at), _KNOTS)).round().astype(np.intp))
    p0, p1 = (np.array([_with_one_more(positive, weight, int(i), label) for i in knots]) for label in (0, 1))
    return _curve("venn_abers", at[knots], p1 / (1 - p0 + p1))


def _with_one_more(positive: NDArray[np.float64], weight: NDArray[np.float64], place: int, label: int) -> float:
    """The isotonic fit at a score, with one more row there that has this label."""
    more, heavier = positive.copy(), weight.copy()
    more[place] += label
    heavier[place] += 1
    return float(isotonic_regression(more / heavier, sample_weight=heavier, y_min=0, y_max=1)[place])


def _curve(method: Literal["isotonic", "venn_abers"], scores: NDArray[np.float64], p: NDArray[np.float64]) -> Curve:
    """The points without those in the middle of a level stretch."""
    keep = np.ones(len(p), dtype=bool)
    keep[1:-1] = (p[1:-1] != p[:-2]) | (p[1:-1] != p[2:])
    rising = np.maximum.accumulate(np.clip(p, 0, 1))
    return Curve(method=method, scores=scores[keep].tolist(), probabilities=rising[keep].tolist())


_FITS: dict[str, Callable[[NDArray[np.float64], NDArray[np.bool_]], Calibrator]] = {
    "isotonic": fit_isotonic,
    "platt": fit_platt,
    "venn_abers": fit_venn_abers,
}


def fit_calibrator(method: str, scores: NDArray[np.float64], hallucinated: NDArray[np.bool_]) -> Calibrator:
    """Fits a calibrator.

    Args:
        method: isotonic, platt or venn_abers.
        scores: One for each row; higher is more hallucinated.
        hallucinated: The labels.

    Raises:
        InputError: If all labels are the same.
    """
    if hallucinated.all() or not hallucinated.any():
        raise InputError("Calibration needs both supported and hallucinated examples.")
    return _FITS[method](scores, hallucinated)


def apply(calibrator: Calibrator, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(hallucinated) of each score."""
    return np.array([calibrator.probability(score) for score in scores.tolist()])


def cross_fitted(
    method: Method,
    scores: NDArray[np.float64],
    hallucinated: NDArray[np.bool_],
    splits: Iterable[tuple[NDArray[np.intp], NDArray[np.intp]]],
) -> tuple[NDArray[np.float64], str]:
    """Probabilities of rows, each from a calibrator that was fitted on the other folds.

    Returns:
        The probabilities, and the method: for ``auto`` isotonic with 2,000 rows or more, else Platt or Venn-Abers,
        whichever has the lower log loss on rows that it did not see.
    """
    folds = list(splits)
    if method != "auto":
        candidates = [str(method)]
    else:
        candidates = ["isotonic"] if len(scores) >= ENOUGH_FOR_ISOTONIC else ["platt", "venn_abers"]
    fitted = {name: _one_cross_fitted(name, scores, hallucinated, folds) for name in candidates}
    best = min(fitted, key=lambda name: log_loss(fitted[name], hallucinated))
    return fitted[best], best


def _one_cross_fitted(
    method: str,
    scores: NDArray[np.float64],
    hallucinated: NDArray[np.bool_],
    folds: list[tuple[NDArray[np.intp], NDArray[np.intp]]],
) -> NDArray[np.float64]:
    p = np.zeros(len(scores))
    for train, test in folds:
        p[test] = apply(fit_calibrator(method, scores[train], hallucinated[train]), scores[test])
    return p


def log_loss(p: NDArray[np.float64], hallucinated: NDArray[np.bool_]) -> float:
    """Mean negative log likelihood, with probabilities kept within [1e-6, 1 - 1e-6]; lower is better."""
    right = np.clip(np.where(hallucinated, p, 1 - p), _CLIP, 1 - _CLIP)
    return float(-np.log(right).mean())
