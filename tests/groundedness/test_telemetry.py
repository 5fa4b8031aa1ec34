"""The evaluation event, with OpenTelemetry's own SDK."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from halt_rag.errors import BackendError, MissingExtraError
from halt_rag.groundedness.result import ValidationResult
from halt_rag.groundedness.telemetry import EVENT, emit_evaluation

RESULTS = [
    (
        ValidationResult(True, "fine", score=0.9),
        {
            "gen_ai.evaluation.score.label": "pass",
            "gen_ai.evaluation.score.value": 0.9,
            "gen_ai.evaluation.explanation": "fine",
        },
    ),
    (
        ValidationResult(False, "span X"),
        {"gen_ai.evaluation.score.label": "fail", "gen_ai.evaluation.explanation": "span X"},
    ),
    (
        ValidationResult(False, error=BackendError("down", backend="b"), score=0.5),
        {"error.type": "halt_rag.errors.BackendError"},
    ),
    (ValidationResult(True, "fine", error=ValueError("x")), {"error.type": "ValueError"}),
]


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    sdk = pytest.importorskip("opentelemetry.sdk._logs", reason="opentelemetry-sdk is not installed")
    from opentelemetry import _logs

    export: Any = importlib.import_module("opentelemetry.sdk._logs.export")
    exporter = export.InMemoryLogRecordExporter()
    provider = sdk.LoggerProvider(shutdown_on_exit=False)
    provider.add_log_record_processor(export.SimpleLogRecordProcessor(exporter))
    monkeypatch.setattr(_logs, "get_logger", provider.get_logger)
    yield exporter
    provider.shutdown()


@pytest.mark.parametrize(("result", "attributes"), RESULTS)
def test_event(exported: Any, result: ValidationResult, attributes: dict[str, object]) -> None:
    emit_evaluation("groundedness", result, response_id="r1")
    [data] = exported.get_finished_logs()
    record = data.log_record
    assert record.event_name == EVENT
    common = {"gen_ai.evaluation.name": "groundedness", "gen_ai.response.id": "r1"}
    assert dict(record.attributes) == {**common, **attributes}


def test_without_an_sdk_nothing_happens() -> None:
    pytest.importorskip("opentelemetry._logs", reason="opentelemetry-api is not installed")
    emit_evaluation("groundedness", ValidationResult(True))


def test_without_the_api_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry._logs", None)
    with pytest.raises(MissingExtraError, match=r"halt-rag\[otel\]"):
        emit_evaluation("groundedness", ValidationResult(True))


def test_the_room_loads_no_heavy_library() -> None:
    names = "requirement loop repair log telemetry result engines"
    code = "import sys\n" + "\n".join(f"import halt_rag.groundedness.{name}" for name in names.split())
    code += "\nprint(sorted({'numpy', 'onnxruntime', 'opentelemetry', 'httpx', 'mellea'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
