"""What must hold for any document and quote."""

from __future__ import annotations

import string
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from halt_rag.contracts.evidence import Source
from halt_rag.contracts.evidence.quote import QuotePolicy, check_evidence
from halt_rag.contracts.evidence.result import EvidenceResult
from halt_rag.text.folds import DEHYPHENATION, TYPOGRAPHIC
from tests.contracts.evidence.helpers import check, grounded
from tests.text.timing import growth

WORDS = st.text(alphabet=string.ascii_letters + string.digits, min_size=1, max_size=6)
LINES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=6)
ANY_LINE = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r\n\ufeff"), min_size=1, max_size=20)
NEWLINES = st.sampled_from(["\n", "\r\n", "\r"])


def evidence(text: str, quote: str, first: int, last: int, policy: QuotePolicy | None = None) -> EvidenceResult:
    claim = {"line_start": first, "line_end": last, "quote": quote}
    return check_evidence(claim, {"d": Source("d", text)}, policy or QuotePolicy())


@given(st.lists(ANY_LINE, min_size=1, max_size=5), NEWLINES, NEWLINES, st.booleans(), st.data())
def test_an_exact_quote_holds_on_its_lines_under_any_newline(
    lines: list[str], newline: str, copied: str, bom: bool, data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    quote = copied.join(lines[first - 1 : last])
    text = "\ufeff" * bom + newline.join(lines)
    result = evidence(text, quote, first, last)
    if [finding.code for finding in result.findings] != ["QUOTE_EMPTY"]:
        assert result.match == "exact"
        assert result.place is not None
        assert text[result.place.start : result.place.end] == newline.join(lines[first - 1 : last])


@given(LINES, st.data())
def test_a_changed_character_is_always_noticed(lines: list[str], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(lines)))
    line = lines[number - 1]
    assume(line)
    at = data.draw(st.integers(0, len(line) - 1))
    new = data.draw(st.sampled_from(string.ascii_letters + string.digits + "+-−.,%$"))
    changed = line[:at] + new + line[at + 1 :]
    assume(new != line[at] and line[at] != " " and changed not in line)
    assert evidence("\n".join(lines), changed, number, number).match == "none"


@given(st.integers(-(10**6), 10**6), st.data())
def test_a_changed_number_is_always_noticed(value: int, data: st.DataObject) -> None:
    quote = f"balance {value} points"
    assert check(quote, grounded(value, 1, quote), type="integer").status == "valid"
    digits = str(abs(value))
    at = data.draw(st.integers(0, len(digits) - 1))
    digit = data.draw(st.sampled_from([d for d in string.digits if d != digits[at]]))
    other = int(digits[:at] + digit + digits[at + 1 :]) * (-1 if value < 0 else 1)
    assert check(quote, grounded(other, 1, quote), type="integer").status == "invalid"
    if value:
        assert check(quote, grounded(-value, 1, quote), type="integer").status == "invalid"


@given(LINES, LINES)
def test_folds_decide_nothing_where_nothing_can_be_folded(lines: list[str], other: list[str]) -> None:
    text, quote = "\n".join(lines), " ".join(other).strip()
    assume("  " not in text + quote and quote and len(lines) == 1)
    folded, strict = evidence(text, quote, 1, 1), evidence(text, quote, 1, 1, QuotePolicy(folds=()))
    assert (folded.match, folded.folds) == (strict.match, ())


@given(LINES, LINES, WORDS, NEWLINES)
def test_relocation_is_exact(before: list[str], after: list[str], word: str, newline: str) -> None:
    quote = f"«{word}»"
    lines = [*before, f"it says {quote} here", *after]
    text = newline.join(["nothing here", *lines])
    result = evidence(text, quote, 1, 1)
    assert [finding.code for finding in result.findings] == ["QUOTE_NOT_IN_SPAN"]
    (place,) = result.relocations
    assert (place.line_start, place.line_end) == (len(before) + 2, len(before) + 2)
    assert text[place.start : place.end] == quote
    assert evidence(text, quote, place.line_start, place.line_end).match == "exact"


@given(ANY_LINE, ANY_LINE, st.integers(-2, 5), st.integers(-2, 5))
def test_any_claim_gets_a_verdict(text: str, quote: str, first: int, last: int) -> None:
    result = evidence(text, quote, first, last)
    assert (result.match == "none") == any(finding.severity == "error" for finding in result.findings)


