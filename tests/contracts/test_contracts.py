from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import pickle
import pkgutil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import halt_rag.contracts
from halt_rag.contracts import CONTRACTS, OutputShapeError, get_contract
from halt_rag.contracts.base import ArrayContract, Contract
from halt_rag.contracts.hallucination_detection import LABELS
from halt_rag.contracts.strict_json import non_finite
from halt_rag.errors import AdapterSchemaMismatchError, InputError

HALLUCINATION = CONTRACTS["hallucination_detection"]

NAMES = {
    "answerability",
    "citations",
    "context-attribution",
    "factuality-correction",
    "factuality-detection",
    "guardian-core",
    "hallucination_detection",
    "policy-guardrails",
    "query_clarification",
    "query_rewrite",
    "requirement-check",
    "uncertainty",
}


def record(begin: int = 0, end: int = 5, label: object = "faithful", **more: object) -> dict[str, Any]:
    given = {"response_begin": begin, "response_end": end, "response_text": "x", "faithfulness": label}
    return {**given, "explanation": "", **more}


def test_the_registry_has_every_function_and_every_module() -> None:
    assert set(CONTRACTS) == NAMES
    modules = [
        importlib.import_module(f"halt_rag.contracts.{m.name}")
        for m in pkgutil.iter_modules(halt_rag.contracts.__path__)
    ]
    declared = [module.CONTRACT for module in modules if hasattr(module, "CONTRACT")]
    assert {id(contract) for contract in declared} == {id(contract) for contract in CONTRACTS.values()}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_contract_goes_by_its_name_and_explains_itself(name: str) -> None:
    contract = get_contract(name)
    assert isinstance(contract, Contract)
    assert contract.name == name
    module = importlib.import_module(f"halt_rag.contracts.{name.replace('-', '_')}")
    assert module.CONTRACT is contract
    assert name in (module.__doc__ or "")
    assert all(key in (module.__doc__ or "") for key in contract.expected_keys)


def test_the_docstring_says_what_the_strictest_contract_does() -> None:
    module = importlib.import_module("halt_rag.contracts.hallucination_detection")
    text = " ".join((module.__doc__ or "").split())
    for promise in ("only contract that drops data", "closed on purpose", "newer label", "AdapterSchemaMismatchError"):
        assert promise in text
    assert all(f"``{label}``" in text for label in LABELS)


def test_a_mismatch_is_no_value_error_and_survives_pickling() -> None:
    with pytest.raises(AdapterSchemaMismatchError) as caught:
        HALLUCINATION.parse(json.dumps([record(label="hallucinated", more=1)]))
    error = caught.value
    assert not isinstance(error, ValueError)
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert isinstance(copy, AdapterSchemaMismatchError)
    assert (copy.name, copy.reason, str(copy)) == (error.name, error.reason, str(error))
    assert copy.expected_keys == sorted(HALLUCINATION.expected_keys)
    assert copy.observed_keys == sorted([*HALLUCINATION.expected_keys, "more"])


def test_offences_are_all_named_and_parse_raises_the_first() -> None:
    records = [record(label="odd", explanation=3), {}, record(begin=9)]
    fields = [(o.record, o.field) for o in HALLUCINATION.offences(records)]
    assert fields == [(1, key) for key in sorted(HALLUCINATION.expected_keys)] + [
        (0, "faithfulness"),
        (0, "explanation"),
        (2, "response_begin"),
    ]
    with pytest.raises(AdapterSchemaMismatchError, match="record 1: explanation is missing"):
        HALLUCINATION.accept(records)


def test_a_record_with_faults_hides_no_conflict_but_postpones_it() -> None:
    clash = [record(), record(label="partial")]
    assert [o.field for o in HALLUCINATION.offences(clash)] == ["faithfulness"]
    assert [(o.record, o.field) for o in HALLUCINATION.offences([*clash, record(7, 6)])] == [(2, "response_begin")]


def test_a_value_in_a_message_is_cut_openly() -> None:
    with pytest.raises(AdapterSchemaMismatchError) as caught:
        HALLUCINATION.parse(json.dumps([record(label="x" * 5000 + "\n")]))
    assert "(5004 characters)" in caught.value.reason
    assert "\n" not in caught.value.reason
    assert len(caught.value.reason) < 300


@pytest.mark.parametrize("name", sorted({*NAMES, "of-someone-else"}))
def test_numbers_that_json_does_not_have_get_nowhere(name: str) -> None:
    contract = get_contract(name)
    good: dict[str, Any] = {
        "requirement-check": {"requirement_check": {"score": 1}},
        "guardian-core": {"guardian": {"score": 1}},
    }.get(name, dict.fromkeys(contract.expected_keys, 1))
    if name == "policy-guardrails":
        good = {"label": 1}
    if name == "hallucination_detection":
        good = record()
    for value in (float("nan"), [{"deep": float("inf")}]):
        bad = {**good, "more": value}
        raw = json.dumps([bad] if isinstance(contract, ArrayContract) else bad)
        with pytest.raises(AdapterSchemaMismatchError, match="more holds NaN or an infinity"):
            contract.parse(raw)


