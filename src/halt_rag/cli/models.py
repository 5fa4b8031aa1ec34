"""``halt-rag models``: which NLI models there are, what they are, and how to have them here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halt_rag.cli.embedded import embedded_model, embedded_models, tier_of
from halt_rag.cli.failing import ACCEPTED, reported
from halt_rag.cli.verify import Format

if TYPE_CHECKING:
    from halt_rag.nli.presets import Preset

models = typer.Typer(name="models", help="List, describe, download and convert NLI models.", no_args_is_help=True)

#: Behind licences that were not looked up.
_UNSURE = " (see the model card)"
_FOLDER = typer.Option(help="A folder with pulled models, one folder each: those are shown as offline.")


@models.command("list")
def list_models(
    folder: Annotated[Path | None, _FOLDER] = None,
    output_format: Annotated[Format, typer.Option("--format", help="For people, or JSON.")] = Format.text,
) -> None:
    """List the models that are known, with size and licence, and whether they run offline."""
    with reported():
        rows = known(folder)
    if output_format is Format.json:
        import json

        typer.echo(json.dumps(rows, indent=2))
        return
    for row in rows:
        kind = "3 labels" if row["three_way"] else "support"
        where = "offline" if row["offline"] else "download"
        licence = row["licence"].removesuffix(_UNSURE)
        about = f"{row['about']}; {tier_of(row)}" if "tier" in row else row["about"]
        typer.echo(f"{row['name']:<22} {row['megabytes']:>5} MB  {licence:<11} {kind:<9} {where:<9} {about}")
    typer.echo("Licences and sizes of what is to be downloaded are from memory: the model cards decide.", err=True)
    if "base" not in {row.get("tier") for row in rows}:
        typer.echo('The embedded model of the tier base is not installed: pip install "halt-rag[base]"', err=True)


@models.command()
def info(
    model: Annotated[str, typer.Argument(help="A name from the list, or a checkpoint or ONNX folder.")],
    output_format: Annotated[Format, typer.Option("--format", help="For people, or JSON.")] = Format.text,
) -> None:
    """Describe a model: labels, length, licence, size, form of its input."""
    with reported(as_json=output_format is Format.json):
        found = describe(model)
    if output_format is Format.json:
        import json

        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for name, value in found.items():
        text = ", ".join(value) if isinstance(value, list) else value
        typer.echo(f"{name:<11} {text!r}" if name == "template" else f"{name:<11} {text}")


@models.command()
def pull(
    model: Annotated[str, typer.Argument(help="A name from the list, or a repository of the Hugging Face hub.")],
    to: Annotated[Path, typer.Option(help="The folder for its files.")],
    revision: Annotated[str, typer.Option(help="Branch, tag or commit.")] = "main",
    tokenizer_only: Annotated[
        bool, typer.Option("--tokenizer-only", help="Without weights: enough for hosted and tei.")
    ] = False,
) -> None:
    """Download a model into a folder; its labels are checked."""
    with reported():
        from halt_rag.nli.pull import pull as download

        commit = download(
            model, to, revision=revision, tokenizer_only=tokenizer_only, endpoint=os.environ.get("HF_ENDPOINT")
        )
    typer.echo(f"{model} at commit {commit} is in {to}.")


@models.command()
def convert(
    model: Annotated[str, typer.Argument(help="A checkpoint folder, or a name from the list.")],
    to: Annotated[Path, typer.Option(help="A new folder for the ONNX model.")],
    quantize: Annotated[bool, typer.Option(help="int8 weights: a quarter of the size.")] = True,
    tolerance: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="The largest difference that passes.")
    ] = None,
) -> None:
    """Convert a checkpoint to an ONNX folder that runs without torch, and compare both.

    Exit codes: 0 converted and passed, 1 not passed, 2 usage or configuration.
    """
    from halt_rag.cli.doctor import FAILED, report

    with reported():
        from halt_rag.nli.convert import convert as make

        parity = make(model, to, quantized=quantize, tolerance=tolerance)
    typer.echo(report(parity))
    raise typer.Exit(ACCEPTED if parity.passed else FAILED)


def known(folder: Path | None) -> list[dict[str, Any]]:
    """The embedded models and the presets, as data."""
    from halt_rag.nli.presets import PRESETS

    return [*embedded_models(), *(_preset(preset, offline=_is_here(folder, preset)) for preset in PRESETS)]


def describe(model: str) -> dict[str, Any]:
    """One model, as data.

    Raises:
        UnknownNameError: If it is neither a name nor a folder.
        MissingExtraError: If it is a tier that is not installed.
        ConfigurationError: If the folder cannot be read.
    """
    from halt_rag.nli.presets import preset

    if Path(model).is_dir():
        return _folder(Path(model))
    kind, _, tier = model.partition(":")
    if kind == "embedded":
        return embedded_model(tier or "auto")
    for row in embedded_models():
        if model == row["name"]:
            return row
    found = preset(model)
    return _preset(found, offline=False) | ({"template": found.reading.template} if found.reading.template else {})


def _is_here(folder: Path | None, preset: Preset) -> bool:
    if folder is None:
        return False
    return any((folder / preset.name / name).exists() for name in ("model.safetensors", "model.onnx"))


def _preset(preset: Preset, *, offline: bool) -> dict[str, Any]:
    return {
        "name": preset.name, "model_id": preset.model_id, "about": preset.about, "licence": preset.licence + _UNSURE,
        "megabytes": preset.megabytes, "three_way": len(preset.reading.labels or ()) == 3,
        "labels": list(preset.reading.labels or ()), "max_tokens": preset.reading.max_tokens, "offline": offline,
    }  # fmt: skip


def _folder(folder: Path) -> dict[str, Any]:
    from halt_rag.nli.checkpoint import describe_folder
    from halt_rag.nli.presets import reading_of

    found = describe_folder(folder, reading_of(str(folder)))
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.suffix in {".safetensors", ".onnx", ".data"})
    about = {
        "name": folder.resolve().name, "model_id": found.model_id, "megabytes": round(size / 1e6),
        "three_way": found.outputs.three_way, "labels": list(found.outputs.meanings), "max_tokens": found.max_tokens,
        "offline": True,
    }  # fmt: skip
    return about | ({"template": found.template} if found.template else {})
