"""Many requests at once: batches, bounds, deadlines, clients that leave. Each test waits for events, not for time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from halt_rag import BackendError, HaltRagVerifier, Verification
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.service import Settings, create_app
from tests.service.conftest import SlowNLI, figure

if TYPE_CHECKING:
    from fastapi import FastAPI

SOURCE = "The dam was built in 1967."
SLOW = {"source": SOURCE, "generated": "This one is slow."}


@asynccontextmanager
async def running(backend: FakeNLI, **settings: Any) -> AsyncIterator[tuple[FastAPI, httpx.AsyncClient]]:
    """An application in this event loop, and a client of it."""
    app = create_app(HaltRagVerifier(backend=backend), Settings(**settings))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test", timeout=60) as client:
            while app.state.service.not_ready:
                await asyncio.sleep(0.01)
            yield app, client


async def entered(backend: SlowNLI) -> None:
    """Waits until the model is scoring a slow text."""
    assert await asyncio.to_thread(backend.entered.acquire, timeout=60)


async def posted(client: httpx.AsyncClient, number: int) -> httpx.Response:
    body = {"source": SOURCE, "generated": f"Statement number {number}."}
    return await client.post("/verify", json=body, headers={"X-Request-ID": f"r{number}"})


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(test(), 120)

    asyncio.run(bounded())


def test_requests_are_scored_together_and_answers_go_where_they_belong() -> None:
    async def test() -> None:
        backend = SlowNLI()
        async with running(backend, runs=1, batch=8) as (_, client):
            first = asyncio.create_task(client.post("/verify", json=SLOW))
            await entered(backend)
            rest = [asyncio.create_task(posted(client, number)) for number in range(20)]
            await asyncio.sleep(0.2)
            backend.gate.set()
            answers = await asyncio.gather(*rest)
            await first
            for number, answer in enumerate(answers):
                assert answer.headers["x-request-id"] == f"r{number}"
                assert answer.json()["claims"][0]["text"] == f"Statement number {number}."
            figures = (await client.get("/metrics")).text
            # One to load the model, the slow one, and 20 in three batches of at most 8.
            assert figure(figures, "halt_rag_batch_texts_count") == 5
            assert figure(figures, "halt_rag_batch_texts_sum") == 22

    run(test)


def test_the_event_loop_goes_on_while_the_model_runs() -> None:
    async def test() -> None:
        backend = SlowNLI()
        async with running(backend) as (_, client):
            slow = asyncio.create_task(client.post("/verify", json=SLOW))
            await entered(backend)
            assert (await client.get("/healthz")).status_code == 200
            assert (await posted(client, 1)).status_code == 200, "another batch runs beside it"
            assert not slow.done()
            backend.gate.set()
            assert (await slow).status_code == 200

    run(test)


def test_what_the_queue_cannot_hold_is_refused_at_once() -> None:
    async def test() -> None:
        backend = SlowNLI()
        async with running(backend, queue=3, runs=1) as (_, client):
            slow = asyncio.create_task(client.post("/verify", json=SLOW))
            await entered(backend)
            waiting = [asyncio.create_task(posted(client, number)) for number in range(2)]
            await asyncio.sleep(0.1)
            refused = await posted(client, 9)
            assert refused.status_code == 429
            assert refused.json()["code"] == "OVERLOADED"
            assert refused.json()["retryable"] is True
            assert 1 <= int(refused.headers["retry-after"]) <= 60
            assert "decision" not in refused.json()
            batch = {"items": [{"source": SOURCE, "generated": "Two."}] * 2}
            assert (await client.post("/v1/verify/batch", json=batch)).status_code == 429
            assert (await client.post("/v1/scan", json={"text": "x"})).status_code == 429
            backend.gate.set()
            assert {(await one).status_code for one in (slow, *waiting)} == {200}
            assert (await posted(client, 9)).status_code == 200, "places are free again"
            figures = (await client.get("/metrics")).text
            assert figure(figures, "halt_rag_refused_texts_total") == 4
            assert figure(figures, "halt_rag_pending_texts") == 0

    run(test)


def test_a_deadline_is_kept_and_says_so() -> None:
    async def test() -> None:
        backend = SlowNLI()
        async with running(backend, deadline_seconds=0.5, runs=1) as (app, client):
            slow, waiting = await asyncio.gather(client.post("/verify", json=SLOW), posted(client, 1))
            for answer in (slow, waiting):
                assert answer.status_code == 504
                assert answer.json()["code"] == "DEADLINE"
                assert "decision" not in answer.json()
            assert not app.state.service.batcher._waiting, "what nobody waits for is not kept"
            backend.gate.set()
            assert (await posted(client, 2)).status_code == 200
            assert figure((await client.get("/metrics")).text, "halt_rag_dropped_requests_total") == 2

    run(test)


@pytest.mark.parametrize("path", ["/verify", "/v1/verify/batch"])
def test_work_is_dropped_when_the_client_leaves(path: str) -> None:
    async def test() -> None:
        backend = SlowNLI()
        async with running(backend, runs=1) as (app, client):
            slow = asyncio.create_task(client.post("/verify", json=SLOW))
            await entered(backend)
            item = {"source": SOURCE, "generated": "Nobody waits for this."}
            body = item if path == "/verify" else {"items": [item] * 5}
            leaving = asyncio.create_task(hang_up(app, path, httpx.Request("POST", "http://x", json=body).content))
            await asyncio.wait_for(leaving, 30)
            assert not app.state.service.batcher._waiting
            backend.gate.set()
            await slow
            figures = (await client.get("/metrics")).text
            assert 'halt_rag_dropped_requests_total{reason="client_left"} 1.0' in figures
        assert not any("Nobody" in pair.hypothesis for call in backend.calls for pair in call)

    run(test)


async def hang_up(app: FastAPI, path: str, body: bytes) -> None:
    """Sends a request as a server would, and its client leaves before the answer."""
    messages = [{"type": "http.request", "body": body, "more_body": False}, {"type": "http.disconnect"}]

    async def receive() -> Any:
        if len(messages) == 1:
            await asyncio.sleep(0.2)
        return messages.pop(0)

    async def send(message: Any) -> None:
        pass

    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2), "state": {},
    }  # fmt: skip
    await app(scope, receive, send)


class Picky(SlowNLI):
    """Fails on every text with "broken" in it."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        scores = super().score(pairs)
        if any("broken" in pair.hypothesis for pair in pairs):
            raise self.error
        return scores


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [(BackendError("Not finite.", backend="fake"), 502, "BACKEND"), (ZeroDivisionError("texts"), 500, "INTERNAL")],
)
def test_a_text_that_fails_does_not_fail_its_neighbours(error: Exception, status: int, code: str) -> None:
    async def test() -> None:
        backend = Picky(error)
        async with running(backend, runs=1) as (_, client):
            slow = asyncio.create_task(client.post("/verify", json=SLOW))
            await entered(backend)
            bad = asyncio.create_task(client.post("/verify", json={"source": SOURCE, "generated": "It is broken."}))
            good = [asyncio.create_task(posted(client, number)) for number in range(4)]
            await asyncio.sleep(0.2)
            backend.gate.set()
            assert {(await one).status_code for one in (slow, *good)} == {200}
            answer = await bad
            assert (answer.status_code, answer.json()["code"]) == (status, code)
            assert "texts" not in answer.text
            assert answer.headers["x-content-type-options"] == "nosniff"

    run(test)


