"""How good are decisions where only the most certain are made? Equally certain rows always count together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def risk_coverage(
    wrong: NDArray[np.bool_], certainty: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The share of wrong decisions among the most certain rows, for each number of rows.

    Args:
        wrong: Which decisions are wrong, shape (rows,).
        certainty: How certain each is. Among equally certain rows, wrong ones are spread evenly, so that the order of
            the rows does not matter.

    Returns:
        Coverage (1/rows to 1) and risk, both of shape (rows,).
    """
    _, block = np.unique(-certainty, return_inverse=True)
    made = np.arange(1, len(wrong) + 1)
    return made / len(wrong), np.cumsum(spread_evenly(wrong.astype(np.float64), block)) / made


def spread_evenly(values: NDArray[np.float64], block: NDArray[np.intp]) -> NDArray[np.float64]:
    """The mean of the values of its block for each row, rows in the order of the blocks; shape (rows,)."""
    found: NDArray[np.float64] = (np.bincount(block, weights=values) / np.bincount(block))[np.sort(block)]
    return found


def aurc(wrong: NDArray[np.bool_], certainty: NDArray[np.float64]) -> float:
    """Area under the risk-coverage curve: mean risk over all coverages, 0 to 1, lower is better (Geifman 2018)."""
    return float(risk_coverage(wrong, certainty)[1].mean()) if len(wrong) else math.nan


def augrc(wrong: NDArray[np.bool_], certainty: NDArray[np.float64]) -> float:
    """Area under the generalised risk-coverage curve, 0 to 0.5, lower is better (Traub et al. 2024, arXiv:2407.01032).

    Its risk is the share of all rows that is decided, and wrongly; unlike ``aurc``, it does not weigh the few most
    certain rows more than others.
    """
    if not len(wrong):
        return math.nan
    coverage, risk = risk_coverage(wrong, certainty)
    return float((coverage * risk).mean())


def coverage_at_precision(
    called: NDArray[np.bool_], hallucinated: NDArray[np.bool_], certainty: NDArray[np.float64], precision: float
) -> float | None:
    """The largest share of rows, the most certain first, among which calls of "hallucinated" have this precision.

    Returns:
        The share, or None where no share with at least one call has it. It is found on these rows: on new ones the
        precision at this coverage can be lower.
    """
    order = np.argsort(-certainty, kind="stable")
    ends = np.append(np.diff(certainty[order]) != 0, np.ones(1, dtype=bool))
    calls = np.cumsum(called[order])
    right = np.cumsum((called & hallucinated)[order])
    reached = np.flatnonzero(ends & (calls > 0) & (right >= precision * calls - 1e-9))
    return float(reached[-1] + 1) / len(order) if len(reached) else None
