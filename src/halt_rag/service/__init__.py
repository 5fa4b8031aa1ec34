"""The HTTP service: ``create_app`` makes it, ``halt-rag serve`` runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from halt_rag.service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI

    from halt_rag.verify.verifier import HaltRagVerifier

__all__ = ["Settings", "create_app"]


def create_app(
    verifier: HaltRagVerifier,
    settings: Settings | None = None,
    *,
    tasks: Mapping[str, HaltRagVerifier] | None = None,
) -> FastAPI:
    """The service around a verifier, as an ASGI application.

    Args:
        verifier: Verifies the texts of requests that name no task, or one without a verifier of its own.
        settings: The settings; host, port, workers, backend and cache matter to ``halt-rag serve`` only.
        tasks: Verifiers by task.

    Raises:
        MissingExtraError: If the packages of the extra ``service`` are not installed.
    """
    from halt_rag.service.app import create_app as make

    return make(verifier, settings, tasks=tasks)
