"""How much time `EmbeddedNLI.score` takes beyond the model itself.

    python -m benchmarks.nli_overhead [--folder MODEL] [--pairs 60] [--repeats 5] [--threads N]

Compares it with a bare loop: the same token arrays, made beforehand, through an ONNX Runtime session of the
same options, in as many threads. The two take turns; of each, the fastest run counts, as other work on the machine
can only slow a run down. Prints the ratio of wall-clock and of processor time; 1.00 means that nothing is lost.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime

from halt_rag.nli.embedded import MODEL_FOLDER, EmbeddedNLI, usable_cores
from halt_rag.nli.scores import Pair

WORDS = (
    "the a of in and to committee approved rejected budget report river election dog machine temperature 12 40 million "
    "Geneva May 2021 according because although unprecedented photosynthesis , . not"
).split()


def make_pairs(count: int, *, seed: int = 0) -> list[Pair]:
    """Premises of 20 to 250 words, three hypotheses of 5 to 30 words for each."""
    rng = random.Random(seed)
    pairs: list[Pair] = []
    while len(pairs) < count:
        premise = " ".join(rng.choices(WORDS, k=rng.randint(20, 250)))
        pairs += [Pair(premise, " ".join(rng.choices(WORDS, k=rng.randint(5, 30)))) for _ in range(3)]
    return pairs[:count]


def bare_loop(
    folder: Path, arrays: list[np.ndarray[tuple[int, int], np.dtype[np.int64]]], threads: int
) -> Callable[[], None]:
    """The session and a thread pool, nothing else."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    feeds = [{"input_ids": ids, "attention_mask": np.ones_like(ids)} for ids in arrays]
    pool = ThreadPoolExecutor(threads)

    def run() -> None:
        for _ in pool.map(lambda feed: session.run(["logits"], feed), feeds):
            pass

    return run


def clock(action: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock and processor seconds of one run."""
    wall, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - processor


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=MODEL_FOLDER)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=usable_cores())
    args = parser.parse_args()

    backend = EmbeddedNLI(args.folder, threads=args.threads)
    pairs = make_pairs(args.pairs)
    # The longest first, as the backend does it.
    arrays = sorted((np.array([ids], np.int64) for ids in backend.tokenizer.pair_ids(pairs)), key=lambda ids: -ids.size)
    actions: dict[str, Callable[[], object]] = {
        "bare session": bare_loop(args.folder, arrays, args.threads),
        "EmbeddedNLI": lambda: backend.score(pairs),
    }
    for action in actions.values():
        action()
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in actions}
    for _ in range(args.repeats):
        for name, action in actions.items():
            runs[name].append(clock(action))
    best = {name: [min(column) for column in zip(*times, strict=True)] for name, times in runs.items()}

    tokens = sum(ids.size for ids in arrays)
    print(f"{backend.model_id} {backend.revision}: {len(pairs)} pairs, {tokens} tokens, {args.threads} threads")
    for name, (wall, processor) in best.items():
        print(f"{name:>14}: {wall:7.3f} s wall, {processor:7.3f} s processor, {tokens / wall:8.0f} tokens/s")
    (bare_wall, bare_cpu), (wall, cpu) = best["bare session"], best["EmbeddedNLI"]
    print(f"{'ratio':>14}: {wall / bare_wall:7.3f} wall,   {cpu / bare_cpu:7.3f} processor")


if __name__ == "__main__":
    main()
