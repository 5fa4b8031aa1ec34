"""The record: closed, finite, and the same as JSON."""

from __future__ import annotations

import json

import jsonschema
import pytest
from pydantic import ValidationError

from halt_rag import BackendError, HaltRagVerifier, InputError, Verification
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.result import SCHEMA_VERSION, Failed


@pytest.fixture(scope="module")
def result() -> Verification:
    return HaltRagVerifier(backend=FakeNLI()).verify(["It rained in May.", "Ω 🙂"], "Hello! It rained in June. \0")


def test_keys_are_those_that_were_promised(result: Verification) -> None:
    content = json.loads(result.to_json())
    assert content["status"] == "ok"
    assert content["schema_version"] == SCHEMA_VERSION
    assert {"decision", "calibrated_prob", "threshold", "claims", "feature_breakdown"} <= set(content)
    assert {"start", "end", "text", "label", "p_hallucinated", "reason", "evidence"} <= set(content["claims"][0])
    assert {"passage_id", "start", "end", "text", "score"} <= set(content["claims"][1]["evidence"][0])
    assert set(content["receipt"]) == {
        "passages", "windows", "reading", "windows_read", "pairs_scored", "pairs_by_tier", "cache_hits",
        "source_tokens_total", "source_tokens_read", "generated_tokens_total", "generated_tokens_read", "truncated",
    }  # fmt: skip
    assert {"backend", "model_id", "revision", "artifact"} <= set(content["model"])


def test_json_round_trip(result: Verification) -> None:
    for indent in (None, 2):
        assert Verification.from_json(result.to_json(indent=indent)) == result
    assert Verification.from_json(result.to_json().encode()) == result


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"decision": "fine"}, "decision"),
        ({"calibrated_prob": 2}, "calibrated_prob"),
        ({"surprise": 1}, "surprise"),
        ({"claims": [{}]}, "claims.0.start"),
    ],
)
def test_other_json_is_refused_naming_the_field(result: Verification, change: dict[str, object], place: str) -> None:
    content = json.loads(result.to_json()) | change
    with pytest.raises(InputError, match=f"no verification: {place}"):
        Verification.from_json(json.dumps(content))


@pytest.mark.parametrize("text", ["", "{", "null", b"\xff"])
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(InputError, match="no verification"):
        Verification.from_json(text)


def test_results_cannot_be_changed_nor_hold_what_is_not_finite(result: Verification) -> None:
    with pytest.raises(ValidationError):
        result.decision = "supported"  # type: ignore[misc]
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValidationError):
            Verification.model_validate(result.model_dump() | {"feature_breakdown": {"x": value}})


def test_the_schema_is_valid_closed_and_described() -> None:
    schema = Verification.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    records = [schema, *schema["$defs"].values()]
    assert all(record["additionalProperties"] is False for record in records)
    evidence = schema["$defs"]["Evidence"]["properties"]
    assert all("description" in field for field in evidence.values())


def test_an_error_record_is_no_verification() -> None:
    with pytest.raises(InputError):
        Verification.from_json('{"schema_version": "1.0", "status": "error", "error": {"code": "BACKEND"}}')
    failed = Failed.of(BackendError("The model is away.", backend="fake", retryable=True, hint="Wait."), 3)
    assert failed.model_dump() == {
        "schema_version": SCHEMA_VERSION,
        "status": "error",
        "position": 3,
        "error": {"code": "BACKEND", "message": "The model is away. Wait.", "hint": "Wait.", "retryable": True},
    }
    with pytest.raises(InputError):
        Verification.from_json(failed.model_dump_json())
