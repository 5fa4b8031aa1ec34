"""``halt-rag corpus export``: what a model may cite, for its prompt."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halt_rag.cli.failing import reported

if TYPE_CHECKING:
    from halt_rag.scan.knowledge import Packages

corpus = typer.Typer(help="The papers, requirements and packages that a repository has.", no_args_is_help=True)


@corpus.callback()
def _corpus() -> None:
    pass


@corpus.command()
def export(
    root: Annotated[Path, typer.Option(help="The folder whose settings and papers are read.")] = Path(),
    api: Annotated[
        list[str] | None, typer.Option(metavar="MODULE", help="List the public names of a Python module. Repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON instead of Markdown.")] = False,
) -> None:
    """Print the valid references, statistics, requirement ids and packages, for a prompt before text is generated."""
    with reported():
        from halt_rag.scan import read_settings
        from halt_rag.scan.export import export_data, local_folders, prompt_json, prompt_text
        from halt_rag.scan.sources import knowledge_of

        known = knowledge_of(root, read_settings(root), today=datetime.now(UTC).date())
        if known.packages is not None:
            known = replace(known, packages=_named(known.packages))
        data = export_data(known, api or (), folders=local_folders(root, known))
        typer.echo(prompt_json(data) if as_json else prompt_text(data), nl=False)


def _named(packages: Packages) -> Packages:
    """The packages that have a name, by the ecosystems that have packages: a manifest may lack its name, or be none."""
    imports = {ecosystem: names - {""} for ecosystem, names in packages.imports.items()}
    return replace(packages, imports={ecosystem: names for ecosystem, names in imports.items() if names})
