"""Requests to one server: side by side, paced, repeated where that may help, within a deadline and a budget."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from halt_rag.errors import BackendError, ConfigurationError, HaltRagError, InputError, MissingExtraError
from halt_rag.nli.remote.limits import Breaker, Spending
from halt_rag.nli.remote.loop import LoopThread
from halt_rag.nli.remote.settings import Connection, Manners
from halt_rag.nli.remote.statuses import cleaned, status_error, worth_repeating
from halt_rag.nli.remote.waits import wait_asked

if TYPE_CHECKING:
    import httpx
    from aiolimiter import AsyncLimiter

_MOST_BYTES: Final = 16 * 1024 * 1024
_LONGEST_BACKOFF: Final = 60.0
#: Shorter tokens may be part of an honest answer.
_SECRET_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
        url: The address.
        body: JSON to post; None for GET.
        read: Makes the result of the answer's JSON; raises ``BackendError`` where it is unusable.
    """

    url: str
    body: Any = field(repr=False)
    read: Callable[[Any], Any]


@dataclass(slots=True)
class _Shared:
    """What all requests share, in the loop."""

    client: httpx.AsyncClient
    slots: asyncio.Semaphore
    bucket: AsyncLimiter | None
    quiet_until: float = 0.0


@dataclass(slots=True)
class _Run:
    """One call of ``send``."""

    deadline: float
    failure: HaltRagError | None = None


@dataclass(frozen=True, slots=True)
class _Trouble:
    """An attempt that failed in a way that may pass."""

    error: BackendError
    wait: float | None = None


