r"""Accuracy of the shipped verifier on the development benchmarks, beside the trivial baselines on the same rows.

    python benchmarks/accuracy.py --bench ../shared/data/bench --cache build/bench.sqlite \
        --out benchmarks/results/accuracy

Scores are cached, so that an interrupted run goes on where it stopped. Beside the verifier stands "NLI alone":
1 - the highest P(entailment), averaged over nothing else, the worst claim for a text. A second table says how often
texts were hallucinated that got a probability in each fifth of the scale, and how accuracy depends on how many of the
texts are decided. No text of a benchmark is kept.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halt_rag.learn.evaluate import evaluate, probability_of
from halt_rag.learn.metrics import Outcomes, auroc, balanced_accuracy
from halt_rag.learn.rows import LabelledRow, read_rows
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.registry import find_backend
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.verify.result import Verification
from halt_rag.verify.verifier import HaltRagVerifier, Item

#: Percentages of the texts that are decided, the most certain ones first.
SHARES = (30, 50, 70, 90, 100)


def sample(rows: list[LabelledRow], most: int) -> list[LabelledRow]:
    """Whole groups, drawn with a fixed seed, until there are ``most`` rows; 0 takes all."""
    if not most or len(rows) <= most:
        return rows
    by_group: dict[str, list[LabelledRow]] = {}
    for i, row in enumerate(rows):
        by_group.setdefault(row.group or str(i), []).append(row)
    groups = sorted(by_group)
    random.Random(0).shuffle(groups)
    drawn: list[LabelledRow] = []
    for group in groups:
        if len(drawn) >= most:
            break
        drawn += by_group[group]
    return drawn


def labels_and_p(rows: list[LabelledRow], verifier: HaltRagVerifier) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Of each text that could be read, as ``of_those_read`` gives them."""
    return of_those_read(rows, verifier.verify_many(Item(r.source, r.generated, r.question) for r in rows))


