"""Cuts a response into the spans that are judged: what has citations, and the gaps between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from halt_rag.text.spans import Span


@dataclass(frozen=True, slots=True)
class ResponseSpan:
    """A part of a response.

    Attributes:
        span: Its place, in code points.
        text: Its text, without white space around it.
        cited: Whether a citation covers it.
    """

    span: Span
    text: str
    cited: bool


def cut(response: str, cited: Iterable[tuple[int, int]]) -> list[ResponseSpan]:
    """Cuts a response at the edges of its citations.

    Ranges that overlap are one span; ranges that only touch stay two. What lies outside the response, a range that is
    empty or runs backwards, and parts of white space only are left out.

    Args:
        response: The response.
        cited: Half-open ranges of the response that have a citation, in any order and with repeats.

    Returns:
        The spans in order. Together they hold everything that is not white space.
    """
    ranges: list[tuple[int, int]] = []
    for begin, end in sorted((max(0, begin), min(end, len(response))) for begin, end in cited):
        if begin >= end:
            continue
        if ranges and begin < ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], end))
        else:
            ranges.append((begin, end))
    covered = set(ranges)
    edges = sorted({0, len(response), *(edge for ends in ranges for edge in ends)})
    parts = [(Span(*ends), response[slice(*ends)].strip(), ends in covered) for ends in pairwise(edges)]
    return [ResponseSpan(span, text, is_cited) for span, text, is_cited in parts if text]
