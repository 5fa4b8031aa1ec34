"""Figures against values computed by hand and against scikit-learn; undefined is null, never 0."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from halt_rag.learn import metrics
from halt_rag.learn.metrics import METRICS, Outcomes, measure


def outcomes(labels: list[int], p: list[float], decided: list[int] | None = None, threshold: float = 0.5) -> Outcomes:
    return Outcomes(
        np.array(labels, dtype=bool),
        np.array(p, dtype=np.float64),
        np.array([1] * len(p) if decided is None else decided, dtype=bool),
        threshold,
    )


#: 3 hallucinated (2 found), 2 supported (1 called hallucinated).
SOME = outcomes([1, 1, 1, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.1], [1, 1, 0, 0, 1])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("balanced_accuracy", (2 / 3 + 1 / 2) / 2),
        ("auroc", 5 / 6),
        ("aupr", (1 + 1 + 3 / 4) / 3),
        ("precision", 2 / 3),
        ("recall", 2 / 3),
        ("f1", 2 / 3),
        ("brier", (0.01 + 0.09 + 0.64 + 0.36 + 0.01) / 5),
        ("coverage", 3 / 5),
        ("accuracy_on_decided", 1.0),
        ("ece", (0.1 + 0.3 + 0.8 + 0.6 + 0.1) / 5),
    ],
)
def test_by_hand(name: str, value: float) -> None:
    assert METRICS[name](SOME) == pytest.approx(value)


rows = st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=2, max_size=40).filter(
    lambda drawn: len({label for label, _ in drawn}) == 2
)


@given(rows, st.floats(0, 1))
@settings(max_examples=25)
def test_as_in_scikit_learn(drawn: list[tuple[bool, float]], threshold: float) -> None:
    labels, p = [label for label, _ in drawn], [q for _, q in drawn]
    o = outcomes([int(label) for label in labels], p, threshold=threshold)
    called = [q >= threshold for q in p]
    assert metrics.balanced_accuracy(o) == pytest.approx(sk.balanced_accuracy_score(labels, called))
    assert metrics.recall(o) == pytest.approx(sk.recall_score(labels, called))
    assert metrics.f1(o) == pytest.approx(sk.f1_score(labels, called, zero_division=0))
    if any(called):
        assert metrics.precision(o) == pytest.approx(sk.precision_score(labels, called))
    assert metrics.auroc(o) == pytest.approx(sk.roc_auc_score(labels, p))
    assert metrics.aupr(o) == pytest.approx(sk.average_precision_score(labels, p))
    assert metrics.brier(o) == pytest.approx(sk.brier_score_loss(labels, p))


UNDEFINED = {
    "nothing": (outcomes([], []), set(METRICS)),
    "one class, hallucinated": (outcomes([1, 1], [0.9, 0.1]), {"balanced_accuracy", "auroc", "false_positive_rate"}),
    "one class, supported": (outcomes([0, 0], [0.9, 0.1]), {"balanced_accuracy", "auroc", "aupr", "recall"}),
    "none called": (outcomes([1, 0], [0.1, 0.2]), {"precision"}),
    "none decided": (outcomes([1, 0], [0.9, 0.2], [0, 0]), {"accuracy_on_decided"}),
    "none called nor hallucinated": (
        outcomes([0, 0], [0.1, 0.2]),
        {"balanced_accuracy", "auroc", "aupr", "recall", "precision", "f1"},
    ),
}


@pytest.mark.parametrize(("o", "undefined"), UNDEFINED.values(), ids=UNDEFINED)
def test_undefined_figures_are_null_and_only_they(o: Outcomes, undefined: set[str]) -> None:
    report = measure(o, [str(i) for i in range(len(o))], resamples=20)
    assert {name for name, figure in report.items() if figure["value"] is None} == undefined
    assert "NaN" not in json.dumps(report)


def test_intervals_hold_the_value_and_are_the_same_each_time() -> None:
    rng = np.random.default_rng(3)
    labels = rng.random(300) < 0.5
    o = Outcomes(labels, np.clip(labels * 0.3 + rng.random(300) * 0.7, 0, 1), np.ones(300, dtype=bool), 0.5)
    groups = [str(i) for i in range(300)]
    report = measure(o, groups, resamples=60)
    assert report == measure(o, groups, resamples=60)
    for name, figure in report.items():
        value, low, high = figure["value"], figure["low"], figure["high"]
        assert value is not None
        assert low is not None
        assert high is not None
        assert low <= value <= high, name


def test_whole_groups_are_resampled() -> None:
    """100 copies of 4 rows tell no more than 4 rows do."""
    labels, p = [1, 1, 0, 0] * 100, [0.9, 0.2, 0.8, 0.1] * 100
    o = outcomes(labels, p)
    wanted = ["balanced_accuracy"]
    apart = measure(o, [str(i) for i in range(400)], names=wanted, resamples=200)["balanced_accuracy"]
    together = measure(o, [str(i % 4) for i in range(400)], names=wanted, resamples=200)["balanced_accuracy"]
    assert apart["low"] is not None
    assert apart["high"] is not None
    assert together["low"] is not None
    assert together["high"] is not None
    assert apart["high"] - apart["low"] < 0.2 < together["high"] - together["low"]


def test_one_group_has_no_interval() -> None:
    report = measure(SOME, ["a"] * 5)
    assert all(figure["low"] is None and figure["high"] is None for figure in report.values())
    assert report["auroc"]["value"] == pytest.approx(5 / 6)


def drawn(p: np.ndarray, rng: np.random.Generator, shift: float = 0.0) -> Outcomes:
    labels = rng.random(len(p)) < p
    return Outcomes(labels, np.clip(p + shift, 0, 1), np.ones(len(p), dtype=bool), 0.5)


def test_debiased_calibration_error_is_near_zero_where_probabilities_are_calibrated() -> None:
    rng = np.random.default_rng(0)
    many = [drawn(rng.random(100), rng) for _ in range(20)]
    plain, debiased = (float(np.mean([f(o) for o in many])) for f in (metrics.ece, metrics.ece_debiased))
    assert plain > 0.08, "on few rows the plain estimate is far from 0"
    assert debiased < 0.02


def test_debiased_calibration_error_shows_what_is_off() -> None:
    rng = np.random.default_rng(1)
    o = drawn(rng.uniform(0.1, 0.6, 4000), rng, shift=0.3)
    assert metrics.ece_debiased(o) == pytest.approx(0.3, abs=0.03)
    assert metrics.ece_debiased(o) <= metrics.ece(o)


def test_the_interval_of_the_calibration_error_is_about_what_is_off_and_not_shifted_by_resampling() -> None:
    rng = np.random.default_rng(0)
    holds = 0
    for _ in range(20):
        o = drawn(rng.uniform(0.1, 0.6, 400), rng, shift=0.3)
        figure = measure(o, [str(i) for i in range(len(o))], names=["ece"], resamples=50)["ece"]
        value, low, high = figure["value"], figure["low"], figure["high"]
        assert value is not None
        assert low is not None
        assert high is not None
        assert (low + high) / 2 == pytest.approx(value, abs=0.02)
        assert high - low < 0.15
        holds += low <= 0.3 <= high
    assert holds >= 16, "about 19 of 20 are expected"


def test_both_calibration_errors_are_equally_uncertain() -> None:
    rng = np.random.default_rng(1)
    o = drawn(rng.uniform(0.1, 0.6, 400), rng, shift=0.3)
    report = measure(o, [str(i) for i in range(len(o))], names=["ece", "ece_debiased"], resamples=50)
    widths = [(f["high"] or 0) - (f["low"] or 0) for f in report.values()]
    assert widths[0] == pytest.approx(widths[1])
    assert widths[0] > 0.02


def test_no_interval_of_a_calibration_error_is_below_zero() -> None:
    rng = np.random.default_rng(2)
    o = drawn(rng.random(100), rng)
    figure = measure(o, [str(i) for i in range(100)], names=["ece_debiased"], resamples=100)["ece_debiased"]
    assert figure["low"] == 0
    assert figure["high"] is not None
    assert figure["high"] > 0


def test_rows_without_a_probability_count_in_coverage_only() -> None:
    more = outcomes([1, 1, 1, 0, 0, 1, 0], [0.9, 0.7, 0.2, 0.6, 0.1, math.nan, math.nan], [1, 1, 0, 0, 1, 0, 0])
    few, all_rows = (measure(o, ["a"] * len(o)) for o in (SOME, more))
    assert all_rows.pop("coverage")["value"] == pytest.approx(3 / 7)
    assert few.pop("coverage")["value"] == pytest.approx(3 / 5)
    assert all_rows == few


def test_the_order_of_rows_does_not_change_a_calibration_error() -> None:
    rng = np.random.default_rng(3)
    p = rng.choice([0.1, 0.4, 0.9], 2_000)
    labels = rng.random(2_000) < p
    by_label = np.argsort(labels, kind="stable")
    one, other = (outcomes(labels[rows].tolist(), p[rows].tolist()) for rows in (np.arange(2_000), by_label))
    assert metrics.ece(one) == pytest.approx(metrics.ece(other), abs=1e-12)
    assert metrics.ece_debiased(one) == pytest.approx(metrics.ece_debiased(other), abs=0.002), "it is simulated"
    assert metrics.ece(one) < 0.03
    assert metrics.ece(outcomes([0, 0, 0, 1, 1, 1] * 5, [0.5] * 30)) == pytest.approx(0)
    assert metrics.reliability(one)[0][:2] == pytest.approx((0.1, labels[p == 0.1].mean()))


def test_calibration_error_of_fewer_rows_than_bins() -> None:
    assert metrics.ece(outcomes([1], [1.0])) == 0
    assert metrics.ece(outcomes([0, 1], [1.0, 0.0])) == 1
    assert math.isfinite(metrics.ece_debiased(outcomes([0, 1], [0.5, 0.5])))
