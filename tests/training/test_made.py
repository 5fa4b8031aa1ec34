"""Made pairs: twins that differ, of which the facts decide, and values that are what they say."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.made import MAKERS, joined, made_pairs
from training.phrases import CONTRADICTED, ENTAILED, NEUTRAL
from training.worlds import (
    UNITS,
    Value,
    altered,
    altered_day,
    converted,
    digits,
    names,
    random_day,
    random_value,
    written,
)

SEEDS = st.integers(0, 2**32)
FAMILIES = [*UNITS, "money", "percent", "count"]


@pytest.mark.parametrize("kind", [*MAKERS, "joined"])
@given(seed=SEEDS)
def test_twins_differ_and_stand_beside_facts(kind: str, seed: int) -> None:
    maker = joined if kind == "joined" else MAKERS[kind][0]
    made = maker(random.Random(seed))
    assert made.facts
    assert all(made.facts)
    assert made.true != made.false
    assert made.target in (NEUTRAL, CONTRADICTED, 3)
    for text in (*made.facts, made.true, made.false):
        assert "{" not in text
        assert text == text.strip()


@given(seed=SEEDS, family=st.sampled_from(FAMILIES))
def test_a_converted_value_has_the_same_size_and_an_altered_one_another(seed: int, family: str) -> None:
    rng = random.Random(seed)
    value = random_value(family, rng)
    other = converted(value, rng)
    assert other is None or (other.size() == value.size() and other.unit != value.unit)
    changed = altered(value, rng)
    assert (changed.size(), changed.family) != (value.size(), value.family)
    assert changed.number > 0


@given(seed=SEEDS)
def test_a_comparison_follows_from_the_numbers_in_its_table(seed: int) -> None:
    rng = random.Random(seed)
    made = MAKERS["points"][0](rng)
    first, second = (int(w.rstrip("%.")) for w in made.facts[0].split() if w.rstrip("%.").isdigit())
    if "point" in made.true:
        assert str(abs(first - second)) in made.true.split()
        assert ("rose" in made.true) == (second > first)


@given(seed=SEEDS)
def test_another_day_is_another_day(seed: int) -> None:
    rng = random.Random(seed)
    day = random_day(rng)
    assert altered_day(day, rng) != day


@pytest.mark.parametrize(
    ("value", "forms"),
    [
        (Value(Fraction(1500), "weight", 0), {"1500 grams", "1,500 grams", "1500 g", "1,500 g"}),
        (Value(Fraction(5), "percent"), {"5%"}),
        (
            Value(Fraction(2_500_000), "money:€"),
            set("€2.5 million|2.5 million euros|€2.5M|€2,500,000|2,500,000 euros".split("|")),
        ),
        (Value(Fraction(12), "count"), {"twelve", "12"}),
    ],
)
def test_forms_of_a_value(value: Value, forms: set[str]) -> None:
    assert {written(value, random.Random(seed)) for seed in range(200)} == forms


def test_numbers_are_not_rounded() -> None:
    assert digits(Fraction(1, 8), random.Random(0)) == "0.12" or digits(Fraction(1, 4), random.Random(0)) == "0.25"


@pytest.mark.parametrize("kind", ["person", "company", "server"])
def test_names_differ(kind: str) -> None:
    found = names(kind, 5, random.Random(1))
    assert len(set(found)) == 5


def test_both_twins_have_the_same_source_and_some_sources_hold_real_sentences() -> None:
    rows = made_pairs(300, [["A real sentence."]], random.Random(3))
    assert len(rows) == 600
    for true, false in zip(rows[::2], rows[1::2], strict=True):
        assert true[0] == false[0]
        assert (true[2], true[3:]) == (ENTAILED, false[3:])
        assert false[2] != ENTAILED
    real = sum("A real sentence." in source for source, *_ in rows[::2])
    assert 50 < real < 130
    assert {kind for *_, kind, _ in rows} == {*MAKERS, "joined"}


def test_the_seed_decides() -> None:
    assert made_pairs(20, [], random.Random(1)) == made_pairs(20, [], random.Random(1))
    assert made_pairs(20, [], random.Random(1)) != made_pairs(20, [], random.Random(2))
