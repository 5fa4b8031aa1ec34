"""The loop with a generator and a judge behind a server on this machine that fails in every way."""

from __future__ import annotations

from typing import Any

import pytest

from halt_rag.contracts import OpenAICompatibleJudge, Patience
from halt_rag.contracts.errors import OutputShapeError, RefusalError, TruncatedOutputError
from halt_rag.errors import BackendError
from halt_rag.groundedness.loop import Feedback, Validated, generate_validated
from halt_rag.groundedness.repair import should_recheck
from halt_rag.groundedness.requirement import GroundednessRequirement
from halt_rag.groundedness.result import UndeterminedError
from tests.groundedness.judges import DOCUMENT, GOOD, STAGES, Stage, cited, needed, stage_of, supported
from tests.groundedness.server import Reply, chat_server, closed_port_url

pytest.importorskip("httpx", reason="httpx is not installed")

CANARY = "CANARY-3f9a"
PATIENCE = Patience(attempt_s=0.5, deadline_s=1.5, retries=1, backoff_s=0.01)
BAD = "The dam is 90 m high. It was built in 1968."
FAULTS = {
    "malformed": (Reply(f"[{CANARY}"), (OutputShapeError, UndeterminedError), False),
    "prose": (Reply(f"Sorry. {CANARY}"), (OutputShapeError, UndeterminedError), False),
    "empty": (Reply(""), (OutputShapeError, UndeterminedError), False),
    "null": (Reply(None), (BackendError,), False),
    "truncated": (Reply('{"items": [{"r', finish="length"), (TruncatedOutputError,), False),
    "filtered": (Reply("", finish="content_filter"), (RefusalError,), False),
    "slow": (Reply(GOOD["support"], delay_s=0.8), (BackendError,), True),
    "rate limit": (Reply(status=429, headers={"retry-after": "60"}, body=CANARY.encode()), (BackendError,), True),
    "server error": (Reply(status=500, body=f'{{"error": {{"message": "{CANARY}"}}}}'.encode()), (BackendError,), True),
    "no rights": (Reply(status=401, body=f'{{"error": "{CANARY}"}}'.encode()), (BackendError,), False),
    "not the protocol": (Reply(body=f"<html>{CANARY}</html>".encode()), (BackendError,), False),
    "hangs up": (Reply(GOOD["support"], hang_up=True), (BackendError,), True),
}


class Service:
    """Generates (requests without a schema) and judges (with one) as the dam was built in 1967."""

    def __init__(self, fault: Reply | None = None, stage: Stage | None = None, *, times: int = 99) -> None:
        self.fault, self.stage, self.times = fault, stage, times
        self.generations = 0

    def __call__(self, body: dict[str, Any]) -> Reply:
        if "response_format" not in body:
            self.generations += 1
            return Reply(BAD if self.generations == 1 else BAD.replace("1968", "1967"))
        stage = stage_of(body["response_format"]["json_schema"]["schema"])
        if stage == self.stage and self.times:
            self.times -= 1
            assert self.fault is not None
            return self.fault
        if stage == "necessity":
            return Reply(needed("yes", "yes"))
        right = "1968" not in body["messages"][0]["content"].rsplit("response", 1)[1]
        return Reply(
            cited(0, 1)
            if stage == "citations"
            else supported("FULLY_SUPPORTED", "FULLY_SUPPORTED" if right else "NOT_SUPPORTED")
        )


def run(service: Service, *, repair_errors: bool = False) -> tuple[Validated, str]:
    """The loop, and all that was ever asked over HTTP."""
    import httpx

    with chat_server(service) as server, httpx.Client(trust_env=False) as client:

        def generate(feedback: Feedback | None) -> str:
            added = feedback.messages if feedback else ()
            messages = [{"role": "user", "content": "Tell me of the dam."}, *added]
            answer = client.post(f"{server.base_url}/chat/completions", json={"model": "m", "messages": messages})
            return str(answer.json()["choices"][0]["message"]["content"])

        judge = OpenAICompatibleJudge("m", base_url=server.base_url, patience=PATIENCE, client=client)
        requirement = GroundednessRequirement([DOCUMENT], judge=judge)
        done = generate_validated(
            generate, [requirement], max_attempts=2, strategy="multi-turn", repair_errors=repair_errors
        )
        return done, server.prompts


def test_a_wrong_response_is_mended() -> None:
    service = Service()
    done, asked = run(service)
    assert [attempt.status for attempt in done.attempts] == ["fail", "pass"]
    assert 'It was built in 1968.": nothing in them supports it.' in asked.replace("\\", "")
    assert done.response.endswith("1967.")


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_stops_the_loop_and_is_told_to_no_model(kind: str, stage: Stage) -> None:
    fault, errors, retryable = FAULTS[kind]
    service = Service(fault, stage)
    done, asked = run(service)
    [attempt] = done.attempts
    result = attempt.checked[0].result
    if stage == "necessity" and UndeterminedError in errors:
        # What needs a source was not read: the supported sentence passes, and of the other it cannot be told.
        assert [span.text for span in result.unknown] == ["It was built in 1968."]
    assert done.stopped_by == "error"
    assert isinstance(result.error, errors)
    assert (result.reason, result.failing) == (None, ())
    assert should_recheck(result) is retryable
    assert service.generations == 1
    assert CANARY not in asked


@pytest.mark.parametrize("kind", FAULTS)
def test_even_a_loop_that_goes_on_tells_no_model_of_the_fault(kind: str) -> None:
    service = Service(FAULTS[kind][0], "citations")
    done, asked = run(service, repair_errors=True)
    assert [attempt.status for attempt in done.attempts] == ["error", "error"]
    assert service.generations == 2
    assert GroundednessRequirement().description in asked
    assert CANARY not in asked


@pytest.mark.parametrize("kind", ["rate limit", "server error", "slow", "hangs up"])
def test_a_fault_that_passes_is_not_seen(kind: str) -> None:
    fault = FAULTS[kind][0]
    brief = Reply(status=429, headers={"retry-after": "0"}) if kind == "rate limit" else fault
    done, _ = run(Service(brief, "support", times=1))
    assert [attempt.status for attempt in done.attempts] == ["fail", "pass"]


def test_a_server_that_is_not_there() -> None:
    judge = OpenAICompatibleJudge("m", base_url=closed_port_url(), patience=PATIENCE)
    requirement = GroundednessRequirement([DOCUMENT], judge=judge)
    done = generate_validated(lambda _: BAD, [requirement])
    result = done.attempts[0].checked[0].result
    assert (done.stopped_by, result.stage, len(done.attempts)) == ("error", "citations", 1)
    assert isinstance(result.error, BackendError)
    assert should_recheck(result)
