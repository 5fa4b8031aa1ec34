"""What one training run reads and how it is trained: a TOML file in ``training/runs``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from training.data import Mix


@dataclass(frozen=True)
class Run:
    """The settings of a run.

    Attributes:
        layers: Layers of the cross-encoder.
        lr: Highest learning rate; it rises over ``warmup`` steps and falls to nothing by the end.
        mix: The data.
        frozen_layers: Lowest layers left as they are.
        max_minutes: The end, by the clock, if the data last longer.
        tokens_per_batch: Tokens in a batch, padding included.
        warmup: Steps until the learning rate is at its highest.
        seed: Of the order of the batches and of dropout.
        keep: Which layers of the weights that the run starts from become its layers; empty where they are the same.
        bits: 4 trains with the weights rounded as ``training.lowbit`` stores them.
        teacher_weight: Share of the teacher's probabilities in the loss of a labelled pair, 0 (no teacher) to 1.
    """

    layers: int
    lr: float
    mix: Mix
    frozen_layers: int = 1
    max_minutes: float = float("inf")
    tokens_per_batch: int = 2560
    warmup: int = 100
    seed: int = 1
    keep: tuple[int, ...] = ()
    bits: int = 32
    teacher_weight: float = 0.0


def read_run(path: Path) -> Run:
    """Reads a run.

    Raises:
        SystemExit: If the file names a setting that does not exist.
    """
    settings: dict[str, Any] = tomllib.loads(path.read_text())
    for known, given in ((Run, settings), (Mix, settings.get("mix", {}))):
        if unknown := set(given) - {f.name for f in fields(known)}:
            raise SystemExit(f"{path}: unknown settings {sorted(unknown)}")
    return Run(**{**settings, "mix": Mix(**settings["mix"]), "keep": tuple(settings.get("keep", ()))})
