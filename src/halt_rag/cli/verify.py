"""``halt-rag verify``: the main job."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halt_rag.cli.failing import ACCEPTED, HALLUCINATED, UNDECIDED, reported
from halt_rag.cli.texts import read_argument
from halt_rag.cli.writing import write_file
from halt_rag.errors import ConfigurationError, InputError

if TYPE_CHECKING:
    from halt_rag.nli.scores import NLIBackend
    from halt_rag.verify.result import Verification
    from halt_rag.verify.tiers import ReadingMode
    from halt_rag.verify.verifier import HaltRagVerifier, Passage


class Format(enum.StrEnum):
    """How the result is written."""

    text = "text"
    json = "json"


class Reading(enum.StrEnum):
    """Which windows of the sources are read; see docs/long-sources.md."""

    auto = "auto"
    exhaustive = "exhaustive"
    indexed = "indexed"


class Tier(enum.StrEnum):
    """Which embedded model is asked; cascade: fast, and base about the claims that it leaves open."""

    auto = "auto"
    fast = "fast"
    base = "base"
    cascade = "cascade"


class FailOn(enum.StrEnum):
    """Which verdicts make the exit code other than 0."""

    hallucinated = "hallucinated"
    abstain = "abstain"
    never = "never"


#: The task where none is named.
GENERAL = "general"

BackendOption = Annotated[
    str,
    typer.Option(help="The NLI model to ask: embedded, onnx:FOLDER, local:MODEL, hosted:MODEL, tei:URL or a plug-in."),
]
TierOption = Annotated[
    Tier,
    typer.Option(
        help="Which embedded model: fast; base, the package halt-rag-base; cascade: fast, and base about the claims "
        "that it leaves open. auto: base where it is installed, else fast."
    ),
]
ModelOption = Annotated[
    Path | None,
    typer.Option("--model", help="A task model of your own, from train or calibrate, instead of one that ships."),
]


def verify(
    source: Annotated[
        list[str],
        typer.Option(help="A source: text, @FILE, or - for standard input. Repeat it for several passages."),
    ],
    generated: Annotated[str, typer.Option(help="The text to check: text, @FILE, or -.")],
    question: Annotated[str | None, typer.Option(help="The question that the text answers: text or @FILE.")] = None,
    task: Annotated[str, typer.Option(help="Which calibration to use.")] = GENERAL,
    model: ModelOption = None,
    output_format: Annotated[Format, typer.Option("--format", help="For people, or JSON.")] = Format.text,
    output: Annotated[Path | None, typer.Option(help="Write the result to this file.")] = None,
    fail_on: Annotated[
        FailOn,
        typer.Option(
            help="abstain: exit 1 if hallucinated, 3 if undecided. hallucinated: exit 1 if hallucinated. never: exit 0."
        ),
    ] = FailOn.abstain,
    backend: BackendOption = "embedded",
    tier: TierOption = Tier.auto,
    cache: Annotated[Path | None, typer.Option(help="Keep scores in this SQLite file and reuse them.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Pairs scored at once. Default: all cores.")] = None,
    reading: Annotated[
        Reading,
        typer.Option(
            help="exhaustive: read all windows of the sources. indexed: those nearest by words. auto: all, of long "
            "sources those nearest."
        ),
    ] = Reading.auto,
) -> None:
    """Check a generated text against its sources.

    Exit codes: 0 accepted, 1 hallucinated, 2 usage or configuration, 3 could not decide.
    """
    with reported(as_json=output_format is Format.json, output=output):
        passages, text, asked = _texts(source, generated, question)
        verifier = verifier_for(task, cache, threads, model=model, backend=backend, tier=tier, reading=reading.value)
        result = verifier.verify(passages, text, asked)
        _write(result, text, output_format, output)
    if result.decision == "hallucinated" and fail_on is not FailOn.never:
        raise typer.Exit(HALLUCINATED)
    if result.decision == "abstain" and fail_on is FailOn.abstain:
        raise typer.Exit(UNDECIDED)
    raise typer.Exit(ACCEPTED)


def _texts(source: list[str], generated: str, question: str | None) -> tuple[list[Passage], str, str | None]:
    from halt_rag.verify.verifier import Passage

    if [*source, generated, question].count("-") > 1:
        raise InputError("Standard input (-) can be only one of the texts.")
    passages = []
    for i, value in enumerate(source, 1):
        text, origin = read_argument(value)
        passages.append(Passage(origin or str(i), text))
    return passages, read_argument(generated)[0], read_argument(question)[0] if question is not None else None


def verifier_for(
    task: str,
    cache: Path | None,
    threads: int | None,
    *,
    model: Path | None = None,
    backend: str = "embedded",
    tier: Tier = Tier.auto,
    locate_evidence: bool = True,
    reading: ReadingMode = "auto",
) -> HaltRagVerifier:
    """The verifier that the options of a command describe.

    Raises:
        ConfigurationError: If there is no such backend, or ``threads`` or ``tier`` is given for another than an
            embedded one, or (MissingExtraError) the tier is not installed; if ``model`` is no task model, or one for
            another task than the given one.
    """
    from halt_rag.cli.backends import open_backend
    from halt_rag.nli.registry import is_embedded
    from halt_rag.verify.text_head import load_model
    from halt_rag.verify.verifier import HaltRagVerifier

    artifact = None if model is None else load_model(model)
    if artifact is not None and task not in {GENERAL, artifact.task}:
        raise ConfigurationError(
            f"{model} is a task model for {artifact.task!r}, not for {task!r}.", hint="Leave out --task."
        )
    if threads is not None and not is_embedded(backend):
        raise ConfigurationError("--threads belongs to the backend 'embedded'.")
    options: dict[str, Any] = {} if threads is None else {"threads": threads}
    models: list[NLIBackend] = [open_backend(name, **options) for name in _backends(backend, tier)]
    if cache is not None:
        from halt_rag.nli.cache import CachedNLI
        from halt_rag.nli.sqlite_store import SQLiteScoreStore

        store = SQLiteScoreStore(cache)
        models = [CachedNLI(model, store) for model in models]
    first, *then = models
    return HaltRagVerifier(
        backend=first,
        task=artifact.task if artifact else task,
        artifact=artifact,
        locate_evidence=locate_evidence,
        reading=reading,
        cascade=then,
    )


def _backends(backend: str, tier: Tier) -> list[str]:
    """The models that are asked, in order."""
    if tier is Tier.auto:
        return [backend]
    if backend != "embedded":
        raise ConfigurationError("--tier belongs to the backend 'embedded'.", hint="Give one of both.")
    return ["embedded:fast", "embedded:base"] if tier is Tier.cascade else [f"embedded:{tier}"]


def _write(result: Verification, generated: str, output_format: Format, output: Path | None) -> None:
    if output is None and output_format is Format.text:
        from halt_rag.cli.render import print_result

        print_result(result, generated)
        return
    if output_format is Format.json:
        content = result.to_json(indent=2)
    else:
        from halt_rag.cli.render import plain_result

        content = plain_result(result, generated)
    if output is None:
        typer.echo(content)
        return
    write_file(output, content.rstrip("\n") + "\n")
