"""Makes an application from settings: its backend, its score cache, and a verifier for each task that ships."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from halt_rag.errors import ConfigurationError, UnknownNameError
from halt_rag.nli.cache import CachedNLI, ScoreStore, StoreError
from halt_rag.nli.registry import find_backend
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.service.app import create_app
from halt_rag.service.bodies import TASKS
from halt_rag.service.meters import Meters
from halt_rag.service.settings import Settings
from halt_rag.verify.verifier import HaltRagVerifier

if TYPE_CHECKING:
    from fastapi import FastAPI

#: Carries the settings, as JSON, from the command to the processes that it starts.
VARIABLE = "HALT_RAG_SERVICE_SETTINGS"


class CountedStore:
    """A store whose failures are counted. One that must not be used counts as failing: a service goes on without it.

    Args:
        store: The store.
        meters: Where to count.
    """

    def __init__(self, store: ScoreStore, meters: Meters) -> None:
        self._store = store
        self._meters = meters

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The entries of those keys that are there.

        Raises:
            StoreError: If the store cannot be used.
        """
        try:
            return self._store.get(keys)
        except (StoreError, ConfigurationError) as error:
            raise self._counted(error) from error

    def put(self, entries: Mapping[bytes, bytes]) -> None:
        """Adds entries, or replaces them.

        Raises:
            StoreError: If the store cannot be used.
        """
        try:
            self._store.put(entries)
        except (StoreError, ConfigurationError) as error:
            raise self._counted(error) from error

    def _counted(self, error: StoreError | ConfigurationError) -> StoreError:
        self._meters.cache_failures.inc()
        return error if isinstance(error, StoreError) else StoreError(str(error))


def verifiers(settings: Settings, meters: Meters) -> tuple[HaltRagVerifier, dict[str, HaltRagVerifier]]:
    """The verifier that serves, and those of the other tasks that ship for its model; they share the backend.

    Raises:
        ConfigurationError: If the backend or its calibration cannot be used.
    """
    options: dict[str, Any] = dict(settings.backend_options)
    if settings.threads is not None:
        options["threads"] = settings.threads
    backend = find_backend(settings.backend)(**options)
    if settings.cache is not None:
        backend = CachedNLI(backend, CountedStore(SQLiteScoreStore(settings.cache), meters))
    own = HaltRagVerifier(backend=backend, task=settings.task)
    own.thresholds  # noqa: B018 - reads the calibration: what is wrong with it ends the command, not a request
    others = {}
    for task in TASKS:
        if task != settings.task:
            verifier = HaltRagVerifier(backend=backend, task=task)
            try:
                verifier.thresholds  # noqa: B018
            except UnknownNameError:
                continue
            others[task] = verifier
    return own, others


def app_of(settings: Settings) -> FastAPI:
    """The application that settings describe.

    Raises:
        ConfigurationError: As ``verifiers``.
    """
    meters = Meters()
    own, others = verifiers(settings, meters)
    return create_app(own, settings, tasks=others, meters=meters)


def app_of_worker() -> FastAPI:
    """The application of a process that ``halt-rag serve`` started; the settings are in its environment."""
    return app_of(Settings.model_validate_json(os.environ[VARIABLE]))
