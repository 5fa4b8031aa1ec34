"""``halt-rag schema``: the JSON Schema of a verification."""

from __future__ import annotations

import json

import typer


def schema() -> None:
    """Print the JSON Schema of what `verify --format json` writes."""
    from halt_rag.verify.result import Verification

    typer.echo(json.dumps(Verification.json_schema(), indent=2, ensure_ascii=False))
