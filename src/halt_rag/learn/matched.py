"""A part of the data on which the length of a text says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def length_matched(words: Sequence[int], hallucinated: NDArray[np.bool_], *, seed: int = 0) -> NDArray[np.intp]:
    """Rows, as many supported as hallucinated ones of each length, drawn with the seed.

    On them, length alone has an AUROC of exactly 0.5. They are balanced, whatever the data is.

    Args:
        words: How many words each text has.
        hallucinated: The labels.
        seed: For the draw.
    """
    by_length: dict[int, tuple[list[int], list[int]]] = {}
    for row, (length, label) in enumerate(zip(words, hallucinated.tolist(), strict=True)):
        by_length.setdefault(length, ([], []))[label].append(row)
    rng = Random(seed)  # noqa: S311 - a sample, no secret
    drawn: list[int] = []
    for _, (supported, wrong) in sorted(by_length.items()):
        most = min(len(supported), len(wrong))
        drawn += rng.sample(supported, most) + rng.sample(wrong, most)
    return np.array(sorted(drawn), dtype=np.intp)
