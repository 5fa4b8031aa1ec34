"""Blanks between thousands, "a couple of", huge exponents, and megabytes of nothing but marks."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.text.quantities import find_quantities
from halt_rag.text.quantities.multiples import multiples
from tests.text.timing import growth

ONE_NUMBER = """
Sold 1 000 units.|1000
Sold 1 000 000 units.|1000000
Sold 12 000 units.|12000
Sold 250 000 units.|250000
Sold 1 500 000 units.|1500000
Sold 1 234 567 units.|1234567
Sold 12 345 678 units.|12345678
Sold 3 000 000 000 units.|3000000000
It paid $1 000 000.|1000000
It paid 2 000 000 dollars.|2000000
It is 12 000 km away.|12000000
It is 1 000 000.5 units long.|1000000.5
Sold 1\u00a0000\u00a0000 units.|1000000
Sold 1\u2009234\u2009567 units.|1234567
Sold 1\u202f500 units.|1500
Sold a dozen units.|12
Sold three dozen units.|36
Sold half a dozen units.|6
""".strip().splitlines()
NOT_ONE_NUMBER = """
saw 100 200 300 of it|100 200 300
saw 10 200 of it|10 200
scored 5 100 points|5 100
between 7 123 cars|7 123
in 2019 200 people|200
saw 007 000 of it|7 0
saw 1 00 000 of it|1 0 0
saw 12 34 567 of it|12 34 567
saw 1  000 of it|1 0
saw 1, 000 of it|1 0
saw 1234 000 of it|1234 0
saw 1 0000 of it|1 0
saw 555 123 456 of it|555 123 456
dozens of people|
the couple of the year|
a couple married there|
couples dance there|
""".strip().splitlines()


@pytest.mark.parametrize("row", ONE_NUMBER)
def test_blanks_between_thousands_and_words_for_numbers(row: str) -> None:
    text, value = row.split("|")
    assert [one.value for one in find_quantities(text)] == [Decimal(value)]


@pytest.mark.parametrize("row", NOT_ONE_NUMBER)
def test_what_is_not_one_number(row: str) -> None:
    text, values = row.split("|")
    assert [one.value for one in find_quantities(text) if one.normals] == [Decimal(v) for v in values.split()]


@pytest.mark.parametrize(
    ("text", "factor"), [("A couple of units were sold.", 1), ("It took a couple of days.", 86400)]
)
def test_a_couple_of_may_be_three(text: str, factor: int) -> None:
    (one,) = find_quantities(text)
    assert [reading.value for reading in one.normals] == [2 * factor, 3 * factor]


@pytest.mark.parametrize(
    "number",
    ["1e400", "1E400", "-1e400", "1e-400", "1e999999999", "1e-999999999", "1e9999999999999999999", "1.5e400 million",
     "9" * 39 + " trillion", "9" * 39 + " km", "0." + "0" * 37 + "1 eV", "10^400", "1e400 °F", "9" * 5000],
)  # fmt: skip
def test_no_number_is_too_large(number: str) -> None:
    for one in find_quantities(f"It weighs {number} kg and {number}% of the {number} are left."):
        assert all(reading.value.is_finite() and reading.step.is_finite() for reading in one.normals)


@given(st.integers(1, 10**15), st.sampled_from("\u00a0\u2009\u202f"))
def test_any_blank_but_the_plain_one_always_groups(number: int, blank: str) -> None:
    (one,) = find_quantities(f"There were {number:,} ships.".replace(",", blank))
    assert one.value == number


@given(st.integers(1_000_000, 10**8 - 1) | st.integers(1, 10**9).map(lambda thousands: 1000 * thousands))
def test_plain_blanks_group_where_one_number_is_meant(number: int) -> None:
    (one,) = find_quantities(f"There were {number:,} ships.".replace(",", " "))
    assert one.value == number


@given(st.integers(-999, 9999), st.integers(-30, 30))
def test_scientific_notation_is_exact(digits: int, power: int) -> None:
    for one in find_quantities(f"It weighs {digits}e{power} units."):
        assert one.value == Decimal(digits).scaleb(power)


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("half of the 40 left", ["20"]),
        ("half of 40 left", ["20"]),
        ("half the 40 left", ["20"]),
        ("a quarter of the 80 people", ["20"]),
        ("two thirds of the 90 men", ["60"]),
        ("double the 20 of last year", ["40"]),
        ("twice the 20 of last year", ["40"]),
        ("twice as many as 15", ["30"]),
        ("three times as many as 15", ["45"]),
        ("three times as many visitors as the 15 in May", ["45"]),
        ("half as many as 40", ["20"]),
        ("triple the $30", ["90"]),
        ("20% of the 80 people", ["16"]),
        ("ten percent of the 5 kg", ["0.5"]),
        ("three times the 100 tickets", ["300"]),
        ("half of the 12 eggs and a third of the 9 pears", ["6", "3"]),
        ("half of the people, 40 in all", []),
        ("half an hour, 40 miles", []),
        ("40 of them, half of 2019", []),
        ("twice in 40 years", []),
        ("won three times in 15 games", []),
        ("three times, 15 each", []),
        ("double bed 40", []),
        ("double agents and 40 men", []),
        ("half past 8", []),
        ("40 and half of it", []),
        ("half of the 40%", []),
        ("20% off 80 items", []),
        ("20% and 80 people", []),
        ("half of at least 40 people", []),
        ("half of the second 40", []),
        ("twice as fast as planned in 40 tests", []),
        ("triple jump of 18 metres", []),
    ],
)
def test_parts_and_multiples(text: str, results: list[str]) -> None:
    found = multiples(text, find_quantities(text))
    assert [f"{one.result.value.normalize():f}" for one in found if one.result.value is not None] == results


@pytest.mark.parametrize("unit", ["1", " ", ",", "1 000 ", "1,000", "half of the 4 ", "as many as ", "\u202f1"])
def test_time_is_linear(unit: str) -> None:
    assert growth(lambda text: multiples(text, find_quantities(text)), unit, 800) < 9


@pytest.mark.slow
@pytest.mark.timeout(300)  # Quadratic time would take hours.
@pytest.mark.parametrize("mark", ["1", " ", ","])
def test_a_megabyte_of_one_mark_is_no_quantity(mark: str) -> None:
    assert find_quantities(mark * 1_000_000) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The river is 1,250 km long.", ["1250"]),
        ("The river is 1.250 km long.", ["1.250"]),
        ("1.250 Stück", ["1250", "1.250"]),
        ("Der Fluss ist 1.250 km lang.", ["1250", "1.250"]),
        ("It is 3,5 kg of the 1.250 that were sold.", ["3.5"]),
    ],
)
def test_marks_are_read_as_in_english_in_texts_that_are_surely_english(text: str, values: list[str]) -> None:
    assert [str(reading.value) for reading in find_quantities(text)[0].numbers] == values
