"""Errors as problem+json (RFC 9457). None has a decision: a failure to check never looks like a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from halt_rag.errors import (
    BackendError,
    HallucinationError,
    HaltRagError,
    InputError,
    MissingExtraError,
    UnknownNameError,
)
from halt_rag.policies import Failure

if TYPE_CHECKING:
    from starlette.requests import Request

MEDIA_TYPE = "application/problem+json"
#: Of every answer.
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_TITLES = {
    400: "The body is not JSON",
    401: "An API key is needed",
    404: "There is no such thing",
    405: "The method is not allowed",
    408: "The body came too slowly",
    413: "The body is too long",
    415: "The body is not declared as JSON",
    422: "The input cannot be used",
    429: "Too much is waiting",
    500: "The service failed",
    501: "A package is not installed",
    502: "A model gave no usable answer",
    503: "The service cannot check now",
    504: "The deadline has passed",
}
#: What may stand in one place, by pydantic's names for it.
_KINDS = {
    "str": "a string",
    "list[str]": "a list of strings",
    "list[PassageBody]": "a list of objects with id and text, both strings",
    "list[SourceBody]": "a list of objects with id and text, both strings, and perhaps content_type",
}
_CODES = {401: "UNAUTHORIZED", 404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED", 408: "TIMEOUT", 413: "TOO_LARGE"}


class Problem(BaseModel):
    """An error; what it says about texts is where they are wrong, never what they say."""

    type: str = Field(description="'urn:halt-rag:' and the code.")
    title: str = Field(description="What the status means.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What was wrong, and what to do.")
    code: str = Field(description="Stable identifier, such as INPUT or BACKEND.")
    hint: str = Field(default="", description="What to do about it; may be empty.")
    retryable: bool = Field(default=False, description="Whether the same request may succeed later.")


class OverloadedError(HaltRagError):
    """Too many texts wait."""

    code = "OVERLOADED"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class DeadlineError(HaltRagError):
    """A request was not answered in time."""

    code = "DEADLINE"


class ClientLeftError(HaltRagError):
    """The client has gone; nobody will read an answer."""

    code = "CLIENT_LEFT"


def status_of(error: HaltRagError) -> int:
    """The HTTP status of an error of the library."""
    if isinstance(error, BackendError):
        return 503 if error.retryable else 502
    table: tuple[tuple[type[HaltRagError], int], ...] = (
        (OverloadedError, 429),
        (DeadlineError, 504),
        (ClientLeftError, 499),
        (MissingExtraError, 501),
        (InputError, 422),
        (UnknownNameError, 422),
        (HallucinationError, 422),
    )
    return next((status for kind, status in table if isinstance(error, kind)), 500)


def answer(error: HaltRagError, status: int | None = None) -> JSONResponse:
    """The answer that an error of the library gets."""
    status = status or status_of(error)
    failure = Failure.of(error)
    retryable = failure.retryable or isinstance(error, OverloadedError | DeadlineError)
    headers = {}
    if status in {429, 503}:
        headers["Retry-After"] = str(error.retry_after if isinstance(error, OverloadedError) else 1)
    more = {"verification": error.result} if isinstance(error, HallucinationError) else {}
    problem = _problem(status, failure.code, failure.message, failure.hint, retryable=retryable)
    return respond(problem, headers, more)


def _problem(status: int, code: str, detail: str, hint: str = "", *, retryable: bool = False) -> Problem:
    title = "The text is not supported" if code == HallucinationError.code else _TITLES.get(status, "It failed")
    return Problem(
        type=f"urn:halt-rag:{code}", title=title, status=status, detail=detail, code=code, hint=hint,
        retryable=retryable,
    )  # fmt: skip


def respond(problem: Problem, headers: Mapping[str, str], more: Mapping[str, Any] | None = None) -> JSONResponse:
    """A problem as an answer."""
    content = problem.model_dump()
    for name, value in (more or {}).items():
        content[name] = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return JSONResponse(content, problem.status, dict(headers), media_type=MEDIA_TYPE)


async def on_library_error(_: Request, error: Exception) -> JSONResponse:
    """For errors of the library."""
    if not isinstance(error, HaltRagError):
        raise error
    return answer(error)


async def on_http_error(_: Request, error: Exception) -> JSONResponse:
    """For what the framework refuses."""
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    problem = _problem(status, _CODES.get(status, "INPUT" if status < 500 else "INTERNAL"), f"{error.detail}.")
    return respond(problem, error.headers or {})


async def on_invalid_body(_: Request, error: Exception) -> JSONResponse:
    """For bodies of the wrong shape. Says where and what, and repeats nothing of the body."""
    if not isinstance(error, RequestValidationError):
        raise error
    faults = error.errors()
    if any(fault["type"] == "json_invalid" for fault in faults):
        return respond(_problem(400, "INPUT", "The body is not JSON."), {})
    said = _said(faults)
    told = [f"{place}: {what}" for place, what in list(said.items())[:5]]
    more = f"; and {len(said) - 5} more" if len(said) > 5 else ""
    return respond(_problem(422, "INPUT", f"{'; '.join(told)}{more}."), {})


async def on_failure(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - its text may hold texts
    """For what should not happen. This answer passes nothing of ours on its way out, so it gets its headers here."""
    headers = SECURITY_HEADERS | {"X-Request-ID": request.state.request_id}
    return respond(_problem(500, "INTERNAL", "The service failed; its log says why."), headers)


def _said(faults: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What pydantic says, by place. Where several kinds may stand, that is told once, not why it is none of each."""
    said: dict[str, str] = {}
    kinds: dict[str, list[str]] = {}
    for fault in faults:
        loc = fault["loc"][1:]
        at = next((i for i, part in enumerate(loc) if part in _KINDS), len(loc))
        place = ".".join(map(str, loc[:at]))[:100] or "body"
        if at < len(loc):
            kinds.setdefault(place, [])
            if _KINDS[loc[at]] not in kinds[place]:
                kinds[place].append(_KINDS[loc[at]])
            said[place] = f"must be {', or '.join(kinds[place])}"
        else:
            said[place] = str(fault["msg"]).rstrip(".")
    return said
