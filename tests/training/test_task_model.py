from __future__ import annotations

import numpy as np

from halt_rag.verify.features import CLAIM_FEATURES
from training.task_model import NOT_WEIGHED, SIGNS, Measured, cross_fitted, fit_head, weights


def rows(n: int, seed: int = 0) -> tuple[list[dict[str, float]], np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Features of which only ``nli_support`` says anything."""
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.5
    support = np.where(labels, -1.0, 1.0) + rng.normal(size=n)
    noise = rng.normal(size=(n, len(SIGNS)))
    found = [dict(zip(SIGNS, map(float, values), strict=True)) for values in noise]
    for row, value in zip(found, support.tolist(), strict=True):
        row["nli_support"] = value
    return found, labels


def test_every_feature_has_a_sign() -> None:
    assert set(SIGNS) | NOT_WEIGHED == set(CLAIM_FEATURES)
    assert not set(SIGNS) & NOT_WEIGHED


def test_head_finds_the_signal_and_keeps_the_signs() -> None:
    features, labels = rows(2000)
    head = fit_head(features, labels, np.ones(2000), SIGNS)
    coef = dict(zip(head.features, head.coef, strict=True))
    assert coef["nli_support"] < -0.5
    assert all(SIGNS[name] * value >= 0 for name, value in coef.items())
    assert np.mean([(head.probability(f) >= 0.5) == y for f, y in zip(features, labels, strict=True)]) > 0.8


def test_a_feature_that_pushes_the_wrong_way_is_left_out() -> None:
    features, labels = rows(2000)
    for row, label in zip(features, labels, strict=True):
        row["missing_numbers"] = 0.0 if label else 1.0
    assert "missing_numbers" not in fit_head(features, labels, np.ones(2000), SIGNS).features


def test_weights_make_labels_count_alike_and_sets_nearly() -> None:
    names = ["big"] * 900 + ["small"] * 100
    labels = np.array(([True] * 3 + [False]) * 250)
    w = weights(names, labels)
    assert np.isclose(w[labels].sum(), w[~labels].sum())
    assert np.isclose(w.mean(), 1.0)
    big, small = w[:900].sum(), w[900:].sum()
    assert 0.5 < small / big <= 1.0 + 1e-9


def measured(n: int) -> list[Measured]:
    features, labels = rows(n)
    return [
        Measured("set", f"g{i // 3}", f"source {i // 3}", bool(y), f)
        for i, (f, y) in enumerate(zip(features, labels, strict=True))
    ]


def test_cross_fitting_never_sees_the_row_it_scores() -> None:
    claims = measured(300)
    labels = np.array([c.hallucinated for c in claims])
    p = cross_fitted(claims, labels, np.ones(300))
    in_sample = fit_head([c.features for c in claims], labels, np.ones(300), SIGNS)
    assert not np.allclose(p, [in_sample.probability(c.features) for c in claims], atol=1e-6)
    assert np.mean((p >= 0.5) == labels) > 0.75
