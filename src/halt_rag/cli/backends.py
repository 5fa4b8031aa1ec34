"""NLI backends as commands name them: ``embedded``, or ``kind:target``; with what the environment knows."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halt_rag.errors import ConfigurationError

if TYPE_CHECKING:
    from halt_rag.nli.remote.settings import Manners
    from halt_rag.nli.scores import NLIBackend

REMOTE = ("hosted", "tei")


def parity_file() -> Path:
    """Where passes of the parity gate are kept, unless a command is told otherwise."""
    import typer

    return Path(typer.get_app_dir("halt-rag")) / "parity.json"


def open_backend(
    spec: str,
    *,
    tokenizer: Path | None = None,
    token_file: Path | None = None,
    ca_file: Path | None = None,
    manners: Manners | None = None,
    **options: Any,
) -> NLIBackend:
    """The backend that a command line names. For those behind HTTP, token and proxies come from the environment.

    Args:
        spec: ``embedded``, ``embedded:TIER``, ``onnx:FOLDER``, ``local:MODEL``, ``hosted:MODEL``, ``tei:URL`` or a
            plug-in.
        tokenizer: The model's ``tokenizer.json`` or folder, for backends behind HTTP.
        token_file: Holds the token, in place of ``HF_TOKEN``.
        ca_file: Certificates to trust, for backends behind HTTP.
        manners: How a server is treated.
        options: Further options of the backend.

    Raises:
        UnknownNameError: If there is no such backend.
        ConfigurationError: If its target is missing or an option does not belong to it.
    """
    from halt_rag.nli.registry import TARGETS, find_backend

    kind, _, target = spec.partition(":")
    if kind in TARGETS and not target:
        raise ConfigurationError(f"The backend {kind!r} needs {TARGETS[kind]}.", hint=f"Write it as {kind}:...")
    found = find_backend(spec)
    if kind not in REMOTE:
        if tokenizer or token_file or ca_file:
            raise ConfigurationError("Tokenizer, token and CA files belong to the backends hosted and tei.")
        return found(**options)
    from halt_rag.nli.remote.settings import Connection

    connection = replace(Connection.from_env(os.environ), ca_file=ca_file)
    if token_file is not None:
        connection = connection.with_token_of(token_file)
    return found(tokenizer=tokenizer, connection=connection, manners=manners, **options)
