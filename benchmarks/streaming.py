r"""Latency to the first claim while a text of twelve sentences is written, as a share of checking it at once.

    python -m benchmarks.streaming --repeats 5

The text arrives word by word. Only the time inside the verifier counts, not the wait for the next word; "to the first
claim" is all that is spent until the first result is there, sources included. Medians over repeats, as Markdown.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time

from benchmarks.process import texts
from halt_rag.nli.registry import find_backend
from halt_rag.verify.verifier import HaltRagVerifier


def answer() -> tuple[str, str]:
    """A source of about 1,000 words and a text of twelve sentences, of which three are false."""
    source, _ = texts()
    sentences = [s for s in re.split(r"(?<=\.) ", source) if len(s.split()) > 8][:9]
    false = [f"The keeper sold {n} lamps to the museum of Trondheim." for n in (14, 15, 16)]
    return source, " ".join(part for i in range(3) for part in [*sentences[3 * i : 3 * i + 3], false[i]])


def streamed(verifier: HaltRagVerifier, source: str, text: str) -> dict[str, float]:
    """Seconds inside the verifier: reading the sources, until the first claim, after the last word, and in all."""
    started = time.perf_counter()
    stream = verifier.stream(source)
    spent = opened = time.perf_counter() - started
    first = 0.0
    for piece in re.findall(r"\s*\S+", text):
        started = time.perf_counter()
        claims = stream.feed(piece)
        spent += time.perf_counter() - started
        if claims and not first:
            first = spent
    started = time.perf_counter()
    stream.finish()
    last = time.perf_counter() - started
    return {"sources": opened, "first claim": first, "after the last word": last, "in all": spent + last}


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--backend", default="embedded")
    args = parser.parse_args()
    verifier = HaltRagVerifier(backend=find_backend(args.backend)())
    source, text = answer()
    verifier.verify("It rained.", "It rained.")
    whole: list[float] = []
    runs: list[dict[str, float]] = []
    for _ in range(args.repeats):
        started = time.perf_counter()
        result = verifier.verify(source, text)
        whole.append(time.perf_counter() - started)
        runs.append(streamed(verifier, source, text))
    once = statistics.median(whole)
    print(f"{len(result.claims)} claims, {result.receipt.pairs_scored} pairs, at once {once:.2f} s\n")
    print("| streamed | seconds | share of at once |\n|---|---|---|")
    for name in runs[0]:
        seconds = statistics.median(run[name] for run in runs)
        print(f"| {name} | {seconds:.3f} | {seconds / once:.2f} |")


if __name__ == "__main__":
    main()
