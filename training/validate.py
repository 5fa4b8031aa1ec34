r"""Measures weights on the validation split of the training sources, by set and kind of twin; lists the worst errors.

    python -m training.validate --weights build/base/model.pt --data ../shared/data/train --encoder build/encoder \\
        --out build/base/validation

Writes ``OUT.json`` (accuracy of entailed or not, AUROC and share of twin pairs with both right, each with its number of
rows) and ``OUT.errors.jsonl``, which holds text of the sets and stays out of the repository. The benchmarks are not
read.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from training.data import VALIDATION, Example, load, twins
from training.encoder import tokenizer_in
from training.model import CrossEncoder, from_weights
from training.train import collate, encoded


def entailment(model: CrossEncoder, ids: list[list[int]]) -> NDArray[np.float64]:
    """P(entailment) of each pair."""
    p = np.zeros(len(ids))
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    model.eval()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(order), 32):
            part = order[start : start + 32]
            p[part] = torch.softmax(model(*collate([ids[i] for i in part])).float(), -1)[:, 0].numpy()
    return p


def by_kind(examples: list[Example], p: NDArray[np.float64]) -> dict[str, dict[str, Any]]:
    """Figures of each set and each kind of twin."""
    rows: dict[str, list[int]] = defaultdict(list)
    for i, example in enumerate(examples):
        rows[example.dataset].append(i)
        if example.dataset.startswith(("made", "twin")):
            rows[example.dataset.split("_")[0]].append(i)
    found = {}
    for name, where in sorted(rows.items()):
        truth = np.array([examples[i].target == 0 for i in where])
        right = (p[where] > 0.5) == truth
        found[name] = {"rows": len(where), "accuracy": round(float(right.mean()), 3)}
        if 0 < truth.sum() < len(truth):
            found[name]["auroc"] = round(float(roc_auc_score(truth, p[where])), 3)
        if name.startswith("made"):
            both: dict[str, list[bool]] = defaultdict(list)
            for i, good in zip(where, right.tolist(), strict=True):
                both[examples[i].group].append(good)
            pairs = [all(pair) for pair in both.values()]
            found[name] |= {"pairs": len(pairs), "both_right": round(float(np.mean(pairs)), 3)}
    return found


def main() -> None:
    """Scores, counts, lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training sets")
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=2000, help="about this many of the public sets, beside all twins")
    parser.add_argument("--errors", type=int, default=100)
    args = parser.parse_args()

    tokenizer = tokenizer_in(args.encoder / "mpnet")
    rows = load(args.data, "validation", VALIDATION)
    examples = rows[:: max(1, len(rows) // args.rows)] + twins(args.data, "validation", VALIDATION)
    examples, ids = encoded(tokenizer, examples)
    p = entailment(from_weights(args.encoder / "mpnet", args.weights), ids)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    report = by_kind(examples, p)
    args.out.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    worst = sorted(range(len(examples)), key=lambda i: abs(p[i] - (examples[i].target == 0)), reverse=True)
    with args.out.with_suffix(".errors.jsonl").open("w", encoding="utf-8") as lines:
        for i in worst[: args.errors]:
            e = examples[i]
            record = {"dataset": e.dataset, "entailed": e.target == 0, "p": round(float(p[i]), 4)}
            lines.write(json.dumps(record | {"premise": e.premise, "hypothesis": e.hypothesis}) + "\n")
    for name, row in report.items():
        print(name, row)


if __name__ == "__main__":
    main()
