"""The speed benchmark: its pairs, and that it times both sides in turns."""

from __future__ import annotations

from benchmarks.model_speed import best_seconds, make_pairs


def test_pairs_are_the_same_each_time_and_of_all_lengths() -> None:
    pairs = make_pairs(300)
    assert pairs == make_pairs(300)
    assert len(set(pairs)) == 300
    lengths = sorted(len(premise.split()) for premise, _ in pairs)
    assert lengths[0] < 12
    assert 20 < lengths[150] < 60
    assert 180 < lengths[-1] <= 220


def test_sides_take_turns_and_the_shortest_time_counts() -> None:
    order: list[str] = []
    seconds = best_seconds({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b"] * 3
    assert seconds.keys() == {"a", "b"}
    assert all(value >= 0 for value in seconds.values())
