"""``halt-rag extract-features``: the features of a task's examples."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halt_rag.cli import pipeline as shared
from halt_rag.cli.backends import parity_file
from halt_rag.cli.failing import reported
from halt_rag.errors import ConfigurationError

if TYPE_CHECKING:
    from halt_rag.learn.extract import Estimate, Extractor

#: From so many pairs on, and before any hosted call, the command asks.
LARGE = 5_000


def extract_features(
    task: shared.Task,
    config: shared.ConfigFile = None,
    limit: shared.Limit = None,
    schema: shared.Schema = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before a large run.")] = False,
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Also make a large run with models that did not pass halt-rag doctor.")
    ] = False,
    record: Annotated[Path | None, typer.Option(help="Where halt-rag doctor keeps passes.")] = None,
    data_dir: shared.Data = shared.DATA,
    runs: shared.Runs = shared.RUNS,
    cache: shared.Cache = shared.CACHE,
    threads: shared.Threads = None,
) -> None:
    """Score a task's examples and write their features to RUNS/TASK/features.parquet.

    Scores are kept in the cache: an interrupted run goes on where it stopped. From 1,000 pairs on, models other than
    the embedded one must have passed halt-rag doctor.

    Exit codes: 0 written, 2 usage, data or configuration, or not confirmed, 3 a model could not be asked.
    """
    with reported():
        from halt_rag.learn.extract import estimate
        from halt_rag.learn.pipeline import extract, extractor

        settings = shared.settings(task, config, limit=limit, schema=schema)
        where = shared.places(data_dir, runs)
        made = extractor(settings, shared.models(settings, cache, threads))
        started = time.perf_counter()
        cost = estimate(made, where.examples(settings))
        sampled = time.perf_counter() - started
        require_passes(made, cost, record or parity_file(), unverified=unverified)
        confirm(cost, yes=yes)
        started = time.perf_counter() - sampled
        with shared.bar(task) as progress:
            table = extract(settings, where, made, progress)
        seconds = time.perf_counter() - started
        typer.echo(
            f"{where.features(task)}: {len(table):,} examples, {len(table.names)} features, pipeline "
            f"{table.pipeline.fingerprint}; {scored(made)} in {seconds:,.0f} s"
        )


def require_passes(made: Extractor, cost: Estimate, record: Path, *, unverified: bool) -> None:
    """Refuses a large run with a model that has not passed the parity gate.

    Raises:
        ConfigurationError: A ``ParityError`` for the first such model.
    """
    from halt_rag.nli.parity_record import require_parity

    for name, backend in made.backends.items():
        require_parity(backend, record, pairs=cost.pairs[name], override=unverified)


def confirm(cost: Estimate, *, yes: bool) -> None:
    """Prints what a run will cost, and asks before a large one.

    Raises:
        ConfigurationError: If it is large and was not confirmed.
    """
    typer.echo(cost.text(), err=True)
    if yes or (not cost.hosted and sum(cost.pairs.values()) < LARGE):
        return
    try:
        agreed = typer.confirm("Go on?", err=True)
    except typer.Abort:
        agreed = False
    if not agreed:
        raise ConfigurationError("Nothing was done: the run was not confirmed.", hint="Give --yes, or a lower --limit.")


def scored(made: Extractor) -> str:
    """How many pairs were scored, and how many came from the cache."""
    from halt_rag.nli.cache import CachedNLI

    cached = [backend for backend in made.backends.values() if isinstance(backend, CachedNLI)]
    return f"{sum(b.misses for b in cached):,} pairs scored, {sum(b.hits for b in cached):,} from the cache"
