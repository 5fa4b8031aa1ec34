"""Fits calibration, threshold and band of an existing text model anew, on a user's own labelled rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from halt_rag.learn.calibration import cross_fitted, fit_calibrator
from halt_rag.learn.metrics import Outcomes, measure
from halt_rag.learn.table import FeatureTable
from halt_rag.learn.threshold import decided
from halt_rag.learn.train import calibrated, choose, folds_of, held_out, scores_of
from halt_rag.verify.config import Config
from halt_rag.verify.text_model import TextModel

_FIGURES = ("f1", "precision", "recall", "accuracy", "auroc", "ece", "ece_debiased", "brier", "coverage")


@dataclass(frozen=True)
class Recalibrated:
    """What recalibrating gives.

    Attributes:
        model: The model with its new calibration, threshold and band; its classifier is the old one's.
        before: Figures of the old model on the rows.
        after: Cross-fitted figures of the new one on the same rows.
    """

    model: TextModel
    before: dict[str, dict[str, float | None]]
    after: dict[str, dict[str, float | None]]


def recalibrate(model: TextModel, table: FeatureTable, config: Config, *, resamples: int = 1000) -> Recalibrated:
    """Fits everything after the classifier anew.

    Args:
        model: The text model.
        table: Features of the user's rows, made by the model's pipeline.
        config: Its calibration, threshold and abstention apply. With ``threshold.guarantee`` a part of the groups is
            kept out of the fit, and the floor is tested there.
        resamples: For the intervals.

    Raises:
        ArtifactMismatchError: If the features come from another pipeline.
        InputError: If there are too few rows, or no threshold has ``threshold.min_precision``.
    """
    model.check_fits(table.pipeline)
    with threadpool_limits(limits=1):
        return _recalibrated(model, table, config, resamples)


def _recalibrated(model: TextModel, table: FeatureTable, config: Config, resamples: int) -> Recalibrated:
    floor = config.threshold.guarantee
    fitted, tested = held_out(table.groups, floor.test_share) if floor else (np.arange(len(table)), None)
    part = table.take(fitted)
    scores, hallucinated = scores_of(model.head, part), part.hallucinated
    splits = folds_of(part, config.train.folds, config.data.seed)
    p, method = cross_fitted(config.calibration.method, scores, hallucinated, splits)
    calibrator = fit_calibrator(method, scores, hallucinated)
    on_held_out = None
    if tested is not None:
        rest = table.take(tested)
        on_held_out = (calibrated(model.head, calibrator, rest), rest)
    cuts, kept = choose(p, part, config, on_held_out)
    old = calibrated(model.head, model.calibrator, part)
    after = _figures(part, Outcomes(hallucinated, p, decided(p, cuts), cuts.threshold), resamples)
    about: dict[str, Any] = {
        "rows": len(part),
        "rows_sha256": table.sha256,
        "calibration": method,
        "min_precision": config.threshold.min_precision,
        "coverage_target": config.abstention.coverage,
        "seed": config.data.seed,
        "from": model.id,
        "out_of_fold": {name: figure["value"] for name, figure in after.items()},
    }
    new = model.model_copy(
        update={
            "calibrator": calibrator,
            "cuts": cuts,
            "floor": kept,
            "fitted_on": {**model.fitted_on, "recalibrated": about},
        }
    )
    before = _figures(part, Outcomes(hallucinated, old, decided(old, model.cuts), model.cuts.threshold), resamples)
    return Recalibrated(new, before, after)


def _figures(table: FeatureTable, outcomes: Outcomes, resamples: int) -> dict[str, dict[str, float | None]]:
    return measure(outcomes, table.groups, names=_FIGURES, resamples=resamples)