def of_those_read(
    rows: list[LabelledRow], results: Iterable[Verification]
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Whether each text that could be read is hallucinated, and its P(hallucinated); as in ``evaluate``."""
    p = np.array([probability_of(v) for v in results])
    read = ~np.isnan(p)
    return np.array([r.label == "hallucinated" for r in rows])[read], p[read]


def nli_alone(rows: list[LabelledRow], backend: CachedNLI) -> dict[str, float]:
    """AUROC, and balanced accuracy at 0.5, of 1 - P(entailment) with no features and no calibration."""
    labels, p = labels_and_p(rows, HaltRagVerifier(backend=backend, task=None, locate_evidence=False))
    outcomes = Outcomes(labels, p, np.ones(len(p), dtype=bool), 0.5)
    return {"auroc": auroc(outcomes), "balanced_accuracy": balanced_accuracy(outcomes)}


def reliability(rows: list[LabelledRow], verifier: HaltRagVerifier) -> dict[str, Any]:
    """How often texts of each fifth of the scale were hallucinated, and accuracy on the most certain texts.

    Returns:
        ``bins``: for 0 to 0.2, 0.2 to 0.4, ...: [texts, mean P(hallucinated), share hallucinated];
        ``confident``: for 30, 50, 70, 90 and 100 % of the texts, those farthest from the threshold: the share right.
    """
    labels, p = labels_and_p(rows, verifier)
    which = np.minimum((p * 5).astype(int), 4)
    bins = [
        [int((which == i).sum()), *(round(float(x[which == i].mean()), 3) for x in (p, labels))]
        if (which == i).any()
        else [0, None, None]
        for i in range(5)
    ]
    threshold = verifier.thresholds.threshold
    order = np.argsort(-np.abs(p - threshold), kind="stable")
    right = ((p >= threshold) == labels)[order]
    shares = {f"{share}": round(float(right[: max(1, len(right) * share // 100)].mean()), 3) for share in SHARES}
    return {"bins": bins, "confident": shares}


def reliability_row(report: dict[str, Any]) -> str:
    """One line of the second table."""
    found = report["reliability"]
    cells = ["" if not n else f"{share:.2f} of {n} (said {p:.2f})" for n, p, share in found["bins"]]
    return "| " + " | ".join([report["name"], *cells, *(f"{v:.3f}" for v in found["confident"].values())]) + " |"


def row_of(report: dict[str, Any]) -> str:
    """One line of the table."""

    def cell(figure: dict[str, float | None]) -> str:
        if figure["value"] is None:
            return "undefined"
        return f"{figure['value']:.3f} ({figure['low']:.3f}-{figure['high']:.3f})"

    m, b = report["metrics"], report["baselines"]
    trivial = [f"{b[k]['auroc']['value']:.3f}" if k in b else "" for k in ("length", "overlap", "text_only")]
    cells = [report["name"], str(report["rows"]), cell(m["auroc"]), cell(m["balanced_accuracy"])]
    cells += [f"{report['nli_alone']['auroc']:.3f}", *trivial]
    cells += [f"{m['ece_debiased']['value']:.3f}", f"{m['coverage']['value']:.2f}"]
    cells += ["" if m["accuracy_on_decided"]["value"] is None else f"{m['accuracy_on_decided']['value']:.3f}"]
    return "| " + " | ".join(cells) + " |"


def mean_row(reports: list[dict[str, Any]]) -> str:
    """The last line of the table: plain means over the sets."""

    def mean(values: list[float | None]) -> str:
        return f"{np.mean([v for v in values if v is not None]):.3f}"

    m = [r["metrics"] for r in reports]
    cells = ["mean", str(sum(r["rows"] for r in reports))]
    cells += [mean([x[k]["value"] for x in m]) for k in ("auroc", "balanced_accuracy")]
    cells += [mean([r["nli_alone"]["auroc"] for r in reports])]
    cells += [
        mean([r["baselines"][k]["auroc"]["value"] for r in reports if k in r["baselines"]])
        for k in ("length", "overlap", "text_only")
    ]
    cells += [mean([x[k]["value"] for x in m]) for k in ("ece_debiased", "coverage", "accuracy_on_decided")]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Measures every set and writes the table after each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=Path, required=True, help="folder of the benchmark files")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="without suffix: .json and .md are written")
    parser.add_argument("--backend", default="embedded", help="which NLI backend, such as onnx:FOLDER")
    parser.add_argument("--rows", type=int, default=0, help="at most about this many rows a set; 0: all")
    args = parser.parse_args()
    args.cache.parent.mkdir(parents=True, exist_ok=True)
    backend = CachedNLI(find_backend(args.backend)(), SQLiteScoreStore(args.cache))
    verifier = HaltRagVerifier(backend=backend, locate_evidence=False)
    header = [
        "| set | rows | AUROC (95 %) | balanced accuracy (95 %) | NLI alone AUROC | length | overlap | text only "
        "| ECE, debiased | coverage | accuracy on decided |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    reports: list[dict[str, Any]] = []
    for file in sorted(args.bench.glob("*.jsonl.gz"), key=lambda f: f.stat().st_size):
        rows = sample(read_rows(file), args.rows)
        report = evaluate(rows, verifier, name=file.name.removesuffix(".jsonl.gz"))
        report["nli_alone"] = nli_alone(rows, backend)
        report["reliability"] = reliability(rows, verifier)
        reports.append(report)
        print(row_of(report), flush=True)
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.with_suffix(".json").write_text(json.dumps(reports, indent=1) + "\n")
        ordered = sorted(reports, key=lambda r: str(r["name"]))
        lines = header + [row_of(r) for r in ordered] + [mean_row(reports)]
        lines += [
            "",
            "| set | 0-.2 | .2-.4 | .4-.6 | .6-.8 | .8-1 | " + " | ".join(f"right of {s} %" for s in SHARES) + " |",
        ]
        lines += ["|---" * (6 + len(SHARES)) + "|", *(reliability_row(r) for r in ordered)]
        means = [np.mean([r["reliability"]["confident"][f"{s}"] for r in reports]) for s in SHARES]
        lines += ["| mean | | | | | | " + " | ".join(f"{m:.3f}" for m in means) + " |"]
        args.out.with_suffix(".md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
