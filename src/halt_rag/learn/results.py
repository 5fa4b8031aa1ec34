"""What a trained text model reaches out of fold, beside what can be had without reading: oof_meta.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from halt_rag.learn.baselines import baselines
from halt_rag.learn.claims import opposed
from halt_rag.learn.matched import length_matched
from halt_rag.learn.metrics import Outcomes, measure
from halt_rag.learn.rows import LabelledRow
from halt_rag.learn.selective import coverage_at_precision
from halt_rag.learn.table import FeatureTable
from halt_rag.learn.threshold import best_f1, decided
from halt_rag.learn.train import OutOfFold, Trained, calibrated, out_of_fold
from halt_rag.verify.config import Config
from halt_rag.verify.decide import Thresholds
from halt_rag.verify.text_features import ABLATIONS, LEXICAL, feature_names, nli_names
from halt_rag.verify.text_model import TextModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_AT_THRESHOLD = ("precision", "recall", "f1", "accuracy", "false_positive_rate")
_WITHOUT_THRESHOLD = ("auroc", "aupr", "ece", "ece_debiased", "brier")
_SELECTIVE = ("aurc", "augrc")
_SHORT = ("auroc", "aupr", "f1", "precision", "recall", "accuracy")
_COLUMNS = ("entailment", "neutral", "contradiction")
_PRECISIONS = (0.80, 0.90, 0.95, 0.99)
_TRANSFER = ("auroc", "balanced_accuracy", "f1", "precision", "recall", "ece", "coverage", "accuracy_on_decided")
_AGREEING = ("coverage", "accuracy_on_decided")

Figures = dict[str, dict[str, float | None]]


def oof_meta(
    trained: Trained,
    rows: Sequence[LabelledRow],
    config: Config,
    *,
    claims: Thresholds | None = None,
    resamples: int = 1000,
) -> dict[str, Any]:
    """All figures of a task, JSON-ready; undefined ones are null.

    Args:
        trained: What ``train`` gave.
        rows: The examples of ``trained.oof``, in its order: baselines read their texts.
        config: The settings it was trained with.
        claims: Where the verdict on a claim changes, to see how often the verifier keeps from contradicting its claims.
        resamples: How many times groups are drawn anew for each 95 % interval.
    """
    model, oof = trained.model, trained.oof
    cuts, table = model.cuts, oof.table
    outcomes = Outcomes(table.hallucinated, oof.p, decided(oof.p, cuts), cuts.threshold)
    figures = measure(
        outcomes, table.groups, names=(*_AT_THRESHOLD, *_WITHOUT_THRESHOLD, *_SELECTIVE), resamples=resamples
    )
    mark = f"at_prec_ge{config.threshold.min_precision:.2f}"
    trivial = trivial_probabilities(oof, rows, config)
    return {
        "task": model.task,
        "artifact": model.id,
        "rows": len(table),
        "groups": len(set(table.groups)),
        "hallucinated": int(table.hallucinated.sum()),
        "nothing_to_check": int((~table.to_check).sum()),
        "truncated": int(table.truncated.sum()),
        "pipeline": model.pipeline.model_dump(mode="json"),
        "fingerprint": model.pipeline_fingerprint,
        "classifier": config.train.classifier,
        "features": model.head.features,
        "calibration": oof.method,
        "rows_sha256": table.sha256,
        "threshold": cuts.threshold,
        f"threshold_{mark}": cuts.threshold,
        **{f"{name}_{mark}": figures[name]["value"] for name in _AT_THRESHOLD},
        **{name: figures[name]["value"] for name in (*_WITHOUT_THRESHOLD, *_SELECTIVE)},
        "intervals": {name: [f["low"], f["high"]] for name, f in figures.items()},
        "threshold_from_other_folds": _with_other_thresholds(oof, config),
        "floor": None if model.floor is None else model.floor.model_dump(mode="json"),
        "abstention": _abstention(outcomes, model, config),
        "agreeing_with_claims": None
        if claims is None
        else _at(outcomes.only(~opposed(table, outcomes.called, claims))),
        "coverage_at_precision": {
            f"{x:.2f}": coverage_at_precision(outcomes.called, outcomes.hallucinated, np.abs(oof.p - cuts.threshold), x)
            for x in _PRECISIONS
        },
        "baselines": {
            name: _short(table.hallucinated, p, table.groups, config, resamples) for name, p in trivial.items()
        },
        "always_hallucinated_f1": 2 * float(table.hallucinated.mean()) / (1 + float(table.hallucinated.mean())),
        "ablations": ablations(oof, config),
        "length_matched": _matched(oof, model, rows, trivial, resamples),
    }


def trivial_probabilities(
    oof: OutOfFold, rows: Sequence[LabelledRow], config: Config
) -> dict[str, NDArray[np.float64]]:
    """Cross-fitted P of the trivial baselines, and of the five lexical features with the task's classifier."""
    found = dict(baselines(rows, oof.table.groups, oof.table.hallucinated))
    found["five_lexical_features"] = out_of_fold(oof.table, LEXICAL, config).p
    return found


