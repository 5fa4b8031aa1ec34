"""Records validated and decoded a second, for growing outputs: is it linear in their size?

    python benchmarks/contracts.py [--repeats 5]

Prints a line per step and size: microseconds a record (the best of the repeats) and records a second. Linear means that
the microseconds stay the same from 1,000 to 100,000 records. Worst cases for the checks among records are included:
all records in one span (repeats), and one span that reaches over all others would raise at once, so spans touch.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

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
    documents = {
        "json.loads alone, for comparison": lambda raw=hallucinations(count): json.loads(raw),
        "parse hallucination_detection": lambda raw=hallucinations(count): parse(raw),
        "  ... from the end": lambda raw=hallucinations(count, backwards=True): parse(raw),
        "  ... all repeats": lambda raw=hallucinations(count, same=True): parse(raw),
    }
    for name in ("citations", "context-attribution"):
        documents[f"parse {name}"] = lambda name=name, raw=keyed(name, count): CONTRACTS[name].parse(raw)
    return {
        **documents,
        "decode_hallucinations": lambda: decode_hallucinations(flags, numbered),
        "decode_citations": lambda: decode_citations(pairs, numbered),
        "decode_attributions": lambda: decode_attributions(pairs, numbered),
        "build a SentenceIndex": lambda: index(count),
    }


def best(step: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest run."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
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
