"""How commands end when they cannot do their job: one line on standard error, and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from halt_rag.errors import BackendError, HaltRagError

ACCEPTED, HALLUCINATED, USAGE, UNDECIDED = 0, 1, 2, 3


def error_record(error: HaltRagError) -> dict[str, Any]:
    """The error as data, for ``--format json``. Never mistaken for a verdict: it has no decision."""
    return {
        "schema_version": "1.0",
        "status": "error",
        "error": {
            "code": error.code,
            "message": str(error),
            "hint": error.hint,
            "retryable": isinstance(error, BackendError) and error.retryable,
        },
    }


@contextmanager
def reported(*, as_json: bool = False) -> Iterator[None]:
    """Turns errors into exit code 2 (input, configuration) or 3 (a model could not be asked)."""
    try:
        yield
    except HaltRagError as error:
        if as_json:
            import json

            typer.echo(json.dumps(error_record(error), ensure_ascii=False))
        typer.echo(f"halt-rag: {error}", err=True)
        raise typer.Exit(UNDECIDED if isinstance(error, BackendError) else USAGE) from error