def test_an_outage_fails_what_was_asked_together_and_asks_once() -> None:
    async def test() -> None:
        backend = Picky(BackendError("Away.", backend="fake", retryable=True))
        async with running(backend, runs=1) as (_, client):
            slow = asyncio.create_task(client.post("/verify", json=SLOW))
            await entered(backend)
            calls = len(backend.calls)
            texts = ["It is broken.", "Fine.", "Fine, too."]
            rest = [asyncio.create_task(client.post("/verify", json={"source": SOURCE, "generated": t})) for t in texts]
            await asyncio.sleep(0.2)
            backend.gate.set()
            assert (await slow).status_code == 200
            answers = await asyncio.gather(*rest)
            assert [answer.status_code for answer in answers] == [503] * 3
            assert answers[0].headers["retry-after"] == "1"
            # The call with the slow text, its search for evidence, and one for the three.
            assert len(backend.calls) - calls <= 3

    run(test)


def test_what_was_accepted_is_finished_when_the_service_stops() -> None:
    async def test() -> None:
        backend = SlowNLI()
        app = create_app(HaltRagVerifier(backend=backend), Settings(runs=1))
        transport = httpx.ASGITransport(app)
        client = httpx.AsyncClient(transport=transport, base_url="http://test", timeout=60)
        async with app.router.lifespan_context(app):
            while app.state.service.not_ready:
                await asyncio.sleep(0.01)
            slow = asyncio.create_task(client.post("/verify", json=SLOW))
            await entered(backend)
            waiting = [asyncio.create_task(posted(client, number)) for number in range(5)]
            await asyncio.sleep(0.1)
            asyncio.get_running_loop().call_later(0.2, backend.gate.set)
        answers = await asyncio.gather(slow, *waiting)
        assert [answer.status_code for answer in answers] == [200] * 6
        await client.aclose()

    run(test)


