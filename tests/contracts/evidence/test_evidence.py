"""Shape, bounds, quote, flags: what the validator says, stage by stage."""

from __future__ import annotations

from typing import Any

import pytest

from halt_rag.contracts.evidence import Source
from halt_rag.contracts.evidence.result import FieldResult
from tests.contracts.evidence.helpers import ABSENT, check, grounded, verdict

LEASE = "Lease\nThe tenant may not sublet the flat.\nRent is due on day 3.\nDeposit: two rents.\n"


def quoted(quote: object, document: str = LEASE, first: object = 2, last: object = 2, **declared: Any) -> FieldResult:
    evidence = {"line_start": first, "line_end": last, "quote": quote}
    output = {"value": None, "evidence": evidence, "answer_found": False, "complete_answer_found": False}
    return check(document, output, nullable=True, **declared)


def codes(result: FieldResult) -> list[str]:
    return [code for code in result.codes if code != "EVIDENCE_ON_ABSENT"]


def relocated(result: FieldResult) -> list[tuple[int, int]]:
    return [(place.line_start, place.line_end) for place in result.evidence[0].relocations]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (2, 2, []),
        (2.0, 2.0, []),
        ("2", "2", ["LINE_NOT_INTEGER"]),
        (True, True, ["LINE_NOT_INTEGER"]),
        (2.5, 2.5, ["LINE_NOT_INTEGER"]),
        (float("nan"), 2, ["LINE_NOT_INTEGER"]),
        (float("inf"), 2, ["LINE_NOT_INTEGER"]),
        (None, 2, ["SPAN_MISSING"]),
        (0, 2, ["SPAN_OUT_OF_BOUNDS"]),
        (-1, 2, ["SPAN_OUT_OF_BOUNDS"]),
        (2, 5, ["SPAN_OUT_OF_BOUNDS"]),
        (10**30, 10**30, ["SPAN_OUT_OF_BOUNDS"]),
        (3, 2, ["SPAN_INVERTED"]),
        (3, 3, ["QUOTE_NOT_IN_SPAN"]),
        (1, 4, ["SPAN_WIDER_THAN_QUOTE"]),
    ],
)
def test_ranges(first: object, last: object, expected: list[str]) -> None:
    result = quoted("may not sublet", first=first, last=last)
    assert codes(result) == expected
    assert relocated(result) == ([(2, 2)] if expected else [])


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        (None, "QUOTE_MISSING"),
        (42, "QUOTE_NOT_STRING"),
        ("", "QUOTE_EMPTY"),
        (" \n\t", "QUOTE_EMPTY"),
        ("\u200b\u00ad", "QUOTE_EMPTY"),
        ("may sublet", "QUOTE_NOT_FOUND"),
        ("may not sublet the house", "QUOTE_NOT_FOUND"),
        ("[The tenant] may not sublet", "QUOTE_NOT_FOUND"),
    ],
)
def test_quotes(quote: object, expected: str) -> None:
    result = quoted(quote)
    assert codes(result) == [expected]
    assert result.match == "none"
    assert result.status == "invalid"


@pytest.mark.parametrize("evidence", ["line 2", 3, [4], True])
def test_evidence_that_is_no_object(evidence: object) -> None:
    assert codes(check(LEASE, {**grounded("flat", 1, ""), "evidence": evidence})) == ["EVIDENCE_NOT_OBJECT"]


def test_an_empty_piece_of_evidence_lacks_both_parts() -> None:
    result = check(LEASE, {**grounded("flat", 1, ""), "evidence": {}})
    assert codes(result) == ["SPAN_MISSING", "QUOTE_MISSING"]


FOLDED = [
    ("“the flat”", '"the flat"', ["quotes"]),
    ("«the flat»", '"the flat"', ["quotes"]),
    ("tenant’s", "tenant's", ["quotes"]),
    ("a—b", "a-b", ["dashes"]),
    ("the ﬁnal ﬂat", "the final flat", ["ligatures"]),
    ("and so on…", "and so on...", ["ellipsis"]),
    ("a\u00a0b", "a b", ["whitespace"]),
    ("a\u200bb", "ab", ["invisible"]),
    ("a\ufe0fb", "ab", ["invisible"]),
    ("café", "cafe\u0301", ["nfc"]),
    ("\u212bngström", "Ångström", ["nfc"]),
    ("\u1112\u1161\u11ab글", "한글", ["nfc"]),
    ("effec-\ntive", "effective", ["dehyphenation"]),
    ("effec\u00ad\ntive", "effective", ["dehyphenation"]),
    ("well-\nknown", "well-known", ["whitespace"]),
    ("well-\n   known", "well- known", ["whitespace"]),
    ("month-to-\nmonth plans are effec-\ntive", "month-to-month plans are effective", ["dehyphenation", "whitespace"]),
    ("10-\n20", "10-20", ["whitespace"]),
    ("日本\n語", "日本語", ["whitespace"]),
    ("a\n\n  b", "a b", ["whitespace"]),
    ("ﬁrst “word”", 'first  "word"', ["ligatures", "quotes", "whitespace"]),
    ("a b", " a b ", ["whitespace"]),
]


