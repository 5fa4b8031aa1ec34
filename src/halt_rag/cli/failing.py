"""How commands end when they cannot do their job: one line on standard error, and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
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
def reported(*, as_json: bool = False, output: Path | None = None) -> Iterator[None]:
    """Turns errors into exit code 2 (input, configuration) or 3 (a model could not be asked).

    With ``output`` the error takes the place of the result there: an older result must not look like this one.
    """
    try:
        yield
    except HaltRagError as error:
        content = f"halt-rag: {error}"
        if as_json:
            import json

            content = json.dumps(error_record(error), ensure_ascii=False)
        if not (output and _written(output, content)) and as_json:
            typer.echo(content)
        typer.echo(f"halt-rag: {error}", err=True)
        raise typer.Exit(UNDECIDED if isinstance(error, BackendError) else USAGE) from error


def _written(file: Path, content: str) -> bool:
    try:
        file.write_text(content + "\n", encoding="utf-8")
    except OSError:
        return False
    return True
