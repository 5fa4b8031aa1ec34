r"""Long sources: does the index find the windows that decide, and what does it save?

    python -m benchmarks.long_sources recall --data ../shared/data/train
    python -m benchmarks.long_sources agreement --data ../shared/data/train --rows 60 --windows 60
    python -m benchmarks.long_sources cost --data ../shared/data/train --words 1000 10000 100000

``recall`` asks no model: the sources of many supported rows of one set are put into one corpus, and for each row the
rank of the window of its own source is looked up. A hallucinated row shows how often the windows that are not read are
ruled out. ``agreement`` reads rows among distractor passages exhaustively and by the index and compares labels and
deciding windows. ``cost`` measures pairs, seconds and peak memory, each reading in a process of its own. Rows are drawn
with a fixed seed from training data; no text is kept. Results are printed as Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from halt_rag.learn.rows import LabelledRow, read_rows
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.registry import find_backend
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.checking import FIRST, TOO_LITTLE
from halt_rag.verify.claims import claims_of
from halt_rag.verify.index import ranked
from halt_rag.verify.lexical import Lexemes, lexemes
from halt_rag.verify.reading import Sources, read_sources
from halt_rag.verify.sources import Passage, as_passages
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


def ruled_out(words: Lexemes, sources: Sources, most: int) -> bool:
    """Whether the windows beyond those that are read cannot support a claim."""
    left = np.sort(sources.index.coverage(words))[::-1][most:]
    return bool(len(left) and left[0] < TOO_LITTLE and sources.index.reaches(words))


def recall(args: argparse.Namespace) -> None:
    """Ranks of the right window in a corpus of all sources of a set, without a model."""
    tokenizer = EmbeddedNLI().tokenizer
    settings = PipelineSettings()
    most = settings.max_windows_per_claim
    print(f"| set | rows | windows | right window in the first {FIRST} | 32 | 128 | lost: beyond 128 and ruled out | "
          "its share of the weight, 1st | 5th percentile | hallucinated rows ruled out |")  # fmt: skip
    print("|---" * 10 + "|")
    for name in SETS:
        rows = rows_of(args.data, name, "supported", args.rows)
        sources = read_sources([Passage(str(i), text_of(row)) for i, row in enumerate(rows)], tokenizer, settings)
        owner = np.array([w.passage for w in sources.windows])
        ranks, shares, lost = [], [], []
        for i, row in enumerate(rows):
            words = lexemes(asked(row))
            coverage = sources.index.coverage(words)
            order = ranked(coverage)
            ranks.append(next(rank for rank, window in enumerate(order) if owner[window] == i))
            shares.append(float(coverage[owner == i].max()))
            lost.append(ranks[-1] >= most and ruled_out(words, sources, most))
        false = rows_of(args.data, name, "hallucinated", args.rows)
        out = [ruled_out(lexemes(asked(row)), sources, most) for row in false]
        found = [np.mean([rank < limit for rank in ranks]) for limit in (FIRST, 32, 128)]
        low = np.percentile(shares, [1, 5])
        shown = [f"{np.mean(lost):.4f}", *(f"{x:.2f}" for x in low), f"{np.mean(out):.2f}"]
        cells = [len(rows), len(owner), *(f"{f:.4f}" for f in found), *shown]
        print("| " + " | ".join([name, *map(str, cells)]) + " |", flush=True)


def agreement(args: argparse.Namespace) -> None:
    """Labels and deciding windows, exhaustive and indexed, with a model."""
    backend = find_backend(args.backend)()
    whole = HaltRagVerifier(backend=backend, reading="exhaustive", locate_evidence=False)
    indexed = HaltRagVerifier(backend=backend, reading="indexed", locate_evidence=False)
    pool = [text_of(row) for name in SETS for row in rows_of(args.data, name, "supported", 200)]
    rng = random.Random(1)
    counts = {"rows": 0, "supported": 0, "decisive window read": 0, "same label": 0}
    pairs = [0, 0]
    for name in SETS:
        for label in ("supported", "hallucinated"):
            for row in rows_of(args.data, name, label, args.rows // (2 * len(SETS)) + 1):
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
    parser.add_argument("--windows", type=int, default=60, help="distractor passages (agreement)")
    parser.add_argument("--words", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--readings", nargs="+", default=["exhaustive", "auto"])
    parser.add_argument("--reading", default="auto", help="of measure, which cost calls")
    parser.add_argument("--backend", default="embedded")
    args = parser.parse_args()
    {"recall": recall, "agreement": agreement, "cost": cost, "measure": measure}[args.what](args)


if __name__ == "__main__":
    main()
