"""An event loop in a thread of its own, for synchronous callers, whether or not they run in a loop themselves."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class LoopThread(Generic[_T]):
    """Runs coroutines in one lasting loop; starts on first use, and anew after a fork.

    Args:
        enter: Makes what all coroutines share, in the loop.
        leave: Closes it, in the loop.
    """

    def __init__(
        self, enter: Callable[[], Coroutine[Any, Any, _T]], leave: Callable[[_T], Coroutine[Any, Any, None]]
    ) -> None:
        self._enter, self._leave = enter, leave
        self._starting = threading.Lock()
        self._running: tuple[int, asyncio.AbstractEventLoop, threading.Thread, _T] | None = None

    def submit(self, work: Callable[[_T], Coroutine[Any, Any, Any]]) -> Future[Any]:
        """Starts a coroutine that gets what is shared."""
        with self._starting:
            if self._running is None or self._running[0] != os.getpid():
                loop = asyncio.new_event_loop()
                thread = threading.Thread(target=_serve, args=(loop,), name="halt-rag-remote", daemon=True)
                thread.start()
                try:
                    shared = asyncio.run_coroutine_threadsafe(self._enter(), loop).result()
                except BaseException:
                    _stop(loop, thread)
                    raise
                self._running = os.getpid(), loop, thread, shared
            _, loop, _, shared = self._running
            return asyncio.run_coroutine_threadsafe(work(shared), loop)

    def stream(self, work: Callable[[_T, Callable[[Any], None]], Coroutine[Any, Any, None]]) -> Iterator[Any]:
        """What a coroutine puts out, as it comes; then its error, if it has one.

        Leaving the iterator early cancels the coroutine.
        """
        inbox: queue.SimpleQueue[tuple[Any] | None] = queue.SimpleQueue()
        future = self.submit(lambda shared: work(shared, lambda item: inbox.put((item,))))
        future.add_done_callback(lambda _: inbox.put(None))
        try:
            while (box := inbox.get()) is not None:
                yield box[0]
            future.result()
        finally:
            future.cancel()

    def close(self) -> None:
        """Ends the loop and cancels what runs in it; a later use starts another.

        A loop of the parent of a fork is not ours to end.
        """
        with self._starting:
            running, self._running = self._running, None
        if running is None or running[0] != os.getpid():
            return
        _, loop, thread, shared = running
        asyncio.run_coroutine_threadsafe(self._end(shared), loop).result()
        _stop(loop, thread)

    async def _end(self, shared: _T) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._leave(shared)


def _stop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()
