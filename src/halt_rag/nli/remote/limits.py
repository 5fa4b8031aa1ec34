"""What holds requests back: a budget, and a breaker that opens when a server is down."""

from __future__ import annotations

import time

from halt_rag.errors import BackendError
from halt_rag.nli.remote.settings import Budget, Manners


class BudgetError(BackendError):
    """The budget does not allow the requests; nothing more was sent."""

    code = "BUDGET"


class Spending:
    """Counts requests against a budget."""

    def __init__(self, budget: Budget, backend: str) -> None:
        self._budget, self._backend = budget, backend
        self.calls = 0

    @property
    def cost(self) -> float:
        """What the requests so far cost."""
        return self.calls * self._budget.price_per_call

    def require(self, calls: int) -> None:
        """Refuses a run before its first request, if it would not end within the budget.

        Raises:
            BudgetError: If it does not allow so many more.
        """
        if self.calls + calls > self._budget.calls:
            spent = f" {self.calls} were sent already." if self.calls else ""
            raise BudgetError(
                f"{calls} requests are needed; the budget allows {int(self._budget.calls)} in all.{spent}",
                backend=self._backend,
                hint="Raise max_calls or max_cost, or score fewer pairs. What a cache holds costs nothing.",
            )

    def spend(self) -> None:
        """Counts a request.

        Raises:
            BudgetError: If it is one too many; it must not be sent.
        """
        self.require(1)
        self.calls += 1


class Breaker:
    """Opens after a number of failures in a row, and lets single requests try again after a pause."""

    def __init__(self, manners: Manners, backend: str) -> None:
        self._limit, self._pause, self._backend = manners.give_up_after, manners.pause_s, backend
        self._failures = 0
        self._closed_from = 0.0

    def check(self) -> None:
        """Lets a request pass.

        Raises:
            BackendError: While it is open.
        """
        left = self._closed_from - time.monotonic()
        if self._failures >= self._limit:
            if left > 0:
                raise BackendError(
                    f"The {self._backend} server failed {self._limit} times in a row and is left alone for "
                    f"another {left:.0f} s.",
                    backend=self._backend,
                    retryable=True,
                    hint="What was scored until then is kept by a cache; try again later.",
                )
            # One more failure opens it again.
            self._failures = self._limit - 1

    def succeeded(self) -> None:
        """Notes an answer."""
        self._failures = 0

    def failed(self) -> None:
        """Notes a failure of the server, as opposed to a refusal or a request to wait."""
        self._failures += 1
        if self._failures >= self._limit:
            self._closed_from = time.monotonic() + self._pause
