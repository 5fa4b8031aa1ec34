"""The mix: which rows are read, on which side they fall, and what their targets are."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from training.data import VALIDATION, Example, Split, hypothesis_of, load, rows_of, split_of, twins

#: As in training, but without made pairs, which need no rows.
MIX = replace(VALIDATION, made=0, sets=VALIDATION.sets | {"mctest_statements": 500})
SPLITS: tuple[Split, ...] = get_args(Split)


def row(group: str, **fields: Any) -> dict[str, Any]:
    base = {"source": f"Source of {group}.", "generated": "A claim.", "question": None, "granularity": "claim"}
    return base | {"label": "supported", "label3": None, "dataset": "made", "group": group} | fields


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(r) + "\n" for r in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in VALIDATION.sets:
        write(tmp_path, name, [])
    return tmp_path


def groups_in(split: Split) -> Iterator[str]:
    return (f"g{i}" for i in range(100_000) if split_of(f"g{i}") == split)


@pytest.mark.parametrize(
    ("group", "split"),
    # Fixed for ever: a changed split would let validation rows into a later training.
    [("g0", "train"), ("g1", "train"), ("g30", "validation"), ("g17", "calibration")],
)
def test_the_split_never_changes(group: str, split: Split) -> None:
    assert split_of(group) == split


def test_about_a_twentieth_validates_and_a_twentieth_calibrates() -> None:
    sides = [split_of(f"premise {i}") for i in range(4000)]
    for side in ("validation", "calibration"):
        assert 0.035 < sides.count(side) / 4000 < 0.065


def test_every_row_is_on_the_side_of_its_group(folder: Path) -> None:
    rows = [row(f"g{i % 60}", generated=f"Claim {i}.") for i in range(240)]
    write(folder, "rte", rows)
    read = {split: list(rows_of(folder, "rte", split)) for split in SPLITS}
    assert sum(map(len, read.values())) == len(rows)
    sides = [{r["group"] for r in part} for part in read.values()]
    assert all(sides)
    assert sum(map(len, sides)) == len(set().union(*sides))


@pytest.mark.parametrize(
    ("fields", "target"),
    [
        ({"label3": "entailment"}, 0),
        ({"label3": "neutral", "label": "unsupported"}, 1),
        ({"label3": "contradiction", "label": "unsupported"}, 2),
        ({"label": "supported"}, 0),
        ({"label": "unsupported"}, 3),  # not entailed; which of the two is unknown
    ],
)
def test_targets(folder: Path, fields: dict[str, Any], target: int) -> None:
    group = next(groups_in("train"))
    write(folder, "rte", [row(group, **fields)])
    assert load(folder, "train", MIX) == [Example(f"Source of {group}.", "A claim.", target, "made", group)]


def test_a_premise_too_long_is_left_out_whole(folder: Path) -> None:
    short, long = list(zip(range(2), groups_in("train"), strict=False))
    write(folder, "rte", [row(short[1], source="w " * 9), row(long[1], source="w " * 10 + "w")])
    assert [e.group for e in load(folder, "train", MIX, max_words=10)] == [short[1]]


def test_the_mix_takes_no_more_than_its_share(folder: Path) -> None:
    limit = MIX.sets["mctest_statements"]
    assert limit == 500
    groups = groups_in("train")
    write(folder, "mctest_statements", [row(next(groups)) for _ in range(limit + 20)])
    assert len(load(folder, "train", MIX)) == limit


def test_fever_labels_are_even(folder: Path) -> None:
    groups = groups_in("train")
    labels = ["supported"] * 9 + ["unsupported"] * 3
    write(folder, "fever_gold", [row(next(groups), label=label) for label in labels])
    assert sorted(e.target for e in load(folder, "train", MIX)) == [0, 0, 0, 3, 3, 3]


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"question": "Who?", "generated": "Ada", "granularity": "answer"}, "Who? Ada"),
        ({"question": "Who built the dam?", "generated": "Ada"}, "Ada built the dam."),
        ({"question": "Who?", "generated": "Ada", "granularity": "claim"}, "Ada"),
        ({"question": "Who?", "generated": "one two three four five six seven eight nine"}, None),
        ({"question": None, "generated": "Ada", "granularity": "answer"}, "Ada"),
    ],
)
def test_short_answers_are_read_with_their_question(fields: dict[str, Any], text: str | None) -> None:
    made = row("g", **{"granularity": "answer"} | fields)
    assert hypothesis_of(made) == (text or made["generated"])


def test_twins_stand_beside_the_claim_they_were_made_from(folder: Path) -> None:
    group = next(groups_in("train"))
    source = "The mill at Carrow opened in 1871 and its owner was Edith Barlow until the flood."
    write(folder, "fever_gold", [row(group, source=source, generated="The mill opened in 1871.", dataset="fever_gold")])
    claim, twin = twins(folder, "train", MIX)
    assert (claim.hypothesis, claim.target, claim.dataset) == ("The mill opened in 1871.", 0, "twin_fever_gold")
    assert twin.hypothesis != claim.hypothesis
    assert twin.premise == claim.premise == source
    assert twin.target in {2, 3}
    assert twin.dataset.startswith("twin_fever_gold_")
    assert claim.group == twin.group == group


def test_unsupported_claims_have_no_twins(folder: Path) -> None:
    group = next(groups_in("train"))
    write(folder, "fever_gold", [row(group, source="It opened in 1871.", generated="It is 1871.", label="unsupported")])
    assert twins(folder, "train", MIX) == []


def test_passages_give_a_copied_sentence_and_its_twin(folder: Path) -> None:
    group = next(groups_in("train"))
    sentence = "The mill at Carrow was opened in 1871 by the parish council."
    passage = " ".join([sentence, *["Nothing more of any note was written down about it."] * 5])
    write(folder, "ares_synth", [row(group, source=passage, label="unsupported", dataset="ares_synth")])
    made = twins(folder, "train", MIX)
    assert {e.dataset.split("_")[1] for e in made} == {"passage"}
    assert made[0].target == 0
    assert made[0].hypothesis in passage
    assert made[1].hypothesis not in passage
