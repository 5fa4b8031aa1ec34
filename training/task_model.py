"""Fits the task model "general": a calibrated head and thresholds on rows that neither training nor a benchmark saw.

    python -m training.task_model --data ../shared/data/train --model src/halt_rag/models/nli-fast

The rows are the calibration split of the training sources (``training.data.split_of``). Every set weighs the same, and
so do supported and hallucinated rows: probabilities hold for texts that are as often supported as not.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.verify.artifact import Cuts, LinearHead, PipelineSettings, TaskModel
from halt_rag.verify.result import Verification
from halt_rag.verify.verifier import HaltRagVerifier, Item
from training.data import VALIDATION, rows_of, twins

#: Rows drawn of each set.
ROWS_PER_SET = 500
#: Sets whose labels mere word overlap gives away (its AUROC there is .96): they would teach the head to trust it.
LEFT_OUT = {"conjnli"}
#: Share of the claims on which the verifier decides, cross-fitted.
COVERAGE = 0.95
#: Which way each feature may push P(hallucinated). One passage more can only raise the first three and lower the
#: next three, so that it never makes a claim look less supported.
SIGNS = {
    "nli_support": -1,
    "word_recall": -1,
    "bigram_recall": -1,
    "missing_words": 1,
    "missing_numbers": 1,
    "missing_names": 1,
    "quantities_unsupported": 1,
    "quantities_supported": -1,
    "specific_unsupported": 1,
    "specific_supported": -1,
    "claim_words": 0,
    "short_answer": 0,
}
#: Features that a further passage can push either way; they explain and are not weighed.
NOT_WEIGHED = {"quantities_contradicted", "quantities_absent", "quantities_found", "quantities_derived"}


@dataclass(frozen=True)
class Measured:
    """One claim with its features."""

    dataset: str
    group: str
    source: str
    hallucinated: bool
    features: dict[str, float]


def calibration_items(folder: Path) -> list[tuple[str, str, str, bool, Item]]:
    """(set, group, source, hallucinated, item) of the calibration split."""
    rng = random.Random(5)
    items = []
    for name in sorted(set(VALIDATION.sets) - LEFT_OUT):
        rows = list(rows_of(folder, name, "calibration"))
        rng.shuffle(rows)
        for row in rows[:ROWS_PER_SET]:
            item = Item(row["source"], row["generated"], row.get("question"))
            items.append((name, row["group"], row["source"], row["label"] == "hallucinated", item))
    for example in twins(folder, "calibration", VALIDATION):
        item = Item(example.premise, example.hypothesis)
        items.append(("twins", example.group, example.premise, example.target != 0, item))
    return items


def measured(folder: Path, verifier: HaltRagVerifier) -> list[Measured]:
    """Features of every row that holds exactly one claim."""
    items = calibration_items(folder)
    results: list[Verification] = []
    for i, result in enumerate(verifier.verify_many(item for *_, item in items)):
        results.append(result)
        if i % 500 == 0:
            print(f"{i}/{len(items)}", flush=True)
    return [
        Measured(name, group, source, hallucinated, {k: v for k, v in r.feature_breakdown.items() if k in SIGNS})
        for (name, group, source, hallucinated, _), r in zip(items, results, strict=True)
        if r.feature_breakdown.get("claims") == 1.0
    ]


def weights(datasets: Sequence[str], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights that make sets, and both labels within each, count alike; mean 1."""
    cells: dict[tuple[str, bool], int] = defaultdict(int)
    for name, label in zip(datasets, labels.tolist(), strict=True):
        cells[name, label] += 1
    # The root damps sets with a handful of rows in a cell.
    raw = np.array(
        [1 / math.sqrt(cells[n, y] * max(cells[n, y], 50)) for n, y in zip(datasets, labels.tolist(), strict=True)]
    )
    total = np.where(labels, raw[labels].sum(), raw[~labels].sum())
    found: NDArray[np.float64] = raw / total * len(labels) / 2
    return found