@given(st.lists(ANY_LINE, min_size=1, max_size=4), st.data(), NEWLINES, st.integers(0, 5))
def test_the_short_way_says_what_the_long_one_says(
    lines: list[str], data: st.DataObject, newline: str, least: int
) -> None:
    number = data.draw(st.integers(1, len(lines)))
    first = data.draw(st.integers(0, len(lines[number - 1])))
    quote = lines[number - 1][first : data.draw(st.integers(first, len(lines[number - 1])))]
    source, policy = {"d": Source("d", newline.join(lines))}, QuotePolicy(min_quote_chars=least)
    claim = {"line_start": number, "line_end": number, "quote": quote}
    assert check_evidence(claim, source, policy) == check_evidence(MappingProxyType(claim), source, policy)


@given(st.text("ab-\n \t1.", max_size=30), st.text("ab-\n \t1.é", max_size=8), st.booleans())
def test_a_quote_that_a_source_lacks_is_nowhere_in_it(text: str, quote: str, spaced: bool) -> None:
    names = TYPOGRAPHIC if spaced else (DEHYPHENATION,)
    source = Source("d", text)
    if source.lacks(quote, names):
        assert list(source.haystack(names).occurrences(quote)) == []


UNITS = ["12 345 ", "1,", "-1", "9", "two ", "$1 ", "May 1, ", "1h", "x: no\t", "1 (", "\t"]
VALUES: dict[str, object] = {
    "number": 7,
    "percent": 7,
    "ratio": 0.7,
    "amount": {"amount": "7", "currency": "EUR"},
    "quantity": {"amount": "7", "unit": "qqq"},
    "duration": "P7D",
    "datetime": "2026-03-04T10:00:00",
    "boolean": True,
    "version": "7x",
    "string": "1 1 1 1",
}


BIG: list[Any] = [
    10**5_000, -(10**5_000), 1e308, 5e-324, float("nan"), float("inf"), "9" * 10_000,
    {"amount": 10**5_000, "currency": "EUR"}, {"amount": float("inf"), "currency": "EUR"},
    {"amount": "9" * 40, "unit": "km"}, {"amount": "5", "unit": "9**9**9"},
    "P999999999999Y", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "0000-01-01", "\ud800", [], True,
]  # fmt: skip
ODD = [
    "9" * 10_000,
    "1e9999",
    "0" * 5_000 + "1",
    "5 km",
    "9999-12-31T23:59:59-23:59",
    "1" + ",000" * 2_000,
    "5 " + "k" * 9,
]


@pytest.mark.parametrize("kind", [*VALUES, "integer", "date"])
def test_no_value_and_no_quote_breaks_the_check(kind: str) -> None:
    for quote in ODD:
        for value in BIG:
            assert check(quote, grounded(value, 1, quote), type=kind).status in ("valid", "invalid", "unverified")


def test_no_line_number_breaks_the_check() -> None:
    for line in (10**5_000, -(10**5_000), float("inf"), float("nan"), 1e308):
        claim = {"line_start": line, "line_end": 10**5_000, "quote": "x"}
        assert check_evidence(claim, {"d": Source("d", "x")}, QuotePolicy()).match == "none"


HOSTILE = {
    "the same line": ("the same line\n", "another line"),
    "nearly the quote": ("a" * 99 + "b\n", "a" * 200 + "c"),
    "one long line": ("ab ", "ab " * 50 + "ba"),
    "hyphens": ("a-b-\n", "a-b" * 40 + "x"),
    "line-end hyphens": ("effec-\ntive ", "effective " * 30 + "x"),
    "blanks": (" ", "x  y"),
    "ellipses": ("a b ", "a ... " * 15 + "z"),
    "brackets": ("[a] ", "[b] " * 20),
    "marks": ("e\u0301", "é" * 20 + "x"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_document(name: str) -> None:
    unit, quote = HOSTILE[name]
    assert growth(lambda text: evidence(text, quote, 1, 1), unit, 20_000) < 8


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_quote(unit: str) -> None:
    def work(text: str) -> None:
        quote = f"q{text}q"
        for kind, value in VALUES.items():
            check(quote, grounded(value, 1, quote), type=kind)

    assert growth(work, unit, 1_000) < 9
