"""How a function's time grows with its input: a ratio, so that a slow or busy machine changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable


def growth(work: Callable[[str], object], unit: str, size: int) -> float:
    """CPU time for four times the text by CPU time for the text, the best of three each: 4 is linear, 16 quadratic.

    What looks more than linear is measured again: other load on the machine passes, a quadratic case stays.
    """
    ratio = float("inf")
    for _ in range(4):
        long, short = unit * (4 * size // len(unit)), unit * (size // len(unit))
        ratio = min(ratio, _seconds(work, long) / max(_seconds(work, short), 1e-3))
        if ratio < 6:
            break
    return ratio


def _seconds(work: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work(text)
        best = min(best, time.process_time() - start)
    return best
