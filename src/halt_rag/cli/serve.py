"""``halt-rag serve``: the HTTP service."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Annotated, Literal

import typer

from halt_rag.cli.failing import ACCEPTED, USAGE, reported
from halt_rag.errors import MissingExtraError


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. Default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one. Default: 8000.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that serve. Default: 1.")] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with more settings, in a table [serve].")] = None,
    backend: Annotated[str | None, typer.Option(help="The NLI model to ask. Default: embedded.")] = None,
    task: Annotated[str | None, typer.Option(help="Calibration where a request names none. Default: general.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Keep scores in this SQLite file; all workers share it.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Pairs scored at once. Default: all cores.")] = None,
    allow_remote_without_key: Annotated[
        bool | None,
        typer.Option(
            "--allow-remote-without-key",
            help="Serve other addresses than loopback without an API key.",
            show_default=False,
        ),
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None, typer.Option(help="What is logged. Default: info.")
    ] = None,
    log_texts: Annotated[
        bool | None, typer.Option("--log-texts", help="Let logs hold texts of requests.", show_default=False)
    ] = None,
) -> None:
    """Serve verification over HTTP, on this machine only unless there is an API key.

    Settings come from these options, then from variables HALT_RAG_..., then from the file. Stops on SIGTERM or
    Ctrl-C, after what was accepted is answered. Exit code 2: usage or configuration.
    """
    flags = {
        "host": host,
        "port": port,
        "workers": workers,
        "backend": backend,
        "task": task,
        "cache": cache,
        "threads": threads,
        "allow_remote_without_key": allow_remote_without_key,
        "log_level": log_level,
        "log_texts": log_texts,
    }
    if hasattr(signal, "SIGPIPE"):
        # The command line lets a closed pipe end it; a client that closes its connection must not end the service.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    with reported():
        from halt_rag.service.settings import load_settings

        settings = load_settings(flags, os.environ, config)
        try:
            from halt_rag.service.run import serve as run
        except ModuleNotFoundError as error:
            raise MissingExtraError(error.name or "uvicorn", "service") from error
        try:
            run(settings)
        except SystemExit as end:
            # uvicorn's own codes: 1 for an address that is taken would read as a verdict.
            raise typer.Exit(USAGE if end.code else ACCEPTED) from end
