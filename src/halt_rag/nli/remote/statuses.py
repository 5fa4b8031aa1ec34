"""What an HTTP status means for the caller, and what to do about it."""

from __future__ import annotations

from typing import Any

from halt_rag.errors import BackendError

_ADVICE = {
    400: "The server does not take this request. If the model only serves zero-shot classification, use that form.",
    401: "Give a valid token: set HF_TOKEN, or name a token file.",
    402: "The account has no credits left: buy some, or use the backend local, onnx or tei.",
    403: "The token lacks the permission to make inference calls, or the model's terms are not accepted.",
    404: "The server does not serve this model: check the name and the address, or run it yourself (local, onnx, tei).",
    413: "The request is too large: use smaller batches or shorter windows.",
    422: "The server does not accept the input: check the form of pairs, and that its limit of tokens is not exceeded.",
    424: "The model behind the server failed.",
    429: "The limit of requests is reached: lower the rate or the concurrency, or try again later.",
    503: "The model is being loaded or overloaded: try again later.",
}
#: Behind these lies the server's own trouble: another attempt may do. 424 is how TEI says that a model run failed.
_AGAIN = frozenset({408, 424, 425, 429})
#: Not implemented, version not supported, network login needed: no trouble that passes.
_FINAL = frozenset({501, 505, 511})


def worth_repeating(status: int) -> bool:
    """Whether the same request may succeed later."""
    return status in _AGAIN or (status >= 500 and status not in _FINAL)


def status_error(backend: str, status: int, body: Any, *, secret: str | None) -> BackendError:
    """The error for an answer that is no success; what the server says about it is quoted, without the token."""
    said = _message(body, secret)
    hint = "Give the final address of the server." if 300 <= status < 400 else _ADVICE.get(status, "")
    return BackendError(
        f"The {backend} server answered with status {status}{said and f': {said}'}{'' if said[-1:] == '.' else '.'}",
        backend=backend,
        retryable=worth_repeating(status),
        status_code=status,
        hint=hint or ("Trying again later may help." if worth_repeating(status) else ""),
    )


def cleaned(text: str, secret: str | None) -> str:
    """Foreign text in one line, without the token, cut after 300 characters."""
    line = " ".join(text.split())
    if secret:  # before the cut, which may leave a part of it
        line = line.replace(secret, "[token]")
    return line if len(line) <= 300 else f"{line[:300]}..."


def _message(body: Any, secret: str | None) -> str:
    """``{"error": text}``, ``{"error": {"message": text}}``, ``{"error": [texts]}``, ``{"message": text}``."""
    told = body.get("error", body.get("detail", body.get("message"))) if isinstance(body, dict) else None
    told = told.get("message") if isinstance(told, dict) else told
    told = "; ".join(map(str, told)) if isinstance(told, list) else told
    return cleaned(told, secret) if isinstance(told, str) else ""
