"""Measures a verifier on labelled rows, beside the trivial baselines on the same rows."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from halt_rag.errors import InputError
from halt_rag.learn.baselines import baselines
from halt_rag.learn.files import write_whole
from halt_rag.learn.metrics import Outcomes, measure
from halt_rag.learn.rows import LabelledRow, groups_of
from halt_rag.verify.result import Verification
from halt_rag.verify.verifier import HaltRagVerifier, Item

Progress = Callable[[int, int], None]

_OF_BASELINES = ("balanced_accuracy", "auroc")


def evaluate(
    rows: Sequence[LabelledRow],
    verifier: HaltRagVerifier,
    *,
    name: str = "data",
    progress: Progress | None = None,
    resamples: int = 1000,
) -> dict[str, Any]:
    """Verifies every row and measures the outcome.

    Args:
        rows: The labelled rows.
        verifier: The verifier to measure.
        name: What the data is called in the report.
        progress: Called with the number of rows done and of all rows.
        resamples: How many times groups are drawn anew for each interval.

    Returns:
        The report: JSON-ready, undefined figures null. ``metrics``: a text with nothing to check is accepted, so it
        counts as called supported, at P(hallucinated) = 0; one that could not be read counts as undecided in coverage
        and in no other figure. ``without_probability`` counts both. ``baselines`` over the rows that were read, cost,
        and the model.

    Raises:
        InputError: If there is no row, or one cannot be verified.
    """
    if not rows:
        raise InputError("There are no rows to evaluate.")
    started = time.perf_counter()
    results = _verify(rows, verifier, progress)
    seconds = time.perf_counter() - started
    groups = groups_of(rows)
    outcomes = Outcomes(
        np.array([row.label == "hallucinated" for row in rows], dtype=bool),
        np.array([probability_of(r) for r in results], dtype=np.float64),
        np.array([r.decision != "abstain" for r in results], dtype=bool),
        verifier.thresholds.threshold,
    )
    read: list[int] = np.flatnonzero(~np.isnan(outcomes.p)).tolist()
    read_groups, hallucinated = [groups[i] for i in read], outcomes.hallucinated[read]
    trivial = baselines([rows[i] for i in read], read_groups, hallucinated)
    everything = np.ones(len(read), dtype=bool)
    pairs = sum(r.receipt.pairs_scored for r in results)
    return {
        "name": name,
        "rows": len(rows),
        "without_probability": sum(r.calibrated_prob is None for r in results),
        "truncated": sum(r.receipt.truncated for r in results),
        "hallucinated": int(outcomes.hallucinated.sum()),
        "groups": len(set(groups)),
        "threshold": verifier.thresholds.threshold,
        "metrics": measure(outcomes, groups, resamples=resamples),
        "baselines": {
            kind: measure(
                Outcomes(hallucinated, p, everything, 0.5), read_groups, names=_OF_BASELINES, resamples=resamples
            )
            for kind, p in trivial.items()
        },
        "cost": {"pairs": pairs, "seconds": round(seconds, 2), "pairs_per_second": round(pairs / seconds, 1)},
        "model": results[0].model.model_dump(),
        "rows_sha256": _hash(rows),
    }


def probability_of(result: Verification) -> float:
    """P(hallucinated); 0 where a text with nothing to check is accepted without one, NaN where it was not read."""
    if result.calibrated_prob is not None:
        return result.calibrated_prob
    return 0.0 if result.decision == "supported" else math.nan


def _verify(rows: Sequence[LabelledRow], verifier: HaltRagVerifier, progress: Progress | None) -> list[Verification]:
    results: list[Verification] = []
    stream = verifier.verify_many(Item(row.source, row.generated, row.question) for row in rows)
    while len(results) < len(rows):
        try:
            results.append(next(stream))
        except InputError as error:
            place = f"between rows {len(results) + 1} and {min(len(rows), len(results) + 32)}"
            raise InputError(f"A row cannot be verified, {place}: {error}") from error
        if progress:
            progress(len(results), len(rows))
    return results


def _hash(rows: Sequence[LabelledRow]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps(row.model_dump(), sort_keys=True, ensure_ascii=False).encode())
    return digest.hexdigest()


def table(report: dict[str, Any]) -> str:
    """The report as a Markdown table, figures with their 95 % intervals."""
    lines = [
        f"## {report['name']}",
        "",
        f"{report['rows']} rows ({report['hallucinated']} hallucinated, {report['groups']} groups), "
        f"threshold {report['threshold']:.3f}; {report['without_probability']} rows without a probability. "
        f"{report['cost']['pairs']} pairs in {report['cost']['seconds']} s "
        f"({report['cost']['pairs_per_second']} pairs/s). Model {report['model']['model_id']} "
        f"{report['model']['revision']}, artifact {report['model']['artifact']}.",
        "",
        "| figure | value | 95 % interval |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {_cell(m['value'])} | {_interval(m)} |" for name, m in report["metrics"].items()]
    for kind, figures in report["baselines"].items():
        lines += [f"| {kind} baseline: {name} | {_cell(m['value'])} | {_interval(m)} |" for name, m in figures.items()]
    return "\n".join(lines) + "\n"


def _cell(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _interval(figure: dict[str, float | None]) -> str:
    return "" if figure["low"] is None else f"{figure['low']:.3f} to {figure['high']:.3f}"


def write(report: dict[str, Any], folder: Path) -> None:
    """Writes ``metrics.json`` and ``metrics.md``.

    Raises:
        ConfigurationError: If the folder cannot be written.
    """
    write_whole(folder / "metrics.json", json.dumps(report, indent=1, allow_nan=False) + "\n")
    write_whole(folder / "metrics.md", table(report))
