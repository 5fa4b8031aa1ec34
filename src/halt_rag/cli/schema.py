"""``halt-rag schema`` and ``halt-rag prompt``: JSON Schemas, and the prompt of a typed contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from halt_rag.cli.failing import reported
from halt_rag.errors import InputError


def schema(
    contract: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Of the records of this typed contract (JSON or YAML) instead.")
    ] = None,
    several_sources: Annotated[bool, typer.Option(help="Evidence names its source; with --contract.")] = False,
) -> None:
    """Print the JSON Schema of what `verify --format json` writes, or of a typed contract's records."""
    with reported():
        if contract is None:
            from halt_rag.verify.result import Verification

            if several_sources:
                raise InputError("--several-sources belongs to --contract.")
            found: dict[str, Any] = Verification.json_schema()
        else:
            from halt_rag.contracts.evidence import EvidenceContract

            found = EvidenceContract.load(contract).json_schema(several_sources=several_sources)
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))


def prompt(
    contract: Annotated[Path, typer.Option(metavar="FILE", help="The contract: JSON, or YAML by its ending.")],
    source: Annotated[list[Path], typer.Option(metavar="FILE", help="A source. Repeat it for several.")],
) -> None:
    """Print the prompt that asks a model for a record of a typed contract, with the lines of its sources numbered."""
    with reported():
        from halt_rag.cli.texts import read_file
        from halt_rag.contracts.evidence import EvidenceContract, Source

        sources = [Source(path.name, read_file(path)) for path in source]
        typer.echo(EvidenceContract.load(contract).prompt(sources))
