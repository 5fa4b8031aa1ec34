"""Reports results to OpenTelemetry, as the evaluation event of its conventions for generative AI.

Only the API package is needed (extra ``otel``); without an SDK in the application, nothing is sent.
"""

from __future__ import annotations

from halt_rag.errors import MissingExtraError
from halt_rag.groundedness.log import error_type
from halt_rag.groundedness.result import ValidationResult

EVENT = "gen_ai.evaluation.result"


def emit_evaluation(name: str, result: ValidationResult, *, response_id: str | None = None) -> None:
    """Emits one event within the current span.

    A verdict has ``gen_ai.evaluation.score.label`` (pass or fail), its score where there is one, and its reason as the
    explanation. An errored result has ``error.type`` instead, so that outages neither lower a score nor count as fails.

    Args:
        name: Name of what is evaluated, e.g. ``groundedness``.
        result: The result of the check.
        response_id: Id of the response, as the model's provider gave it.

    Raises:
        MissingExtraError: If ``opentelemetry-api`` is not installed.
    """
    try:
        from opentelemetry._logs import LogRecord, SeverityNumber, get_logger
    except ModuleNotFoundError as error:
        raise MissingExtraError("opentelemetry-api", "otel") from error
    severity = SeverityNumber.WARN if result.status == "error" else SeverityNumber.INFO
    record = LogRecord(event_name=EVENT, severity_number=severity, attributes=_attributes(name, result, response_id))
    get_logger("halt_rag").emit(record)


def _attributes(name: str, result: ValidationResult, response_id: str | None) -> dict[str, str | float]:
    found: dict[str, str | float | None] = {"gen_ai.evaluation.name": name, "gen_ai.response.id": response_id}
    if result.status == "error":
        found["error.type"] = error_type(result.error)
    else:
        found["gen_ai.evaluation.score.label"] = result.status
        found["gen_ai.evaluation.score.value"] = result.score
        found["gen_ai.evaluation.explanation"] = result.reason
    return {key: value for key, value in found.items() if value is not None}
