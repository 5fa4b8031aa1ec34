"""What every request passes: counting, security headers, the API key, and the bounds on its body."""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import time
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException

from halt_rag.service.meters import Meters
from halt_rag.service.problems import SECURITY_HEADERS, Problem, respond
from halt_rag.service.settings import Settings, key_hash

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger("halt_rag.service")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")
#: Probes must work without a key.
_OPEN = frozenset({"/healthz", "/readyz"})


class Watch:
    """Counts and logs requests, without their texts, and puts the headers on that every answer has."""

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self._app = app
        self._meters = meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        started, status = time.monotonic(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update(SECURITY_HEADERS | {"X-Request-ID": request_id})
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            # The pattern of the route, not the path: a client may write anything into that.
            route = getattr(scope.get("route"), "path", "(none)")
            seconds = time.monotonic() - started
            self._meters.requests.labels(route, status).inc()
            self._meters.seconds.labels(route).observe(seconds)
            method = scope["method"] if scope["method"] in {"GET", "POST"} else "(other)"
            _log.info("%s %s %d %.0f ms %s", method, route, status, 1000 * seconds, request_id)


class Key:
    """Refuses requests without an API key, where the service has keys."""

    def __init__(self, app: ASGIApp, hashes: Sequence[str]) -> None:
        self._app = app
        self._hashes = [digest.encode() for digest in hashes]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on if it may."""
        if scope["type"] != "http" or not self._hashes or scope["path"] in _OPEN or self._knows(scope):
            await self._app(scope, receive, send)
            return
        problem = Problem(
            type="urn:halt-rag:UNAUTHORIZED",
            title="An API key is needed",
            status=401,
            detail="Send a key of this service: Authorization: Bearer KEY.",
            code="UNAUTHORIZED",
        )
        await respond(problem, {"WWW-Authenticate": "Bearer"})(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        scheme, _, key = Headers(scope=scope).get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return False
        given = key_hash(key.strip()).encode()
        # All of them, each in constant time: how long it takes says nothing about how near a key was.
        return any([hmac.compare_digest(given, known) for known in self._hashes])  # noqa: C419 - a generator would stop at the first


class Bounds:
    """Refuses bodies that are too long, come too slowly, or are not declared as JSON."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._most = settings.max_body_bytes
        self._seconds = settings.deadline_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, with its body watched."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        until = asyncio.get_running_loop().time() + self._seconds
        scope.setdefault("state", {})["until"] = until
        read, complete = 0, False

        async def bounded() -> Message:
            nonlocal read, complete
            if complete:
                return await receive()
            if scope["method"] == "POST":
                self._check(Headers(scope=scope))
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The body did not arrive in time", {"Connection": "close"}) from None
            read += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if read > self._most:
                raise HTTPException(413, f"The body has more than {self._most} bytes")
            return message

        await self._app(scope, bounded, send)

    def _check(self, headers: Headers) -> None:
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:20]) > self._most:
            raise HTTPException(413, f"The body has more than {self._most} bytes")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise HTTPException(415, "The body must be declared as Content-Type: application/json")