@pytest.mark.parametrize(("text", "quote", "folds"), FOLDED)
def test_folds_are_named_and_can_be_forbidden(text: str, quote: str, folds: list[str]) -> None:
    lines = text.count("\n") + 1
    result = quoted(quote, document=f"{text}\nnext\n", first=1, last=lines)
    assert (result.status, result.match, sorted(result.folds)) == ("valid", "normalized", folds)
    place = result.evidence[0].place
    assert place is not None
    assert text[place.start : place.end] == text
    strict = quoted(quote, document=f"{text}\nnext\n", first=1, last=lines, match="exact")
    assert (codes(strict), strict.match, sorted(strict.folds)) == (["QUOTE_NOT_VERBATIM"], "none", folds)


def test_case_is_folded_only_where_the_field_asks_for_it() -> None:
    allowed = quoted("THE FLAT", folds=["case", "whitespace"])
    assert (allowed.status, allowed.folds) == ("valid", ("case",))
    assert codes(quoted("THE FLAT")) == ["QUOTE_NOT_FOUND"]
    assert codes(quoted("the  flat", folds=["case"])) == ["QUOTE_NOT_VERBATIM"]


@pytest.mark.parametrize(
    ("text", "quote", "hint"),
    [
        ("Notice: 30 days", "notice: 30 days", "case_differs"),
        ("growth of 10² units", "growth of 102 units", "compatibility_characters"),
        ("２０２６年", "2026年", "compatibility_characters"),
        ("Рaypal", "Paypal", "confusable"),
        ("l0 days", "10 days", "ocr_confusable"),
        ("a &lt; b", "a < b", "html_entity"),
        ("the **flat** is", "the flat is", "markdown"),
        ("say hello", '"say hello"', "wrapped_quote"),
        ("say hello", "1 | say hello", "line_number_prefix"),
        ("is not permitted", "is [expressly] not permitted", "bracketed_insertion"),
        ("say\thello", "say\\thello", "escaped_newline"),
        ("10-\n20", "1020", None),
        ("a well known fact", "a wellknown fact", None),
        ("a \u202egnirts\u202c b", "a gnirts b", None),
    ],
)
def test_what_no_fold_may_hide(text: str, quote: str, hint: str | None) -> None:
    result = quoted(quote, document=text, first=1, last=text.count("\n") + 1)
    assert codes(result) == ["QUOTE_NOT_FOUND"]
    assert result.evidence[0].hint == hint


MARKUP = [
    ("markdown", "The **term** is `24` months", "The term is 24 months", ["markdown"]),
    ("markdown", "See [the *lease*](https://x.example/a_b) now", "See the lease now", ["markdown"]),
    ("markdown", "## Term\n", "Term", []),
    ("markdown", "> quoted **words**", "quoted words", ["markdown"]),
    ("markdown", "a | b", "a b", None),
    ("markdown", "max_retries_left **is** 5", "maxretriesleft is 5", None),
    ("markdown", "2*3*4 is", "234 is", None),
    ("html", "AT&amp;T <b>shall</b> pay", "AT&T shall pay", ["html_entities", "html_tags"]),
    ("html", "<td>Term</td><td>24</td>", "Term24", None),
    ("html", "10<sup>2</sup> units", "102 units", None),
    ("text", "the **term** is", "the term is", None),
]


@pytest.mark.parametrize(("kind", "text", "quote", "folds"), MARKUP)
def test_markup_is_folded_only_where_declared(kind: Any, text: str, quote: str, folds: list[str] | None) -> None:
    evidence = {"line_start": 1, "line_end": 1, "quote": quote}
    result = check([Source("page", text, kind)], {**ABSENT, "evidence": evidence}, nullable=True)
    if folds is None:
        assert codes(result) == ["QUOTE_NOT_FOUND"]
    else:
        assert (result.status, sorted(result.folds)) == ("valid", folds)


