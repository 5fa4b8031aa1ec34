"""Scores the texts of many requests together, in threads, so that the event loop only ever waits."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from halt_rag.errors import BackendError, HaltRagError
from halt_rag.service.meters import Meters
from halt_rag.service.problems import OverloadedError
from halt_rag.service.settings import Settings
from halt_rag.verify.result import Verification
from halt_rag.verify.verifier import HaltRagVerifier, Item

T = TypeVar("T")
_LONGEST_WAIT = 60  # Seconds that a refused client is told to wait at most.


@dataclass(eq=False, slots=True)
class _Job:
    verifier: HaltRagVerifier
    item: Item
    characters: int
    done: asyncio.Future[Verification] = field(repr=False)


class Batcher:
    """Takes texts, up to a bound, and runs what has gathered while earlier ones were scored.

    A text that nobody waits for any more (its future is cancelled) leaves the queue at once. One that fails is run
    again alone, so that it cannot fail its neighbours; only an outage of the model fails a whole batch.

    Args:
        settings: Bounds and sizes.
        meters: Where to count.
    """

    def __init__(self, settings: Settings, meters: Meters) -> None:
        self._settings = settings
        self._meters = meters
        self._waiting: dict[_Job, None] = {}
        self._pending = 0
        self._pace = 0.1  # Seconds a text takes, smoothed.
        self._wake = asyncio.Event()
        self._closing = False
        self._threads = ThreadPoolExecutor(settings.runs, "halt-rag-verify")
        self._others = ThreadPoolExecutor(settings.runs, "halt-rag-check")
        self._runners: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to run batches; needs the event loop."""
        self._runners = [asyncio.create_task(self._run()) for _ in range(self._settings.runs)]

    async def close(self) -> None:
        """Finishes what was accepted, then ends."""
        self._closing = True
        self._wake.set()
        await asyncio.gather(*self._runners)
        self._threads.shutdown()
        self._others.shutdown()

    async def verify(self, verifier: HaltRagVerifier, items: Sequence[Item]) -> list[Verification | HaltRagError]:
        """Verifies texts; an error of the library takes the place of its text's result. Cancel to give them up.

        Raises:
            OverloadedError: If too many texts wait already; none of these was accepted then.
        """
        self._admit(len(items))
        loop = asyncio.get_running_loop()
        jobs = [_Job(verifier, item, _characters(item), loop.create_future()) for item in items]
        for job in jobs:
            job.done.add_done_callback(lambda _, job=job: self._left(job))  # type: ignore[misc]
            self._waiting[job] = None
        self._wake.set()
        try:
            results = await asyncio.gather(*(job.done for job in jobs), return_exceptions=True)
        finally:
            for job in jobs:
                job.done.cancel()
        return [_result(one) for one in results]

    async def run(self, call: Callable[[], T]) -> T:
        """Runs something else that computes, in a thread, under the same bound.

        Raises:
            OverloadedError: If too much waits already.
        """
        self._admit(1)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._others, call)
        finally:
            self._count(-1)

    def _admit(self, texts: int) -> None:
        if self._pending + texts > self._settings.queue:
            self._meters.refused.inc(texts)
            wait = min(_LONGEST_WAIT, max(1, math.ceil(self._pending * self._pace)))
            raise OverloadedError(
                f"{self._pending} of {self._settings.queue} places are taken; {texts} more cannot wait.",
                retry_after=wait,
            )
        self._count(texts)

    def _count(self, change: int) -> None:
        self._pending += change
        self._meters.pending.set(self._pending)

    def _left(self, job: _Job) -> None:
        self._waiting.pop(job, None)
        self._count(-1)

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            batch = self._take()
            if batch:
                await self._score(batch)
            else:
                self._wake.clear()
                await self._wake.wait()

    def _take(self) -> list[_Job]:
        """The next texts: as many as may run together, all for the verifier of the first."""
        batch: list[_Job] = []
        room = self._settings.batch_characters
        for job in self._waiting:
            if batch and (job.verifier is not batch[0].verifier or job.characters > room):
                break
            batch.append(job)
            room -= job.characters
            if len(batch) == self._settings.batch:
                break
        for job in batch:
            del self._waiting[job]
        return batch

    async def _score(self, batch: Sequence[_Job]) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        self._meters.batches.observe(len(batch))
        items = [job.item for job in batch]
        run = loop.run_in_executor(
            self._threads, lambda: list(batch[0].verifier.verify_many(items, at_once=len(items)))
        )
        await asyncio.wait([run])
        error = run.exception()
        if error is None:
            for job, result in zip(batch, run.result(), strict=True):
                self._meters.verified(result)
                if not job.done.done():
                    job.done.set_result(result)
            self._pace += 0.1 * ((loop.time() - started) / len(batch) / self._settings.runs - self._pace)
        elif len(batch) == 1 or (isinstance(error, BackendError) and error.retryable):
            for job in batch:
                if not job.done.done():
                    job.done.set_exception(error)
        else:
            for job in batch:
                if not job.done.done():
                    await self._score([job])


def _result(one: Verification | BaseException) -> Verification | HaltRagError:
    if isinstance(one, BaseException) and not isinstance(one, HaltRagError):
        raise one
    return one


def _characters(item: Item) -> int:
    source = item.source
    return len(item.generated) + (
        len(source) if isinstance(source, str) else sum(len(p if isinstance(p, str) else p.text) for p in source)
    )
