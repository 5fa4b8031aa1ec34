"""``halt-rag diagnose``: which half of the pipeline to fix."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from halt_rag.cli.failing import reported
from halt_rag.cli.texts import read_file
from halt_rag.cli.verify import BackendOption, Tier, TierOption, verifier_for
from halt_rag.cli.writing import write_file
from halt_rag.errors import InputError

if TYPE_CHECKING:
    from halt_rag.contracts import Judge

_LINES = frozenset({".jsonl", ".ndjson"})
_KEY = "HALT_RAG_JUDGE_API_KEY"


def diagnose(
    data: Annotated[Path, typer.Option(help="Rows of question, context, answer, gold?, correct?: .json or .jsonl.")],
    judge_url: Annotated[
        str | None,
        typer.Option(help=f"An OpenAI-compatible server, up to /v1, that decides on sufficiency; key in {_KEY}."),
    ] = None,
    judge_model: Annotated[str | None, typer.Option(help="The model to ask there.")] = None,
    format_: Annotated[Literal["text", "json"], typer.Option("--format", help="For people, or JSON.")] = "text",
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Write a plot of the counts.")] = None,
    task: Annotated[str, typer.Option(help="Which calibration the verifier uses.")] = "general",
    backend: BackendOption = "embedded",
    tier: TierOption = Tier.auto,
    cache: Annotated[Path | None, typer.Option(help="Keep scores in this SQLite file and reuse them.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Pairs scored at once. Default: all cores.")] = None,
) -> None:
    """Split wrong answers by whether the context held the answer: failures of retrieval, and of generation.

    Exit codes: 0 done, 2 usage, data or configuration, 3 a model could not be asked.
    """
    with reported(as_json=format_ == "json"):
        from halt_rag.sufficiency.diagnose import diagnose as run
        from halt_rag.sufficiency.diagnose import read_row
        from halt_rag.sufficiency.render import svg, text

        rows = [read_row(row, number) for number, row in enumerate(_rows(data), 1)]
        verifier = verifier_for(task, cache, threads, backend=backend, tier=tier, locate_evidence=False)
        report = run(rows, verifier=verifier, judge=_judge(judge_url, judge_model))
        if plot is not None:
            write_file(plot, svg(report))
        typer.echo(report.model_dump_json(indent=2) if format_ == "json" else text(report))


def _judge(url: str | None, model: str | None) -> Judge | None:
    if url is None and model is None:
        return None
    if url is None or model is None:
        raise InputError("--judge-url and --judge-model belong together.")
    from halt_rag.contracts import OpenAICompatibleJudge

    return OpenAICompatibleJudge(model, base_url=url, api_key=os.environ.get(_KEY))


def _rows(path: Path) -> list[Any]:
    from halt_rag.contracts import OutputShapeError, strict_json

    text = read_file(path)
    try:
        if path.suffix.lower() in _LINES:
            lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
            return [strict_json.load(f"{path.name} line {number}", line) for number, line in lines]
        rows = strict_json.load(path.name, text)
    except OutputShapeError as error:
        raise InputError(f"{path} is no file of rows: {error}") from error
    if not isinstance(rows, list):
        raise InputError(f"{path} is no list of rows.")
    return rows
