"""Progress as lines of text, for a run that nobody watches: each can be read in a log while the run goes on."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

#: Seconds over which the pace is taken: examples that a cache answers pass much faster than the others.
_PACE = 300.0


class Lines:
    """Says at regular times how far a run is, also while nothing gets done; ``with Lines(...) as progress``.

    Call it with the number of examples done and of all. A last line is written at the end.

    Args:
        what: What is being done.
        write: Takes a line.
        every: Seconds between two lines.
        clock: Gives the time in seconds.
    """

    def __init__(
        self,
        what: str,
        write: Callable[[str], None],
        *,
        every: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what, self._write, self._every, self._clock = what, write, every, clock
        self._started = clock()
        self._total: int | None = None
        self._known: deque[tuple[float, int]] = deque([(self._started, 0)])
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="halt-rag-progress", daemon=True)

    def __call__(self, done: int, total: int) -> None:
        """Takes how many examples are done, of how many."""
        now = self._clock()
        with self._lock:
            self._total = total
            self._known.append((now, done))
            while len(self._known) > 2 and self._known[1][0] <= now - _PACE:
                self._known.popleft()

    def line(self) -> str:
        """How far the run is: what is done, the minutes it took, and the minutes that are left at the latest pace."""
        now = self._clock()
        with self._lock:
            total, (since, before), done = self._total, self._known[0], self._known[-1][1]
        if total is None:
            return f"{self._what}: {(now - self._started) / 60:.1f} min, no example done yet"
        text = f"{self._what}: {done:,} of {total:,} examples in {(now - self._started) / 60:.1f} min"
        if done > before:
            # Up to now, not to the latest call: a run that stands still has no pace.
            text += f", {(total - done) * (now - since) / (done - before) / 60:.1f} min left"
        return text

    def __enter__(self) -> Lines:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._write(self.line())

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            self._write(self.line())