def test_only_text_can_be_parsed() -> None:
    with pytest.raises(InputError, match="must be given as a str, not bytes"):
        HALLUCINATION.parse(b"[]")  # type: ignore[arg-type]


# Properties

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
offsets = st.integers(-3, 12)
sound = st.builds(record, offsets, offsets, st.sampled_from(LABELS))
odd = st.builds(
    lambda base, change: {**base, **change}, sound, st.dictionaries(st.sampled_from(sorted(record())), json_values)
)
mixed = st.lists(st.one_of(sound, sound, sound, odd, json_values), max_size=7)


def keeps_contract(items: list[dict[str, Any]]) -> None:
    """What the issue promises of every record that parse returns, written down a second time."""
    places = []
    for item in items:
        begin, end = item["response_begin"], item["response_end"]
        assert type(begin) is int
        assert type(end) is int
        assert begin <= end
        assert item["faithfulness"] in ("faithful", "partial", "unfaithful", "NA")
        assert type(item["explanation"]) is str
        assert "response_text" in item
        assert not non_finite(item)
        places.append((begin, end))
    assert len(set(places)) == len(places)
    for (begin, end), (other_begin, other_end) in itertools.combinations(places, 2):
        assert min(end, other_end) <= max(begin, other_begin) or begin == end or other_begin == other_end


@given(mixed | json_values)
def test_nothing_gets_through_that_breaks_the_contract(value: object) -> None:
    raw = json.dumps(value)
    try:
        items = HALLUCINATION.parse(raw)["items"]
    except (AdapterSchemaMismatchError, OutputShapeError):
        return
    keeps_contract(items)


@given(st.text(max_size=40) | st.text('[]{}":, \\u0123456789eE+-.nulltruefasNI', max_size=40))
@pytest.mark.parametrize("name", sorted(NAMES))
def test_any_text_is_parsed_or_refused_by_name(name: str, raw: str) -> None:
    contract = get_contract(name)
    try:
        parsed = contract.parse(raw)
    except (AdapterSchemaMismatchError, OutputShapeError):
        return
    assert isinstance(parsed, dict)


@given(st.lists(sound, max_size=6), st.data())
def test_dropping_repeats_never_changes_the_set_of_spans_and_labels(
    records: list[dict[str, Any]], data: st.DataObject
) -> None:
    repeats = data.draw(st.lists(st.sampled_from(records), max_size=4)) if records else []
    given_records = data.draw(st.permutations([*records, *repeats]))
    try:
        items = HALLUCINATION.parse(json.dumps(given_records))["items"]
    except AdapterSchemaMismatchError:
        return

    def claims(some: list[dict[str, Any]]) -> set[tuple[int, int, str]]:
        return {(r["response_begin"], r["response_end"], r["faithfulness"]) for r in some}

    assert claims(items) == claims(given_records)
    firsts = [given_records.index(item) for item in items]
    assert firsts == sorted(firsts)


@given(mixed)
def test_parse_is_idempotent(value: list[Any]) -> None:
    try:
        once = HALLUCINATION.parse(json.dumps(value))
    except (AdapterSchemaMismatchError, OutputShapeError):
        return
    assert HALLUCINATION.parse(json.dumps(once["items"])) == once


@given(st.dictionaries(st.sampled_from(["label", "score", "guardian", "certainty", "requirement_check"]), json_values))
@pytest.mark.parametrize("name", sorted(name for name in NAMES if not isinstance(CONTRACTS[name], ArrayContract)))
def test_parse_is_idempotent_for_objects(name: str, value: dict[str, Any]) -> None:
    try:
        once = CONTRACTS[name].parse(json.dumps(value))
    except (AdapterSchemaMismatchError, OutputShapeError):
        return
    assert CONTRACTS[name].parse(json.dumps(once)) == once == value


@given(st.lists(sound, max_size=6))
def test_accept_leaves_its_input_alone(records: list[dict[str, Any]]) -> None:
    before = json.dumps(records)
    with contextlib.suppress(AdapterSchemaMismatchError):
        HALLUCINATION.accept(records)
    assert json.dumps(records) == before


def test_a_hundred_thousand_records_are_one_pass() -> None:
    records = [record(i, i + 1, LABELS[i % 4]) for i in range(100_000)]
    assert len(HALLUCINATION.accept([*records, *records[:10]])["items"]) == 100_000
