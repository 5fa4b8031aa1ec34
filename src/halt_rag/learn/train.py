"""Fits the text model of a task, out of fold where it is measured: folds, classifier, calibration, cuts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from halt_rag.errors import InputError, MissingExtraError
from halt_rag.learn.calibration import cross_fitted, fit_calibrator
from halt_rag.learn.claims import callable_rows
from halt_rag.learn.files import whole_file
from halt_rag.learn.metrics import Outcomes, measure
from halt_rag.learn.table import FeatureTable
from halt_rag.learn.threshold import Scored, best_f1, decided, guaranteed, with_abstention
from halt_rag.verify.artifact import Cuts, LinearHead
from halt_rag.verify.config import Config, TrainConfig
from halt_rag.verify.text_features import feature_names
from halt_rag.verify.text_model import Calibrator, KeptFloor, TextModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Splits = list[tuple[NDArray[np.intp], NDArray[np.intp]]]

try:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedGroupKFold
    from sklearn.svm import LinearSVC
    from threadpoolctl import threadpool_limits
except ImportError as error:
    raise MissingExtraError("scikit-learn", "pipeline") from error


_FEWER_FOLDS = (
    "With a floor (threshold.guarantee, --precision), a part of the groups is kept out; train.folds can be lowered."
)
#: Kept in the artifact, for the reader.
_FIGURES = ("f1", "precision", "recall", "accuracy", "auroc", "aupr", "ece", "brier", "coverage")


@dataclass(frozen=True)
class OutOfFold:
    """Predictions on rows that took no part in what made them; all arrays of shape (rows,).

    Attributes:
        table: The rows.
        scores: From the classifier of the other folds.
        p: P(hallucinated), from the calibrator of the other folds.
        splits: The folds: rows fitted on, rows predicted.
        method: The calibration.
    """

    table: FeatureTable
    scores: NDArray[np.float64]
    p: NDArray[np.float64]
    splits: Splits
    method: str


def fit_head(
    x: NDArray[np.float64], hallucinated: NDArray[np.bool_], names: Sequence[str], config: TrainConfig, *, seed: int
) -> LinearHead:
    """Standardises features and fits the classifier.

    Args:
        x: Features, shape (rows, features).
        hallucinated: The labels.
        names: Names of the features.
        config: Which classifier, how regularised and weighted.
        seed: For the solver.
    """
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale < 1e-9] = 1.0  # A feature that never varies says nothing.
    common: dict[str, Any] = {"C": config.c, "class_weight": config.class_weight, "random_state": seed}
    model = (
        LinearSVC(**common, max_iter=20_000)
        if config.classifier == "linear_svc"
        else LogisticRegression(**common, max_iter=5_000)
    )
    model.fit((x - mean) / scale, hallucinated)
    return LinearHead(
        features=list(names),
        mean=mean.tolist(),
        scale=scale.tolist(),
        coef=model.coef_[0].tolist(),
        intercept=float(model.intercept_[0]),
    )


def scores_of(head: LinearHead, table: FeatureTable) -> NDArray[np.float64]:
    """The score of each row, shape (rows,)."""
    x = table.columns(head.features)
    found: NDArray[np.float64] = ((x - head.mean) / head.scale) @ np.array(head.coef) + head.intercept
    return found


def folds_of(table: FeatureTable, folds: int, seed: int) -> Splits:
    """Folds with equal shares of labels, no group in two of them.

    Raises:
        InputError: If there are fewer groups or rows of a label than folds, or a fold would lack one of the labels.
    """
    rarest = min(int(table.hallucinated.sum()), int((~table.hallucinated).sum()))
    if rarest < folds:
        raise InputError(
            f"Of one label there are {rarest} rows, which are too few for {folds} folds.", hint=_FEWER_FOLDS
        )
    if len(set(table.groups)) < folds:
        raise InputError(
            f"{len(set(table.groups))} groups are too few for {folds} folds.",
            hint=f"Rows without a group belong together where their source is the same. {_FEWER_FOLDS}",
        )
    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    splits = [(train, test) for train, test in splitter.split(table.values, table.hallucinated, table.groups)]
    for train, test in splits:
        if not len(test) or table.hallucinated[train].all() or not table.hallucinated[train].any():
            raise InputError("There are too few examples: a fold has none, or only one label.")
    return splits


def out_of_fold(table: FeatureTable, names: Sequence[str], config: Config) -> OutOfFold:
    """Predicts each row from the others: the classifier and its scaling, then the calibrator."""
    splits = folds_of(table, config.train.folds, config.data.seed)
    x, scores = table.columns(names), np.zeros(len(table))
    for train, test in splits:
        head = fit_head(x[train], table.hallucinated[train], names, config.train, seed=config.data.seed)
        scores[test] = scores_of(head, table.take(test))
    p, method = cross_fitted(config.calibration.method, scores, table.hallucinated, splits)
    return OutOfFold(table, scores, p, splits, method)


def held_out(groups: Sequence[str], share: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows to fit on and rows to test on, no group in both: the same whatever the order of the rows."""
    names = sorted(set(groups), key=lambda g: hashlib.sha256(g.encode("utf-8", "surrogatepass")).digest())
    tested = set(names[: round(share * len(names))])
    inside = np.array([group in tested for group in groups], dtype=bool)
    return np.flatnonzero(~inside), np.flatnonzero(inside)


