"""The command as a process: it stops without losing what it accepted, and several workers share what they know."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from halt_rag import HaltRagVerifier, Verification
from halt_rag.nli.fake import FakeNLI
from tests.service.conftest import Server, figure, served, wait_until

SOURCE = "The dam was built in 1967."
FAKE = ("--backend", "fake")
#: A model that takes its time.
TARDY = """
import time
from halt_rag.nli.fake import FakeNLI
fast = FakeNLI.score
def score(self, pairs):
    time.sleep(0.05 if not any("slow" in pair.hypothesis for pair in pairs) else 1.5)
    return fast(self, pairs)
FakeNLI.score = score
"""


def body(number: int) -> dict[str, str]:
    return {"source": SOURCE, "generated": f"Statement number {number}."}


@pytest.mark.slow
def test_sigterm_under_load_loses_nothing_that_was_accepted(tmp_path: Path) -> None:
    """Every answer of the service arrives, whole, also to requests that waited when it was told to stop."""
    answers: dict[int, httpx.Response] = {}
    refused: dict[int, httpx.TransportError] = {}
    stopped = threading.Event()
    after: list[int] = []

    def ask(first: int, server: Server) -> None:
        for number in range(first, first + 100_000):
            try:
                answers[number] = httpx.post(f"{server.url}/verify", json=body(number), timeout=60)
            except httpx.TransportError as error:
                refused[number] = error
                return
            if stopped.is_set():
                after.append(number)

    with served(tmp_path, *FAKE, code=TARDY) as server, ThreadPoolExecutor(16) as pool:
        asking = [pool.submit(ask, 100_000 * thread, server) for thread in range(16)]
        wait_until(lambda: len(answers) > 40)
        stopped.set()
        server.stop()
        for one in asking:
            one.result()
        log = server.logged()
    assert after, "nothing was waiting when the service was told to stop: the test shows nothing"
    assert {answer.status_code for answer in answers.values()} == {200}
    for number, answer in answers.items():
        assert answer.json()["claims"][0]["text"] == f"Statement number {number}."
    assert log.count("POST /verify 200") == len(answers), "each accepted request was answered, and the answer arrived"
    assert log.count("POST /verify") == len(answers)
    # What came too late was never accepted.
    assert all(
        isinstance(error, httpx.ConnectError | httpx.ReadError | httpx.RemoteProtocolError)
        for error in refused.values()
    )
    assert "Finished server process" in log


@pytest.mark.slow
def test_workers_share_the_cache_and_their_figures(tmp_path: Path) -> None:
    cache = tmp_path / "scores.sqlite"
    with served(tmp_path, *FAKE, "--workers", "2", "--cache", str(cache)) as server:
        answers = []
        for _ in range(30):  # Each on a new connection, so that both workers get some.
            answers.append(httpx.post(f"{server.url}/verify", json=body(1), timeout=60).json())
        figures = httpx.get(f"{server.url}/metrics", timeout=60).text
        server.stop()
        log = server.logged()
    hits = [answer["receipt"]["cache_hits"] for answer in answers]
    assert hits[0] == 0
    assert min(hits[1:]) == answers[0]["receipt"]["pairs_scored"], "what one worker scored, the other knows"
    assert len({json.dumps(answer | {"receipt": None}) for answer in answers}) == 1
    assert figure(figures, "halt_rag_verifications_total") == 32, "30, and one for each worker when it loaded the model"
    assert log.count("Finished server process") == 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with served(folder, *FAKE, code=TARDY, variables={"HALT_RAG_DEADLINE_SECONDS": "4"}) as server:
        yield server


def head(length: int) -> bytes:
    lines = ["POST /verify HTTP/1.1", "Host: x", "Content-Type: application/json", f"Content-Length: {length}", "", ""]
    return "\r\n".join(lines).encode()


def test_a_slow_client_is_dropped_and_holds_nobody_up(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as slow:
        slow.sendall(head(1000) + b'{"source": ')
        assert httpx.post(f"{server.url}/verify", json=body(1), timeout=60).status_code == 200
        told = b"".join(iter(lambda: slow.recv(4096), b""))
    assert told.startswith(b"HTTP/1.1 408 "), "and then the connection is closed"
    assert httpx.get(f"{server.url}/healthz").status_code == 200


def test_a_client_that_hangs_up_is_noticed(server: Server) -> None:
    content = json.dumps({"source": SOURCE, "generated": "This is slow."}).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as gone:
        gone.sendall(head(len(content)) + content)
        time.sleep(0.3)
    wait_until(lambda: 'reason="client_left"} 1.0' in httpx.get(f"{server.url}/metrics", timeout=60).text)


@pytest.mark.parametrize(
    "junk",
    [b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"\x00" * 100_000, head(10), head(10) + b"1234567890 and more"],
)
def test_junk_on_the_wire_is_survived(server: Server, junk: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as stranger:
        stranger.sendall(junk)
        stranger.shutdown(socket.SHUT_WR)
        assert stranger.recv(12) in {b"HTTP/1.1 400", b"HTTP/1.1 422", b""}
    answer = httpx.post(f"{server.url}/verify", json=body(1), timeout=60)
    assert Verification.from_json(answer.content) == HaltRagVerifier(backend=FakeNLI()).verify(**body(1))
    assert "Traceback" not in server.logged()


def test_an_address_that_is_taken_is_no_verdict(server: Server) -> None:
    again = [sys.executable, "-m", "halt_rag", "serve", "--port", str(server.port), *FAKE]
    done = subprocess.run(again, capture_output=True, check=False, timeout=120)
    assert done.returncode == 2
    assert b"address already in use" in done.stderr


def test_a_crash_of_a_request_leaves_no_text_in_the_log(tmp_path: Path) -> None:
    code = (
        "from halt_rag.nli.fake import FakeNLI\n"
        "def score(self, pairs, fast=FakeNLI.score):\n"
        "    if any('secret' in p.hypothesis for p in pairs): raise ValueError(pairs[0].hypothesis)\n"
        "    return fast(self, pairs)\n"
        "FakeNLI.score = score"
    )
    with served(tmp_path, *FAKE, code=code) as server:
        answer = httpx.post(f"{server.url}/verify", json={"source": SOURCE, "generated": "A secret."})
        wait_until(lambda: "ValueError" in server.logged())
        log = server.logged()
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "secret" not in log


def test_a_closed_pipe_does_not_end_the_service(server: Server) -> None:
    """The command line lets SIGPIPE end it; a client that goes while it is answered must not end the service."""
    for _ in range(3):
        server.process.send_signal(signal.SIGPIPE)
        assert httpx.post(f"{server.url}/verify", json=body(1), timeout=60).status_code == 200
    assert server.process.poll() is None
