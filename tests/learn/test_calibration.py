"""Calibration: against definitions, and against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import KFold

from halt_rag.errors import InputError
from halt_rag.learn.calibration import apply, cross_fitted, fit_calibrator, fit_isotonic, fit_platt, fit_venn_abers
from halt_rag.verify.text_model import Platt

RNG = np.random.default_rng(0)
SCORES = RNG.normal(size=400)
LABELS = RNG.random(400) < 1 / (1 + np.exp(-(2 * SCORES - 0.5)))
METHODS = ["isotonic", "platt", "venn_abers"]


def test_platt_finds_the_sigmoid_that_the_labels_come_from() -> None:
    many = np.random.default_rng(1).normal(size=20_000)
    labels = np.random.default_rng(2).random(20_000) < 1 / (1 + np.exp(-(2 * many - 0.5)))
    found = fit_platt(many, labels)
    assert found.slope == pytest.approx(2, abs=0.1)
    assert found.intercept == pytest.approx(-0.5, abs=0.06)


def test_platt_never_falls() -> None:
    found = fit_platt(-SCORES, LABELS)
    assert found.slope == 0
    assert found.probability(0) == pytest.approx(LABELS.mean(), abs=0.01)


def test_platt_is_not_certain_of_separable_data() -> None:
    found = fit_platt(np.array([-1.0, -0.9, 0.9, 1.0]), np.array([False, False, True, True]))
    assert 0.15 < found.probability(-1) < 0.3, "a quarter by Platt's targets: 1 / (2 + 2)"


def test_isotonic_is_that_of_scikit_learn() -> None:
    model = IsotonicRegression(out_of_bounds="clip").fit(SCORES, LABELS)
    new = np.linspace(-4, 4, 101)
    assert apply(fit_isotonic(SCORES, LABELS), new) == pytest.approx(model.predict(new), abs=1e-9)


def test_venn_abers_is_that_of_its_definition() -> None:
    scores, labels = np.round(SCORES[:60], 1), LABELS[:60]
    found = fit_venn_abers(scores, labels)
    for score in np.unique(scores):
        p = [
            IsotonicRegression().fit(np.append(scores, score), np.append(labels, label)).predict([score])[0]
            for label in (0, 1)
        ]
        assert found.probability(float(score)) == pytest.approx(p[1] / (1 - p[0] + p[1]), abs=1e-9)


@given(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=2, max_size=40), st.sampled_from(METHODS))
def test_probabilities_rise_with_the_score(rows: list[tuple[float, bool]], method: str) -> None:
    scores, labels = np.array([s for s, _ in rows]), np.array([y for _, y in rows])
    if labels.all() or not labels.any():
        with pytest.raises(InputError, match="both supported and hallucinated"):
            fit_calibrator(method, scores, labels)
        return
    p = apply(fit_calibrator(method, scores, labels), np.linspace(-6, 6, 50))
    assert ((p >= 0) & (p <= 1)).all()
    assert (np.diff(p) >= -1e-12).all()


@pytest.mark.parametrize("method", METHODS)
def test_no_row_is_calibrated_by_itself(method: str) -> None:
    splits = list(KFold(5).split(SCORES))
    p, chosen = cross_fitted(method, SCORES, LABELS, splits)  # type: ignore[arg-type]
    assert chosen == method
    train, test = splits[0]
    changed = LABELS.copy()
    changed[test] = ~changed[test]
    again, _ = cross_fitted(method, SCORES, changed, splits)  # type: ignore[arg-type]
    assert (p[test] == again[test]).all()
    assert (p[train] != again[train]).any()


def test_auto_takes_what_suits_the_number_of_rows() -> None:
    splits = list(KFold(5).split(SCORES))
    assert cross_fitted("auto", SCORES, LABELS, splits)[1] in {"platt", "venn_abers"}
    many, labels = np.tile(SCORES, 5), np.tile(LABELS, 5)
    assert cross_fitted("auto", many, labels, list(KFold(5).split(many)))[1] == "isotonic"


def test_auto_prefers_the_curve_where_no_sigmoid_fits() -> None:
    scores = np.linspace(0, 1, 1200)
    stepped = np.where(scores < 0.5, 0.02, np.where(scores < 0.55, 0.5, 0.6))
    labels = np.random.default_rng(4).random(1200) < stepped
    order = np.random.default_rng(5).permutation(1200)
    _, chosen = cross_fitted("auto", scores[order], labels[order], list(KFold(5).split(scores)))
    assert chosen == "venn_abers"


def test_a_constant_score_gets_the_share() -> None:
    for method in METHODS:
        p = apply(fit_calibrator(method, np.zeros(100), np.arange(100) < 30), np.array([0.0]))
        assert p == pytest.approx([0.3], abs=0.02), method
    assert isinstance(fit_calibrator("platt", np.zeros(4), np.array([True, False] * 2)), Platt)