def test_a_quote_elsewhere_is_located_and_never_accepted() -> None:
    document = "x: on\nfiller\nx: on\nx: “on”\n"
    twice = quoted("x: on", document=document)
    assert codes(twice) == ["QUOTE_NOT_IN_SPAN"]
    assert relocated(twice) == [(1, 1), (3, 3)]
    assert not twice.evidence[0].repairable
    once = quoted('x: "on"', document=document)
    assert relocated(once) == [(4, 4)]
    assert once.evidence[0].repairable


def test_many_places_are_counted_and_the_first_are_listed() -> None:
    evidence = quoted("again", document="first\n" + "again\n" * 500, first=1, last=1).evidence[0]
    assert (len(evidence.relocations), evidence.relocations_total) == (20, 500)


@pytest.mark.parametrize(
    ("quote", "allowed", "expected"),
    [
        ("The tenant ... sublet the flat", False, ["QUOTE_HAS_ELLIPSIS"]),
        ("The tenant [...] sublet the flat", False, ["QUOTE_HAS_ELLIPSIS"]),
        ("The tenant … sublet the flat", False, ["QUOTE_HAS_ELLIPSIS"]),
        ("The tenant ... sublet the flat", True, ["QUOTE_HAS_ELLIPSIS"]),
        ("sublet ... The tenant", True, ["QUOTE_HAS_ELLIPSIS", "FRAGMENTS_OUT_OF_ORDER"]),
        ("The tenant ... owns the flat", True, ["QUOTE_HAS_ELLIPSIS", "QUOTE_NOT_FOUND"]),
        ("...", True, ["QUOTE_HAS_ELLIPSIS"]),
        (" ... ".join("abcdefghijklmnopqrstuvwxyz"), True, ["QUOTE_HAS_ELLIPSIS"]),
    ],
)
def test_ellipses(quote: str, allowed: bool, expected: list[str]) -> None:
    result = quoted(quote, allow_ellipsis=allowed)
    accepted = allowed and quote == "The tenant ... sublet the flat"
    assert codes(result) == expected
    assert result.status == ("valid" if accepted else "invalid")


def test_an_ellipsis_of_the_source_is_a_quote_like_any_other() -> None:
    assert verdict(quoted("a, b, ... z", document="from a, b, ... z\n", first=1, last=1)) == "valid EVIDENCE_ON_ABSENT"


def test_character_offsets() -> None:
    text = "\ufeffone\r\ntwo\r\nthree"
    start = text.index("two")
    output = {**grounded("two", 1, ""), "evidence": {"start": start, "end": start + 3, "quote": "two"}}
    result = check(text, output)
    assert verdict(result) == "valid"
    place = result.evidence[0].place
    assert place is not None
    assert (place.start, place.end, place.line_start) == (start, start + 3, 2)
    moved = {**output, "evidence": {"start": 0, "end": 4, "quote": "two"}}
    assert [(p.start, p.end) for p in check(text, moved).evidence[0].relocations] == [(start, start + 3)]
    beyond = {**output, "evidence": {"start": 0, "end": len(text) + 1, "quote": "two"}}
    assert codes(check(text, beyond)) == ["SPAN_OUT_OF_BOUNDS"]


def test_several_sources() -> None:
    sources = [Source("log", "one\ntwo\n"), Source("notes", "zero\none and two\n")]
    output = grounded("one and two", 2, "one and two")
    output["evidence"][0]["source"] = "notes"
    assert verdict(check(sources, output)) == "valid"
    output["evidence"][0]["source"] = "log"
    wrong = check(sources, output)
    assert verdict(wrong) == "invalid QUOTE_NOT_FOUND"
    assert (wrong.evidence[0].hint, wrong.evidence[0].relocations[0].source) == ("other_source", "notes")
    output["evidence"][0]["source"] = "mail"
    assert verdict(check(sources, output)) == "invalid SOURCE_UNKNOWN"
    output["evidence"][0]["source"] = 3
    assert verdict(check(sources, output)) == "invalid SOURCE_UNKNOWN"


def test_a_changed_source_is_noticed() -> None:
    pinned = Source("log", "status: ok\n").digest
    output = grounded("ok", 1, "status: ok")
    assert verdict(check([Source("log", "status: ok\n", sha256=pinned)], output)) == "valid"
    assert verdict(check([Source("log", "status: ok!\n", sha256=pinned)], output)) == "invalid SOURCE_CHANGED"
    output["evidence"][0]["source_sha256"] = pinned
    assert verdict(check([Source("log", "status: ok\n")], output)) == "valid"
    assert verdict(check([Source("log", "status: ok \n")], output)) == "invalid SOURCE_CHANGED"


