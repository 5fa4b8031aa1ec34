"""``halt-rag calibrate``: an existing task model on your own labelled rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halt_rag.cli import pipeline as shared
from halt_rag.cli.failing import reported

if TYPE_CHECKING:
    from halt_rag.verify.config import Config
    from halt_rag.verify.text_model import TextModel


def calibrate(
    data: Annotated[Path, typer.Option(help="Labelled rows, JSON Lines: source, generated, label, question?, group?.")],
    task: shared.Task,
    output: Annotated[Path, typer.Option(help="Write the recalibrated model here.")],
    model: Annotated[
        Path | None, typer.Option(help="The task model. Default: that of the settings, or else the one that ships.")
    ] = None,
    precision: Annotated[
        float | None, typer.Option(min=0, max=1, help="A floor for precision, tested on rows that are held out.")
    ] = None,
    confidence: Annotated[
        float | None, typer.Option(min=0, max=1, help="How sure it must be that the floor is kept. Default: 0.9.")
    ] = None,
    coverage: Annotated[float | None, typer.Option(min=0, max=1, help="Share of texts to decide on.")] = None,
    config: shared.ConfigFile = None,
    cache: shared.Cache = shared.CACHE,
    threads: shared.Threads = None,
) -> None:
    """Fit calibration, threshold and abstention of a task model anew on your own rows.

    Exit codes: 0 written, 2 usage, data or configuration, 3 a model could not be asked.
    """
    with reported():
        from halt_rag.learn.extract import Extractor
        from halt_rag.learn.pipeline import write_model
        from halt_rag.learn.recalibrate import recalibrate
        from halt_rag.learn.rows import read_rows

        settings = _changed(shared.settings(task, config), precision, confidence, coverage)
        rows = read_rows(data)
        backends = shared.models(settings, cache, threads)
        if model is None and config is not None and settings.model is not None:
            model = config.parent / settings.model
        old = _model(task, model, next(iter(backends.values())).model_id)
        made = Extractor(old.pipeline.schema_name, old.pipeline.reading, backends=backends)
        old.check_fits(made.reader.pipeline)
        with shared.bar(data.name) as progress:
            table = made.table(task, rows, progress)
        new = recalibrate(old, table, settings)
        write_model(new.model, output)
        typer.echo(
            f"{output}: {new.model.id}, fitted on {_fitted(new.model):,} of {len(rows):,} rows"
            f"{'' if new.model.floor is None else '; the others test the floor'}\n\n"
            f"{_table(new.before, new.after)}\n\n"
            "The new threshold is chosen on these rows: f1, precision, recall and accuracy after are a little high.\n"
            f"{_told(new.model)}"
        )


def _fitted(model: TextModel) -> int:
    rows: int = model.fitted_on["recalibrated"]["rows"]
    return rows


def _told(model: TextModel) -> str:
    from halt_rag.cli.train import told

    return told(model)


def _changed(settings: Config, precision: float | None, confidence: float | None, coverage: float | None) -> Config:
    from pydantic import ValidationError

    from halt_rag.errors import ConfigurationError
    from halt_rag.verify.config import AbstentionConfig, Guarantee

    changed: dict[str, Any] = {}
    options = {"precision": precision, "confidence": confidence}
    given = {name: value for name, value in options.items() if value is not None}
    floor = settings.threshold.guarantee
    if given and floor is None and precision is None:
        raise ConfigurationError("--confidence is that of a floor, and there is none.", hint="Give --precision, too.")
    try:
        if given:
            floor = Guarantee.model_validate({**(floor.model_dump() if floor else {}), **given})
            changed["threshold"] = settings.threshold.model_copy(update={"guarantee": floor})
        if coverage is not None:
            changed["abstention"] = AbstentionConfig(coverage=coverage)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigurationError(f"--{first['loc'][0]}: {first['msg']}.") from error
    return settings.model_copy(update=changed)


def _model(task: str, path: Path | None, model_id: str) -> TextModel:
    from halt_rag.errors import ConfigurationError
    from halt_rag.verify.text_head import load_text_model, shipped_text_model

    found = load_text_model(path) if path is not None else shipped_text_model(task, model_id)
    if found is None:
        raise ConfigurationError(
            f"No task model ships for {model_id}.", hint="Give one with --model, or fit one: halt-rag train."
        )
    if found.task != task:
        raise ConfigurationError(f"{path} is a task model for {found.task!r}, not for {task!r}.")
    return found


def _table(before: dict[str, dict[str, float | None]], after: dict[str, dict[str, float | None]]) -> str:
    def cell(figure: dict[str, float | None]) -> str:
        if figure["value"] is None:
            return "undefined"
        between = "" if figure["low"] is None else f" ({figure['low']:.3f} to {figure['high']:.3f})"
        return f"{figure['value']:.3f}{between}"

    lines = [f"| {name} | {cell(before[name])} | {cell(after[name])} |" for name in after]
    return "\n".join(["| figure | before | after, cross-fitted |", "|---|---|---|", *lines])
