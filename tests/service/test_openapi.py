"""The OpenAPI document, and requests made from it: nothing that fits it or breaks it makes the service fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

from halt_rag import HaltRagVerifier, Verification
from halt_rag.nli.fake import FakeNLI
from halt_rag.service import Settings, create_app
from halt_rag.service.settings import key_hash

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

APP = create_app(HaltRagVerifier(backend=FakeNLI()), Settings(max_body_bytes=100_000))
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP)


@SCHEMA.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_nothing_makes_the_service_fail(case: Any) -> None:
    answer = case.call_and_validate(
        checks=[
            schemathesis.checks.not_a_server_error,
            schemathesis.specs.openapi.checks.status_code_conformance,
            schemathesis.specs.openapi.checks.content_type_conformance,
            schemathesis.specs.openapi.checks.response_schema_conformance,
        ]
    )
    if answer.status_code >= 400:
        assert b'"decision"' not in answer.content or answer.json()["code"] == "HALLUCINATION"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    with TestClient(APP) as client:
        answer: dict[str, Any] = client.get("/openapi.json").json()
    return answer


def test_it_is_openapi_3_1_with_every_route(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    routes = {(method.upper(), path) for path, operations in document["paths"].items() for method in operations}
    assert routes == {
        ("POST", "/verify"),
        ("POST", "/v1/verify/batch"),
        ("POST", "/v1/guard"),
        ("POST", "/v1/contracts/{name}/check"),
        ("POST", "/v1/evidence/validate"),
        ("POST", "/v1/groundedness"),
        ("POST", "/v1/scan"),
        ("GET", "/healthz"),
        ("GET", "/readyz"),
        ("GET", "/metrics"),
    }


def test_a_verification_in_it_is_that_of_the_library(document: dict[str, Any]) -> None:
    ours = Verification.json_schema()
    theirs = document["components"]["schemas"]["Verification"]
    assert set(theirs["properties"]) == set(ours["properties"])
    assert {name: p.get("description") for name, p in theirs["properties"].items()} == {
        name: p.get("description") for name, p in ours["properties"].items()
    }


def test_every_refusal_is_a_problem(document: dict[str, Any]) -> None:
    for path, operations in document["paths"].items():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if status != "200":
                    assert list(answer["content"]) == ["application/problem+json"], (path, status)
    assert "HTTPValidationError" not in json.dumps(document)


def test_the_key_is_documented_where_there_is_one(document: dict[str, Any]) -> None:
    app = create_app(HaltRagVerifier(backend=FakeNLI()), Settings(api_key_hashes=(key_hash("a key for this test"),)))
    locked = app.openapi()
    assert locked["components"]["securitySchemes"]["key"] == {"type": "http", "scheme": "bearer"}
    assert locked["paths"]["/verify"]["post"]["security"] == [{"key": []}]
    assert "security" not in locked["paths"]["/healthz"]["get"]
    assert "securitySchemes" not in document["components"]
