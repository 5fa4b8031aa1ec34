"""What the service refuses, and what it never tells."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from logging.config import DictConfigurator
from typing import Any

import pytest
from starlette.testclient import TestClient

from halt_rag import HaltRagVerifier
from halt_rag.nli.fake import FakeNLI
from halt_rag.service import Settings, create_app
from halt_rag.service.gate import Key
from halt_rag.service.run import log_config
from halt_rag.service.settings import key_hash
from tests.service.conftest import client_of

KEY = "0123456789abcdef-correct"
BODY = {"source": "The dam was built in 1967.", "generated": "The dam was built in 1967."}
JSON = {"Content-Type": "application/json"}
POSTS = [
    "/verify", "/v1/verify/batch", "/v1/guard", "/v1/contracts/citations/check", "/v1/evidence/validate",
    "/v1/groundedness", "/v1/scan",
]  # fmt: skip


@pytest.fixture(scope="module")
def locked() -> Iterator[TestClient]:
    with client_of(api_key_hashes=(key_hash("another-key-of-ours"), key_hash(KEY))) as client:
        yield client


@pytest.fixture(scope="module")
def small() -> Iterator[TestClient]:
    limits: dict[str, Any] = {
        "max_passages": 3,
        "max_source_characters": 100,
        "max_generated_characters": 50,
        "max_items": 2,
    }
    with client_of(max_body_bytes=2000, max_question_characters=20, **limits) as client:
        yield client


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (f"Bearer {KEY}", 200),
        (f"bearer  {KEY} ", 200),
        ("Bearer another-key-of-ours", 200),
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer ", 401),
        (f"Bearer {KEY}x", 401),
        (f"Bearer {KEY[:-1]}", 401),
        (f"Basic {KEY}", 401),
        (KEY, 401),
        (f"Bearer {key_hash(KEY)}", 401),
    ],
)
def test_a_key_is_needed_where_there_is_one(locked: TestClient, authorization: str | None, status: int) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    answer = locked.post("/verify", json=BODY, headers=headers)
    assert answer.status_code == status
    if status == 401:
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["code"] == "UNAUTHORIZED"
        assert KEY not in answer.text


@pytest.mark.parametrize("path", ["/metrics", "/openapi.json", "/nope", "//healthz", "/healthz/", "/v1/scan"])
def test_only_probes_are_open(locked: TestClient, path: str) -> None:
    assert locked.get(path, follow_redirects=False).status_code == 401
    assert locked.get("/healthz").status_code == locked.get("/readyz").status_code == 200


def test_keys_are_kept_as_hashes() -> None:
    gate = Key(lambda *_: None, [key_hash(KEY)])  # type: ignore[arg-type]
    assert KEY not in repr(vars(gate))
    assert KEY not in Settings(api_key_hashes=(key_hash(KEY),)).model_dump_json()


@pytest.mark.parametrize("path", ["/verify", "/healthz", "/metrics", "/nope", "/openapi.json"])
def test_every_answer_has_the_security_headers(client: TestClient, path: str) -> None:
    for answer in (client.get(path), client.post(path, json=BODY), client.options(path)):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-request-id"]


def test_other_origins_get_no_permission(client: TestClient) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for answer in (client.options("/verify", headers=headers), client.post("/verify", json=BODY, headers=headers)):
        assert not [name for name in answer.headers if name.startswith("access-control-")]
    # What a page may send without asking is refused.
    simple = client.post("/verify", content=json.dumps(BODY), headers={"Content-Type": "text/plain"})
    assert simple.status_code == 415


def test_no_pages_that_load_scripts(client: TestClient) -> None:
    assert {client.get(path).status_code for path in ("/docs", "/redoc")} == {404}


@pytest.mark.parametrize("request_id", ["a\u00e9", "x" * 101, "a b", "", "<script>"])
def test_a_strange_request_id_is_replaced(client: TestClient, request_id: str) -> None:
    told = client.get("/healthz", headers={b"X-Request-ID": request_id.encode("latin-1")}).headers["x-request-id"]
    assert told != request_id
    assert len(told) == 32


# Bodies


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"null", 422),
        (b"[]", 422),
        (b'"text"', 422),
        (b"\xff\xfe{}", 400),
        (b"[" * 100_000, 400),
        (b'{"source": ' + b"9" * 6000 + b"}", 400),
        (b'{"unknown": 1}', 422),
        (b'{"source": {"a": 1}, "generated": [], "question": 7, "items": 3, "output": NaN}', 422),
    ],
    ids=["empty", "cut", "null", "list", "string", "bytes", "deep", "digits", "unknown", "types"],
)
def test_bodies_of_the_wrong_shape(client: TestClient, path: str, content: bytes, status: int) -> None:
    answer = client.post(path, content=content, headers=JSON)
    assert answer.status_code in {status, 400, 422}
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "INPUT"
    assert "decision" not in answer.json()


@pytest.mark.parametrize(
    "text",
    ["\\ud800", "\\udfff and more", "\\u0000", "e" + "\\u0301" * 3000, "\\u202e" * 500, "\\ufdfa" * 800, "a" * 3000],
    ids=["half a pair", "the other half", "null", "accents", "overrides", "ligature", "word"],
)
@pytest.mark.parametrize("field", ["source", "generated", "question"])
def test_unicode_bombs_give_an_answer(client: TestClient, text: str, field: str) -> None:
    body = json.dumps({**BODY, "question": "x"} | {field: "@"}).replace("@", text)
    answer = client.post("/verify", content=body.encode(), headers=JSON)
    assert answer.status_code == (422 if "\\ud" in text else 200)
    if answer.status_code == 422:
        assert answer.json()["code"] == "INPUT"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"source": ["x"] * 4}, "The source has 4 passages; this service takes at most 3"),
        ({"source": ["x" * 60, "y" * 60]}, "The source has 120 characters; this service takes at most 100"),
        ({"generated": "x" * 51}, "The generated text has 51 characters"),
        ({"question": "x" * 21}, "The question has 21 characters"),
        ({"source": ""}, "The source is empty"),
        ({"source": []}, "The source is empty"),
        ({"generated": " \n"}, "The generated text is empty"),
        ({"task": "poetry"}, "task: Input should be 'general', 'qa'"),
        ({"generated": None}, "generated: Input should be a valid string"),
    ],
)
def test_inputs_that_are_too_much_or_nothing(small: TestClient, body: dict[str, Any], message: str) -> None:
    answer = small.post("/verify", json=BODY | body)
    assert answer.status_code == 422
    assert message in answer.json()["detail"]


def test_too_many_items(small: TestClient) -> None:
    answer = small.post("/v1/verify/batch", json={"items": [BODY] * 3})
    assert answer.status_code == 422
    assert "3 items; this service takes at most 2" in answer.json()["detail"]


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "chunked"])
@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_is_too_long_is_refused(small: TestClient, path: str, *, declared: bool) -> None:
    body = json.dumps({**BODY, "generated": "x" * 3000}).encode()
    answer = small.post(path, content=body if declared else iter([body[:500], body[500:]]), headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["code"] == "TOO_LARGE"


def test_errors_repeat_nothing_of_the_texts(client: TestClient) -> None:
    body = {"source": 7, "generated": ["secret words"], "question": {"secret": "words"}}
    answer = client.post("/verify", json=body)
    assert answer.status_code == 422
    assert "secret words" not in answer.text


# Logs


def test_logs_hold_no_texts(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client.post("/verify", json={"source": "secret source", "generated": "secret text.", "question": "secret?"})
        client.post("/verify?secret=1", json={"source": ["secret"], "generated": 7})
        client.get("/secret/path")
        client.post("/v1/contracts/secret/check", json={"output": "secret"})
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("halt_rag", "uvicorn"))]
    assert len(ours) >= 4
    assert not [line for line in ours if "secret" in line]


def test_texts_are_logged_if_asked(caplog: pytest.LogCaptureFixture) -> None:
    with client_of(log_texts=True) as client, caplog.at_level(logging.INFO):
        client.post("/verify", json={"source": "A source.", "generated": "Logged text."})
    assert any("Logged text." in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("log_texts", [True, False])
def test_tracebacks_hold_the_place_but_not_the_message(*, log_texts: bool) -> None:
    formatters = log_config(Settings(log_texts=log_texts))["formatters"]
    formatter = DictConfigurator({"version": 1}).configure_formatter(dict(formatters["line"]))
    assert isinstance(formatter, logging.Formatter)
    try:
        int("secret words")
    except ValueError as error:
        record = logging.LogRecord(
            "uvicorn.error", 40, "x", 1, "It failed", None, (ValueError, error, error.__traceback__)
        )
    told = formatter.format(record)
    assert "test_security.py" in told
    assert "ValueError" in told
    assert ("secret words'" in told) is log_texts


def test_the_application_can_be_made_twice() -> None:
    """Nothing is global: two applications count for themselves."""
    first, second = (create_app(HaltRagVerifier(backend=FakeNLI())) for _ in range(2))
    with TestClient(first) as one, TestClient(second) as other:
        one.post("/verify", json=BODY)
        assert 'route="/verify"' in one.get("/metrics").text
        assert 'route="/verify"' not in other.get("/metrics").text


# Places beside the texts


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/", "../secret.md", "a/../../b", "C:\\x", "", "x/" * 100 + "y", "y" * 501]
)
@pytest.mark.parametrize("field", ["path", "files"])
def test_a_scan_takes_only_paths_inside_its_documents(client: TestClient, path: str, field: str) -> None:
    """An absolute path once stopped the whole service."""
    answer = client.post(
        "/v1/scan", json={"text": "See [x](y.md).", field: path if field == "path" else ["a.md", path]}
    )
    assert answer.status_code == 422
    assert answer.json()["code"] == "INPUT"


def test_long_documents_are_refused_on_every_route(small: TestClient) -> None:
    contract = {"name": "a", "fields": [{"name": "b", "type": "string"}]}
    evidence = {"contract": contract, "record": {}}
    for path, body in (
        ("/v1/scan", {"text": "x" * 101}),
        ("/v1/contracts/citations/check", {"output": "x" * 51}),
        ("/v1/contracts/citations/check", {"output": [{}] * 51}),
        ("/v1/evidence/validate", {**evidence, "record": {"b": "x" * 51}, "sources": "x"}),
        ("/v1/evidence/validate", {**evidence, "sources": "x" * 101}),
        ("/v1/evidence/validate", {**evidence, "sources": [{"id": "1", "text": "x"}] * 4}),
        ("/v1/groundedness", {"response": "x", "documents": "x" * 101}),
    ):
        answer = small.post(path, json=body)
        assert answer.status_code == 422
        assert "this service takes at most" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/guard", {**BODY, "policy": "abstain_message", "message": "@"}),
        ("/v1/scan", {"text": "@"}),
        ("/v1/groundedness", {"response": "@", "documents": "It rained."}),
        (
            "/v1/evidence/validate",
            {"contract": {"fields": [{"name": "b", "type": "string"}]}, "record": {"@": 1}, "sources": "It rained."},
        ),
    ],
)
def test_half_a_pair_is_refused_wherever_it_stands(client: TestClient, path: str, body: dict[str, Any]) -> None:
    answer = client.post(path, content=json.dumps(body).replace("@", "\\ud800").encode(), headers=JSON)
    assert answer.status_code == 422
    assert "lone surrogate" in answer.json()["detail"]


@pytest.mark.parametrize(
    "source", [5, None, ["a", {"id": "1", "text": "b"}], [{"text": "b"}], [{"id": 1, "text": "b"}]]
)
def test_a_source_of_no_kind_is_told_once(client: TestClient, source: Any) -> None:
    detail = client.post("/verify", json={**BODY, "source": source}).json()["detail"]
    assert detail == (
        "source: must be a string, or a list of strings, or a list of objects with id and text, both strings."
    )


def test_other_loggers_keep_messages_of_exceptions_back() -> None:
    assert log_config(Settings())["root"]["handlers"] == ["stderr"]


def test_of_a_long_list_of_the_wrong_kind_one_fault_is_told(client: TestClient) -> None:
    detail = client.post("/v1/verify/batch", json={"items": [1] * 1000}).json()["detail"]
    assert detail.startswith("items.0: ")
    assert "more" not in detail
