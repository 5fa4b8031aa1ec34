"""The training mix: public sets with their split, plus edited twins.

Splits are made by a hash of the group, so that the rows of one premise never fall on both sides:
bucket 0 of 20 steers (``validation``), bucket 1 fits calibration (``calibration``), the rest trains.
HaluEval is never read here.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from halt_rag.verify.questions import statement_of
from training.edits import edited_twin
from training.made import made_pairs

Split = Literal["train", "validation", "calibration"]


@dataclass(frozen=True)
class Mix:
    """What a run reads.

    Attributes:
        sets: Rows of each public set; -1 takes all.
        twins_from_claims: Edited twins of supported claims.
        twins_from_passages: Edited twins of sentences copied out of longer passages.
        made: Pairs of twins about invented facts.
        more_of: How many times as often as usual a kind of them is drawn.
        near: Unlabelled pairs (``training.pool``), for a student.
        seed: Which rows are drawn, which edits are made.
    """

    sets: dict[str, int]
    twins_from_claims: int
    twins_from_passages: int
    made: int = 0
    more_of: dict[str, int] = field(default_factory=dict)
    near: int = 0
    seed: int = 7


#: Every set, for the splits that do not train.
VALIDATION = Mix(
    sets={
        "lingnli": 26_000, "mnli_dev_matched": -1, "snli_dev_test": 4_000, "cad_snli": 5_000, "sanli_wiki": 7_000,
        "fever_gold": 14_000, "ares_synth": 3_600, "factcg_synth": -1, "mctest_statements": 500, "nli4ct": -1,
        "covidfact": -1, "conjnli": 1_200, "rte": -1,
    },
    twins_from_claims=4_500,
    twins_from_passages=2_200,
    made=6_000,
)  # fmt: skip
#: The target of a pair that only a teacher has something to say about.
UNLABELLED = -1
#: At most this many words in an answer for it to be read together with its question.
SHORT_ANSWER_WORDS = 8


@dataclass(frozen=True)
class Example:
    """One premise-hypothesis pair; target is 0 entailment, 1 neutral, 2 contradiction, 3 not entailed, -1 unknown."""

    premise: str
    hypothesis: str
    target: int
    dataset: str
    group: str


def split_of(group: str) -> Split:
    """The side on which a group falls, for ever the same."""
    bucket = int.from_bytes(hashlib.sha256(group.encode()).digest()[:4], "big") % 20
    return "validation" if bucket == 0 else "calibration" if bucket == 1 else "train"


def hypothesis_of(row: dict[str, Any]) -> str:
    """The text that is scored: a short answer as a statement, or together with its question, as ``verify`` does."""
    question, generated = row.get("question"), row["generated"]
    if question and len(generated.split()) <= SHORT_ANSWER_WORDS and row["granularity"] == "answer":
        return statement_of(question, generated) or f"{question} {generated}"
    return str(generated)


def rows_of(folder: Path, name: str, split: Split) -> Iterator[dict[str, Any]]:
    """The rows of one set that belong to a split."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if split_of(row["group"]) == split:
                yield row


def _example(row: dict[str, Any]) -> Example:
    three = {"entailment": 0, "neutral": 1, "contradiction": 2}
    target = three[row["label3"]] if row.get("label3") else (0 if row["label"] == "supported" else 3)
    return Example(row["source"], hypothesis_of(row), target, row["dataset"], row["group"])


def load(folder: Path, split: Split, mix: Mix, *, max_words: int = 230) -> list[Example]:
    """The labelled pairs of a split, without those too long to be read whole."""
    rng = random.Random(20261130 + mix.seed)
    examples: list[Example] = []
    for name, limit in mix.sets.items():
        rows = [row for row in rows_of(folder, name, split) if len(row["source"].split()) <= max_words]
        rng.shuffle(rows)
        if name == "fever_gold":  # 73 % supported: keep the labels even
            supported = [row for row in rows if row["label"] == "supported"]
            rest = [row for row in rows if row["label"] != "supported"]
            rows = [row for pair in zip(supported, rest, strict=False) for row in pair]
        examples += [_example(row) for row in (rows if limit < 0 else rows[:limit])]
    return examples


def _sentences(passage: str) -> list[str]:
    return [s for s in re.split(r"(?<=[.!?])\s+", passage) if 6 <= len(s.split()) <= 35]


def _twin_examples(premise: str, claim: str, dataset: str, group: str, rng: random.Random) -> list[Example]:
    twin = edited_twin(claim, premise, rng)
    if twin is None:
        return []
    kind, edited = twin
    target = {"name": 3, "opposite": 3}.get(kind, 2)
    return [
        Example(premise, claim, 0, f"twin_{dataset}", group),
        Example(premise, edited, target, f"twin_{dataset}_{kind}", group),
    ]


def twins(folder: Path, split: Split, mix: Mix, *, max_words: int = 170) -> list[Example]:
    """Edited twins of supported claims, of sentences copied out of longer passages, and made ones."""
    rng = random.Random(mix.seed if split == "train" else f"{split} twins")
    scale = 1.0 if split == "train" else 0.08
    examples: list[Example] = []
    claims = [
        row
        for name in ("fever_gold", "sanli_wiki", "factcg_synth", "covidfact", "rte")
        for row in rows_of(folder, name, split)
        if row["label"] == "supported" and len(row["source"].split()) <= max_words
    ]
    rng.shuffle(claims)
    for row in claims:
        if len(examples) >= 2 * mix.twins_from_claims * scale:
            break
        examples += _twin_examples(row["source"], row["generated"], row["dataset"], row["group"], rng)
    passages = {
        row["source"]: row
        for name in ("ares_synth", "factcg_synth", "covidfact", "mctest_statements", "fever_gold")
        for row in rows_of(folder, name, split)
        if 40 <= len(row["source"].split()) <= max_words
    }
    long_rows = list(passages.values())
    rng.shuffle(long_rows)
    made: list[Example] = []
    for row in long_rows:
        if len(made) >= 2 * mix.twins_from_passages * scale:
            break
        if sentences := _sentences(row["source"]):
            made += _twin_examples(row["source"], rng.choice(sentences), "passage", row["group"], rng)
    real = [_sentences(row["source"]) for row in long_rows[:2000]]
    invented = made_pairs(round(mix.made * scale), real, rng, more_of=mix.more_of)
    return (
        examples
        + made
        + [
            Example(source, claim, target, f"made_{kind}", f"made {split} {number}")
            for source, claim, target, kind, number in invented
        ]
    )
