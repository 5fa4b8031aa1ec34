"""The command ``halt-rag``. One file per command; heavy imports wait until a command runs."""

from __future__ import annotations

import signal
import sys
from types import TracebackType
from typing import Annotated

import typer

from halt_rag.cli.calibrate import calibrate
from halt_rag.cli.check_output import check_output
from halt_rag.cli.corpus import corpus
from halt_rag.cli.diagnose import diagnose
from halt_rag.cli.doctor import doctor
from halt_rag.cli.download_data import download_data
from halt_rag.cli.evaluate import evaluate
from halt_rag.cli.extract_features import extract_features
from halt_rag.cli.failing import UNDECIDED
from halt_rag.cli.models import models
from halt_rag.cli.scan import scan
from halt_rag.cli.schema import prompt, schema
from halt_rag.cli.serve import serve
from halt_rag.cli.train import train
from halt_rag.cli.validate import validate
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
app.command()(download_data)
app.command()(extract_features)
app.command()(train)
app.command()(calibrate)
app.command()(check_output)
app.command()(validate)
app.command()(diagnose)
app.command()(scan)
app.add_typer(corpus, name="corpus")
app.command()(serve)
app.command()(schema)
app.command()(prompt)
app.command()(doctor)
app.add_typer(models, name="models")


class _CrashIsNoVerdict:
    """Ends a crash with exit code 3: Python's own 1 would say "hallucinated"."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, SystemExit):
            sys.excepthook(type(error), error, trace)
            raise SystemExit(UNDECIDED) from error


def main() -> None:
    """Entry point. Texts are UTF-8 on every platform."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if hasattr(signal, "SIGPIPE"):
        # A reader that has gone ends the command by the signal. The exit code 1 of a broken pipe would be a verdict.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with _CrashIsNoVerdict():
        app()
