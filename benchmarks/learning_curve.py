r"""How many records does a task model need? Fitted on more and more of them, measured on those kept out.

    python -m benchmarks.learning_curve build/tasks/halt-rag-nli-fast-2/runs/*/features.parquet --out CURVE

A fifth of the groups, the same for every size, is kept out. For each size, as many other groups are drawn, five times;
the whole model is fitted on them as ``halt-rag train`` does (classifier, calibration on out-of-fold scores, threshold),
and measured on the groups kept out. The table has the means of the draws, and the range of AUROC over them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from halt_rag.learn.metrics import Outcomes, measure, rows_by_group
from halt_rag.learn.table import FeatureTable, read_table
from halt_rag.learn.threshold import decided
from halt_rag.learn.train import calibrated, held_out, train
from halt_rag.verify.config import Config, shipped_config

SIZES = (100, 250, 500, 1000, 2000, 4000)
FIGURES = ("auroc", "f1", "ece", "coverage", "accuracy_on_decided")


def curve(table: FeatureTable, config: Config, sizes: Sequence[int], draws: int) -> list[dict[str, Any]]:
    """Figures for each size, the last being all groups that are not kept out."""
    fitted, tested = (table.take(rows) for rows in held_out(table.groups, 0.2))
    members = rows_by_group(fitted.groups)
    names = sorted(members)
    found = []
    for size in [*(s for s in sizes if s < len(names)), len(names)]:
        outcomes = []
        for seed in range(draws if size < len(names) else 1):
            chosen = np.random.default_rng(seed).permutation(len(names))[:size]
            rows = np.array(sorted(row for i in chosen for row in members[names[i]]), dtype=np.intp)
            model = train(fitted.take(rows), config).model
            p = calibrated(model.head, model.calibrator, tested)
            reached = Outcomes(tested.hallucinated, p, decided(p, model.cuts), model.cuts.threshold)
            figures = {n: f["value"] for n, f in measure(reached, tested.groups, names=FIGURES, resamples=0).items()}
            outcomes.append({name: value for name, value in figures.items() if value is not None})
        auroc = [o["auroc"] for o in outcomes]
        means = {name: float(np.mean([o[name] for o in outcomes])) for name in FIGURES}
        found.append({"records": size, "tested_rows": len(tested), "auroc_range": [min(auroc), max(auroc)], **means})
    return found


def markdown(task: str, lines: list[dict[str, Any]]) -> str:
    """The curve of a task as a table."""
    head = "| records | AUROC (lowest-highest draw) | F1 | ECE | coverage | accuracy of the decided |"
    rows = [
        f"| {r['records']:,} | {r['auroc']:.4f} ({r['auroc_range'][0]:.4f}-{r['auroc_range'][1]:.4f}) | {r['f1']:.4f} "
        f"| {r['ece']:.4f} | {r['coverage']:.3f} | {r['accuracy_on_decided']:.4f} |"
        for r in lines
    ]
    note = f"{lines[-1]['tested_rows']:,} examples kept out."
    return "\n".join([f"## {task}", "", note, "", head, "|---" * 6 + "|", *rows]) + "\n"


def main() -> None:
    """Draws the curve of each table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", type=Path, nargs="+", help="features.parquet of halt-rag extract-features")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--out", type=Path, required=True, help="without suffix: .json and .md are written")
    args = parser.parse_args()
    curves = {}
    for path in args.features:
        table = read_table(path)
        curves[table.task] = curve(table, shipped_config(table.task), args.sizes, args.draws)
        print(markdown(table.task, curves[table.task]), flush=True)
    args.out.with_suffix(".json").write_text(json.dumps(curves, indent=1) + "\n", encoding="utf-8")
    text = "\n".join(markdown(task, lines) for task, lines in curves.items())
    args.out.with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