def test_results_are_those_of_the_library_however_they_were_batched() -> None:
    texts = [f"Sentence number {n}. {'It was built in 1967.' * (n % 3)}" for n in range(40)]
    expected = [HaltRagVerifier(backend=FakeNLI()).verify(SOURCE, text) for text in texts]

    async def test() -> None:
        async with running(FakeNLI(), batch=5) as (_, client):
            bodies = [{"source": SOURCE, "generated": text} for text in texts]
            answers = await asyncio.gather(*(client.post("/verify", json=body) for body in bodies))
            assert [Verification.from_json(answer.content) for answer in answers] == expected

    run(test)


def test_a_batch_takes_no_more_text_than_is_set() -> None:
    async def test() -> None:
        backend = SlowNLI()
        async with running(backend, runs=1, batch_characters=200) as (_, client):
            slow = asyncio.create_task(client.post("/verify", json=SLOW))
            await entered(backend)
            long = {"source": "Words. " * 40, "generated": "Words."}
            rest = [asyncio.create_task(client.post("/verify", json=body)) for body in [long, long, SLOW, SLOW]]
            await asyncio.sleep(0.2)
            backend.gate.set()
            assert {(await one).status_code for one in (slow, *rest)} == {200}
            # Loading, slow, long, long, and the two short ones together.
            assert figure((await client.get("/metrics")).text, "halt_rag_batch_texts_count") == 5

    run(test)


def test_a_batch_that_could_never_be_accepted_is_no_overload() -> None:
    async def test() -> None:
        async with running(FakeNLI(), queue=3) as (_, client):
            item = {"source": SOURCE, "generated": "One."}
            assert (await client.post("/v1/verify/batch", json={"items": [item] * 4})).status_code == 422
            assert (await client.post("/v1/verify/batch", json={"items": [item] * 3})).status_code == 200

    run(test)


class Late(SlowNLI):
    """Away at first."""

    away = True

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        if self.away:
            raise BackendError("Away.", backend="fake", retryable=True)
        return super().score(pairs)


def test_a_full_queue_does_not_keep_the_service_from_getting_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks the model again until it answers, also when requests have taken all places meanwhile."""
    monkeypatch.setattr("halt_rag.service.core._AGAIN_SECONDS", 0.02)

    async def test() -> None:
        backend = Late()
        app = create_app(HaltRagVerifier(backend=backend), Settings(queue=1))
        async with app.router.lifespan_context(app):
            service = app.state.service
            while "Away" not in service.not_ready:
                await asyncio.sleep(0)
            held = threading.Event()
            holding = asyncio.create_task(service.batcher.run(lambda: held.wait(60)))
            while "OVERLOADED" not in service.not_ready:
                await asyncio.sleep(0.01)
            backend.away = False
            held.set()
            await holding
            while service.not_ready:
                await asyncio.sleep(0.01)

    run(test)
