"""``halt-rag train``: the text model of a task."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halt_rag.cli import pipeline as shared
from halt_rag.cli.failing import reported

if TYPE_CHECKING:
    from halt_rag.verify.text_model import TextModel


def train(
    task: shared.Task,
    config: shared.ConfigFile = None,
    schema: shared.Schema = None,
    runs: shared.Runs = shared.RUNS,
    output: Annotated[Path | None, typer.Option(help="Write the model here. Default: RUNS/TASK/model.json.")] = None,
    exclude: shared.Exclude = None,
) -> None:
    """Fit the classifier, calibration, threshold and band of a task on its extracted features.

    Exit codes: 0 written, 2 usage, data or configuration.
    """
    with reported():
        from halt_rag.learn.pipeline import fit, write_model

        where = shared.places(runs=runs)
        model = fit(shared.settings(task, config, schema=schema), where, exclude).model
        path = output or where.model(task)
        write_model(model, path)
        typer.echo(f"{path}: {model.id}\n{told(model)}")


def told(model: TextModel) -> str:
    """What a model reaches out of fold, and what became of a floor."""
    figures = model.fitted_on.get("recalibrated", model.fitted_on)["out_of_fold"]
    shown = ", ".join(f"{name} {value:.4f}" for name, value in figures.items() if value is not None)
    text = f"out of fold: {shown}; threshold {model.cuts.threshold:.4f}"
    if (floor := model.floor) is None:
        return text
    goal = f"precision of at least {floor.precision} at {100 * floor.confidence:g}% confidence"
    counted = f"{floor.right} of {floor.called} calls right on {floor.tested_rows} held-out rows"
    if floor.attained:
        return f"{text}\n{goal}: kept ({counted})"
    needed = math.ceil(math.log(1 - floor.confidence) / math.log(floor.precision))
    return (
        f"{text}\n{goal}: no threshold attains it; the threshold is the one without this floor. It takes at least "
        f"{needed} calls that are all right, one of each group; {floor.tested_rows} groups were tested."
    )
