"""Unlabelled pairs: claims of near sources, never of the source's own group."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn, which is not installed")

from tests.training.test_data import groups_in, row, write
from training.data import UNLABELLED
from training.pool import SETS, near_pairs

TOPICS = ["harbour crane ship", "violin sonata opera", "enzyme protein cell"]


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    rows = []
    groups = groups_in("train")
    for number in range(30):
        topic, group = TOPICS[number % 3], next(groups)
        for side in "ab":  # two rows of one group
            rows.append(row(group, source=f"{topic} {number} {side}.", generated=f"{topic.split()[0]} {number} {side}"))
    for name in SETS:
        write(tmp_path, name, rows if name == "fever_gold" else [])
    return tmp_path


def test_claims_come_from_near_sources_of_other_groups(sets: Path) -> None:
    pairs = near_pairs(sets, 100, 1)
    assert len(pairs) > 40
    same_topic = [pair.premise.split()[0] == pair.hypothesis.split()[0] for pair in pairs]
    assert sum(same_topic) > 0.9 * len(pairs)
    for pair in pairs:
        assert pair.target == UNLABELLED
        assert pair.premise.split()[3] != pair.hypothesis.split()[1]  # numbers stand for groups


def test_the_number_is_a_limit_and_the_seed_decides(sets: Path) -> None:
    assert len(near_pairs(sets, 7, 1)) == 7
    assert near_pairs(sets, 100, 1) == near_pairs(sets, 100, 1)
    assert near_pairs(sets, 100, 1) != near_pairs(sets, 100, 2)
