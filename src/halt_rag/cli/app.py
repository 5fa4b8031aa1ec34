"""The command ``halt-rag``. One file per command; heavy imports wait until a command runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from halt_rag.cli.evaluate import evaluate
from halt_rag.cli.schema import schema
from halt_rag.cli.verify import verify

app = typer.Typer(
    name="halt-rag",
    help="Says which parts of a generated text its sources support, how sure it is, and when it cannot tell.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from halt_rag import __version__

        typer.echo(f"halt-rag {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


app.command()(verify)
app.command()(evaluate)
app.command()(schema)


def main() -> None:
    """Entry point. Texts are UTF-8 on every platform."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    app()
