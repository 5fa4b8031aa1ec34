"""Judges behind HTTP, against a real server on the loopback address, from the prompt to the checked record."""

from __future__ import annotations

import json
import logging
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from halt_rag.contracts import (
    OllamaJudge,
    OpenAICompatibleJudge,
    OutputShapeError,
    Patience,
    ProseAroundJSONError,
    RefusalError,
    SentenceIndexRangeError,
    TruncatedOutputError,
    check_answerability,
    find_citations,
    flag_hallucinated_content,
)
from halt_rag.contracts.judges.http import Endpoint
from halt_rag.errors import AdapterSchemaMismatchError, BackendError, InputError, MissingExtraError
from tests.contracts.server import Reply, completion, serving

RESPONSE = "It rained. Trams ran."
DOCUMENTS = ["It rained all day. No trams ran."]
KEY = "sk-very-secret"
GOOD = {"items": [{"r": 0, "f": "faithful", "e": "said so"}, {"r": 1, "f": "unfaithful", "e": "none ran"}]}
QUICK = Patience(attempt_s=5, deadline_s=10, retries=2, backoff_s=0.01)


def judge(url: str, **more: Any) -> OpenAICompatibleJudge:
    return OpenAICompatibleJudge("m", base_url=f"{url}/v1", api_key=KEY, **{"patience": QUICK, **more})


def flagged(url: str, **more: Any) -> list[dict[str, Any]]:
    return flag_hallucinated_content(RESPONSE, DOCUMENTS, judge=judge(url, **more), max_tokens=77)


def test_good() -> None:
    with serving(Reply(completion(json.dumps(GOOD)))) as server:
        records = flagged(server.url)
    assert [(r["response_text"], r["faithfulness"]) for r in records] == [
        ("It rained. ", "faithful"),
        ("Trams ran.", "unfaithful"),
    ]
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    body = server.asked[0]
    assert body["max_completion_tokens"] == 77
    assert "max_tokens" not in body
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is True
    item = body["response_format"]["json_schema"]["schema"]["properties"]["items"]["items"]
    assert item["properties"]["r"] == {"type": "integer", "minimum": 0, "maximum": 1}
    assert item["properties"]["f"]["enum"] == ["faithful", "partial", "unfaithful", "NA"]
    assert "<i0> It rained. <i1> Trams ran." in body["messages"][0]["content"]


def objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, dict):
        own = [schema] if schema.get("type") == "object" else []
        return own + [found for value in schema.values() for found in objects(value)]
    return [found for value in schema for found in objects(value)] if isinstance(schema, list) else []


def test_schemas_are_what_strict_structured_outputs_take() -> None:
    seen: list[dict[str, Any]] = []

    def ask(prompt: str, schema: Any, max_tokens: int) -> str:
        seen.append(schema)
        return '{"items": []}' if "items" in schema["properties"] else '"answerable"'

    flag_hallucinated_content(RESPONSE, DOCUMENTS, judge=ask)
    find_citations(RESPONSE, DOCUMENTS, judge=ask)
    check_answerability("Did it rain?", DOCUMENTS, judge=ask)
    assert len(seen) == 3
    for schema in seen:
        assert schema["type"] == "object"
        for part in objects(schema):
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("I think it is fine.", OutputShapeError),
        (f"Sure! {json.dumps(GOOD)}", ProseAroundJSONError),
        (f"```json\n{json.dumps(GOOD)}\n```", ProseAroundJSONError),
        (json.dumps(GOOD)[:-9], TruncatedOutputError),
        ("", OutputShapeError),
        ('{"items": [{"r": 2, "f": "NA", "e": ""}]}', SentenceIndexRangeError),
        ('{"items": [{"r": 1, "f": "true", "e": ""}]}', AdapterSchemaMismatchError),
        ('{"items": [{"r": 1, "e": ""}]}', AdapterSchemaMismatchError),
        ('{"items": {}}', OutputShapeError),
        ('{"answer": []}', OutputShapeError),
    ],
)
def test_malformed_content(content: str, error: type[Exception]) -> None:
    with serving(Reply(completion(content))) as server, pytest.raises(error) as caught:
        flagged(server.url)
    assert type(caught.value) is error
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"",
        b"[]",
        {"choices": []},
        {"choices": [{"message": None}]},
        completion(None),
        completion([1]),
        b"[" * 99_999,
    ],
)
def test_a_success_that_is_none(body: Any) -> None:
    with serving(Reply(body)) as server, pytest.raises(BackendError, match="unusably") as caught:
        flagged(server.url)
    assert (caught.value.backend, caught.value.retryable, caught.value.status_code) == ("openai-compatible", False, 200)
    assert len(server.asked) == 1


