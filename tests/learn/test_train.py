"""Training: nothing is predicted by what saw it, and the artifact says what the rows say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from halt_rag.errors import InputError, UnknownNameError
from halt_rag.learn.recalibrate import recalibrate
from halt_rag.learn.table import FeatureTable
from halt_rag.learn.threshold import decided
from halt_rag.learn.train import (
    calibrated,
    fit_head,
    folds_of,
    held_out,
    out_of_fold,
    scores_of,
    train,
    write_predictions,
)
from halt_rag.verify.config import Config
from halt_rag.verify.text_features import feature_names
from tests.learn.halueval_small import table


def config(**sections: Any) -> Config:
    return Config.model_validate({"task": "qa", **sections})


def with_changed(made: FeatureTable, **changed: Any) -> FeatureTable:
    fields = {name: getattr(made, name) for name in made.__dataclass_fields__}
    return FeatureTable(**(fields | changed))


def wide_table(rows: int, models: int) -> FeatureTable:
    """A table with the scores of several models."""
    made = table(rows)
    first, names = made.pipeline.models[0], [f"m{i}" for i in range(models)]
    return with_changed(
        made,
        pipeline=made.pipeline.model_copy(update={"models": [first.model_copy(update={"name": n}) for n in names]}),
        names=feature_names("paper", names),
        values=np.hstack([made.values, np.random.default_rng(1).normal(size=(rows, 6 * models - 6))]),
    )


def test_folds_keep_groups_together_and_labels_even() -> None:
    made = with_changed(table(200), groups=[f"g{i // 4}" for i in range(200)])
    splits = folds_of(made, 5, 0)
    assert sorted(np.concatenate([test for _, test in splits]).tolist()) == list(range(200))
    for fitted, held in splits:
        assert not {made.groups[i] for i in fitted} & {made.groups[i] for i in held}
        assert made.hallucinated[held].mean() == pytest.approx(0.5, abs=0.02)
    assert [t.tolist() for _, t in folds_of(made, 5, 0)] == [t.tolist() for _, t in splits], "deterministic"


def test_too_few_groups_or_one_label_is_said() -> None:
    with pytest.raises(InputError, match="2 groups are too few for 5 folds"):
        folds_of(with_changed(table(20), groups=["a", "b"] * 10), 5, 0)
    with pytest.raises(InputError):
        folds_of(with_changed(table(40), hallucinated=np.zeros(40, dtype=bool)), 5, 0)
    with pytest.raises(InputError, match="Of one label there are 4 rows, which are too few for 5 folds"):
        folds_of(table(8), 5, 0)
    with pytest.raises(InputError, match="leaves no feature"):
        train(table(200), config(features={"schema": "paper", "without": table().names}))


@pytest.mark.parametrize("classifier", ["logistic_regression", "linear_svc"])
def test_the_head_is_that_of_scikit_learn(classifier: str) -> None:
    made = table(300)
    head = fit_head(made.values, made.hallucinated, made.names, config(train={"classifier": classifier}).train, seed=0)
    x = (made.values - made.values.mean(0)) / made.values.std(0)
    kind: Any = LinearSVC if classifier == "linear_svc" else LogisticRegression
    expected = kind(C=1.0, class_weight="balanced", random_state=0, max_iter=20_000).fit(x, made.hallucinated)
    assert scores_of(head, made) == pytest.approx(expected.decision_function(x), abs=1e-4)
    features = dict(zip(made.names, made.values[7].tolist(), strict=True))
    assert head.logit(features) == pytest.approx(scores_of(head, made)[7], abs=1e-9), "with and without numpy"


def test_a_feature_that_never_varies_says_nothing() -> None:
    made = table(100)
    made.values[:, 3] = 7.0
    head = fit_head(made.values, made.hallucinated, made.names, config().train, seed=0)
    assert abs(head.coef[3]) < 1e-9


def test_pure_noise_is_at_chance_out_of_fold_and_calibrated() -> None:
    made = table(400, signal=0.0)
    made.values[:, 6:] = np.random.default_rng(5).normal(size=made.values[:, 6:].shape)
    oof = out_of_fold(made, made.names, config())
    assert 0.4 < roc_auc_score(made.hallucinated, oof.p) < 0.6, "in-sample it would look like skill"
    assert np.abs(oof.p - 0.5).max() < 0.35


def test_a_row_does_not_meet_its_own_label() -> None:
    made = table(100)
    oof = out_of_fold(made, made.names, config(calibration={"method": "platt"}))
    fitted, held = oof.splits[0]
    changed = with_changed(made, hallucinated=made.hallucinated.copy())
    changed.hallucinated[held[:2]] = ~changed.hallucinated[held[:2]]
    head = fit_head(made.values[fitted], changed.hallucinated[fitted], made.names, config().train, seed=0)
    assert oof.scores[held] == pytest.approx(scores_of(head, made.take(held)))


def test_trained_model_and_its_figures() -> None:
    made = table(400)
    found = train(made, config(train={"classifier": "linear_svc"}))
    model = found.model
    assert model.pipeline_fingerprint == made.pipeline.fingerprint
    assert model.fitted_on["rows"] == 400
    assert model.fitted_on["rows_sha256"] == made.sha256
    assert model.fitted_on["out_of_fold"]["auroc"] == pytest.approx(roc_auc_score(made.hallucinated, found.oof.p))
    assert decided(found.oof.p, model.cuts).mean() >= 0.9
    called = found.oof.p >= model.cuts.threshold
    assert made.hallucinated[called].mean() >= 0.7
    assert train(made, config(train={"classifier": "linear_svc"})).model == model, "deterministic"


def test_the_model_does_not_depend_on_the_number_of_threads() -> None:
    """The id is over every bit, and with enough rows and columns a sum is shared between threads."""
    made = wide_table(20_000, models=6)
    ids = set()
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            ids.add(train(made, config()).model.id)
    assert len(ids) == 1


def test_features_can_be_left_out() -> None:
    model = train(table(200), config(features={"schema": "paper", "without": ["lexical"]})).model
    assert len(model.head.features) == 6
    with pytest.raises(UnknownNameError):
        train(table(200), config(features={"without": ["lexicals"]}))


def test_a_guarantee_is_tested_on_rows_that_nothing_was_fitted_on() -> None:
    made = table(1200, signal=3.0)
    found = train(made, config(threshold={"guarantee": {"precision": 0.8, "confidence": 0.9}}))
    floor = found.model.floor
    assert floor is not None
    assert floor.attained
    assert floor.right / floor.called >= 0.8
    fitted, tested = held_out(made.groups, 0.5)
    assert not {made.groups[i] for i in fitted} & {made.groups[i] for i in tested}
    assert floor.tested_rows == len({made.groups[i] for i in tested}) == 300
    assert set(found.oof.table.ids) == {made.ids[i] for i in fitted}


def test_a_floor_that_none_attains_is_said_and_the_threshold_is_the_usual_one() -> None:
    made = table(300, signal=1.0)
    found = train(made, config(threshold={"guarantee": {"precision": 0.99, "confidence": 0.99}, "min_precision": 0.6}))
    assert found.model.floor is not None
    assert not found.model.floor.attained
    called = found.oof.p >= found.model.cuts.threshold
    assert found.oof.table.hallucinated[called].mean() >= 0.6


def test_no_threshold_with_the_precision_is_an_error() -> None:
    made = table(200, signal=0.0)
    made.values[:] = np.random.default_rng(6).normal(size=made.values.shape)
    with pytest.raises(InputError, match="No threshold has a precision of 1"):
        train(with_changed(made, values=np.ones_like(made.values)), config(threshold={"min_precision": 1.0}))


def test_predictions_are_json_lines(tmp_path: Path) -> None:
    found = train(table(60), config())
    write_predictions(found.oof, tmp_path / "p.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 60
    assert list(lines[0]) == ["id", "raw_score", "calibrated_prob", "label", "group"]
    assert lines[1]["label"] == "hallucinated"


def test_recalibrating_on_own_rows() -> None:
    model = train(table(400, signal=3.0), config()).model
    own = table(600, signal=1.5, seed=9)
    found = recalibrate(model, own, config(threshold={"min_precision": 0.6}), resamples=20)
    assert found.model.head == model.head
    assert found.model.id != model.id
    assert found.after["auroc"]["value"] == pytest.approx(found.before["auroc"]["value"], abs=0.02)
    assert found.after["ece_debiased"]["value"] < found.before["ece_debiased"]["value"]  # type: ignore[operator]
    assert found.model.fitted_on["recalibrated"]["from"] == model.id
    assert calibrated(found.model.head, found.model.calibrator, own).mean() == pytest.approx(0.5, abs=0.03)


def test_recalibrating_with_a_guarantee() -> None:
    model = train(table(400, signal=3.0), config()).model
    settings = config(threshold={"guarantee": {"precision": 0.8, "confidence": 0.9}})
    floor = recalibrate(model, table(1200, signal=3.0, seed=3), settings, resamples=0).model.floor
    assert floor is not None
    assert floor.attained
