"""Baselines find what was planted for them, and nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from halt_rag.learn.baselines import baselines
from halt_rag.learn.rows import LabelledRow

WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnrs"]


def planted(kind: str, count: int = 120) -> tuple[list[LabelledRow], list[str], np.ndarray]:
    """Rows whose label shows in one respect alone."""
    rng = random.Random(0)
    rows, labels = [], []
    for i in range(count):
        bad = i % 2 == 1
        source = rng.sample(WORDS, 40)
        words = rng.sample(source, 6) + rng.sample([w for w in WORDS if w not in source], 6)
        if kind == "length":
            words = words * (3 if bad else 1)
        elif kind == "overlap":
            words = rng.sample(source if not bad else [w for w in WORDS if w not in source], 12)
        elif kind == "text_only":
            words[0] = "allegedly" if bad else "indeed"
            words[1] = "reportedly" if bad else "truly"
        rng.shuffle(words)
        label = "hallucinated" if bad else "supported"
        rows.append(LabelledRow(source=[" ".join(source)], generated=" ".join(words), label=label))
        labels.append(bad)
    return rows, [str(i // 2) for i in range(count)], np.array(labels)


@pytest.mark.parametrize("kind", ["length", "overlap", "text_only"])
def test_each_finds_what_was_planted_for_it(kind: str) -> None:
    rows, groups, labels = planted(kind)
    found = {name: roc_auc_score(labels, p) for name, p in baselines(rows, groups, labels).items()}
    assert found[kind] > 0.95
    others = set(found) - {kind} - ({"overlap"} if kind == "text_only" else set())
    assert all(found[other] < 0.75 for other in others), found


def test_without_a_trace_of_the_label_they_are_at_chance() -> None:
    rows, groups, labels = planted("nothing")
    for p in baselines(rows, groups, labels).values():
        assert 0.3 < roc_auc_score(labels, p) < 0.7
        assert ((p > 0) & (p < 1)).all()


def test_groups_are_kept_together() -> None:
    """Each text occurs twice with its label. Whoever sees its twin in training knows the label by heart."""
    rng = random.Random(1)
    rows, groups, labels = [], [], []
    for i in range(60):
        bad = rng.random() < 0.5
        row = LabelledRow(
            source="x", generated=" ".join(rng.sample(WORDS, 8)), label="hallucinated" if bad else "supported"
        )
        rows += [row, row]
        groups += [str(i), str(i)]
        labels += [bad, bad]
    y = np.array(labels)
    apart = [str(i) for i in range(len(rows))]
    assert roc_auc_score(y, baselines(rows, apart, y)["text_only"]) > 0.9
    assert roc_auc_score(y, baselines(rows, groups, y)["text_only"]) < 0.7


@pytest.mark.parametrize(
    ("labels", "groups"),
    [([1, 1, 1, 1], "abcd"), ([0, 0, 0, 0], "abcd"), ([0, 1, 0, 1], "aaaa"), ([], "")],
    ids=["hallucinated only", "supported only", "one group", "nothing"],
)
def test_where_nothing_can_be_fitted_there_are_none(labels: list[int], groups: str) -> None:
    rows = [LabelledRow(source="x", generated="a b", label="supported") for _ in labels]
    assert baselines(rows, list(groups), np.array(labels, dtype=bool)) == {}


def test_a_fold_without_both_classes_or_without_words_leaves_its_baseline_out() -> None:
    rows = [LabelledRow(source="x", generated=f"w{i}", label="supported") for i in range(10)]
    labels = np.array([0, 1] * 5, dtype=bool)
    assert set(baselines(rows, list("abcdefghij"), labels)) == {"length", "overlap"}
    assert baselines(rows[:2], list("ab"), labels[:2]) == {}
