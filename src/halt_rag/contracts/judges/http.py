"""One JSON request to a server: with time limits, few retries, and errors that tell nothing secret."""

from __future__ import annotations

import email.utils
import json
import re
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from halt_rag.errors import BackendError, InputError, MissingExtraError

if TYPE_CHECKING:
    import httpx

_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_MOST_BYTES: Final = 16 * 1024 * 1024
_GRACE_S: Final = 0.1
"""How long an attempt may take to say itself that it ran out of time."""
_DELAY: Final = re.compile(r"\d{1,9}(\.\d{1,9})?")
_KEY: Final = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a server.

    Attributes:
        attempt_s: Seconds that the server may be silent in one attempt, and that connecting may take.
        deadline_s: Seconds for everything: attempts, and the waits between them.
        retries: How often to try again after 408, 425, 429, 5xx, a time-out or a failed connection.
        backoff_s: Seconds to wait before the first retry, doubled for each further one. A ``Retry-After`` of the
            server goes before it; one that reaches past the deadline ends the attempts.
    """

    attempt_s: float = 60.0
    deadline_s: float = 180.0
    retries: int = 2
    backoff_s: float = 0.5

    def __post_init__(self) -> None:
        if not (self.attempt_s > 0 and self.deadline_s > 0 and self.retries >= 0 and self.backoff_s >= 0):
            raise InputError(f"Time limits must be positive, retries and backoff at least 0: {self}.")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered, whatever its status."""

    status: int
    body: bytes
    retry_after: str = ""

    def json(self) -> Any:
        """The body as JSON, or ``None`` if it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address that takes JSON by POST.

    Attributes:
        backend: Name of the backend, for the errors.
        url: The address.
        api_key: Sent as a bearer token; in no error, log or representation.
        patience: The time limits.
        client: The ``httpx.Client`` to use, for proxies or certificates of one's own; it stays open. Without one, each
            call makes its own, which reads no environment variables.

    Raises:
        InputError: If the key has characters that a header cannot carry.
        MissingExtraError: If ``httpx`` is not installed.
    """

    backend: str
    url: str
    api_key: str | None = field(default=None, repr=False)
    patience: Patience = field(default_factory=Patience)
    client: httpx.Client | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.api_key is not None and not _KEY.fullmatch(self.api_key):
            raise InputError("The API key is empty or has characters that a header cannot carry, such as a line break.")
        _httpx()

    def deadline(self) -> float:
        """When a call that begins now must be over, on the monotonic clock."""
        return time.monotonic() + self.patience.deadline_s

    def post(self, body: Mapping[str, Any], deadline: float) -> Answer:
        """Sends a body until there is an answer that trying again would not change, of whatever status.

        Raises:
            BackendError: If there is none within the time and the retries allowed; ``retryable`` is true then.
            InputError: If the body holds what cannot be sent as UTF-8.
        """
        try:
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError as error:
            raise InputError("The prompt holds half a surrogate pair, which cannot be sent.") from error
        if self.client is not None:
            return self._persist(self.client, content, deadline=deadline)
        with _httpx().Client(trust_env=False) as client:
            return self._persist(client, content, deadline=deadline)

    def failed(self, answer: Answer) -> BackendError:
        """The error for an answer that is no success."""
        said = _message(answer.json(), self.api_key)
        return self._error(
            f"answered with status {answer.status}{said and f': {said}'}",
            retryable=answer.status in _AGAIN,
            status=answer.status,
        )

    def unusable(self, answer: Answer, what: str) -> BackendError:
        """The error for a success that is not what the protocol says."""
        return self._error(f"answered unusably: {what}", retryable=False, status=answer.status)

    def _persist(self, client: httpx.Client, content: bytes, *, deadline: float) -> Answer:
        for attempt in range(self.patience.retries + 1):
            last = attempt == self.patience.retries
            pause = self.patience.backoff_s * 2**attempt
            outcome = self._in_time(client, content, deadline=deadline)
            if isinstance(outcome, Answer):
                if outcome.status not in _AGAIN:
                    return outcome
                pause = _retry_after(outcome.retry_after, pause)
                error = self.failed(outcome)
            else:
                error = outcome
            if last or time.monotonic() + pause >= deadline:
                break
            time.sleep(pause)
        raise error

    def _in_time(self, client: httpx.Client, content: bytes, *, deadline: float) -> Answer | BackendError:
        """One attempt, given up at the deadline.

        It runs in a thread of its own: no time limit of a client ends an address look-up, or a response whose headers
        arrive a byte at a time. What is given up ends when its connection is closed or goes silent; the process does
        not wait for it.
        """
        outcome: Future[Answer | BackendError] = Future()
        context = copy_context()

        def attempt() -> None:
            try:
                outcome.set_result(context.run(self._once, client, content, deadline=deadline))
            except BaseException as error:  # noqa: BLE001 - raised by result(), in the thread that asked
                outcome.set_exception(error)

        threading.Thread(target=attempt, name="halt-rag-judge", daemon=True).start()
        try:
            return outcome.result(max(0.0, deadline - time.monotonic()) + _GRACE_S)
        except TimeoutError:
            return self._error("did not finish its answer in time", retryable=True)

    def _once(self, client: httpx.Client, content: bytes, *, deadline: float) -> Answer | BackendError:
        """One attempt: the answer, or what went wrong on the way, for the caller to raise or to try again."""
        httpx = _httpx()
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self.api_key is not None:
            headers["authorization"] = f"Bearer {self.api_key}"
        limit = min(self.patience.attempt_s, deadline - time.monotonic())
        if limit <= 0:
            return self._error("could not be asked before the deadline", retryable=True)
        try:
            with client.stream("POST", self.url, content=content, headers=headers, timeout=limit) as response:
                received = bytearray()
                for chunk in response.iter_bytes():
                    received += chunk
                    if len(received) > _MOST_BYTES:
                        return self._error(f"answered with more than {_MOST_BYTES} bytes", status=response.status_code)
                    if time.monotonic() > deadline:
                        return self._error("did not finish its answer in time", retryable=True)
                return Answer(response.status_code, bytes(received), response.headers.get("retry-after", ""))
        except httpx.TimeoutException:
            if limit < self.patience.attempt_s:  # The deadline left no more, so nothing is known of its silence.
                return self._error("did not finish its answer in time", retryable=True)
            return self._error(f"was silent for {limit:.3g} s", retryable=True)
        except httpx.ConnectError as error:
            return self._error(f"could not be reached ({error})", retryable=True)
        except httpx.InvalidURL as error:
            raise InputError(f"The address of {self.backend} is not a URL.") from error
        except httpx.UnsupportedProtocol as error:
            raise InputError(f"The address of {self.backend} must begin with http:// or https://.") from error
        except httpx.HTTPError as error:
            return self._error(f"broke off ({type(error).__name__})", retryable=True)

    def _error(self, what: str, *, retryable: bool = False, status: int | None = None) -> BackendError:
        hint = "Trying again later may help." if retryable else ""
        message = f"The {self.backend} server {what}."
        return BackendError(message, backend=self.backend, retryable=retryable, status_code=status, hint=hint)


def _httpx() -> Any:
    try:
        import httpx
    except ModuleNotFoundError as error:
        raise MissingExtraError("httpx", "judge") from error
    return httpx


def _message(body: Any, secret: str | None) -> str:
    """What servers write about an error: ``{"error": {"message": ...}}``, or a string in its place."""
    told = body.get("error", body.get("detail")) if isinstance(body, dict) else None
    told = told.get("message") if isinstance(told, dict) else told
    text = " ".join(told.split()) if isinstance(told, str) else ""
    if secret:  # before the cut, which may leave a part of it
        text = text.replace(secret, "[API key]")
    return text if len(text) <= 300 else f"{text[:300]}... ({len(text)} characters)"


def _retry_after(header: str, otherwise: float) -> float:
    """Seconds to wait: ``Retry-After`` in seconds or as a date (RFC 9110), or else the back-off."""
    if _DELAY.fullmatch(header.strip()):
        return float(header)
    try:
        date = email.utils.parsedate_to_datetime(header)
        return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return otherwise
