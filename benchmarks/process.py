"""Whole-process times, as ratios in one run, and peak memory.

    python benchmarks/process.py

1. ``halt-rag verify`` on a source of 1,000 words against a bare script that loads the same model and scores the same
   pairs with ONNX Runtime.
2. ``halt-rag --help`` against bare Python that imports typer and prints a help text.
3. Peak resident memory of the first.

Each command runs several times in turn with the others; the median counts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HALT_RAG = [sys.executable, "-m", "halt_rag"]

BARE_TYPER = """
import typer
app = typer.Typer()
@app.command()
def verify(source: str = typer.Option(...), generated: str = typer.Option(...)) -> None:
    "Check."
@app.command()
def evaluate(data: str = typer.Option(...)) -> None:
    "Measure."
app(["--help"])
"""

BARE_MODEL = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np, onnxruntime
from tokenizers import Tokenizer
folder, pairs = sys.argv[1], json.load(open(sys.argv[2]))
tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(folder + "/model.onnx", options, providers=["CPUExecutionProvider"])
def run(pair):
    ids = np.array([tokenizer.encode(*pair).ids], dtype=np.int64)
    return session.run(["logits"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0]
with ThreadPoolExecutor(int(sys.argv[3])) as pool:
    print(sum(float(x.sum()) for x in pool.map(run, pairs)))
"""

CLAIM = "The committee met {n} times and approved {m} permits for the harbour."
FILLER = (
    "The harbour office reported on the works of the season. In week {n} the crew moved {m} tonnes of stone to the "
    "eastern mole. The inspector, who arrived by ferry, found the work in order and left a short note. "
)


def texts() -> tuple[str, str]:
    """A source of about 1,000 words and a text of five sentences."""
    source = "".join(FILLER.format(n=i, m=7 * i + 3) for i in range(1, 26))
    return source, " ".join(CLAIM.format(n=i, m=10 * i) for i in range(1, 6))


def pairs_of(source: str, generated: str) -> list[tuple[str, str]]:
    """The pairs that the verifier scores, recorded on their way to the model."""
    from halt_rag.nli.embedded import EmbeddedNLI
    from halt_rag.nli.scores import NLIScores, Pair
    from halt_rag.verify.verifier import HaltRagVerifier

    seen: list[tuple[str, str]] = []

    class Recorder(EmbeddedNLI):
        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            seen.extend((p.premise, p.hypothesis) for p in pairs)
            return super().score(pairs)

    HaltRagVerifier(backend=Recorder(tier="fast")).verify(source, generated)
    return seen


def timed(command: list[str]) -> float:
    """Seconds that a command takes; its exit code may be a verdict."""
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode not in {0, 1, 3} or (done.returncode and done.stderr):
        raise SystemExit(f"{command[:4]} failed: {done.stderr.decode()[-500:]}")
    return seconds


def peak_memory(command: list[str]) -> float:
    """Peak resident memory of a command, in MB."""
    pid = os.spawnv(os.P_NOWAIT, command[0], command)
    _, _, usage = os.wait4(pid, 0)
    return usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7)
    args = parser.parse_args()
    from halt_rag.nli.embedded import MODEL_FOLDER

    source, generated = texts()
    pairs = pairs_of(source, generated)
    with tempfile.TemporaryDirectory() as folder:
        source_file, pairs_file, out = (str(Path(folder) / n) for n in ("source.txt", "pairs.json", "out.json"))
        Path(source_file).write_text(source)
        Path(pairs_file).write_text(json.dumps(pairs))
        verify = [*HALT_RAG, "verify", "--tier", "fast", "--source", f"@{source_file}", "--generated", generated]
        verify += ["--format", "json", "--output", out, "--fail-on", "never"]
        commands = {
            "verify": verify,
            "bare_model": [sys.executable, "-c", BARE_MODEL, str(MODEL_FOLDER), pairs_file, str(os.cpu_count())],
            "help": [*HALT_RAG, "--help"],
            "bare_typer": [sys.executable, "-c", BARE_TYPER],
        }
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(args.repeats):
            for name, command in commands.items():
                seconds[name].append(timed(command))
        memory = peak_memory(verify)
    median = {name: statistics.median(values) for name, values in seconds.items()}
    print(
        json.dumps(
            {
                "pairs": len(pairs),
                "source_words": len(source.split()),
                "median_seconds": {name: round(value, 3) for name, value in median.items()},
                "verify_over_bare_model": round(median["verify"] / median["bare_model"], 2),
                "help_over_bare_typer": round(median["help"] / median["bare_typer"], 2),
                "verify_peak_memory_mb": round(memory),
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
