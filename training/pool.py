"""Unlabelled pairs for a student: the sources of the training sets, each with claims that were written about near ones.

Only a teacher says what holds between them. Near sources share words, so that most of these claims are neither
entailed nor plainly about something else.
"""

from __future__ import annotations

import random
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import NearestNeighbors

from training.data import UNLABELLED, Example, hypothesis_of, rows_of

#: Sets whose sources are passages about the world; the others are single captions or sentences.
SETS = ("fever_gold", "sanli_wiki", "ares_synth", "factcg_synth", "covidfact", "mctest_statements", "lingnli")
#: Out of how many near sources a claim is taken.
NEIGHBOURS = 6
ROWS_PER_SET = 4000


def near_pairs(folder: Path, count: int, seed: int, *, max_words: int = 200) -> list[Example]:
    """Pairs of a source and a claim about a near one, of the training split, in random order.

    Args:
        folder: The training sets.
        count: At most how many pairs.
        seed: Which rows are drawn.
        max_words: Longer sources are left out.
    """
    rng = random.Random(f"near {seed}")
    pairs: list[Example] = []
    for name in SETS:
        rows = [row for row in rows_of(folder, name, "train") if len(row["source"].split()) <= max_words]
        rng.shuffle(rows)
        rows = list({row["source"]: row for row in rows[:ROWS_PER_SET]}.values())
        if len(rows) <= NEIGHBOURS:
            continue
        vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english").fit_transform(r["source"] for r in rows)
        near = NearestNeighbors(n_neighbors=NEIGHBOURS, metric="cosine").fit(vectors).kneighbors(return_distance=False)
        for row, others in zip(rows, near.tolist(), strict=True):
            claims = [rows[i] for i in others if rows[i]["group"] != row["group"]]
            if claims:
                claim = hypothesis_of(rng.choice(claims))
                pairs.append(Example(row["source"], claim, UNLABELLED, f"near_{name}", row["group"]))
    rng.shuffle(pairs)
    return pairs[:count]
