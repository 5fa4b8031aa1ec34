r"""Long sources: does the index find the windows that decide, and what does it save?

    python -m benchmarks.long_sources recall --data ../shared/data/train
    python -m benchmarks.long_sources recall --data ../shared/data/bench --sets vitaminc_test healthver_dev
    python -m benchmarks.long_sources agreement --data ../shared/data/train --rows 60 --windows 60
    python -m benchmarks.long_sources cost --data ../shared/data/train --words 1000 10000 100000

``recall`` asks no model: the sources of many supported rows of one set are put into one corpus, and for each row the
rank of the window of its own source is looked up. A hallucinated row shows how often the windows that are not read are
ruled out; ``--missed FILE`` notes the rows whose window is not among the first, to be read. ``agreement`` reads rows
among distractor passages exhaustively and by the index and compares labels and deciding windows. ``cost`` measures
pairs, seconds and peak memory, each reading in a process of its own. Rows are drawn with a fixed seed.
Results are printed as Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halt_rag.learn.rows import LabelledRow, read_rows
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.registry import find_backend
from halt_rag.text.windows import windows
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.checking import FIRST, TOO_LITTLE
from halt_rag.verify.claims import claims_of
from halt_rag.verify.index import WindowIndex, ranked
from halt_rag.verify.lexical import Lexemes, lexemes
from halt_rag.verify.sources import as_passages
from halt_rag.verify.verifier import HaltRagVerifier

#: Sets of which a claim says by itself what it is about: one on "the primary trial" fits every trial record.
SETS = ("fever_gold", "ares_synth", "factcg_synth", "covidfact", "mctest_statements")


def rows_of(folder: Path, name: str, label: str, most: int) -> list[LabelledRow]:
    """Rows with different sources, drawn with a fixed seed."""
    rows = [row for row in read_rows(folder / f"{name}.jsonl.gz") if row.label == label]
    random.Random(0).shuffle(rows)
    by_source = {text_of(row): row for row in rows}
    return list(by_source.values())[:most]


def text_of(row: LabelledRow) -> str:
    """The source of a row as one text."""
    return "\n\n".join(p.text for p in as_passages(row.source))


def asked(row: LabelledRow) -> str:
    """What a model is asked about the first claim of a row."""
    claims = claims_of(row.generated, row.question)
    return next((c.hypothesis for c in claims if c.hypothesis), row.generated)


def ruled_out(words: Lexemes, index: WindowIndex, most: int) -> bool:
    """Whether the windows beyond those that are read cannot support a claim."""
    left = np.sort(index.coverage(words))[::-1][most:]
    return bool(len(left) and left[0] < TOO_LITTLE and index.reaches(words))


@dataclass
class Corpus:
    """The sources of many rows in windows: of which row each is, its text, its words, and how many words all have."""

    owner: NDArray[np.int64]
    texts: list[str]
    parts: list[Lexemes]
    words: int

    @classmethod
    def of(cls, rows: Sequence[LabelledRow]) -> Corpus:
        """The sources of rows, cut as the embedded model reads them."""
        settings, sources = PipelineSettings(), [text_of(row) for row in rows]
        cut = windows(sources, EmbeddedNLI().tokenizer, budget=settings.window_tokens, overlap=settings.overlap_tokens)
        texts = [w.span.of(sources[w.passage]) for w in cut]
        owner = np.array([w.passage for w in cut])
        return cls(owner, texts, [lexemes(text) for text in texts], sum(len(text.split()) for text in sources))


def places(index: WindowIndex, corpus: Corpus, claims: Sequence[Lexemes]) -> list[tuple[int, int, float]]:
    """For each claim: the place of its window that comes first, which window that is, and its score."""
    found = []
    for i, words in enumerate(claims):
        coverage = index.coverage(words)
        order = ranked(coverage)
        place = next(place for place, window in enumerate(order) if corpus.owner[window] == i)
        found.append((place, order[place], float(coverage[order[place]])))
    return found


def building(corpus: Corpus) -> float:
    """Milliseconds of processor time to build the index of 100,000 words, without taking the windows apart."""
    times = []
    for _ in range(7):
        started = time.process_time()
        WindowIndex(corpus.parts)
        times.append(time.process_time() - started)
    return 1000 * min(times) * 100_000 / corpus.words


def recall(args: argparse.Namespace) -> None:
    """Places of the right window in a corpus of all sources of a set, without a model."""
    most = PipelineSettings().max_windows_per_claim
    print(f"| set | rows | windows | right window in the first {FIRST} | 32 | 128 | lost: beyond 128 and ruled out | "
          "its score, 1st | 5th percentile | hallucinated rows ruled out | ms to build, 100,000 words |")  # fmt: skip
    print("|---" * 11 + "|")
    for name in args.sets:
        rows = rows_of(args.data, name, "supported", args.rows)
        corpus = Corpus.of(rows)
        index = WindowIndex(corpus.parts)
        claims = [lexemes(asked(row)) for row in rows]
        found = places(index, corpus, claims)
        if args.missed:
            note_missed(args.missed, name, rows, corpus, found)
        ranks, scores = np.array([place for place, _, _ in found]), [score for _, _, score in found]
        lost = [rank >= most and ruled_out(words, index, most) for rank, words in zip(ranks, claims, strict=True)]
        false = rows_of(args.data, name, "hallucinated", args.rows)
        out = [ruled_out(lexemes(asked(row)), index, most) for row in false]
        shown = [f"{np.mean(ranks < limit):.4f}" for limit in (FIRST, 32, 128)]
        shown += [f"{np.mean(lost):.4f}", *(f"{x:.2f}" for x in np.percentile(scores, [1, 5])), f"{np.mean(out):.2f}"]
        cells = [name, len(rows), len(corpus.owner), *shown, f"{building(corpus):.1f}"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def note_missed(
    to: Path, name: str, rows: Sequence[LabelledRow], corpus: Corpus, found: Sequence[tuple[int, int, float]]
) -> None:
    """Appends the rows whose window is not among the first, to be read."""
    with to.open("a", encoding="utf-8") as file:
        for row, (place, window, score) in zip(rows, found, strict=True):
            if place >= FIRST:
                record = {"set": name, "place": place, "score": round(score, 3), "claim": asked(row)}
                file.write(json.dumps(record | {"window": corpus.texts[window]}, ensure_ascii=False) + "\n")


def agreement(args: argparse.Namespace) -> None:
    """Labels and deciding windows, exhaustive and indexed, with a model."""
    backend = find_backend(args.backend)()
    whole = HaltRagVerifier(backend=backend, reading="exhaustive", locate_evidence=False)
    indexed = HaltRagVerifier(backend=backend, reading="indexed", locate_evidence=False)
    pool = [text_of(row) for name in args.sets for row in rows_of(args.data, name, "supported", 200)]
    rng = random.Random(1)
    counts = {"rows": 0, "supported": 0, "decisive window read": 0, "same label": 0}
    pairs = [0, 0]
    for name in args.sets:
        for label in ("supported", "hallucinated"):
            for row in rows_of(args.data, name, label, args.rows // (2 * len(args.sets)) + 1):
                passages = [text_of(row), *rng.sample(pool, args.windows)]
                rng.shuffle(passages)
                one, other = (v.verify(passages, row.generated, row.question) for v in (whole, indexed))
                counts["rows"] += 1
                counts["same label"] += [c.label for c in one.claims] == [c.label for c in other.claims]
                for a, b in zip(one.claims, other.claims, strict=True):
                    if a.label == "faithful":
                        counts["supported"] += 1
                        counts["decisive window read"] += a.evidence[:1] == b.evidence[:1]
                pairs[0] += one.receipt.pairs_scored
                pairs[1] += other.receipt.pairs_scored
        found = counts | {"pairs exhaustive": pairs[0], "pairs indexed": pairs[1]}
        print(json.dumps({"up to": name} | found), flush=True)


def corpus(folder: Path, words: int) -> tuple[str, str]:
    """A source of about so many words, and a text of three claims from it and three from nowhere in it."""
    rows = [row for name in ("ares_synth", "factcg_synth", "fever_gold")
            for row in rows_of(folder, name, "supported", 3000)]  # fmt: skip
    random.Random(2).shuffle(rows)
    parts: list[str] = []
    size = used = 0
    while size < words:
        parts.append(text_of(rows[used]))
        size += len(parts[-1].split())
        used += 1
    inside = [row for row in rows[:used] if row.question is None and len(row.generated.split()) > 4]
    outside = [row for row in rows[used:] if row.question is None and len(row.generated.split()) > 4]
    claims = [*inside[:3], *outside[:3]]
    return "\n\n".join(parts), " ".join(row.generated.rstrip(". ") + "." for row in claims)


def peak_mb() -> int:
    """Peak resident memory of this process since it was started (Linux; ``ru_maxrss`` would include the parent's)."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def measure(args: argparse.Namespace) -> None:
    """One reading in this process; prints a record."""
    source, generated = json.loads(args.data.read_text())
    verifier = HaltRagVerifier(backend=find_backend(args.backend)(), reading=args.reading)
    verifier.verify("It rained.", "It rained.")
    loaded = peak_mb()
    started = time.perf_counter()
    result = verifier.verify(source, generated)
    seconds = time.perf_counter() - started
    receipt = result.receipt
    print(json.dumps({
        "words": len(source.split()), "windows": receipt.windows, "claims": len(result.claims),
        "pairs": receipt.pairs_scored, "seconds": round(seconds, 2),
        "MB loaded": loaded, "MB peak": peak_mb(),
        "labels": [c.label or c.reason for c in result.claims],
    }))  # fmt: skip


def cost(args: argparse.Namespace) -> None:
    """Pairs, seconds and memory of each reading for each length."""
    print("| reading | words | windows | claims | pairs | seconds | MB, model loaded | MB, peak | labels |")
    print("|---|---|---|---|---|---|---|---|---|")
    for words in args.words:
        with tempfile.TemporaryDirectory() as folder:
            texts = Path(folder) / "texts.json"
            texts.write_text(json.dumps(corpus(args.data, words)))
            for reading in args.readings:
                command = [sys.executable, "-m", "benchmarks.long_sources", "measure", "--data", str(texts)]
                command += ["--reading", reading, "--backend", args.backend]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                record: dict[str, Any] = json.loads(done.stdout)
                labels = ", ".join(record.pop("labels"))
                print("| " + " | ".join([reading, *map(str, record.values()), labels]) + " |", flush=True)


def main() -> None:
    """Runs one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("recall", "agreement", "cost", "measure"))
    parser.add_argument(
        "--data", type=Path, required=True, help="folder of the training files; of measure, a file of cost"
    )
    parser.add_argument("--rows", type=int, default=1000, help="rows a set (recall), or in all (agreement)")
    parser.add_argument("--sets", nargs="+", default=SETS, help="files in the folder (recall, agreement)")
    parser.add_argument("--missed", type=Path, help="where to note missed rows (recall)")
    parser.add_argument("--windows", type=int, default=60, help="distractor passages (agreement)")
    parser.add_argument("--words", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--readings", nargs="+", default=["exhaustive", "auto"])
    parser.add_argument("--reading", default="auto", help="of measure, which cost calls")
    parser.add_argument("--backend", default="embedded")
    args = parser.parse_args()
    {"recall": recall, "agreement": agreement, "cost": cost, "measure": measure}[args.what](args)


if __name__ == "__main__":
    main()