def test_truncated_by_the_cap() -> None:
    with (
        serving(Reply(completion(json.dumps(GOOD)[:20], finish="length"))) as server,
        pytest.raises(TruncatedOutputError, match="77 tokens"),
    ):
        flagged(server.url)


@pytest.mark.parametrize("body", [completion(None, refusal="I cannot."), completion("", finish="content_filter")])
def test_refused(body: Any) -> None:
    with serving(Reply(body)) as server, pytest.raises(RefusalError):
        flagged(server.url)


def test_silent_for_too_long() -> None:
    patience = Patience(attempt_s=0.1, deadline_s=5, retries=1, backoff_s=0.01)
    with (
        serving(Reply(completion(json.dumps(GOOD)), pause=3)) as server,
        pytest.raises(BackendError, match="silent") as caught,
    ):
        flagged(server.url, patience=patience)
    assert caught.value.retryable
    assert caught.value.status_code is None
    assert len(server.asked) == 2


def test_slow_once_and_then_not() -> None:
    patience = Patience(attempt_s=0.3, deadline_s=20, retries=2, backoff_s=0.01)
    good = completion(json.dumps(GOOD))
    with serving(Reply(good, pause=2), Reply(good)) as server:
        assert len(flagged(server.url, patience=patience)) == 2
    assert len(server.asked) == 2


def test_dripping_past_the_deadline() -> None:
    patience = Patience(attempt_s=9, deadline_s=2, retries=5, backoff_s=0.01)
    with (
        serving(Reply(completion(json.dumps(GOOD)), drip=0.05)) as server,
        pytest.raises(BackendError, match="in time") as caught,
    ):
        flagged(server.url, patience=patience)
    assert caught.value.retryable
    assert len(server.asked) == 1


@pytest.mark.parametrize("own", [True, False])
def test_headers_that_drip_past_the_deadline_are_not_waited_for(own: bool) -> None:
    patience = Patience(attempt_s=9, deadline_s=1.5, retries=5, backoff_s=0.01)  # Making a client takes a while.
    with serving(Reply(completion(json.dumps(GOOD)), header_drip=0.1)) as server, httpx.Client() as client:
        with pytest.raises(BackendError, match="in time") as caught:
            flagged(server.url, patience=patience, client=client if own else None)
        assert server.sent == 0
        assert not client.is_closed
    assert caught.value.retryable
    assert len(server.asked) == 1


def test_after_the_deadline_nothing_is_sent() -> None:
    with (
        serving(Reply(completion(json.dumps(GOOD)))) as server,
        pytest.raises(BackendError, match="before the deadline"),
    ):
        flagged(server.url, patience=Patience(deadline_s=1e-9))
    assert server.asked == []


def test_the_deadline_ends_the_retries() -> None:
    patience = Patience(attempt_s=9, deadline_s=2, retries=50, backoff_s=0.8)
    with serving(Reply(status=503)) as server, pytest.raises(BackendError):
        flagged(server.url, patience=patience)
    assert 1 <= len(server.asked) <= 2


@pytest.mark.parametrize("seconds", ["0.3", " 0.3 "])
def test_429_with_retry_after_is_waited_for(seconds: str) -> None:
    busy = Reply({"error": {"message": "slow down"}}, status=429, headers={"retry-after": seconds})
    with serving(busy, Reply(completion(json.dumps(GOOD)))) as server:
        start = time.monotonic()
        assert len(flagged(server.url)) == 2
        assert time.monotonic() - start >= 0.3
    assert len(server.asked) == 2


def test_retry_after_may_be_a_date() -> None:
    past = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    patience = Patience(deadline_s=5, retries=1, backoff_s=60)
    with serving(Reply(status=429, headers={"retry-after": past}), Reply(completion(json.dumps(GOOD)))) as server:
        assert len(flagged(server.url, patience=patience)) == 2
    future = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    with serving(Reply(status=429, headers={"retry-after": future})) as server, pytest.raises(BackendError):
        flagged(server.url, patience=QUICK)
    assert len(server.asked) == 1


