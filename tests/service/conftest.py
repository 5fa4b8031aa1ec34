"""Applications and servers that the tests of the service share."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from halt_rag import HaltRagVerifier
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair

httpx = pytest.importorskip("httpx", reason="httpx is not installed")
for package in ("fastapi", "uvicorn", "prometheus_client"):
    pytest.importorskip(package, reason=f"{package} is not installed: the extra 'service' has it")

from starlette.testclient import TestClient  # noqa: E402 - only where it is there

from halt_rag.service import Settings, create_app  # noqa: E402


class SlowNLI(FakeNLI):
    """Waits at a gate before it scores, until the gate is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.entered = threading.Semaphore(0)

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        if any("slow" in pair.hypothesis for pair in pairs):
            self.entered.release()
            assert self.gate.wait(60)
        return super().score(pairs)


@contextmanager
def client_of(backend: FakeNLI | None = None, **settings: Any) -> Iterator[TestClient]:
    """A client of an application with the fake backend."""
    app = create_app(HaltRagVerifier(backend=backend or FakeNLI()), Settings(**settings))
    with TestClient(app, raise_server_exceptions=False) as client:
        wait_until(lambda: client.get("/readyz").status_code == 200)
        yield client


@pytest.fixture
def client() -> Iterator[TestClient]:
    with client_of() as client:
        yield client


def wait_until(true: Callable[[], bool], seconds: int = 60) -> None:
    """Waits for a condition."""
    for _ in range(20 * seconds):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it never came true")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@dataclass
class Server:
    """A service in a process of its own."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> int:
        """Asks it to stop, and waits."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def logged(self) -> str:
        return self.log.read_text(encoding="utf-8")


@contextmanager
def served(folder: Path, *arguments: str, code: str = "", variables: dict[str, str] | None = None) -> Iterator[Server]:
    """Runs ``halt-rag serve`` until the block ends.

    Args:
        folder: Where its log goes.
        arguments: Further options.
        code: Python to run before, in the same process.
        variables: Environment variables.
    """
    port, log = free_port(), folder / "serve.log"
    start = ["-c", f"{code}\nfrom halt_rag.cli.app import main\nmain()"] if code else ["-m", "halt_rag"]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, *start, "serve", "--port", str(port), *arguments],
            stderr=stream,
            stdout=stream,
            env={**os.environ, **(variables or {})},
        )
        server = Server(process, port, log)
        try:
            wait_until(lambda: process.poll() is not None or _ready(server.url), 240)
            assert process.poll() is None, server.logged()
            yield server
        finally:
            process.kill()
            process.wait()


def _ready(url: str) -> bool:
    try:
        return bool(httpx.get(f"{url}/readyz", timeout=5).status_code == 200)
    except httpx.TransportError:
        return False


def figure(text: str, name: str) -> float:
    """A figure of ``/metrics``: the sum over its labels."""
    lines = [line for line in text.splitlines() if line.startswith((f"{name} ", f"{name}{{"))]
    return sum(float(line.rpartition(" ")[2]) for line in lines)