def ablations(oof: OutOfFold, config: Config) -> dict[str, dict[str, float | None]]:
    """F1 at its own threshold and AUROC with fewer features, on the same folds: the paper's, and without each kind.

    What the settings leave out is left out of all.
    """
    table = oof.table
    schema, models = table.pipeline.schema_name, [m.name for m in table.pipeline.models]
    kinds = [*_COLUMNS, *models, "lexical"] if len(models) > 1 else [*_COLUMNS, "lexical"]
    parts = {f"without_{kind}": feature_names(schema, models, [kind]) for kind in kinds}
    if schema == "extended":
        parts["paper_features"] = feature_names("paper", models)
        parts |= {f"without_{kind}": feature_names(schema, models, [kind]) for kind in ABLATIONS if kind not in kinds}
    parts["nli_alone"] = nli_names(models)
    own = set(feature_names(schema, models, config.features.without))
    left = {name: [feature for feature in features if feature in own] for name, features in parts.items()}
    found = {}
    for name, features in left.items():
        if not features:
            continue
        figures = _short(table.hallucinated, out_of_fold(table, features, config).p, table.groups, config, 0)
        found[name] = {key: figures[key]["value"] for key in ("f1", "precision", "recall", "auroc")}
    return found


def _short(
    hallucinated: NDArray[np.bool_],
    p: NDArray[np.float64],
    groups: Sequence[str],
    config: Config,
    resamples: int,
) -> Figures:
    """Main figures of a baseline, its threshold chosen as the model's is; at 0.5 where none has the precision."""
    threshold = best_f1(p, hallucinated, min_precision=config.threshold.min_precision)
    everything = np.ones(len(p), dtype=bool)
    outcomes = Outcomes(hallucinated, p, everything, 0.5 if threshold is None else threshold)
    return measure(outcomes, groups, names=_SHORT, resamples=resamples)


def _with_other_thresholds(oof: OutOfFold, config: Config) -> dict[str, float | None]:
    """Figures where each fold is cut at the threshold that the other folds choose: what a new text would meet."""
    hallucinated, called = oof.table.hallucinated, np.zeros(len(oof.p), dtype=bool)
    for fitted, held in oof.splits:
        cut = best_f1(oof.p[fitted], hallucinated[fitted], min_precision=config.threshold.min_precision)
        called[held] = cut is not None and oof.p[held] >= cut
    outcomes = Outcomes(hallucinated, called.astype(np.float64), np.ones(len(called), dtype=bool), 0.5)
    found = measure(outcomes, oof.table.groups, names=_AT_THRESHOLD, resamples=0)
    return {name: figure["value"] for name, figure in found.items()}


def _abstention(outcomes: Outcomes, model: TextModel, config: Config) -> dict[str, Any]:
    return {
        "coverage_target": config.abstention.coverage,
        "supported_below": model.cuts.supported_below,
        "hallucinated_from": model.cuts.hallucinated_from,
        **_at(outcomes),
    }


def _at(outcomes: Outcomes) -> dict[str, float | None]:
    """Coverage, and the figures at the threshold on what is decided."""
    kept = outcomes.take(np.flatnonzero(outcomes.decided))
    figures = measure(kept, [str(i) for i in range(len(kept))], names=_AT_THRESHOLD, resamples=0)
    return {"coverage": float(outcomes.decided.mean()), **{name: figure["value"] for name, figure in figures.items()}}


def _matched(
    oof: OutOfFold,
    model: TextModel,
    rows: Sequence[LabelledRow],
    trivial: Mapping[str, NDArray[np.float64]],
    resamples: int,
) -> dict[str, Any]:
    """The same figures where length says nothing; null where no two texts of both labels have one length."""
    hallucinated, groups = oof.table.hallucinated, oof.table.groups
    words = [len(row.generated.split()) for row in rows]
    drawn = length_matched(words, hallucinated)
    if not len(drawn):
        return {"rows": 0}
    part = [groups[i] for i in drawn.tolist()]
    everything = np.ones(len(drawn), dtype=bool)

    def figures(p: NDArray[np.float64], threshold: float, names: Sequence[str]) -> Figures:
        return measure(
            Outcomes(hallucinated[drawn], p[drawn], everything, threshold), part, names=names, resamples=resamples
        )

    return {
        "rows": len(drawn),
        "model": figures(oof.p, model.cuts.threshold, _SHORT),
        "words_alone": figures(np.array(words, dtype=np.float64), 0.5, ("auroc",)),
        "baselines": {name: figures(p, 0.5, ("auroc",)) for name, p in trivial.items()},
    }


def transferred(
    model: TextModel, table: FeatureTable, *, claims: Thresholds | None = None, resamples: int = 1000
) -> dict[str, Any]:
    """How a text model does on data that it was not fitted for, with its own threshold and band.

    Args:
        model: The text model.
        table: The other data. Its features must come from the same NLI models and schema; it may be read as its own
            task reads it.
        claims: As for ``oof_meta``.
        resamples: For the intervals.
    """
    p = calibrated(model.head, model.calibrator, table)
    outcomes = Outcomes(table.hallucinated, p, decided(p, model.cuts), model.cuts.threshold)
    agreeing = None if claims is None else outcomes.only(~opposed(table, outcomes.called, claims))
    return {
        "rows": len(table),
        "hallucinated": int(table.hallucinated.sum()),
        "figures": measure(outcomes, table.groups, names=_TRANSFER, resamples=resamples),
        "agreeing_with_claims": None
        if agreeing is None
        else measure(agreeing, table.groups, names=_AGREEING, resamples=resamples),
    }
