"""What the commands of the pipeline share: options, settings, a bar of progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from halt_rag.learn.extract import Progress
    from halt_rag.learn.pipeline import Places
    from halt_rag.nli.scores import NLIBackend
    from halt_rag.verify.config import Config

DATA, RUNS, RESULTS, CACHE = (
    Path("data/halueval"),
    Path("runs"),
    Path("evaluation_results"),
    Path(".cache/nli_scores.sqlite"),
)

Task = Annotated[str, typer.Option(help="qa, dialogue or summarization.")]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings. Default: those that ship for the task.")]
Limit = Annotated[int | None, typer.Option(min=0, help="Records to read; 0 reads all. Default: data.limit (500).")]
Schema = Annotated[str | None, typer.Option(help="Features: paper or extended. Default: features.schema.")]
Data = Annotated[Path, typer.Option("--data-dir", help="Folder of the HaluEval files.")]
Runs = Annotated[Path, typer.Option(help="Folder for features and models.")]
Results = Annotated[Path, typer.Option(help="Folder for results.")]
Cache = Annotated[Path, typer.Option(help="SQLite file that keeps the scores, so that none is computed twice.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Pairs scored at once by the embedded model.")]
Exclude = Annotated[
    Path | None, typer.Option(help="JSON file: line numbers of records to leave out, under TASK_pair_ids.")
]


def settings(task: str, config: Path | None, *, limit: int | None = None, schema: str | None = None) -> Config:
    """The settings of a command: a file or those that ship, with what the options change.

    Raises:
        UnknownNameError: If the task is none that the pipeline knows, or there is no such schema.
        ConfigurationError: If the file cannot be used, or is for another task.
    """
    from halt_rag.errors import ConfigurationError, UnknownNameError
    from halt_rag.verify.config import load_config, shipped_config
    from halt_rag.verify.text_features import VERSIONS
    from halt_rag.verify.text_head import TEXT_TASKS

    if task not in TEXT_TASKS:
        raise UnknownNameError("HaluEval task", task, TEXT_TASKS)
    found = shipped_config(task) if config is None else load_config(config)
    if found.task != task:
        raise ConfigurationError(f"{config} is for the task {found.task!r}, not {task!r}.")
    if schema is not None and schema not in VERSIONS:
        raise UnknownNameError("feature schema", schema, VERSIONS)
    changed: dict[str, Any] = {}
    if limit is not None:
        changed["data"] = found.data.model_copy(update={"limit": limit})
    if schema is not None:
        changed["features"] = found.features.model_copy(update={"schema_name": schema})
    return found.model_copy(update=changed)


def places(data: Path = DATA, runs: Path = RUNS, results: Path = RESULTS) -> Places:
    """Where the files of the pipeline are."""
    from halt_rag.learn.pipeline import Places

    return Places(data, runs, results)


def models(config: Config, cache: Path, threads: int | None) -> dict[str, NLIBackend]:
    """The NLI models of the settings, with the score cache."""
    from halt_rag.cli.backends import open_backend
    from halt_rag.learn.pipeline import cached_backends
    from halt_rag.nli.sqlite_store import SQLiteScoreStore

    return cached_backends(
        config, SQLiteScoreStore(cache), open_backend, **({} if threads is None else {"threads": threads})
    )


@contextmanager
def bar(what: str) -> Iterator[Progress]:
    """Progress on standard error, lines where it is no terminal; gives what to call with the number done and of all."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        from halt_rag.learn.progress import Lines

        with Lines(what, partial(typer.echo, err=True)) as lines:
            yield lines
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