@pytest.mark.parametrize(
    ("found", "complete", "value", "expected"),
    [
        (True, True, "flat", "valid"),
        (True, False, "flat", "valid INCOMPLETE_DECLARED"),
        (False, False, "flat", "invalid FLAGS_INCONSISTENT"),
        (False, True, "flat", "invalid FLAGS_INCONSISTENT"),
        (False, False, None, "valid ABSENT_DECLARED"),
        (True, True, None, "invalid FLAGS_INCONSISTENT"),
        (False, True, None, "invalid FLAGS_INCONSISTENT"),
        (None, True, "flat", "invalid FLAG_MISSING"),
        (None, None, "flat", "invalid FLAG_MISSING"),
        ("true", True, "flat", "invalid FLAG_NOT_BOOLEAN"),
        (1, 1, "flat", "invalid FLAG_NOT_BOOLEAN"),
    ],
)
def test_flags(found: object, complete: object, value: object, expected: str) -> None:
    output = grounded(value, 2, "sublet the flat", answer_found=found, complete_answer_found=complete)
    if value is None:
        output["evidence"] = []
    assert verdict(check(LEASE, output, nullable=True)) == expected


def test_flags_are_checked_even_where_the_quote_fails() -> None:
    output = grounded("flat", 2, "sublet the house", answer_found=False, complete_answer_found=False)
    assert set(check(LEASE, output).codes) == {"QUOTE_NOT_FOUND", "FLAGS_INCONSISTENT"}


def test_missing_parts() -> None:
    assert verdict(check(LEASE, ABSENT)) == "invalid NULL_NOT_ALLOWED"
    assert verdict(check(LEASE, "flat")) == "invalid FIELD_NOT_OBJECT"
    assert verdict(check(LEASE, {**grounded("flat", 2, ""), "evidence": []})) == "invalid EVIDENCE_MISSING"
    assert "VALUE_MISSING" in check(LEASE, {"answer_found": False, "complete_answer_found": False}).codes


def test_every_piece_of_evidence_must_hold() -> None:
    output = grounded("flat", 2, "sublet the flat")
    output["evidence"].append({"line_start": 3, "line_end": 3, "quote": "sublet the flat"})
    result = check(LEASE, output)
    assert verdict(result) == "invalid QUOTE_NOT_IN_SPAN"
    assert [finding.evidence for finding in result.findings] == [1]


def test_a_derived_field_is_never_valid() -> None:
    assert verdict(check(LEASE, grounded(24, 4, "Deposit: two rents"), type="number", derived=True)) == (
        "unverified VALUE_DERIVED"
    )
    bare = {**grounded(24, 1, ""), "evidence": []}
    assert verdict(check(LEASE, bare, type="number", derived=True)) == "unverified VALUE_DERIVED"
    wrong = grounded(24, 4, "Deposit: three rents")
    assert verdict(check(LEASE, wrong, type="number", derived=True)) == "invalid QUOTE_NOT_FOUND"


LOG = "FAILED a\nFAILED b\nFAILED a\n2 failed\n"


@pytest.mark.parametrize(
    ("items", "found", "complete", "expected"),
    [
        (["a", "b"], True, True, "valid"),
        (["a"], True, True, "invalid COMPLETENESS_CONTRADICTED"),
        (["a"], True, False, "valid INCOMPLETE_DECLARED"),
        ([], False, False, "invalid ABSENCE_CONTRADICTED"),
        ([], True, True, "invalid ABSENCE_CONTRADICTED FLAGS_INCONSISTENT"),
    ],
)
def test_presence_probes(items: list[str], found: bool, complete: bool, expected: str) -> None:
    entries = [grounded(item, "ab".index(item) + 1, f"FAILED {item}") for item in items]
    output = {"items": entries, "answer_found": found, "complete_answer_found": complete}
    assert verdict(check(LOG, output, type="list[string]", presence_probe=r"^FAILED (\S+)")) == expected


def test_a_probe_without_a_hit_lets_absence_stand() -> None:
    output = {"items": [], "answer_found": False, "complete_answer_found": False}
    probed = check("all passed\n", output, type="list[string]", presence_probe="^FAILED")
    assert verdict(probed) == "valid ABSENT_DECLARED"
    assert (
        verdict(check("FAILED x\n", ABSENT, nullable=True, presence_probe="FAILED")) == "invalid ABSENCE_CONTRADICTED"
    )
    assert verdict(check(LOG, {"answer_found": True}, type="list[string]")) == "invalid FLAG_MISSING ITEMS_MISSING"
