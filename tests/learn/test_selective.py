"""Risk and coverage: by hand, and whatever the order of the rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.learn.matched import length_matched
from halt_rag.learn.metrics import Outcomes, auroc
from halt_rag.learn.selective import augrc, aurc, coverage_at_precision, risk_coverage

ROWS = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.2, 0.4])), min_size=1, max_size=20)


def test_by_hand() -> None:
    wrong, certainty = np.array([True, False, False, True]), np.array([0.1, 0.9, 0.5, 0.3])
    coverage, risk = risk_coverage(wrong, certainty)
    assert coverage.tolist() == [0.25, 0.5, 0.75, 1]
    assert risk == pytest.approx([0, 0, 1 / 3, 1 / 2])
    assert aurc(wrong, certainty) == pytest.approx((1 / 3 + 1 / 2) / 4)
    assert augrc(wrong, certainty) == pytest.approx((1 / 4 + 2 / 4) / 4)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_equally_certain_rows_does_not_matter(rows: list[tuple[bool, float]], rng: object) -> None:
    shuffled = rows[:]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    both = [[np.array(column) for column in zip(*r, strict=True)] for r in (rows, shuffled)]
    assert aurc(*both[0]) == pytest.approx(aurc(*both[1]))
    assert augrc(*both[0]) == pytest.approx(augrc(*both[1]))


@given(ROWS)
def test_full_coverage_has_the_risk_of_all(rows: list[tuple[bool, float]]) -> None:
    wrong, certainty = (np.array(column) for column in zip(*rows, strict=True))
    assert risk_coverage(wrong, certainty)[1][-1] == pytest.approx(wrong.mean())
    assert 0 <= augrc(wrong, certainty) <= aurc(wrong, certainty) <= 1


def test_constant_certainty_is_worth_the_error_rate() -> None:
    wrong = np.arange(100) < 20
    assert aurc(wrong, np.zeros(100)) == pytest.approx(0.2)


def test_coverage_at_precision_by_hand() -> None:
    called = np.array([True, True, False, True])
    hallucinated = np.array([True, True, False, False])
    certainty = np.array([0.9, 0.8, 0.7, 0.6])
    assert coverage_at_precision(called, hallucinated, certainty, 0.99) == 0.75
    assert coverage_at_precision(called, hallucinated, certainty, 0.6) == 1
    assert coverage_at_precision(called, ~hallucinated, certainty, 0.9) is None
    assert coverage_at_precision(called, hallucinated, np.zeros(4), 0.9) is None, "equally certain rows stay together"


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=60))
def test_length_says_nothing_on_the_matched_part(rows: list[tuple[int, bool]]) -> None:
    words = [n for n, _ in rows]
    labels = np.array([y for _, y in rows], dtype=bool)
    drawn = length_matched(words, labels)
    assert len(set(drawn.tolist())) == len(drawn)
    for n in set(words):
        part = [i for i in drawn.tolist() if words[i] == n]
        assert labels[part].sum() * 2 == len(part)
        assert len(part) == 2 * min(sum(w == n and y == label for w, y in rows) for label in (True, False))
    if len(drawn):
        lengths = np.array(words, dtype=float)[drawn]
        assert auroc(Outcomes(labels[drawn], lengths, np.ones(len(drawn), dtype=bool), 0.5)) == pytest.approx(0.5)
