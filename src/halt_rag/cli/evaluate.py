"""``halt-rag evaluate``: how good is the verifier on your labelled data, or a trained task model on HaluEval?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halt_rag.cli import pipeline as shared
from halt_rag.cli.failing import reported
from halt_rag.cli.verify import GENERAL, BackendOption, ModelOption, Tier, TierOption, verifier_for

if TYPE_CHECKING:
    from halt_rag.verify.verifier import HaltRagVerifier


#: Options that belong to one of the two jobs, by parameter.
_OF_ROWS = ("model", "limit", "output", "backend", "tier")
_OF_TASK = ("config", "schema", "data_dir", "runs", "results", "exclude", "bench", "bench_rows")


def evaluate(
    ctx: typer.Context,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Labelled rows, JSON Lines: source, generated, label, question?, group?. Without it, the task model "
            "that was trained on HaluEval is measured, out of fold."
        ),
    ] = None,
    task: Annotated[str, typer.Option(help="Which calibration to use, or which trained task to measure.")] = GENERAL,
    model: ModelOption = None,
    limit: Annotated[int, typer.Option(min=0, help="With --data: read the first rows only; 0 reads all.")] = 0,
    output: Annotated[Path | None, typer.Option(help="With --data: folder for metrics.json and metrics.md.")] = None,
    backend: BackendOption = "embedded",
    tier: TierOption = Tier.auto,
    cache: Annotated[Path | None, typer.Option(help="Keep scores in this SQLite file and reuse them.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Pairs scored at once. Default: all cores.")] = None,
    config: shared.ConfigFile = None,
    schema: shared.Schema = None,
    data_dir: shared.Data = shared.DATA,
    runs: shared.Runs = shared.RUNS,
    results: shared.Results = shared.RESULTS,
    exclude: shared.Exclude = None,
    bench: Annotated[
        Path | None, typer.Option(help="Folder of labelled files: how does the trained model travel?")
    ] = None,
    bench_rows: Annotated[int, typer.Option(min=0, help="Rows of each of these files, about; 0 takes all.")] = 300,
    resamples: Annotated[int, typer.Option(min=0, help="How often groups are drawn anew for the intervals.")] = 1000,
) -> None:
    """Measure the verifier on labelled rows, with intervals and trivial baselines; or a task that was trained.

    Without --data: writes RESULTS/TASK/ (oof_calibrated_pred.jsonl, oof_meta.json, plots/) and RESULTS/summary.md.

    Exit codes: 0 measured, 2 usage, data or configuration, 3 the model could not be asked.
    """
    with reported():
        _refuse(ctx, _OF_ROWS if data is None else _OF_TASK, with_data=data is None)
        if data is not None:
            verifier = verifier_for(
                task, cache, threads, model=model, backend=backend, tier=tier, locate_evidence=False
            )
            _own_rows(data, limit, verifier, output, resamples)
            return
        from halt_rag.errors import ConfigurationError

        if task == GENERAL:
            raise ConfigurationError(
                "Nothing says what to measure.", hint="Give --data FILE, or --task qa, dialogue or summarization."
            )
        from halt_rag.learn.pipeline import evaluate_task

        settings = shared.settings(task, config, schema=schema)
        evaluate_task(
            settings,
            shared.places(data_dir, runs, results),
            exclude=exclude,
            bench=None if bench is None else (bench, bench_rows),
            models=lambda: shared.models(settings, cache or shared.CACHE, threads),
            resamples=resamples,
        )
        typer.echo((results / "summary.md").read_text(encoding="utf-8"))


def _refuse(ctx: typer.Context, parameters: tuple[str, ...], *, with_data: bool) -> None:
    """Refuses options of the other job, which would otherwise change nothing."""
    from halt_rag.errors import ConfigurationError

    given = [name for name in parameters if (at := ctx.get_parameter_source(name)) and at.name != "DEFAULT"]
    names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
    if given and with_data:
        raise ConfigurationError(
            f"{names}: only with --data.",
            hint="For a trained task, the settings (--config) name the NLI model, and --runs the folder of its model.",
        )
    if given:
        raise ConfigurationError(f"{names}: not with --data.", hint="They are for a task that was trained on HaluEval.")


def _own_rows(data: Path, limit: int, verifier: HaltRagVerifier, output: Path | None, resamples: int) -> None:
    from halt_rag.learn.evaluate import evaluate as run
    from halt_rag.learn.evaluate import table, write
    from halt_rag.learn.rows import read_rows

    rows = read_rows(data, limit)
    with shared.bar("rows") as progress:
        report = run(rows, verifier, name=data.name, progress=progress, resamples=resamples)
    if output is not None:
        write(report, output)
    typer.echo(table(report))
