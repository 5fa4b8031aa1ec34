from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.groundedness.spans import cut

RANGES = st.lists(st.tuples(st.integers(-5, 45), st.integers(-5, 45)), max_size=6)


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([], [("One. Two. Three.", False)]),
        ([(0, 5)], [("One.", True), ("Two. Three.", False)]),
        ([(0, 5), (5, 10)], [("One.", True), ("Two.", True), ("Three.", False)]),
        ([(5, 10), (0, 6)], [("One. Two.", True), ("Three.", False)]),
        ([(0, 4), (5, 99)], [("One.", True), ("Two. Three.", True)]),
        ([(-3, 4), (9, 9), (12, 6), (50, 60)], [("One.", True), ("Two. Three.", False)]),
    ],
)
def test_cuts(ranges: list[tuple[int, int]], expected: list[tuple[str, bool]]) -> None:
    assert [(span.text, span.cited) for span in cut("One. Two. Three.", ranges)] == expected


@given(st.text(max_size=40), RANGES)
def test_spans_hold_everything_but_white_space_and_say_what_is_cited(text: str, ranges: list[tuple[int, int]]) -> None:
    spans = cut(text, ranges)
    assert "".join("".join(s.span.of(text) for s in spans).split()) == "".join(text.split())
    assert all(a.span.end <= b.span.start for a, b in pairwise(spans))
    for part in spans:
        assert part.text == part.span.of(text).strip()
        for place in range(part.span.start, part.span.end):
            assert part.cited == any(begin <= place < end for begin, end in ranges)
