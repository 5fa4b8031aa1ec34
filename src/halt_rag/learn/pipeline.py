"""The steps of the pipeline with their files: data, features, model, results. The commands call these."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from halt_rag.errors import ArtifactMismatchError, InputError
from halt_rag.learn.claims import claim_thresholds
from halt_rag.learn.extract import Extractor, Progress
from halt_rag.learn.files import write_whole
from halt_rag.learn.halueval import data_file, read_examples
from halt_rag.learn.metrics import Outcomes
from halt_rag.learn.plots import write_plots
from halt_rag.learn.results import oof_meta, transferred
from halt_rag.learn.rows import LabelledRow, groups_of, read_rows
from halt_rag.learn.summary import write_summary
from halt_rag.learn.table import FeatureTable, read_table, write_table
from halt_rag.learn.threshold import decided
from halt_rag.learn.train import Trained, train, write_predictions
from halt_rag.nli.cache import CachedNLI, ScoreStore
from halt_rag.nli.scores import NLIBackend
from halt_rag.verify.config import Config
from halt_rag.verify.configured import Opener, backends_of
from halt_rag.verify.text_head import TEXT_TASKS, load_text_model
from halt_rag.verify.text_model import TextModel


@dataclass(frozen=True, slots=True)
class Places:
    """Where the files of the pipeline are.

    Attributes:
        data: The HaluEval files.
        runs: Features and models, a folder for each task.
        results: What ``evaluate`` writes.
    """

    data: Path
    runs: Path
    results: Path

    def features(self, task: str) -> Path:
        """The table of features of a task."""
        return self.runs / task / "features.parquet"

    def model(self, task: str) -> Path:
        """The text model of a task."""
        return self.runs / task / "model.json"

    def examples(self, config: Config) -> list[LabelledRow]:
        """The examples that the settings draw.

        Raises:
            InputError: If the file is not there, or a line is not a record.
        """
        path = self.data / data_file(config.task).name
        return read_examples(config.task, path, limit=config.data.limit, seed=config.data.seed)


def cached_backends(config: Config, store: ScoreStore, opened: Opener, **options: Any) -> dict[str, NLIBackend]:
    """The NLI models of the settings by name, with a cache; see ``verify.configured.backends_of``."""
    return {name: CachedNLI(backend, store) for name, backend in backends_of(config, opened, **options).items()}


def extractor(config: Config, models: Mapping[str, NLIBackend]) -> Extractor:
    """Computes the features that the settings ask for."""
    return Extractor(config.features.schema_name, config.text_settings(), backends=models)


def extract(config: Config, places: Places, made: Extractor, progress: Progress | None = None) -> FeatureTable:
    """Extracts the features of a task's examples and writes them."""
    table = made.table(config.task, places.examples(config), progress)
    write_table(table, places.features(config.task))
    return table


def excluded_ids(path: Path | None, task: str) -> set[str]:
    """Ids of the examples to leave out.

    Args:
        path: A JSON object whose TASK_pair_ids lists 0-based line numbers of records; None leaves out nothing.
        task: Which task.

    Raises:
        InputError: If the file cannot be read or has no such list.
    """
    if path is None:
        return set()
    key = f"{task}_pair_ids"
    try:
        lines = json.loads(path.read_bytes())[key]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path} must be a JSON object with a list of line numbers under {key!r}.") from error
    if not isinstance(lines, list) or not all(type(line) is int and line >= 0 for line in lines):
        raise InputError(f"{path}: {key!r} must be a list of line numbers from 0 on.")
    return {f"{task}-{line}-{kind}" for line in lines for kind in ("right", "hallucinated")}


def fit(config: Config, places: Places, exclude: Path | None = None) -> Trained:
    """Trains the text model of a task from its features.

    Raises:
        InputError: If the features are not there, or too few.
    """
    table = read_table(places.features(config.task))
    if table.task != config.task:
        raise InputError(f"{places.features(config.task)} holds features of {table.task!r}, not of {config.task!r}.")
    if table.pipeline.schema_name != config.features.schema_name or table.pipeline.reading != config.text_settings():
        raise ArtifactMismatchError(
            f"{places.features(config.task)} was made with other settings (schema, windows or hypothesis).",
            hint="Run halt-rag extract-features again; scores come from the cache.",
        )
    names, used = ([m.name for m in models] for models in (config.inference.nli_models(), table.pipeline.models))
    if names != used:
        raise ArtifactMismatchError(
            f"{places.features(config.task)} was made with {', '.join(used)}; the settings name {', '.join(names)}.",
            hint="Run halt-rag extract-features again.",
        )
    out = excluded_ids(exclude, config.task)
    return train(
        table.take(np.array([i for i, name in enumerate(table.ids) if name not in out], dtype=np.intp)), config
    )


