"""Speed of the embedded model against the same network in PyTorch, in one run on the same pairs.

    python -m benchmarks.model_speed [--model src/halt_rag/models/nli-fast] [--pairs 320] [--workers 2]

ONNX: one unpadded pair per run, ``--workers`` threads that share a single-threaded session.
PyTorch: float32, as many threads, batches of 32 pairs of similar length, padded to the longest. Its weights are
random, which costs the same time. The pairs are made up of invented words; both sides read the same token ids.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

BATCH = 32
SYLLABLES = ("ba", "ker", "lo", "min", "sta", "vo", "dre", "un", "pel", "ti", "gor", "sha")


def make_pairs(number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Pairs of premises of 8 to 220 invented words, short ones more often, and claims of 4 to 20."""
    rng = random.Random(seed)

    def text(words: int) -> str:
        return " ".join("".join(rng.choices(SYLLABLES, k=rng.choice((1, 1, 1, 2)))) for _ in range(words)) + "."

    return [(text(int(8 * 27.5 ** rng.random())), text(rng.randint(4, 20))) for _ in range(number)]


def onnx_run(model: Path, ids: list[list[int]], workers: int) -> Callable[[], None]:
    """Scores all pairs as the package does."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model / "model.onnx", options, providers=["CPUExecutionProvider"])
    inputs = [{"input_ids": np.array([i], np.int64), "attention_mask": np.ones((1, len(i)), np.int64)} for i in ids]

    def run() -> None:
        with ThreadPoolExecutor(workers) as pool:
            for _ in pool.map(lambda item: session.run(["logits"], item), inputs):
                pass

    return run


def torch_run(card: dict[str, Any], ids: list[list[int]], workers: int) -> Callable[[], None]:
    """Scores all pairs in padded batches of similar length."""
    import torch
    from transformers import MPNetConfig

    from training.model import CrossEncoder
    from training.train import collate

    torch.set_num_threads(workers)
    sizes = {"num_hidden_layers": card["layers"], "intermediate_size": card["feed_forward"]}
    model = CrossEncoder(MPNetConfig(**sizes, max_position_embeddings=514)).eval()
    ordered = sorted(ids, key=len)
    batches = [collate(ordered[i : i + BATCH]) for i in range(0, len(ordered), BATCH)]

    def run() -> None:
        with torch.inference_mode():
            for batch in batches:
                model(*batch)

    return run


def best_seconds(runs: dict[str, Callable[[], None]], repeats: int) -> dict[str, float]:
    """The shortest of ``repeats`` times of each, taken in turns so that a busy moment strikes both."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            started = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - started)
    return {name: min(found) for name, found in times.items()}


def main() -> None:
    """Prints pairs and tokens a second of each, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=Path("src/halt_rag/models/nli-fast"))
    parser.add_argument("--pairs", type=int, default=320)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()

    tokenizer = Tokenizer.from_file(str(args.model / "tokenizer.json"))
    ids = [encoding.ids for encoding in tokenizer.encode_batch(make_pairs(args.pairs))]
    ids = [item for item in ids if len(item) <= 512]
    lengths = sorted(map(len, ids))
    print(f"{len(ids)} pairs of {lengths[0]} to {lengths[-1]} tokens, median {lengths[len(ids) // 2]}")
    runs = {"ONNX": onnx_run(args.model, ids, args.workers)}
    if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers"):
        card = json.loads((args.model / "model.json").read_text(encoding="utf-8"))
        runs["PyTorch"] = torch_run(card, ids, args.workers)
    else:
        print("PyTorch: skipped, torch and transformers are not installed")
    seconds = best_seconds(runs, args.repeats)
    for name, value in seconds.items():
        print(f"{name}: {len(ids) / value:.1f} pairs/s, {sum(lengths) / value:.0f} tokens/s")
    if "PyTorch" in seconds:
        print(f"ratio: {seconds['PyTorch'] / seconds['ONNX']:.2f}")


if __name__ == "__main__":
    main()
