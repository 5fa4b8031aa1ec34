from __future__ import annotations

import pytest

from halt_rag.errors import ConfigurationError
from halt_rag.nli.labels import label_order

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