def test_a_retry_after_past_the_deadline_is_not_waited_for() -> None:
    with (
        serving(Reply(status=429, headers={"retry-after": "3600"})) as server,
        pytest.raises(BackendError, match="429") as caught,
    ):
        flagged(server.url)
    assert (caught.value.retryable, caught.value.status_code) == (True, 429)
    assert len(server.asked) == 1


@pytest.mark.parametrize("header", ["soon", "-1", "1e9", "nan", "", "Mon, 01 Jan 2027 00:00:00 +99999999999999999"])
def test_an_unreadable_retry_after_falls_back(header: str) -> None:
    replies = Reply(status=503, headers={"retry-after": header}), Reply(completion(json.dumps(GOOD)))
    with serving(*replies) as server:
        assert len(flagged(server.url)) == 2


def test_500_is_tried_again_and_then_told() -> None:
    with (
        serving(Reply({"error": {"message": "out of memory"}}, status=500)) as server,
        pytest.raises(BackendError, match="status 500: out of memory") as caught,
    ):
        flagged(server.url)
    assert (caught.value.retryable, caught.value.status_code) == (True, 500)
    assert len(server.asked) == 3
    with serving(Reply(status=500), Reply(status=502), Reply(completion(json.dumps(GOOD)))) as server:
        assert len(flagged(server.url)) == 2


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422])
def test_what_trying_again_would_not_change_is_told_at_once(status: int) -> None:
    with serving(Reply({"error": "no"}, status=status)) as server, pytest.raises(BackendError) as caught:
        flagged(server.url)
    assert (caught.value.retryable, caught.value.status_code) == (False, status)
    assert len(server.asked) == 1


def test_connection_refused() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(BackendError, match="could not be reached") as caught:
        flagged(url)
    assert (caught.value.retryable, caught.value.status_code) == (True, None)


def test_connection_cut() -> None:
    with (
        serving(Reply(completion(json.dumps(GOOD)), cut=True)) as server,
        pytest.raises(BackendError, match="broke off") as caught,
    ):
        flagged(server.url)
    assert caught.value.retryable
    assert len(server.asked) == 3


def test_an_endless_answer_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("halt_rag.contracts.judges.http._MOST_BYTES", 1000)
    with serving(Reply(completion("x" * 5000))) as server, pytest.raises(BackendError, match="more than 1000 bytes"):
        flagged(server.url)


def rejecting(name: str) -> Reply:
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    return Reply({"error": {"message": message, "param": name}}, status=400)


def test_an_older_server_gets_the_older_name_of_the_cap_from_then_on() -> None:
    with serving(rejecting("max_completion_tokens"), Reply(completion(json.dumps(GOOD)))) as server:
        asking = judge(server.url)
        for _ in range(2):
            flag_hallucinated_content(RESPONSE, DOCUMENTS, judge=asking, max_tokens=9)
    assert [body.get("max_completion_tokens") for body in server.asked] == [9, None, None]
    assert [body.get("max_tokens") for body in server.asked] == [None, 9, 9]


def test_a_server_without_structured_outputs_is_asked_without() -> None:
    replies = rejecting("response_format"), rejecting("max_completion_tokens"), Reply(completion(json.dumps(GOOD)))
    with serving(*replies) as server:
        assert len(flagged(server.url)) == 2
    assert ["response_format" in body for body in server.asked] == [True, False, False]
    assert ["max_tokens" in body for body in server.asked] == [False, False, True]


def test_a_fallback_that_does_not_help_is_forgotten_and_the_first_reason_told() -> None:
    replies = rejecting("max_completion_tokens"), rejecting("max_tokens"), Reply(completion(json.dumps(GOOD)))
    with serving(*replies) as server:
        asking = judge(server.url)
        with pytest.raises(BackendError, match="'max_completion_tokens' is not supported"):
            flag_hallucinated_content(RESPONSE, DOCUMENTS, judge=asking)
        flag_hallucinated_content(RESPONSE, DOCUMENTS, judge=asking)
    assert "max_completion_tokens" in server.asked[-1]


def test_the_cap_can_be_named_and_options_are_sent() -> None:
    with serving(Reply(completion(json.dumps(GOOD)))) as server:
        flagged(server.url, cap="max_tokens", options={"temperature": 0, "model": "another"})
    assert server.asked[0]["max_tokens"] == 77
    assert server.asked[0]["temperature"] == 0
    assert server.asked[0]["model"] == "m"
    with pytest.raises(InputError, match="max_completion_tokens or max_tokens"):
        judge("http://127.0.0.1:1", cap="num_predict")