def fit_head(
    rows: Sequence[dict[str, float]], labels: NDArray[np.bool_], w: NDArray[np.float64], signs: dict[str, int]
) -> LinearHead:
    """A logistic regression; features that would push the wrong way are left out one by one."""
    names = list(signs)
    while True:
        x = np.array([[row[name] for name in names] for row in rows])
        mean, scale = x.mean(0), np.maximum(x.std(0), 1e-6)
        model = LogisticRegression(C=1.0, max_iter=1000).fit((x - mean) / scale, labels, sample_weight=w)
        coef = dict(zip(names, model.coef_[0].tolist(), strict=True))
        wrong = [name for name in names if signs[name] * coef[name] < 0]
        if not wrong:
            return LinearHead(
                features=names,
                mean=mean.tolist(),
                scale=scale.tolist(),
                coef=[coef[name] for name in names],
                intercept=float(model.intercept_[0]),
            )
        names.remove(max(wrong, key=lambda name: abs(coef[name])))


def cross_fitted(claims: Sequence[Measured], labels: NDArray[np.bool_], w: NDArray[np.float64]) -> NDArray[np.float64]:
    """Out-of-fold claim probabilities, groups kept together."""
    p = np.zeros(len(claims))
    for train, test in GroupKFold(5).split(p, labels, [c.group for c in claims]):
        head = fit_head([claims[i].features for i in train], labels[train], w[train], SIGNS)
        p[test] = [head.probability(claims[i].features) for i in test]
    return p


def report(claims: Sequence[Measured], labels: NDArray[np.bool_], p: NDArray[np.float64]) -> dict[str, Any]:
    """AUROC and balanced accuracy at 0.5 of out-of-fold probabilities, by set."""
    found = {}
    for name in sorted({c.dataset for c in claims}):
        rows = np.array([c.dataset == name for c in claims])
        y, q = labels[rows], p[rows]
        balanced = ((q[y] >= 0.5).mean() + (q[~y] < 0.5).mean()) / 2
        found[name] = {
            "rows": int(rows.sum()),
            "auroc": round(float(roc_auc_score(y, q)), 3),
            "balanced_accuracy": round(float(balanced), 3),
        }
    return found


def main() -> None:
    """Measures, fits, writes the artifact."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training sets")
    parser.add_argument("--model", type=Path, required=True, help="folder of the exported NLI model")
    parser.add_argument("--out", type=Path, default=Path("src/halt_rag/models/tasks"))
    parser.add_argument("--cache", type=Path, default=Path("build/task_model.sqlite"), help="scores, for a resume")
    parser.add_argument("--window-tokens", type=int, default=PipelineSettings().window_tokens)
    args = parser.parse_args()

    args.cache.parent.mkdir(parents=True, exist_ok=True)
    backend = CachedNLI(EmbeddedNLI(args.model), SQLiteScoreStore(args.cache))
    settings = PipelineSettings(window_tokens=args.window_tokens)
    unfitted = LinearHead(features=[], mean=[], scale=[], coef=[], intercept=0.0)
    even = Cuts(threshold=0.5, supported_below=0.5, hallucinated_from=0.5)
    blank = TaskModel(
        task="general", model_id=backend.model_id, revision=backend.revision, pipeline=settings,
        claim_head=unfitted, cuts=even, fitted_on={},
    )  # fmt: skip
    claims = measured(args.data, HaltRagVerifier(backend=backend, artifact=blank, locate_evidence=False))
    labels = np.array([c.hallucinated for c in claims])
    w = weights([c.dataset for c in claims], labels)
    p = cross_fitted(claims, labels, w)
    band = float(np.quantile(np.abs(p - 0.5), 1 - COVERAGE, weights=w, method="inverted_cdf"))
    content = json.dumps([[c.dataset, c.group, c.hallucinated] for c in claims])
    by_set = report(claims, labels, p)
    model = TaskModel(
        task="general",
        model_id=backend.model_id,
        revision=backend.revision,
        pipeline=settings,
        claim_head=fit_head([c.features for c in claims], labels, w, SIGNS),
        cuts=Cuts(threshold=0.5, supported_below=round(0.5 - band, 4), hallucinated_from=round(0.5 + band, 4)),
        fitted_on={
            "rows": len(claims),
            "coverage_target": COVERAGE,
            "rows_sha256": hashlib.sha256(content.encode()).hexdigest(),
            "cross_fitted_by_set": by_set,
            "mean_auroc": round(float(np.mean([s["auroc"] for s in by_set.values()])), 4),
        },
    )
    out = args.out / backend.model_id / "general.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(model.model_dump_json(indent=1) + "\n", encoding="utf-8")
    print(json.dumps(model.fitted_on, indent=1))
    print(dict(zip(model.claim_head.features, model.claim_head.coef, strict=True)), model.cuts)


if __name__ == "__main__":
    main()
