"""Each edit changes one detail, or says that it has none to change."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from training.edits import (
    EDITS,
    edit_name,
    edit_negation,
    edit_number,
    edit_opposite,
    edit_roles,
    edited_twin,
)

SOURCE = (
    "In 1998 the harbour board of Port Selwyn hired Marta Lindqvist. Later that year she met Tomas Okafor, "
    "who had sold 4,200 crates before the war. The pier is 12.5 metres long. Exports increased."
)


def rng(seed: int = 0) -> random.Random:
    return random.Random(seed)


@pytest.mark.parametrize(
    ("claim", "pattern"),
    [
        ("Marta Lindqvist was hired in 1998.", r"Marta Lindqvist was hired in (\d{4})\."),
        ("He sold 4,200 crates.", r"He sold ([\d,]+) crates\."),
        ("The pier is 12.5 metres long.", r"The pier is (\d+\.\d) metres long\."),
    ],
)
@pytest.mark.parametrize("seed", range(20))
def test_a_number_becomes_one_that_the_source_does_not_have(claim: str, pattern: str, seed: int) -> None:
    edited = edit_number(claim, SOURCE, rng(seed))
    assert edited is not None
    match = re.fullmatch(pattern, edited)
    assert match, edited
    assert edited != claim
    assert not re.search(rf"(?<!\d){re.escape(match[1])}(?!\d)", SOURCE)


@pytest.mark.parametrize("claim", ["She was hired.", "The A4-sized form", "Model x86-64 and v2.0a"])
def test_no_number_no_edit(claim: str) -> None:
    assert edit_number(claim, SOURCE, rng()) is None


@pytest.mark.parametrize("seed", range(10))
def test_years_stay_years_nearby(seed: int) -> None:
    edited = edit_number("in 1998", SOURCE, rng(seed))
    assert edited is not None
    assert 1 <= abs(int(edited.removeprefix("in ")) - 1998) <= 30


def test_a_name_becomes_another_name_of_the_source() -> None:
    edited = edit_name("The board hired Marta Lindqvist.", SOURCE, rng())
    assert edited in {"The board hired Tomas Okafor.", "The board hired Port Selwyn."}


@pytest.mark.parametrize(
    "claim",
    ["the board hired somebody.", "The board hired Jean Ferrand."],  # no name; a name the source does not have
)
def test_no_known_name_no_edit(claim: str) -> None:
    assert edit_name(claim, SOURCE, rng()) is None


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        # Parts of longer names.
        ("They read Home for Peculiar Children.", "Home for Peculiar Children is a book by Ransom Riggs."),
        ("They met Tomas Okafor.", "Tomas Okafor was with the Group of Seven Painters."),
        # What holds of one may hold of the other.
        ("They met Tomas Okafor.", "There they met Tomas Okafor, Marta Lindqvist and Jean Ferrand."),
        ("Somebody met Okafor.", "There Okafor met Marta Lindqvist."),
    ],
)
def test_a_name_that_may_be_true_or_no_name_is_not_put_in(claim: str, source: str) -> None:
    assert edit_name(claim, source, rng()) is None


def test_a_name_without_an_alternative_stays() -> None:
    assert edit_name("They met Tomas Okafor.", "There they met Tomas Okafor.", rng()) is None


def test_month_names_are_not_names() -> None:
    assert edit_name("It opened in March.", "The hall opened in March, said Tomas Okafor.", rng()) is None


def test_roles_are_exchanged() -> None:
    claim = "Marta Lindqvist hired Tomas Okafor in spring."
    assert edit_roles(claim, SOURCE, rng()) == "Tomas Okafor hired Marta Lindqvist in spring."


@pytest.mark.parametrize(
    "claim",
    [
        "Marta Lindqvist left.",  # one name
        "Marta Lindqvist and Tomas Okafor left.",  # listed together
        "Marta Lindqvist, Tomas Okafor left.",
        "Marta Lindqvist met Marta Lindqvist.",  # the same name
    ],
)
def test_no_roles_no_edit(claim: str) -> None:
    assert edit_roles(claim, SOURCE, rng()) is None


@pytest.mark.parametrize(
    ("claim", "edited"),
    [
        ("The pier is long.", "The pier is not long."),
        ("She did not leave.", "She did leave."),
        ("Exports have grown.", "Exports have not grown."),
    ],
)
def test_negations_are_added_and_removed(claim: str, edited: str) -> None:
    assert edit_negation(claim, SOURCE, rng()) == edited


@pytest.mark.parametrize("claim", ["She left.", "She never was there.", "There is no pier."])
def test_no_plain_auxiliary_no_negation(claim: str) -> None:
    assert edit_negation(claim, SOURCE, rng()) is None


@pytest.mark.parametrize(
    ("claim", "edited"),
    [("Exports increased.", "Exports decreased."), ("It was before the war.", "It was after the war.")],
)
def test_a_word_becomes_its_opposite(claim: str, edited: str) -> None:
    assert edit_opposite(claim, SOURCE, rng()) == edited


@pytest.mark.parametrize("claim", ["Exports are large.", "Exports fell."])  # no such word; not the source's word
def test_no_opposite_no_edit(claim: str) -> None:
    assert edit_opposite(claim, SOURCE, rng()) is None


def test_the_twin_names_the_edit_that_made_it() -> None:
    claim = "In 1998 Marta Lindqvist was hired before Tomas Okafor left."
    kinds: Counter[str] = Counter()
    for seed in range(200):
        twin = edited_twin(claim, SOURCE, rng(seed))
        assert twin is not None
        kind, edited = twin
        assert edited != claim
        kinds[kind] += 1
    assert set(kinds) == set(EDITS)
    assert kinds["number"] > kinds["negation"]


def test_the_same_seed_makes_the_same_twin() -> None:
    claim = "In 1998 Marta Lindqvist was hired."
    assert edited_twin(claim, SOURCE, rng(5)) == edited_twin(claim, SOURCE, rng(5))


def test_nothing_to_edit_makes_no_twin() -> None:
    assert edited_twin("she went home again", SOURCE, rng()) is None
