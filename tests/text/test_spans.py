from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.errors import InputError
from halt_rag.text.spans import LineIndex, OffsetMap, Span, trimmed, united
from tests.text.strategies import any_text, encodable_text

Encoding = Literal["utf-8", "utf-16"]


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_a_span_that_runs_backwards_or_starts_before_the_text_is_refused(start: int, end: int) -> None:
    with pytest.raises(InputError, match="0 <= start <= end"):
        Span(start, end)


def test_a_span_beyond_the_text_has_no_quote() -> None:
    with pytest.raises(InputError, match="ends at 4, the text at 3"):
        Span(0, 4).of("abc")


def test_neighbours_do_not_overlap() -> None:
    assert not Span(0, 2).overlaps(Span(2, 4))
    assert Span(0, 3).overlaps(Span(2, 4))
    assert 2 not in Span(0, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [(" a b\n", Span(1, 4)), ("ab", Span(0, 2)), ("", Span(0, 0)), ("\u3000\u2028a\x85", Span(2, 3))],
)
def test_trimmed(text: str, expected: Span) -> None:
    assert trimmed(text, Span(0, len(text))) == expected


@given(any_text(), st.data())
def test_trimmed_is_strip_with_its_place(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    assert trimmed(text, span).of(text) == span.of(text).strip()


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda pair: Span(pair[0], sum(pair)))))
def test_united_spans_hold_the_same_places_apart_from_each_other(spans: list[Span]) -> None:
    found = united(spans)
    assert {place for span in found for place in range(span.start, span.end)} == {
        place for span in spans for place in range(span.start, span.end)
    }
    assert all(left.end < right.start for left, right in pairwise(found))
    assert all(found)


@pytest.mark.parametrize(
    ("text", "encoding", "offsets"),
    [
        ("abc", "utf-8", [0, 1, 2, 3]),
        ("é😀日", "utf-8", [0, 2, 6, 9]),
        ("é😀日", "utf-16", [0, 1, 3, 4]),
        ("e\u0301!", "utf-8", [0, 1, 3, 4]),
        ("\ud800a😀", "utf-16", [0, 1, 2, 4]),
        ("\ufeffa", "utf-8", [0, 3, 4]),
        ("", "utf-16", [0]),
    ],
)
def test_encoded_offsets(text: str, encoding: Encoding, offsets: list[int]) -> None:
    places = OffsetMap(text, encoding)
    assert [places.encoded(offset) for offset in range(len(text) + 1)] == offsets
    assert [places.decoded(offset) for offset in offsets] == list(range(len(text) + 1))


@given(encodable_text(max_size=300), st.data())
def test_utf8_spans_cut_the_bytes_where_the_span_cuts_the_text(text: str, data: st.DataObject) -> None:
    places, encoded = OffsetMap(text, "utf-8"), text.encode()
    assert places.size == len(encoded)
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    inside = places.encoded_span(span)
    assert inside.of(encoded.decode("latin-1")).encode("latin-1").decode() == span.of(text)
    assert places.decoded_span(inside) == span


@given(any_text(max_size=300))
def test_utf16_offsets_count_code_units_and_go_back(text: str) -> None:
    places = OffsetMap(text, "utf-16")
    units = [places.encoded(offset) for offset in range(len(text) + 1)]
    assert units == [sum(1 + (ord(mark) > 0xFFFF) for mark in text[:offset]) for offset in range(len(text) + 1)]
    assert [places.decoded(unit) for unit in units] == list(range(len(text) + 1))
    for unit in set(range(places.size)) - set(units):
        with pytest.raises(InputError, match="inside the character"):
            places.decoded(unit)


@given(encodable_text(max_size=40))
def test_a_byte_offset_inside_a_character_is_refused(text: str) -> None:
    places = OffsetMap(text, "utf-8")
    starts = {len(text[:offset].encode()) for offset in range(len(text) + 1)}
    for byte in range(places.size):
        if byte not in starts:
            with pytest.raises(InputError, match=f"{byte} lies inside the character"):
                places.decoded(byte)


def test_a_lone_surrogate_has_no_utf8_and_the_error_says_where() -> None:
    text = "a" * 100 + "\udc00"
    with pytest.raises(InputError, match=r"Code point 100 is the lone surrogate U\+DC00"):
        OffsetMap(text, "utf-8")


@pytest.mark.parametrize("offset", [-1, 6])
def test_offsets_outside_the_text_are_refused(offset: int) -> None:
    places = OffsetMap("é日", "utf-8")
    with pytest.raises(InputError, match=f"code-point offset {offset} is outside the text: it has 0 to 2"):
        places.encoded(offset)
    with pytest.raises(InputError, match=f"utf-8 offset {offset} is outside the text: it has 0 to 5"):
        places.decoded(offset)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("one", ["one"]),
        ("one\n", ["one"]),
        ("one\n\n", ["one", ""]),
        ("\n", [""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\n\rb", ["a", "", "b"]),
        ("a\x0cb\x85c\u2028d\x0be", ["a\x0cb\x85c\u2028d\x0be"]),
        ("😀x\ny", ["😀x", "y"]),
    ],
)
def test_lines(text: str, lines: list[str]) -> None:
    index = LineIndex(text)
    assert [index.span(line).of(text) for line in range(1, index.count + 1)] == lines


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("", 0, (1, 1)),
        ("ab\ncd", 2, (1, 3)),
        ("ab\ncd", 3, (2, 1)),
        ("ab\ncd", 5, (2, 3)),
        ("a\r\nb", 2, (1, 3)),
        ("a\r\nb", 3, (2, 1)),
        ("a\n", 2, (1, 3)),
        ("😀é\rx", 3, (2, 1)),
    ],
)
def test_positions(text: str, offset: int, position: tuple[int, int]) -> None:
    assert LineIndex(text).position(offset) == position


@given(any_text(alphabet="a\r\n\x0c\u2028é😀", max_size=60))
def test_positions_and_offsets_are_inverse(text: str) -> None:
    index = LineIndex(text)
    positions = [index.position(offset) for offset in range(len(text) + 1)]
    assert positions == sorted(set(positions))
    assert [index.offset(line, column) for line, column in positions] == list(range(len(text) + 1))


@given(any_text(alphabet="a\r\n\x0c\u2028é😀", max_size=60))
def test_lines_are_what_universal_newlines_make_of_the_text(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    expected = plain.removesuffix("\n").split("\n")
    index = LineIndex(text)
    assert [index.span(line).of(text) for line in range(1, index.count + 1)] == expected


@pytest.mark.parametrize("line", [0, 3, -1])
def test_a_missing_line_is_refused_with_the_number_of_lines(line: int) -> None:
    with pytest.raises(InputError, match="the text has 2 lines"):
        LineIndex("a\nb\n").span(line)
    with pytest.raises(InputError, match="the text has 2 lines"):
        LineIndex("a\nb\n").offset(line, 1)


@pytest.mark.parametrize(("line", "column"), [(1, 0), (1, 4), (2, 4)])
def test_a_missing_column_is_refused(line: int, column: int) -> None:
    with pytest.raises(InputError, match=f"no column {column} in line {line} of 2 lines"):
        LineIndex("ab\ncd").offset(line, column)


def test_an_offset_beyond_the_text_is_refused_with_the_number_of_lines() -> None:
    with pytest.raises(InputError, match="outside the text of 2 lines"):
        LineIndex("ab\ncd").position(6)
