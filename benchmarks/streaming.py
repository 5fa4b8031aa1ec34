r"""What it costs to check a text while it is written, as a share of checking it at once.

    python -m benchmarks.streaming --repeats 5
    python -m benchmarks.streaming --backend fake --sentences 100 300 1000 3000

The first measures the latency to the first claim of a text of twelve sentences that arrives word by word: all that is
spent until the first result is there, sources included. The second measures how the cost grows with the text, which
arrives in pieces of twelve characters, in processor time; the fake backend takes next to none, so that the rest shows.
Only the time inside the verifier counts, not the wait for the next piece. Medians over repeats, as Markdown.
"""

from __future__ import annotations

import argparse
import random
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


def long_answer(sentences: int, *, in_paragraph: int) -> str:
    """A text of so many sentences, in paragraphs of so many."""
    chosen = random.Random(7)
    things = "harbour dam keeper lamp museum river bridge tower ferry island".split()
    written = [
        f"The {chosen.choice(things)} near the {chosen.choice(things)} holds {number} old {chosen.choice(things)}s."
        for number in range(sentences)
    ]
    starts = range(0, sentences, in_paragraph)
    return "\n\n".join(" ".join(written[start : start + in_paragraph]) for start in starts)


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


def latency(verifier: HaltRagVerifier, repeats: int) -> None:
    """Prints when the first claim of a short text is there."""
    source, text = answer()
    whole: list[float] = []
    runs: list[dict[str, float]] = []
    for _ in range(repeats):
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


def growth(verifier: HaltRagVerifier, sizes: list[int], repeats: int) -> None:
    """Prints how the cost grows with the text: in paragraphs of five sentences, and in a single paragraph."""
    source = "The dam was built in 1967. It holds 40 million litres. Anna Keller designed it."
    print("| sentences | in a paragraph | at once, s | streamed, s | share of at once |\n|---|---|---|---|---|")
    for size in sizes:
        for in_paragraph in (5, size):
            text = long_answer(size, in_paragraph=in_paragraph)
            whole, runs = [], []
            for _ in range(repeats):
                started = time.process_time()
                verifier.verify(source, text)
                whole.append(time.process_time() - started)
                started = time.process_time()
                for _ in verifier.stream(source).over(re.findall(".{1,12}", text, re.DOTALL)):
                    pass
                runs.append(time.process_time() - started)
            once, seconds = statistics.median(whole), statistics.median(runs)
            share = seconds / once
            print(f"| {size:,} | {in_paragraph:,} | {once:.2f} | {seconds:.2f} | {share:.2f} |", flush=True)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--backend", default="embedded")
    parser.add_argument("--sentences", type=int, nargs="+", help="how long the texts are that grow")
    args = parser.parse_args()
    verifier = HaltRagVerifier(backend=find_backend(args.backend)())
    verifier.verify("It rained.", "It rained.")
    if args.sentences:
        growth(verifier, args.sentences, args.repeats)
    else:
        latency(verifier, args.repeats)


if __name__ == "__main__":
    main()
