from __future__ import annotations

import contextlib
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.contracts import OutputShapeError, ProseAroundJSONError, TruncatedOutputError, get_contract
from halt_rag.contracts.strict_json import load
from tests.text.timing import growth


def error_of(raw: str) -> OutputShapeError:
    with pytest.raises(OutputShapeError) as caught:
        load("citations", raw)
    assert "citations" in str(caught.value)
    assert isinstance(caught.value, ValueError)
    return caught.value


@pytest.mark.parametrize(
    "raw",
    [
        'Here you are: [{"r": 0}]',
        '```json\n[{"r": 0}]\n```',
        "[] That is all.",
        '{"a": 1} {"a": 2}',
        "[1][2]",
        "The answer [sic] is {}",
    ],
)
def test_prose_around_json_is_told_apart(raw: str) -> None:
    assert type(error_of(raw)) is ProseAroundJSONError


@pytest.mark.parametrize(
    "raw",
    [
        "[",
        "{",
        '[{"r": 0',
        '[{"r": 0,',
        '[{"r": 0}',
        '[{"r"',
        '[{"r":',
        '[{"e": "because',
        "[tru",
        "[1, -",
        '{"a": nul',
        '"answ',
    ],
)
def test_truncated_json_is_told_apart(raw: str) -> None:
    error = error_of(raw)
    assert type(error) is TruncatedOutputError
    assert "max_tokens" in error.hint


@pytest.mark.parametrize("raw", ["", "  \n", "no json", "[1 2]", "{'a': 1}", "[1,]", '{"a" 1}', "(see [1) and {"])
def test_everything_else_is_just_not_json(raw: str) -> None:
    assert type(error_of(raw)) is OutputShapeError


def test_the_place_is_named() -> None:
    assert "line 2 column 4" in str(error_of("[1,\n 2 3]"))


@pytest.mark.parametrize("raw", ['{"r": 0, "r": 1}', '[{"a": {"b": 1, "c": 2, "b": 1}}]'])
def test_a_key_named_twice_is_refused(raw: str) -> None:
    assert "twice" in str(error_of(raw))


def test_the_time_to_find_a_key_named_twice_is_linear() -> None:
    def refused(keys: str) -> None:
        with pytest.raises(OutputShapeError, match="'last' twice"):
            load("citations", "{" + ",".join(f'"{n}": 0' for n in [*range(len(keys)), "last", "last"]) + "}")

    assert growth(refused, "x", 4_000) < 9


@pytest.mark.parametrize("raw", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000, "x" + "[" * 100_000])
def test_deep_nesting_is_refused(raw: str) -> None:
    error_of(raw)


def test_a_number_that_python_does_not_read_is_refused() -> None:
    assert "number" in str(error_of("[" + "9" * 5000 + "]"))


@pytest.mark.parametrize("raw", ['["\\ud83c"]', '{"\\udf27": 1}', '["\ud83c"]'])
def test_half_a_character_is_refused(raw: str) -> None:
    assert "surrogate" in str(error_of(raw))


def test_a_whole_character_in_two_escapes_is_none() -> None:
    assert load("citations", '["\\ud83c\\udf27"]') == ["\U0001f327"]


def test_errors_survive_pickling() -> None:
    error = error_of("[")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (type(copy), str(copy), copy.hint) == (type(error), str(error), error.hint)


texts = st.text(max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@given(values, st.booleans())
def test_what_is_json_is_read_as_json(value: object, ascii_only: bool) -> None:
    assert load("anything", json.dumps(value, ensure_ascii=ascii_only)) == value


@given(values.filter(lambda v: isinstance(v, list | dict)), st.data())
def test_a_cut_is_never_taken_for_the_whole(value: object, data: st.DataObject) -> None:
    raw = json.dumps(value)
    cut = raw[: data.draw(st.integers(1, len(raw) - 1))]
    assert type(error_of(cut)) is TruncatedOutputError


@given(st.text(max_size=200))
def test_no_text_crashes_a_contract(raw: str) -> None:
    with contextlib.suppress(OutputShapeError):
        get_contract("anything").parse(raw)
