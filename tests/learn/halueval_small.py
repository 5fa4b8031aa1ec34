"""A small HaluEval of our own: texts about dams, in the shape of its files; labels follow from reading."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np

from halt_rag.learn.halueval import FILES
from halt_rag.learn.rows import LabelledRow
from halt_rag.learn.table import FeatureTable
from halt_rag.verify.text_features import LEXICAL, feature_names
from halt_rag.verify.text_model import ModelRef, Pipeline, TextSettings

PIPELINE = Pipeline(
    schema_name="paper",
    schema_version=1,
    models=[ModelRef(name="fake", model_id="fake", revision="r1")],
    reading=TextSettings(),
    claims=None,
)


def write_data(folder: Path, task: str = "qa", records: int = 30) -> Path:
    """A data file; every fifth record repeats the source of the one before."""
    source, question, right, wrong = FILES[task].fields
    rng = Random(1)
    lines = []
    for i in range(records):
        n = i - 1 if i % 5 == 4 else i
        river = rng.choice(["Elbe", "Oder", "Rhine"])
        record = {
            source: f"Dam {n} stands on a river. It was built in {1900 + n}. It is {20 + n} metres high.",
            right: f"Dam {n} was built in {1900 + n}." if i % 2 else f"It is {20 + n} metres high.",
            wrong: f"Dam {n} on the {river} was built in {1950 + n} by hand.",
        }
        if question:
            record[question] = f"When was dam {n} built?"
        lines.append(json.dumps(record))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILES[task].name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def table(rows: int = 200, *, signal: float = 2.0, seed: int = 0, task: str = "qa") -> FeatureTable:
    """Made-up features of pairs of examples; how far the classes are apart is the signal, in standard deviations."""
    rng = np.random.default_rng(seed)
    hallucinated = np.arange(rows) % 2 == 1
    names = feature_names("paper", ["fake"])
    values = rng.normal(size=(rows, len(names)))
    values[:, 0] -= signal * hallucinated
    values[:, names.index(LEXICAL[1])] = rng.integers(1, 12, rows) + 3 * hallucinated
    return FeatureTable(
        task,
        PIPELINE,
        names,
        values,
        [f"{task}-{i // 2}-{'hallucinated' if i % 2 else 'right'}" for i in range(rows)],
        [f"g{i // 2}" for i in range(rows)],
        hallucinated,
        np.zeros(rows, dtype=bool),
        np.ones(rows, dtype=bool),
    )


def rows_for(made: FeatureTable) -> list[LabelledRow]:
    """Texts for the examples of a table, as long as its features say."""
    lengths = made.columns([LEXICAL[1]])[:, 0].astype(int)
    return [
        LabelledRow(id=name, source="a dam", generated=" ".join(["word"] * n), label=label, group=group)
        for name, n, label, group in zip(
            made.ids,
            lengths.tolist(),
            np.where(made.hallucinated, "hallucinated", "supported").tolist(),
            made.groups,
            strict=True,
        )
    ]
