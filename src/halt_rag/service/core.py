"""What the routes share: the verifiers, the queue, and waiting that ends with the deadline or when the client goes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from halt_rag.errors import BackendError, HaltRagError
from halt_rag.service.batching import Batcher
from halt_rag.service.meters import Meters
from halt_rag.service.problems import ClientLeftError, DeadlineError, OverloadedError
from halt_rag.service.settings import Settings
from halt_rag.verify.result import Verification
from halt_rag.verify.verifier import HaltRagVerifier, Item

if TYPE_CHECKING:
    from starlette.requests import Request

T = TypeVar("T")
_log = logging.getLogger("halt_rag.service")
_AGAIN_SECONDS = 5.0
#: Verified once at the start, so that the first request does not wait for the model to load.
_FIRST = Item("The dam was built in 1967.", "The dam was built in 1967.")


class Service:
    """One application: its settings, figures, verifiers and queue.

    Attributes:
        settings: What was set.
        meters: What ``/metrics`` shows.
        batcher: Runs everything that computes.
        not_ready: Why the service is not ready; None where it is.
    """

    def __init__(
        self, verifier: HaltRagVerifier, settings: Settings, meters: Meters, tasks: Mapping[str, HaltRagVerifier]
    ) -> None:
        self.settings = settings
        self.meters = meters
        self.batcher = Batcher(settings, meters)
        self.not_ready: str | None = "The model is being loaded."
        self._verifier = verifier
        self._tasks = dict(tasks)

    def verifier(self, task: str | None = None) -> HaltRagVerifier:
        """The verifier of a task; the service's own where the task is not named or has none of its own."""
        return self._tasks.get(task, self._verifier) if task is not None else self._verifier

    async def warm(self) -> None:
        """Loads the model; tries again where a model could not be asked. Then the service is ready."""
        result: Verification | HaltRagError
        while self.not_ready is not None:
            try:
                (result,) = await self.batcher.verify(self._verifier, [_FIRST])
            except OverloadedError as error:  # Requests fill the queue; they load the model, too.
                result = error
            if not isinstance(result, HaltRagError):
                self.not_ready = None
                _log.info("ready: %s %s", result.model.model_id, result.model.revision)
            else:
                self.not_ready = f"{result.code}: {result}"
                _log.error("not ready: %s", self.not_ready)
                if not isinstance(result, BackendError | OverloadedError):
                    return
                await asyncio.sleep(_AGAIN_SECONDS)

    def warmed(self, task: asyncio.Task[None]) -> None:
        """Takes note if loading ended in an error that is none of the library's."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.not_ready = "INTERNAL: The model cannot be loaded; the log says why."
            _log.error("not ready: the model cannot be loaded", exc_info=error)

    async def answered(self, request: Request, work: Coroutine[Any, Any, T]) -> T:
        """What the work gives, unless the deadline passes or the client goes first; the work is cancelled then.

        Raises:
            DeadlineError: If the deadline passes.
            ClientLeftError: If the client hangs up.
        """
        task, gone = asyncio.create_task(work), asyncio.create_task(_gone(request))
        left = request.state.until - asyncio.get_running_loop().time()
        try:
            done, _ = await asyncio.wait({task, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            task.cancel()
        if task in done:
            return task.result()
        reason = "client_left" if gone in done else "deadline"
        self.meters.dropped.labels(reason).inc()
        if gone in done:
            raise ClientLeftError("The client hung up.")
        raise DeadlineError(
            f"The request was not answered within {self.settings.deadline_seconds:g} seconds.",
            hint="Send fewer or shorter texts, or try again.",
        )


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    return cast("Service", request.app.state.service)