def write_model(model: TextModel, path: Path) -> None:
    """Writes a text model as JSON, whole or not at all.

    Raises:
        ConfigurationError: If it cannot be written.
    """
    write_whole(path, model.model_dump_json(indent=1) + "\n")


def evaluate_task(
    config: Config,
    places: Places,
    *,
    exclude: Path | None = None,
    bench: tuple[Path, int] | None = None,
    models: Callable[[], Mapping[str, NLIBackend]] | None = None,
    resamples: int = 1000,
) -> dict[str, Any]:
    """Measures a trained task and writes evaluation_results/TASK and the summary.

    Out-of-fold predictions are made anew, which takes seconds and is deterministic.

    Args:
        config: The settings of the task.
        places: Where the files are.
        exclude: What training left out.
        bench: A folder of labelled files, and how many rows of each to take (0: all), to see how the model travels.
        models: Gives the NLI models, needed for ``bench``.
        resamples: For the intervals.

    Returns:
        The content of oof_meta.json.

    Raises:
        ArtifactMismatchError: If the trained model is not what these settings and features give.
    """
    trained = fit(config, places, exclude)
    saved = load_text_model(places.model(config.task))
    if saved.id != trained.model.id:
        raise ArtifactMismatchError(
            f"{places.model(config.task)} holds {saved.id}, but these features and settings give {trained.model.id}.",
            hint=f"Give the --config that it was trained with, or run halt-rag train --task {config.task} again.",
        )
    table = trained.oof.table
    claims = claim_thresholds(saved.pipeline)
    meta = oof_meta(trained, _rows_of(table.ids, config, places), config, claims=claims, resamples=resamples)
    measured = partial(transferred, saved, claims=claims, resamples=resamples)
    meta["transfer"] = _transfer(saved, config, places, measured)
    if bench is not None and models is not None:
        made = extractor(config, models())
        saved.check_fits(made.reader.pipeline)
        meta["bench"] = {name: measured(made.table(name, rows)) for name, rows in _bench_rows(*bench).items()}
    folder = places.results / config.task
    outcomes = Outcomes(table.hallucinated, trained.oof.p, decided(trained.oof.p, saved.cuts), saved.cuts.threshold)
    write_predictions(trained.oof, folder / "oof_calibrated_pred.jsonl")
    write_plots(outcomes, folder / "plots", title=f"{config.task}, {len(table):,} examples, out of fold")
    write_whole(folder / "oof_meta.json", json.dumps(meta, indent=1, allow_nan=False) + "\n")
    write_summary(places.results)
    return meta


def _rows_of(ids: Sequence[str], config: Config, places: Places) -> list[LabelledRow]:
    """The examples with these ids."""
    path = places.data / data_file(config.task).name
    by_id = {row.id: row for row in read_examples(config.task, path)}
    if missing := [name for name in ids if name not in by_id]:
        raise InputError(f"{path} has no example {missing[0]!r}, of which there are features.")
    return [by_id[name] for name in ids]


def _transfer(
    model: TextModel, config: Config, places: Places, measured: Callable[[FeatureTable], dict[str, Any]]
) -> dict[str, Any]:
    """The model on the features of the other tasks, as far as they were extracted with the same models and schema."""
    found = {}
    for other in TEXT_TASKS:
        if other == config.task or not places.features(other).is_file():
            continue
        table = read_table(places.features(other))
        same = {"reading"}
        if table.pipeline.model_dump(exclude=same) == model.pipeline.model_dump(exclude=same):
            found[other] = measured(table)
    return found


def _bench_rows(folder: Path, most: int) -> dict[str, list[LabelledRow]]:
    """The labelled files of a folder by name, their rows by whole groups, evenly drawn."""
    files = sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")])
    if not files:
        raise InputError(f"{folder} holds no .jsonl or .jsonl.gz files.")
    names = [file.name.removesuffix(".gz").removesuffix(".jsonl") for file in files]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"{folder} holds {twice}.jsonl twice, plain and gzipped.")
    return {name: _some_groups(read_rows(file), most) for name, file in zip(names, files, strict=True)}


def _some_groups(rows: list[LabelledRow], most: int) -> list[LabelledRow]:
    by_group: dict[str, list[LabelledRow]] = {}
    for group, row in zip(groups_of(rows), rows, strict=True):
        by_group.setdefault(group, []).append(row)
    groups = sorted(by_group)
    np.random.default_rng(0).shuffle(groups)
    drawn: list[LabelledRow] = []
    for group in groups:
        if most and len(drawn) >= most:
            break
        drawn += by_group[group]
    return drawn
