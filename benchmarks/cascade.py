r"""A cascade of two models: what it saves at equal accuracy.

    python -m benchmarks.cascade --data ../shared/data/bench --first embedded --second local --rows 300

Both models and several cascades of them verify the same rows; a cascade differs by its band, the probabilities of the
first model with which a claim goes on to the second. Printed for each: AUROC, balanced accuracy of what is decided
(texts, threshold of the model that decided), coverage, pairs of each model, and the share of the second model's own
pairs that it saves. Rows are drawn by group with a fixed seed; nothing is tuned here. A band is to be chosen on
calibration rows (``--data`` names the folder), not on those that are reported.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import of_those_read, sample
from halt_rag.learn.metrics import Outcomes, auroc, balanced_accuracy
from halt_rag.learn.rows import LabelledRow, read_rows
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.registry import find_backend
from halt_rag.nli.scores import NLIBackend
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.verify.verifier import Cascade, HaltRagVerifier, Item

BANDS = (None, (0.4, 0.6), (0.3, 0.7), (0.2, 0.8), (0.1, 0.9))


def measured(rows: list[LabelledRow], verifier: HaltRagVerifier) -> dict[str, Any]:
    """Accuracy and pairs of one verifier."""
    results = list(verifier.verify_many(Item(r.source, r.generated, r.question) for r in rows))
    pairs = np.sum([v.receipt.pairs_by_tier for v in results], axis=0).tolist()
    decided = [(r, v) for r, v in zip(rows, results, strict=True) if v.decision != "abstain"]
    labels, p = of_those_read(rows, results)
    truth = np.array([r.label == "hallucinated" for r, _ in decided])
    said = np.array([v.decision == "hallucinated" for _, v in decided], dtype=float)
    return {
        "auroc": auroc(Outcomes(labels, p, np.ones(len(p), dtype=bool), 0.5)),
        "balanced": balanced_accuracy(Outcomes(truth, said, np.ones(len(said), dtype=bool), 0.5)),
        "coverage": len(decided) / len(rows),
        "pairs": pairs,
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of .jsonl.gz files")
    parser.add_argument("--first", default="embedded", help="backend of nli/registry.py")
    parser.add_argument("--second", default="embedded")
    parser.add_argument("--rows", type=int, default=200, help="rows of each file")
    parser.add_argument("--cache", type=Path, help="keep scores in this SQLite file")
    args = parser.parse_args()

    def backend(name: str) -> NLIBackend:
        found = find_backend(name)()
        return CachedNLI(found, SQLiteScoreStore(args.cache)) if args.cache else found

    first, second = backend(args.first), backend(args.second)
    rows = [row for file in sorted(args.data.glob("*.jsonl.gz")) for row in sample(read_rows(file), args.rows)]
    systems: dict[str, HaltRagVerifier] = {
        f"first alone ({args.first})": HaltRagVerifier(backend=first, locate_evidence=False),
        f"second alone ({args.second})": HaltRagVerifier(backend=second, locate_evidence=False),
    }
    for band in BANDS:
        name = "undecided only" if band is None else f"band {band[0]}-{band[1]}"
        systems[name] = HaltRagVerifier(backend=first, cascade=Cascade([second], band=band), locate_evidence=False)
    print(
        f"{len(rows)} rows\n\n| | AUROC | balanced accuracy | coverage | pairs, first | second | second's pairs saved |"
    )
    print("|---|---|---|---|---|---|---|")
    alone = 0
    for name, verifier in systems.items():
        found = measured(rows, verifier)
        pairs = found["pairs"]
        if name.startswith("second"):
            alone, pairs = pairs[0], [0, pairs[0]]
        shown = [*pairs, 0][:2]
        saved = f"{1 - shown[1] / alone:.0%}" if alone and shown[0] else ""
        cells = [f"{found[key]:.3f}" for key in ("auroc", "balanced", "coverage")]
        print("| " + " | ".join([name, *cells, *map(str, shown), saved]) + " |", flush=True)


if __name__ == "__main__":
    main()
