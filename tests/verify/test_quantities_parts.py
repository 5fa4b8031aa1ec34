"""Totals, parts and multiples: what a claim states that a source only gives the pieces of."""

from __future__ import annotations

import pytest

from halt_rag.verify.quantities import compare

DERIVED = """
The club has 75 people.|The club has 40 men and 35 women.
75 people live there.|40 men and 35 women live there.
The club has 75 members.|The club has 40 men, 25 women and 10 children.
The club has 75 members in total.|The club has 40 men and 35 women.
The crash injured 9 passengers.|The crash injured 4 men and 5 women.
The farm keeps 30 animals.|The farm keeps 18 cows and 12 goats.
The lot holds 62 vehicles.|The lot holds 50 cars and 12 vans.
20 members left.|Half of the 40 members left.
20 members left.|Half of 40 members left.
20 people voted yes.|A quarter of the 80 people voted yes.
60 men voted yes.|Two thirds of the 90 men voted yes.
40 people came.|Double the 20 people of last year came.
45 people came.|Three times as many as the 15 people of last year came.
30 people came.|Twice as many as the 15 people of last year came.
16 people agreed.|20% of the 80 people agreed.
The bill was $20.|The bill was half of the $40 that we paid.
""".strip().splitlines()
NOT_CONTRADICTED = """
The club has 80 people.|The club has 40 men and 35 women.
80 people live there.|40 men and 35 women live there.
The club has 80 members in total.|The club has 40 men and 35 women.
The club has 65 people.|The club has 40 men, 25 women and 10 children.
The club has 35 people.|The club has 40 men, 25 women and 10 children.
The farm keeps 31 animals.|The farm keeps 18 cows and 12 goats.
25 members left.|Half of the 40 members left.
10 people voted yes.|A quarter of the 80 people voted yes.
50 people came.|Double the 20 people of last year came.
25 people came.|Three times as many as the 15 people of last year came.
18 people agreed.|20% of the 80 people agreed.
Half of the 40 members left.|20 members left.
A quarter of the 80 people voted yes.|20 people voted yes.
The club has 12 dogs.|The club has 40 men and 35 women.
36 people came.|Dozens of people came.
3 days passed.|A couple of days passed.
""".strip().splitlines()
CONTRADICTED = """
The club has 38 men.|The club has 40 men and 35 women.
The club has 41 women.|The club has 40 men and 35 women.
The team sold 80 tickets.|The team sold 40 tickets and 35 programmes.
The club has 1 100 000 members.|The club has 1 000 000 members.
The club has 50 members.|The club has 40 members.
13 eggs were sold.|Two dozen eggs were sold.
""".strip().splitlines()


def status(row: str) -> list[str]:
    claim, source = row.split("|")
    return [finding.status for finding in compare(claim, [source])]


@pytest.mark.parametrize("row", DERIVED)
def test_pieces_that_give_the_number(row: str) -> None:
    assert status(row) == ["derived"]


@pytest.mark.parametrize("row", NOT_CONTRADICTED)
def test_pieces_that_do_not_give_it_contradict_nothing(row: str) -> None:
    assert {"contradicted", "derived"}.isdisjoint(status(row))


@pytest.mark.parametrize("row", CONTRADICTED)
def test_another_number_of_the_same_things_still_contradicts(row: str) -> None:
    assert status(row) == ["contradicted"]


def test_the_phrase_is_the_evidence() -> None:
    source = "Half of the 40 members left."
    (finding,) = compare("20 members left.", [source])
    assert finding.detail == "20 ← Half of the 40"
    assert [place.span.of(source) for place in finding.sources] == ["Half of the 40"]
