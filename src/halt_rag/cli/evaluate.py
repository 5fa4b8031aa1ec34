"""``halt-rag evaluate``: how good is the verifier on your labelled data?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halt_rag.cli.failing import reported


def evaluate(
    data: Annotated[Path, typer.Option(help="Labelled rows, JSON Lines: source, generated, label, question?, group?.")],
    task: Annotated[str, typer.Option(help="Which calibration to use.")] = "general",
    limit: Annotated[int, typer.Option(min=0, help="Read the first rows only; 0 reads all.")] = 0,
    output: Annotated[Path | None, typer.Option(help="Folder for metrics.json and metrics.md.")] = None,
    backend: Annotated[str, typer.Option(help="The NLI model to ask: embedded, or an installed plug-in.")] = "embedded",
    cache: Annotated[Path | None, typer.Option(help="Keep scores in this SQLite file and reuse them.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Pairs scored at once. Default: all cores.")] = None,
) -> None:
    """Measure the verifier on labelled rows, with intervals and trivial baselines.

    Exit codes: 0 measured, 2 usage, data or configuration, 3 the model could not be asked.
    """
    with reported():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        from halt_rag.cli.verify import verifier_for
        from halt_rag.learn.evaluate import evaluate as run
        from halt_rag.learn.evaluate import table, write
        from halt_rag.learn.rows import read_rows

        rows = read_rows(data, limit)
        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            shown = bar.add_task("rows", total=len(rows))
            report = run(
                rows,
                verifier_for(task, cache, threads, backend=backend, locate_evidence=False),
                name=data.name,
                progress=lambda done, _: bar.update(shown, completed=done),
            )
        if output is not None:
            write(report, output)
        typer.echo(table(report))
