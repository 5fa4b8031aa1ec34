r"""Does a floor for precision hold on rows that were not seen? 200 resamples of out-of-fold predictions.

    python -m benchmarks.guarantee build/tasks/evaluation_results/*/oof_calibrated_pred.jsonl \
        --out benchmarks/results/guarantee

Each resample draws groups at random: some to fix the order of thresholds, as many to test them, and the rest to see
which precision the calls really have: those from the upper edge of the band of abstention on. Beside it stands the
usual choice: the best F1 among the thresholds whose precision on the same rows (both parts together) is at least the
floor. "Missed" counts resamples whose precision on the rest is below the floor; the promise is at most 1 - confidence
of them. The claims, which leave some calls open, are not in the predictions and play no part here. The rest is finite,
so that its precision is itself uncertain by about its standard error, which the table has.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halt_rag.learn.metrics import rows_by_group
from halt_rag.learn.threshold import Scored, best_f1, guaranteed

FLOORS = (0.70, 0.80, 0.90)
CONFIDENCE = 0.90


def read(path: Path) -> tuple[NDArray[np.float64], NDArray[np.bool_], list[str]]:
    """Probabilities, labels and groups."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    labels = np.array([line["label"] == "hallucinated" for line in lines])
    return np.array([line["calibrated_prob"] for line in lines]), labels, [line["group"] for line in lines]


def precision(rows: Scored, threshold: float) -> float:
    """Precision of the rows from a threshold on."""
    called = rows.p >= threshold
    return float(rows.hallucinated[called].mean()) if called.any() else math.nan


def resampled(path: Path, floor: float, *, share: float, resamples: int, coverage: float) -> dict[str, Any]:
    """Outcomes of all resamples for one file and one floor."""
    p, labels, groups = read(path)
    rows = Scored(p, labels, np.ones(len(p), dtype=bool))
    members = rows_by_group(groups)
    names = sorted(members)
    part = round(share * len(names))
    found: dict[str, list[float]] = {"guaranteed": [], "usual": []}
    errors, recalls = [], []
    for seed in range(resamples):
        order = np.random.default_rng(seed).permutation(len(names))
        drawn = [np.array([r for g in chunk for r in members[names[g]]]) for chunk in np.split(order, [part, 2 * part])]
        chosen, tested, rest = (rows.take(numbers) for numbers in drawn)
        cuts, _ = guaranteed(
            chosen,
            tested,
            [groups[r] for r in drawn[1].tolist()],
            precision=floor,
            confidence=CONFIDENCE,
            coverage=coverage,
        )
        if cuts is not None:
            called, right = rest.called(cuts)
            found["guaranteed"].append(right / called if called else math.nan)
            errors.append(math.sqrt(floor * (1 - floor) / max(1, called)))
            recalls.append(right / int(rest.hallucinated.sum()))
        both = np.concatenate([drawn[0], drawn[1]])
        usual = best_f1(p[both], labels[both], min_precision=floor)
        if usual is not None:
            found["usual"].append(precision(rest, usual))
    return {
        "file": path.parent.name if path.name == "oof_calibrated_pred.jsonl" else path.stem,
        "rows": len(p),
        "rows_drawn": 2 * part * len(p) // len(names),
        "floor": floor,
        "resamples": resamples,
        "guaranteed": _summed(found["guaranteed"], floor, resamples),
        "usual": _summed(found["usual"], floor, resamples),
        "mean_recall_when_guaranteed": float(np.mean(recalls)) if recalls else None,
        "standard_error_of_the_rest": float(np.mean(errors)) if errors else None,
    }


def _summed(precisions: list[float], floor: float, resamples: int) -> dict[str, Any]:
    return {
        "threshold_found": len(precisions) / resamples,
        "missed": sum(x < floor for x in precisions) / resamples,
        "lowest": min(precisions, default=None),
    }


def table(reports: list[dict[str, Any]]) -> str:
    """The outcomes as Markdown."""
    head = (
        "| predictions | rows drawn | floor | found | missed | missed by the usual choice | recall | SE of the rest |"
    )
    lines = [head, "|" + "---|" * 8]
    for r in reports:
        recall, error = r["mean_recall_when_guaranteed"], r["standard_error_of_the_rest"]
        cells = [
            r["file"], f"{r['rows_drawn']:,} of {r['rows']:,}", f"{r['floor']:.2f}",
            f"{r['guaranteed']['threshold_found']:.1%}", f"{r['guaranteed']['missed']:.1%}",
            f"{r['usual']['missed']:.1%}", "" if recall is None else f"{recall:.2f}",
            "" if error is None else f"{error:.3f}",
        ]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Resamples every file at every floor and writes the outcomes; fails where the promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("predictions", type=Path, nargs="+", help="oof_calibrated_pred.jsonl of evaluated tasks")
    parser.add_argument("--share", type=float, default=0.25, help="share of the groups in each of the two drawn parts")
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--coverage", type=float, default=0.9, help="share of the rows outside the band of abstention")
    parser.add_argument("--out", type=Path, required=True, help="without suffix: .json and .md are written")
    args = parser.parse_args()
    reports = [
        resampled(path, floor, share=args.share, resamples=args.resamples, coverage=args.coverage)
        for path in args.predictions
        for floor in FLOORS
    ]
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.with_suffix(".json").write_text(json.dumps(reports, indent=1) + "\n", encoding="utf-8")
    args.out.with_suffix(".md").write_text(table(reports), encoding="utf-8")
    print(table(reports))
    if any(r["guaranteed"]["missed"] > 1 - CONFIDENCE for r in reports):
        raise SystemExit("The floor was missed more often than promised.")


if __name__ == "__main__":
    main()
