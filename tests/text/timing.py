"""How a function's time grows with its input: a ratio, so that a slow or busy machine changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable


def growth(work: Callable[[str], object], unit: str, size: int) -> float:
    """CPU time for four times the text by CPU time for the text, the best of three each: 4 is linear, 16 quadratic."""
    return _seconds(work, unit * (4 * size // len(unit))) / max(_seconds(work, unit * (size // len(unit))), 1e-3)


def _seconds(work: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work(text)
        best = min(best, time.process_time() - start)
    return best
