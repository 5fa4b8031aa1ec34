r"""What each family of features adds to the task model "general": it is fitted again without them, and measured.

    python -m benchmarks.head_ablation --data ../shared/data/train --bench ../shared/data/bench --rows 150 \
        --cache build/ablation.sqlite --out benchmarks/results/head_ablation.md

Heads are fitted on the calibration split of the training sources, as ``training.task_model`` does, and measured on the
development benchmarks: AUROC and balanced accuracy at 0.5, means over the sets, with the difference to the whole head
and its 95 % interval from resampling groups. Nothing is chosen here. Scores are cached; no text is kept.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import sample
from halt_rag.learn.metrics import Outcomes, auroc, balanced_accuracy
from halt_rag.learn.rows import LabelledRow, read_rows
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.registry import find_backend
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.verify.artifact import Cuts, LinearHead, PipelineSettings, TaskModel
from halt_rag.verify.verifier import HaltRagVerifier, Item
from training.task_model import SIGNS, fit_head, measured, weights

FAMILIES = {
    "nothing": (),
    "words shared": ("word_recall", "bigram_recall"),
    "words, numbers, names missing": ("missing_words", "missing_numbers", "missing_names"),
    "quantities": ("quantities_unsupported", "quantities_supported", "specific_unsupported", "specific_supported"),
    "length and form": ("claim_words", "short_answer"),
    "all but the NLI score": tuple(name for name in SIGNS if name != "nli_support"),
    "the NLI score": ("nli_support",),
}
RESAMPLES = 300


def figures(labels: NDArray[np.bool_], p: NDArray[np.float64]) -> tuple[float, float]:
    """AUROC and balanced accuracy at 0.5."""
    outcomes = Outcomes(labels, p, np.ones(len(p), dtype=bool), 0.5)
    return auroc(outcomes), balanced_accuracy(outcomes)


def probabilities(rows: list[LabelledRow], verifier: HaltRagVerifier) -> NDArray[np.float64]:
    """P(hallucinated) of each text; 0 where there is nothing to check or it could not be read."""
    results = verifier.verify_many(Item(r.source, r.generated, r.question) for r in rows)
    return np.array([v.calibrated_prob or 0.0 for v in results])


def resampled(rows: list[LabelledRow], rng: np.random.Generator) -> NDArray[np.intp]:
    """Rows of groups drawn with replacement."""
    by_group: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        by_group.setdefault(row.group or str(i), []).append(i)
    groups = list(by_group.values())
    return np.array([i for g in rng.integers(0, len(groups), len(groups)) for i in groups[g]])


def main() -> None:
    """Fits, measures, writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training sets")
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--backend", default="embedded")
    parser.add_argument("--rows", type=int, default=150, help="about this many of each benchmark")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    backend = CachedNLI(find_backend(args.backend)(), SQLiteScoreStore(args.cache))

    def verifier(head: LinearHead) -> HaltRagVerifier:
        even = Cuts(threshold=0.5, supported_below=0.5, hallucinated_from=0.5)
        artifact = TaskModel(
            task="general", model_id=backend.model_id, revision=backend.revision, pipeline=PipelineSettings(),
            claim_head=head, cuts=even, fitted_on={},
        )  # fmt: skip
        return HaltRagVerifier(backend=backend, artifact=artifact, locate_evidence=False)

    claims = measured(args.data, verifier(LinearHead(features=[], mean=[], scale=[], coef=[], intercept=0.0)))
    labels = np.array([c.hallucinated for c in claims])
    w = weights([c.dataset for c in claims], labels)
    sets = [sample(read_rows(file), args.rows) for file in sorted(args.bench.glob("*.jsonl.gz"))]
    truths = [np.array([r.label == "hallucinated" for r in rows]) for rows in sets]
    found: dict[str, list[NDArray[np.float64]]] = {}
    for name, left_out in FAMILIES.items():
        signs = {feature: sign for feature, sign in SIGNS.items() if feature not in left_out}
        head = verifier(fit_head([c.features for c in claims], labels, w, signs))
        found[name] = [probabilities(rows, head) for rows in sets]
        print(name, flush=True)
    rng = np.random.default_rng(0)
    draws = [[resampled(rows, rng) for rows in sets] for _ in range(RESAMPLES)]

    def means(name: str, draw: list[NDArray[np.intp]] | None) -> NDArray[np.float64]:
        values = [
            figures(y, p) if draw is None else figures(y[draw[i]], p[draw[i]])
            for i, (y, p) in enumerate(zip(truths, found[name], strict=True))
        ]
        return np.asarray(np.nanmean(np.array(values), axis=0))

    whole = [means("nothing", draw) for draw in draws]
    lines = [
        f"Model {backend.model_id} {backend.revision}, {len(claims)} claims fitted on, {sum(map(len, sets))} texts of "
        f"{len(sets)} sets.",
        "",
        "| left out | AUROC | difference (95 %) | balanced accuracy | difference (95 %) |",
        "|---|---|---|---|---|",
    ]
    for name in FAMILIES:
        gaps = np.array([means(name, draw) - full for draw, full in zip(draws, whole, strict=True)])
        low, high = np.quantile(gaps, [0.025, 0.975], axis=0)
        here, full = means(name, None), means("nothing", None)
        cells = [name]
        for k in range(2):
            gap = "" if name == "nothing" else f"{here[k] - full[k]:+.3f} ({low[k]:+.3f} to {high[k]:+.3f})"
            cells += [f"{here[k]:.3f}", gap]
        lines.append("| " + " | ".join(cells) + " |")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