def test_the_key_is_in_no_error_no_log_and_no_representation(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {"error": {"message": f"Incorrect API key provided: {KEY}."}}
    with serving(Reply(echo, status=401)) as server:
        asking = judge(server.url)
        with pytest.raises(BackendError, match=r"Incorrect API key provided: \[API key\]") as caught:
            flag_hallucinated_content(RESPONSE, DOCUMENTS, judge=asking)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    for text in (caplog.text, repr(caught.value), str(caught.value), repr(asking), repr(vars(asking))):
        assert KEY not in text


def test_no_part_of_the_key_is_left_where_a_long_message_is_cut() -> None:
    for before in range(280, 301):
        echo = {"error": {"message": f"{'x' * before}{KEY} {'y' * 99}"}}
        with serving(Reply(echo, status=401)) as server, pytest.raises(BackendError) as caught:
            flagged(server.url)
        assert KEY[:3] not in str(caught.value)


@pytest.mark.parametrize("key", ["", "two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_carries_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(InputError) as caught:
        OpenAICompatibleJudge("m", base_url="http://127.0.0.1:1", api_key=key)
    assert not key or key not in str(caught.value)


@pytest.mark.parametrize("url", ["no-scheme", "ftp://127.0.0.1", "http://127.0.0.1:port"])
def test_an_address_that_is_none_is_the_callers_mistake(url: str) -> None:
    with pytest.raises(InputError, match="address"):
        OllamaJudge("m", base_url=url)("x", {}, 1)


def test_half_a_character_in_the_prompt_is_the_callers_mistake() -> None:
    with pytest.raises(InputError, match="surrogate"):
        judge("http://127.0.0.1:1")("\ud83c", {}, 1)


@pytest.mark.parametrize("limits", [{"attempt_s": 0}, {"deadline_s": -1}, {"retries": -1}, {"backoff_s": float("nan")}])
def test_limits_that_are_none_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Patience(**limits)


def test_the_environment_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    with serving(Reply(completion(json.dumps(GOOD)))) as server:
        assert len(flagged(server.url)) == 2


def test_a_client_of_ones_own_is_used_and_left_open() -> None:
    with serving(Reply(completion(json.dumps(GOOD)))) as server, httpx.Client(headers={"x-team": "a"}) as client:
        flagged(server.url, client=client)
        assert not client.is_closed
    assert server.headers[0]["x-team"] == "a"


def test_without_httpx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r'pip install "halt-rag\[judge\]"'):
        Endpoint("openai-compatible", "http://127.0.0.1:1")


# Ollama


def chat(content: str, *, reason: str = "stop", done: bool = True) -> dict[str, Any]:
    return {"model": "m", "message": {"role": "assistant", "content": content}, "done": done, "done_reason": reason}


def ollama(url: str) -> OllamaJudge:
    return OllamaJudge("m", base_url=url + "/", options={"num_ctx": 512}, patience=QUICK)


def test_ollama_gets_schema_and_cap_under_its_own_names() -> None:
    reply = '{"items": [{"r": 0, "c": [0]}, {"r": 1, "c": []}]}'
    with serving(Reply(chat(reply))) as server:
        records = find_citations(RESPONSE, DOCUMENTS, judge=ollama(server.url), max_tokens=55)
    assert [(r["response_text"], r["citation_text"]) for r in records] == [("It rained. ", "It rained all day. ")]
    body = server.asked[0]
    assert server.paths == ["/api/chat"]
    assert body["options"] == {"temperature": 0, "num_ctx": 512, "num_predict": 55}
    assert body["stream"] is False
    assert body["format"]["properties"]["items"]["items"]["properties"]["c"]["items"]["maximum"] == 1
    assert "authorization" not in server.headers[0]


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (Reply(chat('{"items"', reason="length")), TruncatedOutputError, "tokens"),
        (Reply({"error": "model 'm' not found"}, status=404), BackendError, "status 404: model 'm' not found"),
        (Reply({"error": "x" * 1000}, status=400), BackendError, r"\(1000 characters\)"),
        (Reply({"done": True}), BackendError, "no message"),
        (Reply(chat("[]", done=False)), BackendError, "not done"),
        (Reply(b"\xff"), BackendError, "no message"),
    ],
)
def test_ollama_errors(reply: Reply, error: type[Exception], message: str) -> None:
    with serving(reply) as server, pytest.raises(error, match=message):
        find_citations(RESPONSE, DOCUMENTS, judge=ollama(server.url))
