"""Results for operators: a line, and fields for a structured log. An error and a score are never in one field."""

from __future__ import annotations

from typing import Any

from halt_rag.groundedness.repair import should_recheck
from halt_rag.groundedness.result import ValidationResult


def log_line(description: str, result: ValidationResult) -> str:
    """The requirement, the status, and why: the reason, else the error.

    A reason that is a bare yes or no says nothing and is left out.
    """
    detail = _detail(result)
    return f"{description}: {result.status}{detail and f' └─ {detail}'}"


def log_fields(description: str, result: ValidationResult) -> dict[str, Any]:
    """Fields for a structured log; what does not apply is None.

    Returns:
        ``requirement``, ``status``, ``stage``, ``score``, ``reason``, ``error_type``, ``error_message``,
        ``error_retryable`` (None beside a verdict), and the numbers of ``failing`` and ``unknown`` spans.
    """
    error = result.error
    return {
        "requirement": description,
        "status": result.status,
        "stage": result.stage,
        "score": None if error else result.score,
        "reason": result.reason,
        "error_type": error_type(error),
        "error_message": None if error is None else str(error),
        "error_retryable": None if error is None else should_recheck(result),
        "failing": len(result.failing),
        "unknown": len(result.unknown),
    }


def error_type(error: Exception | None) -> str | None:
    """The full name of an error's class; built-in ones without their module."""
    if error is None:
        return None
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _detail(result: ValidationResult) -> str:
    reason = (result.reason or "").strip()
    if reason and reason.rstrip(".!").lower() not in ("yes", "no"):
        return reason
    return "" if result.error is None else str(result.error).strip() or type(result.error).__name__