@dataclass(frozen=True)
class Trained:
    """What training gives.

    Attributes:
        model: The text model, fitted on all rows that were not held out for a floor.
        oof: Out-of-fold predictions on these rows.
    """

    model: TextModel
    oof: OutOfFold


def train(table: FeatureTable, config: Config) -> Trained:
    """Fits a text model.

    The classifier is fitted on all rows, the calibrator on the out-of-fold scores. With ``threshold.guarantee``, a
    part of the groups is kept out of both, and the floor is tested there.

    Raises:
        InputError: If there are too few rows, or no threshold has ``threshold.min_precision``.
        UnknownNameError: If ``features.without`` names something else than features.
    """
    # The last bits of a sum depend on how many threads share it, and the model's id on the last bits.
    with threadpool_limits(limits=1):
        return _trained(table, config)


def _trained(table: FeatureTable, config: Config) -> Trained:
    floor = config.threshold.guarantee
    fitted, tested = held_out(table.groups, floor.test_share) if floor else (np.arange(len(table)), None)
    part = table.take(fitted)
    models = [m.name for m in table.pipeline.models]
    names = feature_names(table.pipeline.schema_name, models, config.features.without)
    if not names:
        raise InputError("features.without leaves no feature.")
    oof = out_of_fold(part, names, config)
    head = fit_head(part.columns(names), part.hallucinated, names, config.train, seed=config.data.seed)
    calibrator = fit_calibrator(oof.method, oof.scores, part.hallucinated)
    on_held_out = None if tested is None else (calibrated(head, calibrator, table.take(tested)), table.take(tested))
    cuts, kept = choose(oof.p, part, config, on_held_out)
    outcomes = Outcomes(part.hallucinated, oof.p, decided(oof.p, cuts), cuts.threshold)
    figures = measure(outcomes, part.groups, names=_FIGURES, resamples=0)
    model = TextModel(
        task=table.task,
        pipeline=table.pipeline,
        pipeline_fingerprint=table.pipeline.fingerprint,
        head=head,
        calibrator=calibrator,
        cuts=cuts,
        floor=kept,
        fitted_on={
            "rows": len(part),
            "groups": len(set(part.groups)),
            "hallucinated": int(part.hallucinated.sum()),
            "rows_sha256": table.sha256,
            "classifier": config.train.model_dump(mode="json", by_alias=True),
            "calibration": oof.method,
            "min_precision": config.threshold.min_precision,
            "coverage_target": config.abstention.coverage,
            "seed": config.data.seed,
            "out_of_fold": {name: figure["value"] for name, figure in figures.items()},
        },
    )
    return Trained(model, oof)


def calibrated(head: LinearHead, calibrator: Calibrator, table: FeatureTable) -> NDArray[np.float64]:
    """P(hallucinated) of each row."""
    return np.array([calibrator.probability(score) for score in scores_of(head, table).tolist()])


def choose(
    p: NDArray[np.float64],
    table: FeatureTable,
    config: Config,
    on_held_out: tuple[NDArray[np.float64], FeatureTable] | None,
) -> tuple[Cuts, KeptFloor | None]:
    """The threshold with its band, and the floor that was tested, if any.

    Args:
        p: P(hallucinated) of each row of ``table``, from models that did not see it.
        table: The rows to choose on.
        config: ``threshold`` and ``abstention`` apply.
        on_held_out: P(hallucinated) and rows that nothing was fitted on, to test a floor.

    Raises:
        InputError: If no threshold has ``threshold.min_precision``.
    """
    kept = None
    floor, coverage = config.threshold.guarantee, config.abstention.coverage
    if floor is not None and on_held_out is not None:
        q, held = on_held_out
        found, kept = guaranteed(
            Scored(p, table.hallucinated, callable_rows(table)),
            Scored(q, held.hallucinated, callable_rows(held)),
            held.groups,
            precision=floor.precision,
            confidence=floor.confidence,
            coverage=coverage,
        )
        if found is not None:
            return found, kept
    threshold = best_f1(p, table.hallucinated, min_precision=config.threshold.min_precision)
    if threshold is None:
        raise InputError(
            f"No threshold has a precision of {config.threshold.min_precision}: the features do not tell the texts "
            "apart.",
            hint="Lower threshold.min_precision, or use more data.",
        )
    return with_abstention(p, threshold, coverage), kept


def write_predictions(oof: OutOfFold, path: Path) -> None:
    """Writes one JSON line for each row: id, raw_score, calibrated_prob, label, group.

    Raises:
        ConfigurationError: If the file cannot be written.
    """
    rows = zip(
        oof.table.ids, oof.scores.tolist(), oof.p.tolist(), oof.table.hallucinated, oof.table.groups, strict=True
    )
    with whole_file(path) as part, part.open("w", encoding="utf-8") as file:
        for name, score, p, hallucinated, group in rows:
            label = "hallucinated" if hallucinated else "supported"
            line = {"id": name, "raw_score": score, "calibrated_prob": p, "label": label, "group": group}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
