"""Readers of a judge's answers: what they read, and that anything else is unknown."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.groundedness.parse import parse_necessity, parse_support
from halt_rag.groundedness.verdict import Necessity, Support

FULL, PARTIAL, NONE, UNKNOWN = Support.FULL, Support.PARTIAL, Support.NONE, Support.UNKNOWN
YES, NO, UNREAD = Necessity.YES, Necessity.NO, Necessity.UNKNOWN


def support(output: str, count: int = 1) -> list[Support]:
    return [reading.value for reading in parse_support(output, count)]


def necessity(output: str, count: int = 1) -> list[Necessity]:
    return [reading.value for reading in parse_necessity(output, count)]


def entry(label: object, number: object = 0) -> str:
    return json.dumps({"span_id": number, "support_level": label})


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("FULLY_SUPPORTED", FULL),
        ("fully supported", FULL),
        ("fullySupported", FULL),
        (" **Fully-Supported.** ", FULL),
        ("PARTIALLY__SUPPORTED", PARTIAL),
        ("NotSupported", NONE),
        ("unsupported", NONE),
        ("NOT_FULLY_SUPPORTED", NONE),
        ("notFullySupported", NONE),
        ("not partially supported", NONE),
        ("SUPPORTED", UNKNOWN),
        ("FULLY", UNKNOWN),
        ("FULLY_SUPPORTED or NOT_SUPPORTED", UNKNOWN),
        ("!FULLY_SUPPORTED", UNKNOWN),
        ("hardly fully supported", UNKNOWN),
        ("FULLY_SUPPORTED?", UNKNOWN),
        ("FULLY_SUPPОRTED", UNKNOWN),  # a Cyrillic letter
        ("", UNKNOWN),
        ("  ", UNKNOWN),
        (None, UNKNOWN),
        (3, UNKNOWN),
        (True, UNKNOWN),
        ([], UNKNOWN),
        (["FULLY_SUPPORTED"], UNKNOWN),
        ({"value": "FULLY_SUPPORTED"}, UNKNOWN),
    ],
)
def test_support_labels(label: object, expected: Support) -> None:
    [reading] = parse_support(f"[{entry(label)}]", 1)
    assert reading.value is expected
    assert bool(reading.note) == (expected is UNKNOWN)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("yes", YES),
        ("TRUE", YES),
        ("1", YES),
        (True, YES),
        (1, YES),
        ("no", NO),
        (" No\n", NO),
        ("false", NO),
        ("0", NO),
        (False, NO),
        (0, NO),
        ("maybe", UNREAD),
        ("", UNREAD),
        ("-1", UNREAD),
        ("yes and no", UNREAD),
        (None, UNREAD),
        (2, UNREAD),
        (-1, UNREAD),
        (1.0, UNREAD),
        (0.0, UNREAD),
        ([], UNREAD),
        (["yes"], UNREAD),
        ({}, UNREAD),
    ],
)
def test_necessity_values(value: object, expected: Necessity) -> None:
    [reading] = parse_necessity(json.dumps([{"span_id": 0, "needs_citation": value}]), 1)
    assert reading.value is expected
    assert bool(reading.note) == (expected is UNREAD)


@pytest.mark.parametrize("number", [1, 1.0, "1", " 1 ", "01", "0" * 6000 + "1"])
def test_ids_that_are_read(number: object) -> None:
    assert support(f"[{entry('FULLY_SUPPORTED', number)}]", 2) == [UNKNOWN, FULL]


@pytest.mark.parametrize(
    "number", [True, None, -1, 7, 0.5, 1e300, "-1", "span 0", "0.0", "٠", "", [0], {"id": 0}, "9" * 6000, "０"]
)
def test_ids_that_are_not(number: object) -> None:
    readings = parse_support(f"[{entry('NOT_SUPPORTED', number)}, {entry('FULLY_SUPPORTED')}]", 2)
    assert [reading.value for reading in readings] == [FULL, UNKNOWN]
    assert "no span" in readings[1].note


def test_an_id_beyond_the_digits_that_python_reads_spoils_nothing() -> None:
    assert support(f'[{{"span_id": {"9" * 5000}, "support_level": "NOT_SUPPORTED"}}, {entry("FULLY_SUPPORTED")}]') == [
        FULL
    ]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["FULLY_SUPPORTED", "FULLY_SUPPORTED"], FULL),
        (["FULLY_SUPPORTED", "PARTIALLY_SUPPORTED"], PARTIAL),
        (["NOT_SUPPORTED", "FULLY_SUPPORTED"], NONE),
        (["FULLY_SUPPORTED", "maybe"], UNKNOWN),
        (["PARTIALLY_SUPPORTED", None], UNKNOWN),
        (["maybe", "NOT_SUPPORTED"], NONE),
    ],
)
def test_the_worst_of_repeats_and_of_nested_labels_counts(labels: list[object], expected: Support) -> None:
    assert support(f"[{', '.join(map(entry, labels))}]") == [expected]
    for key in ("evidence", "citations"):
        nested = [{"support_level": label, "quote": "[x]"} for label in labels]
        assert support(json.dumps([{"span_id": 0, key: nested}])) == [expected]
        assert support(json.dumps([{"span_id": 0, "support_level": "", key: nested}])) == [expected]


def test_the_label_of_the_span_itself_goes_before_those_of_its_evidence() -> None:
    nested = {"evidence": [{"support_level": "NOT_SUPPORTED"}]}
    assert support(json.dumps([{"span_id": 0, "support_level": "FULLY_SUPPORTED", **nested}])) == [FULL]
    assert support(json.dumps([{"span_id": 0, "support_level": "maybe", **nested}])) == [UNKNOWN]


@pytest.mark.parametrize("evidence", [[], ["FULLY_SUPPORTED"], [{}], {"support_level": "FULLY_SUPPORTED"}, "x", None])
def test_evidence_without_labels_says_nothing(evidence: object) -> None:
    assert support(json.dumps([{"span_id": 0, "evidence": evidence}])) == [UNKNOWN]


def test_needs_wins_over_the_rest() -> None:
    def answer(*values: object) -> list[Necessity]:
        return necessity(json.dumps([{"span_id": 0, "needs_citation": value} for value in values]))

    assert answer("no", "yes") == [YES]
    assert answer("yes", "maybe") == [YES]
    assert answer("no", "maybe") == [UNREAD]


@pytest.mark.parametrize("key", ["spanId", "span-id", "Span ID", "SPAN_ID"])
def test_keys_in_other_spellings(key: str) -> None:
    assert support(json.dumps([{key: 0, "supportLevel": "FULLY_SUPPORTED"}])) == [FULL]


GOOD = f"[{entry('FULLY_SUPPORTED')}, {entry('NOT_SUPPORTED', 1)}]"


@pytest.mark.parametrize(
    "output",
    [
        GOOD,
        f'{{"items": {GOOD}}}',
        f"```json\n{GOOD}\n```",
        f"Here you are [see 1]: {GOOD} Hope that helps {{:-)}}",
        f'A 5" pipe [as in "the {{text}}": {GOOD}',
        f"\ufeff{GOOD}",
        GOOD.replace("}]", "}\n"),
        GOOD.replace("}]", "]"),
        GOOD.replace("}]", ",}, ]"),
        GOOD.replace("}]", ', "why": "it says [1] and {x} and \\"}]\\""}]'),
        GOOD.replace("}, {", ', "why": "[[{"}\n{'),
    ],
)
def test_what_models_really_send(output: str) -> None:
    assert support(output, 2) == [FULL, NONE]


@pytest.mark.parametrize(
    "output",
    ["", " \n", "junk", "null", "[]", '[1, "x", null]', "FULLY_SUPPORTED", entry("FULLY_SUPPORTED"), "I cannot say."],
)
def test_without_an_array_of_objects_all_is_unknown(output: str) -> None:
    readings = parse_support(output, 2)
    assert [reading.value for reading in readings] == [UNKNOWN, UNKNOWN]
    assert all(reading.note for reading in readings)


@pytest.mark.parametrize(
    "broken",
    [
        '{"span_id": 0, "support_level": FULLY_SUPPORTED}',
        '{"span_id": 0, "support_level": "FULLY_SUPPORTED", "why": he said "no" to it}',
        "{'span_id': 0, 'support_level': 'FULLY_SUPPORTED'}",
        '{"span_id": 0, "support_level" "FULLY_SUPPORTED"}',
        '{"span_id": 0, "support_level": "FULLY_SUPPORTED", "why"}',
        '{"span_id": 0, "support_level": "FULLY\\_SUPPORTED"}',
        '{"span_id": 0, "span_id": 1, "support_level": "FULLY_SUPPORTED"}',
    ],
)
def test_an_entry_that_is_no_json_is_unknown_and_spoils_no_other(broken: str) -> None:
    assert support(f"[{broken}, {entry('PARTIALLY_SUPPORTED', 2)}]", 3) == [UNKNOWN, UNKNOWN, PARTIAL]


@pytest.mark.parametrize(
    "broken",
    [
        '[{"span_id": 0, "needs_citation": no}]',
        '[{"span_id": 0, "needs_citation": "no", "why": it is "a greeting"}]',
        '[{"span_id": 0, "needs_citation": "no", "why"}]',
        '[{"span_id": 0, "needs_citation": "no", "why": "it is',
        '[{"span_id": 0, "needs_citation": "no"',
        '{"items": [{"span_id": 0, "needs_citation": "no",',
    ],
)
def test_an_exemption_is_read_from_a_whole_entry_only(broken: str) -> None:
    assert necessity(broken) == [UNREAD]


@pytest.mark.parametrize(
    "rest",
    [
        '"support_level": "FULLY_SUPPORTED"',
        '"support_level": "NOT_SUPPORTED", ',
        '"support_level": "FULLY_SUPPORTED", "why": "it is',
        '"evidence": [{"support_level": "FULLY_SUPPORTED"}, {"supp',
        '"evidence": [{"support_level": "FULLY_SUPPORTED"}',
        '"evidence": [{"support_level": "FULLY_SUPPORTED"}]',
    ],
)
def test_an_entry_that_breaks_off_says_nothing(rest: str) -> None:
    assert support(f'[{entry("PARTIALLY_SUPPORTED", 1)}, {{"span_id": 0, {rest}', 2) == [UNKNOWN, PARTIAL]


def test_a_repeated_label_in_one_object_counts_twice() -> None:
    assert support('[{"span_id": 0, "support_level": "FULLY_SUPPORTED", "support_level": "NOT_SUPPORTED"}]') == [NONE]


LABELS = ["FULLY_SUPPORTED", "PARTIALLY_SUPPORTED", "NOT_SUPPORTED"]
ANSWER: st.SearchStrategy[list[dict[str, Any]]] = st.lists(st.sampled_from(LABELS), min_size=1, max_size=5).map(
    lambda labels: [
        {"span_id": i, "support_level": label, "why": 'a "[quoted]" {thing}'} for i, label in enumerate(labels)
    ]
)


@given(ANSWER, st.sampled_from([None, 1]), st.data())
def test_an_answer_that_breaks_off_never_says_something_else(
    answer: list[dict[str, Any]], indent: int | None, data: st.DataObject
) -> None:
    text = json.dumps({"items": answer}, indent=indent)
    whole = support(text, len(answer))
    assert UNKNOWN not in whole
    part = support(text[: data.draw(st.integers(0, len(text)))], len(answer))
    assert all(value in (UNKNOWN, read) for value, read in zip(part, whole, strict=True))


@given(ANSWER, st.integers(0, 10_000))
def test_the_order_of_entries_does_not_matter(answer: list[dict[str, Any]], seed: int) -> None:
    longer = [*answer, {**answer[0], "support_level": "maybe"}]
    shuffled = random.Random(seed).sample(longer, len(longer))
    assert support(json.dumps(shuffled), 5) == support(json.dumps(longer), 5)


@given(ANSWER, st.text())
def test_text_that_follows_never_makes_an_answer_better(answer: list[dict[str, Any]], text: str) -> None:
    order = [FULL, PARTIAL, UNKNOWN, NONE]
    before, after = support(json.dumps(answer), 5), support(json.dumps(answer) + text, 5)
    assert all(order.index(a) >= order.index(b) for b, a in zip(before[: len(answer)], after, strict=False))


NOISE = st.lists(st.sampled_from([*'[]{}:,"\\', " ", "0", "span_id", '"span_id"', '"support_level"', '"yes"', "null"]))


@given(st.one_of(st.text(), NOISE.map("".join)), st.integers(0, 4))
def test_any_text_at_all_is_read_without_an_error(output: str, count: int) -> None:
    for support_reading in parse_support(output, count):
        assert bool(support_reading.note) == (support_reading.value is UNKNOWN)
    for necessity_reading in parse_necessity(output, count):
        assert bool(necessity_reading.note) == (necessity_reading.value is UNREAD)


@pytest.mark.timeout(120)  # a second where time is linear, minutes and more where it is not
@pytest.mark.parametrize(
    "piece", ["[", "{", "[{", '[{"a":', "[}", "{]", '"', '["\\"', "[[]", '{"a":[}', '[{"span_id":0},', "\\"]
)
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    assert support("[" + piece * (60_000 // len(piece))) == [UNKNOWN]
