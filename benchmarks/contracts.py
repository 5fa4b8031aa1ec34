"""Records validated and decoded a second, for growing outputs: is it linear in their size?

    python benchmarks/contracts.py [--repeats 5]

Prints for each step the processor time a record, in microseconds, at three sizes (the best of the repeats), and records
a second at the largest. Linear means that the microseconds stay the same. The orders that are hardest for the checks
among records are included: spans from the end of the response to its beginning, and all records in one span.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial

from halt_rag.contracts import (
    CONTRACTS,
    SentenceIndex,
    decode_attributions,
    decode_citations,
    decode_hallucinations,
)
from halt_rag.contracts.hallucination_detection import LABELS
from halt_rag.text.spans import Span

SIZES = (1_000, 10_000, 100_000)
WIDTH = 60


def hallucinations(count: int, *, backwards: bool = False, same: bool = False) -> str:
    """Touching spans in order or from the end, or one span again and again."""
    order = range(count - 1, -1, -1) if backwards else range(count)
    places = [0] * count if same else list(order)
    return json.dumps(
        [
            {
                "response_begin": place * WIDTH,
                "response_end": (place + 1) * WIDTH,
                "response_text": "x" * WIDTH,
                "faithfulness": LABELS[place % 4],
                "explanation": "The second document says so.",
            }
            for place in places
        ]
    )


def keyed(name: str, count: int) -> str:
    """Records with all keys of a contract and small values."""
    return json.dumps([dict.fromkeys(sorted(CONTRACTS[name].expected_keys), 7)] * count)


def index(count: int) -> SentenceIndex:
    """A response and a document of so many sentences, without the splitter, whose time is not the question here."""

    def split(text: str) -> list[Span]:
        return [Span(start, start + WIDTH) for start in range(0, len(text), WIDTH)]

    text = ("x" * (WIDTH - 2) + ". ") * count
    return SentenceIndex(text, [text], split=split)


def steps(count: int) -> dict[str, Callable[[], object]]:
    """What is measured, each over so many records."""
    parse = CONTRACTS["hallucination_detection"].parse
    numbered = index(count)
    flags = json.dumps([{"r": i, "f": "faithful", "e": "The second document says so."} for i in range(count)])
    pairs = json.dumps([{"r": i, "c": [i]} for i in range(count)])
    return {
        "json.loads alone, for comparison": partial(json.loads, hallucinations(count)),
        "parse hallucination_detection": partial(parse, hallucinations(count)),
        "  ... from the end": partial(parse, hallucinations(count, backwards=True)),
        "  ... all repeats": partial(parse, hallucinations(count, same=True)),
        "parse citations": partial(CONTRACTS["citations"].parse, keyed("citations", count)),
        "parse context-attribution": partial(
            CONTRACTS["context-attribution"].parse, keyed("context-attribution", count)
        ),
        "decode_hallucinations": partial(decode_hallucinations, flags, numbered),
        "decode_citations": partial(decode_citations, pairs, numbered),
        "decode_attributions": partial(decode_attributions, pairs, numbered),
        "build a SentenceIndex": partial(index, count),
    }


def best(step: Callable[[], object], repeats: int) -> float:
    """Processor seconds of the fastest run: on a shared machine the clock on the wall measures the neighbours."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        step()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    print(f"{'step':36}" + "".join(f"{f'us/record at {size:,}':>24}" for size in SIZES) + f"{'records/s':>14}")
    measured = {size: {name: best(step, repeats) for name, step in steps(size).items()} for size in SIZES}
    for name in measured[SIZES[0]]:
        cells = "".join(f"{measured[size][name] / size * 1e6:>24.2f}" for size in SIZES)
        print(f"{name:36}{cells}{SIZES[-1] / measured[SIZES[-1]][name]:>14,.0f}")


if __name__ == "__main__":
    main()
