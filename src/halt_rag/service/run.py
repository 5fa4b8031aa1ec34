"""Runs the application with uvicorn."""

from __future__ import annotations

import logging
import os
import tempfile
import traceback
from types import TracebackType
from typing import Any

import uvicorn

from halt_rag.service.build import VARIABLE, app_of, verifiers
from halt_rag.service.meters import SHARED_FOLDER, Meters
from halt_rag.service.settings import Settings

_HEALTHCHECK_SECONDS = 60
_KEEP_ALIVE_SECONDS = 75
_FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"


class WithoutMessages(logging.Formatter):
    """Writes where an exception was raised and of which kind it is, but not its message: that may quote a text."""

    def formatException(  # noqa: N802 - the name that logging gives it
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """The frames and the kind of an exception."""
        kind, _, trace = ei
        frames = "".join(traceback.format_tb(trace))
        return f"{frames}{kind.__module__}.{kind.__qualname__}" if kind is not None else frames


def serve(settings: Settings) -> None:
    """Serves until the process is told to stop (SIGTERM, SIGINT); then finishes what was accepted.

    Raises:
        ConfigurationError: If the backend or its calibration cannot be used.
    """
    if settings.workers == 1:
        uvicorn.run(app_of(settings), **_options(settings))
        return
    verifiers(settings, Meters())  # What is wrong is said here, once, and not by every worker again.
    with tempfile.TemporaryDirectory(prefix="halt-rag-metrics-") as folder:
        os.environ[SHARED_FOLDER] = folder
        os.environ[VARIABLE] = settings.model_dump_json()
        uvicorn.run(
            "halt_rag.service.build:app_of_worker", factory=True, workers=settings.workers, **_options(settings)
        )


def _options(settings: Settings) -> dict[str, Any]:
    return {
        "host": settings.host,
        "port": settings.port,
        "log_config": log_config(settings),
        "access_log": False,
        "server_header": False,
        # It bounds the headers of a request; the other parser that uvicorn may find does not.
        "http": "h11",
        "ws": "none",
        "lifespan": "on",
        "proxy_headers": False,
        "timeout_graceful_shutdown": settings.shutdown_seconds,
        # Longer than the 60 seconds for which proxies usually keep a connection, so that it is they who close it.
        "timeout_keep_alive": _KEEP_ALIVE_SECONDS,
        # A worker that still loads its packages on a busy machine is not one that hangs.
        "timeout_worker_healthcheck": _HEALTHCHECK_SECONDS,
    }


def log_config(settings: Settings) -> dict[str, Any]:
    """The configuration of logging: one line an event, on standard error."""
    formatter: dict[str, Any] = {"format": _FORMAT}
    if not settings.log_texts:
        formatter["()"] = "halt_rag.service.run.WithoutMessages"
    logger = {"handlers": ["stderr"], "level": settings.log_level.upper(), "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}},
        "loggers": {"uvicorn": logger, "halt_rag": logger},
        # Whatever else warns goes the same way: without it, logging would write messages of exceptions out.
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }
