from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.errors import ConfigurationError
from halt_rag.nli.labels import Outputs, label_order, read_outputs

GOOD = {
    "own order": ({0: "entailment", 1: "neutral", 2: "contradiction"}, (0, 1, 2)),
    "MNLI order": ({0: "contradiction", 1: "neutral", 2: "entailment"}, (2, 1, 0)),
    "keys of JSON": ({"0": "contradiction", "1": "entailment", "2": "neutral"}, (1, 2, 0)),
    "keys out of order": ({"2": "neutral", "0": "contradiction", "1": "entailment"}, (1, 2, 0)),
    "upper case": ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, (2, 1, 0)),
    "short forms": ({0: "Entail", 1: " Neutral ", 2: "contradict"}, (0, 1, 2)),
}

BAD = {
    "unnamed": ({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, ["LABEL_0", "LABEL_2", "entailment"]),
    "two-way": ({0: "entailment", 1: "not_entailment"}, ["not_entailment"]),
    "two-way padded": ({0: "entailment", 1: "not_entailment", 2: "neutral"}, ["not_entailment", "contradiction"]),
    "twice the same": ({0: "entailment", 1: "neutral", 2: "entails"}, ["contradiction"]),
    "nothing": ({}, ["nothing"]),
    "four": ({0: "entailment", 1: "neutral", 2: "contradiction", 3: "other"}, ["other"]),
    "gap": ({0: "entailment", 1: "neutral", 3: "contradiction"}, ["3: 'contradiction'"]),
    "not numbers": ({"a": "entailment", "b": "neutral", "c": "contradiction"}, ["a: 'entailment'"]),
    "same index twice": ({"1": "entailment", "01": "neutral", "2": "contradiction"}, ["01: 'neutral'"]),
}


@pytest.mark.parametrize(("table", "order"), GOOD.values(), ids=GOOD.keys())
def test_labels_are_found_by_name(table: dict[int, str] | dict[str, str], order: tuple[int, int, int]) -> None:
    assert label_order(table) == order


@pytest.mark.parametrize(("table", "shown"), BAD.values(), ids=BAD.keys())
def test_other_tables_are_refused_and_shown(table: dict[int, str] | dict[str, str], shown: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        label_order(table)
    for text in shown:
        assert text in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "stated", "code"),
    [
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), None, "210"),
        (("contradiction", "entailment", "neutral"), None, "120"),
        (("entailment", "not_entailment"), None, "s0"),
        (("Not-Entailed", "entailment"), None, "s1"),
        (("unsupported", "supported"), None, "s1"),
        (("No support", "support"), None, "s1"),
        (("no", "yes"), None, "s1"),
        (("LABEL_0", "LABEL_1"), ("not entailed", "entailment"), "s1"),
        (("LABEL_0", "LABEL_1", "LABEL_2"), ("neutral", "entailment", "contradiction"), "102"),
        (("entailment", "neutral", "contradiction"), ("entailment", "neutral", "contradiction"), "012"),
    ],
)
def test_outputs_are_read_by_name_or_as_stated(
    labels: tuple[str, ...], stated: tuple[str, ...] | None, code: str
) -> None:
    outputs = read_outputs({str(index): label for index, label in enumerate(labels)}, stated)
    assert outputs.code == code
    assert outputs.three_way is (len(labels) == 3)


@pytest.mark.parametrize(
    ("labels", "stated"),
    [
        (("LABEL_0", "LABEL_1"), None),
        (("positive", "negative"), None),
        (("entailment",), None),
        ((), None),
        (("entailment", "neutral"), None),
        (("entailment", "entailment", "neutral"), None),
        (("entailment", "LABEL_1", "neutral"), None),
        (("entailment", "neutral", "contradiction"), ("contradiction", "neutral", "entailment")),
        (("entailment", "not_entailment"), ("not entailed", "entailment")),
        (("LABEL_0", "LABEL_1", "LABEL_2"), ("not entailed", "entailment")),
        (("LABEL_0", "LABEL_1"), ("entailment", "neutral")),
    ],
)
def test_outputs_that_nobody_knows_are_refused(labels: tuple[str, ...], stated: tuple[str, ...] | None) -> None:
    with pytest.raises(ConfigurationError):
        read_outputs(dict(enumerate(labels)), stated)


def test_a_grader_claims_no_contradiction() -> None:
    columns = Outputs(("not entailed", "entailment")).columns(np.array([[0.2, 0.8], [1.0, 0.0]]))
    assert columns.tolist() == [pytest.approx([0.8, 0.2, 0.0]), [0.0, 1.0, 0.0]]


@given(order=st.permutations(["entailment", "neutral", "contradiction"]), data=st.data())
def test_columns_undo_any_order(order: list[str], data: st.DataObject) -> None:
    row = data.draw(st.lists(st.floats(0, 1), min_size=3, max_size=3))
    columns = Outputs(tuple(order)).columns(np.array([[row["enc".index(name[0])] for name in order]]))
    assert columns.tolist() == [row]