class RemoteClient:
    """Sends requests and gives their results as they come.

    All threads that use a client share its limits. It holds a thread and connections from the first use on until
    ``close`` or the end of the process.

    Args:
        backend: Name of the backend, for errors.
        connection: How the server is reached.
        manners: How it is treated.

    Raises:
        MissingExtraError: If httpx or aiolimiter is not installed.
    """

    def __init__(self, backend: str, connection: Connection, manners: Manners) -> None:
        _httpx()
        self._backend, self._connection, self._manners = backend, connection, manners
        self.spending = Spending(manners.budget, backend)
        self._breaker = Breaker(manners, backend)
        self._loop = LoopThread(self._enter, self._leave)

    def send(self, requests: Sequence[Request]) -> Iterator[tuple[int, Any]]:
        """The results with the indices of their requests, in the order in which they come.

        After an error no further request is begun; those under way are ended and their results given, then it is
        raised.

        Raises:
            BudgetError: Before anything is sent, if the budget does not allow all requests.
            BackendError: If a request fails for good, the deadline has passed, or another thread closes the client.
        """
        self.spending.require(len(requests))
        try:
            yield from self._loop.stream(lambda shared, put: self._send(shared, requests, put))
        except CancelledError as error:
            raise self._failure("could not be asked any more: the backend was closed meanwhile") from error

    def close(self) -> None:
        """Closes the connections; a later use opens new ones."""
        self._loop.close()

    async def _enter(self) -> _Shared:
        httpx, limiter = _httpx()
        manners, connection = self._manners, self._connection
        headers = {"authorization": f"Bearer {connection.token}"} if connection.token else {}
        limits = httpx.Limits(max_connections=manners.concurrency, max_keepalive_connections=manners.concurrency)
        try:
            verify = ssl.create_default_context(cafile=connection.ca_file) if connection.ca_file else True
            client = httpx.AsyncClient(
                headers=headers, limits=limits, verify=verify, proxy=connection.proxy,
                trust_env=connection.trust_env, timeout=None,
            )  # fmt: skip
        except (OSError, ValueError, ImportError) as error:
            # The errors about proxies have their passwords in them: neither shown nor chained.
            what = "the proxy"
            if isinstance(error, OSError):
                what = f"the CA file {connection.ca_file or 'that SSL_CERT_FILE or SSL_CERT_DIR names'}"
            kind = " (SOCKS needs the package socksio)" if isinstance(error, ImportError) else ""
            raise ConfigurationError(f"The connection cannot be set up: {what} cannot be used{kind}.") from None
        bucket = None
        if manners.rate is not None:
            bucket = limiter.AsyncLimiter(max(manners.rate, 1.0), max(1.0, 1 / manners.rate))
        return _Shared(client, asyncio.Semaphore(manners.concurrency), bucket)

    async def _leave(self, shared: _Shared) -> None:
        await shared.client.aclose()

    async def _send(self, shared: _Shared, requests: Sequence[Request], put: Callable[[Any], None]) -> None:
        seconds = self._manners.deadline_s
        run = _Run(float("inf") if seconds is None else time.monotonic() + seconds)
        waiting = iter(enumerate(requests))

        async def work() -> None:
            for index, request in waiting:
                if run.failure is not None:
                    return
                try:
                    put((index, await self._persist(shared, request, run)))
                except HaltRagError as error:
                    run.failure = run.failure or error

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._manners.concurrency, len(requests))):
                group.create_task(work())
        if run.failure is not None:
            raise run.failure

    async def _persist(self, shared: _Shared, request: Request, run: _Run) -> Any:
        """Repeats a request until it has an answer, or there is no point in it."""
        for attempt in range(self._manners.retries + 1):
            outcome = await self._in_time(shared, request, run)
            if not isinstance(outcome, _Trouble):
                return request.read(outcome)
            pause = min(_LONGEST_BACKOFF, self._manners.backoff_s * 2**attempt) * random.uniform(0.5, 1.5)  # noqa: S311
            if outcome.wait is not None:
                if outcome.wait > self._manners.longest_wait_s:
                    raise self._failure(
                        f"wants no request for {outcome.wait:.0f} s, longer than longest_wait_s "
                        f"({self._manners.longest_wait_s:g})",
                        retryable=True, status=outcome.error.status_code,
                    ) from outcome.error  # fmt: skip
                # Those who waited for the same moment should not all come back in it.
                pause = outcome.wait + random.uniform(0, 0.1) * min(outcome.wait, 10)  # noqa: S311
            last = attempt == self._manners.retries or run.failure is not None
            if last or time.monotonic() + pause >= run.deadline:
                raise outcome.error
            await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    async def _in_time(self, shared: _Shared, request: Request, run: _Run) -> Any:
        """One attempt, once there is room for it."""
        loop = asyncio.get_running_loop()
        left = run.deadline - time.monotonic()
        try:
            async with asyncio.timeout_at(None if left == float("inf") else loop.time() + left):
                async with shared.slots:
                    while (quiet := shared.quiet_until - time.monotonic()) > 0:
                        if shared.quiet_until >= run.deadline:
                            raise self._failure(
                                f"wants no request for {quiet:.0f} s, past the deadline", retryable=True
                            )
                        await asyncio.sleep(quiet)
                    if shared.bucket is not None:
                        await shared.bucket.acquire()
                    self._breaker.check()
                    self.spending.spend()
                    return await self._attempt(shared, request)
        except TimeoutError as error:
            raise self._failure(
                f"did not answer everything within {self._manners.deadline_s} s (deadline_s)", retryable=True
            ) from error

    async def _attempt(self, shared: _Shared, request: Request) -> Any:
        """The JSON of a success, or the trouble.

        Raises:
            BackendError: For what another attempt would not change.
        """
        httpx, _ = _httpx()
        try:
            async with asyncio.timeout(self._manners.attempt_s) as limit:
                status, headers, content = await self._exchange(shared.client, request)
        except TimeoutError:
            if not limit.expired():  # the deadline of the run
                raise
            return self._trouble(f"did not answer within {self._manners.attempt_s:.3g} s")
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise InputError(f"The address of the {self._backend} server is no URL of HTTP.") from error
        except httpx.TransportError as error:
            text = cleaned(str(error), self._connection.token)
            if "CERTIFICATE_VERIFY_FAILED" in text:
                raise self._failure("has a certificate that is not trusted", hint="Give the CA's file.") from error
            return self._trouble(f"could not be asked ({type(error).__name__}{text and f': {text}'})")
        body = _parsed(content)
        wait = wait_asked(status, headers, body)
        if wait:
            shared.quiet_until = max(shared.quiet_until, time.monotonic() + min(wait, self._manners.longest_wait_s))
        if 200 <= status < 300 and body is not None:
            self._breaker.succeeded()
            return body
        if 200 <= status < 300:
            return self._trouble("answered with something other than JSON", status=status)
        refusal = status_error(self._backend, status, body, secret=self._connection.token)
        if not worth_repeating(status):
            raise refusal
        # A server that asks to wait works.
        if wait is None and status != 429:
            self._breaker.failed()
        return _Trouble(refusal, wait)

    async def _exchange(self, client: httpx.AsyncClient, request: Request) -> tuple[int, httpx.Headers, bytes]:
        # Answers are short. What expands while it is read could fill the memory, so nothing compressed is taken.
        content, headers = None, {"accept": "application/json", "accept-encoding": "identity"}
        if request.body is not None:
            content = json.dumps(request.body, ensure_ascii=True, allow_nan=False).encode()
            headers["content-type"] = "application/json"
        method = "GET" if content is None else "POST"
        async with client.stream(method, request.url, content=content, headers=headers) as response:
            if (coding := response.headers.get("content-encoding", "identity").strip().lower()) not in ("", "identity"):
                raise self._failure(
                    f"answered with the content encoding {cleaned(coding, self._connection.token)!r}, "
                    "which was not asked for", status=response.status_code,
                )  # fmt: skip
            received = bytearray()
            async for chunk in response.aiter_raw():
                received += chunk
                if len(received) > _MOST_BYTES:
                    raise self._failure(f"answered with more than {_MOST_BYTES} bytes", status=response.status_code)
            secret = self._connection.token or ""
            if len(secret) >= _SECRET_LENGTH:  # what a server repeats may end in an error, as an unknown label does
                received = received.replace(secret.encode(), b"[token]")
            return response.status_code, response.headers, bytes(received)

    def _trouble(self, what: str, *, status: int | None = None) -> _Trouble:
        self._breaker.failed()
        return _Trouble(self._failure(what, retryable=True, status=status))

    def _failure(
        self, what: str, *, retryable: bool = False, status: int | None = None, hint: str = ""
    ) -> BackendError:
        return BackendError(
            f"The {self._backend} server {what}.", backend=self._backend, retryable=retryable, status_code=status,
            hint=hint or ("Trying again later may help." if retryable else ""),
        )  # fmt: skip


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _httpx() -> tuple[Any, Any]:
    try:
        import aiolimiter
        import httpx
    except ImportError as error:
        raise MissingExtraError("httpx or aiolimiter", "hosted") from error
    return httpx, aiolimiter
