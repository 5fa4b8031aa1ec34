"""Ten thousand pairs through a server that fails a fifth of its requests, and a run that is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.remote.settings import Manners
from halt_rag.nli.scores import Pair
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.nli.tei import TeiNLI
from tests.nli.servers import ModelServer, Reply, hashed, serving

pytest.importorskip("httpx")
pytest.importorskip("aiolimiter")

RETRIES = 12
FAULTS = [
    Reply(500, {"error": "out of memory", "error_type": "Backend"}),
    Reply(429, {"error": "overloaded", "error_type": "Overloaded"}),
    Reply(429, {"error": "overloaded"}, {"Retry-After": "0"}),
    Reply(503, {"error": "loading", "estimated_time": 0.005}),
    Reply(502, raw=b"<html>bad gateway</html>"),
    Reply(408, {"error": "too slow"}),
    Reply(drop=True),
    Reply(cut=True, body=[[{"label": "entailment", "score": 1.0}]] * 4),
    Reply(raw=b'{"half": '),
]


def fault(number: int) -> Reply | None:
    """A fifth of the requests, in an order without pattern; never ``/info``, which is the first."""
    mixed = number * 2654435761 % 2**32
    return FAULTS[mixed // 7 % len(FAULTS)] if number and mixed % 1000 < 200 else None


def pairs(count: int) -> list[Pair]:
    return [Pair(f"premise {index}", f"hypothesis {index}") for index in range(count)]


def wanted(some: list[Pair]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([hashed(pair.premise, pair.hypothesis) for pair in some])


@pytest.mark.slow
def test_every_pair_is_scored_once_whatever_fails(tmp_path: Path) -> None:
    some = pairs(10_000)
    server = ModelServer()
    server.fault = fault
    server.info = {"max_client_batch_size": 8}
    manners = Manners(concurrency=8, backoff_s=0.001, retries=RETRIES, deadline_s=None)
    with serving(server), TeiNLI(server.url, manners=manners) as backend:
        cached = CachedNLI(backend, SQLiteScoreStore(tmp_path / "scores.sqlite"))
        scores = cached.score(some)
        requests = len(server.seen)
        again = cached.score(some)
    assert scores.probabilities == pytest.approx(wanted(some), abs=1e-6)
    assert len(server.asked) == len(set(server.asked)) == len(some), "a pair was scored twice, or not at all"
    assert again.cache_hits == len(some)
    assert np.array_equal(again.probabilities, scores.probabilities)
    assert len(server.seen) == requests, "the cache lacks pairs"
    failed = requests - 1 - len(some) // 8
    assert 0.15 < failed / requests < 0.25, "the server did not fail as it should"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    some, file = pairs(2_000), tmp_path / "scores.sqlite"
    server = ModelServer()
    server.fault, server.delay = fault, 0.01
    program = f"""
from pathlib import Path
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.remote.settings import Manners
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.nli.tei import TeiNLI
from tests.nli.test_remote_faults import pairs
backend = TeiNLI({{url!r}}, manners=Manners(concurrency=2, backoff_s=0.001, retries={RETRIES}))
CachedNLI(backend, SQLiteScoreStore(Path({str(file)!r}))).score(pairs({len(some)}))
"""
    root = Path(__file__).parents[2]
    with serving(server):
        run = subprocess.Popen(
            [sys.executable, "-c", program.format(url=server.url)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        while len(server.asked) < 1_000 and run.poll() is None:
            time.sleep(0.005)
        run.kill()
        assert run.wait() == -signal.SIGKILL, "the run ended before it could be killed"
        time.sleep(0.1)
        first = len(server.asked)
        server.delay = 0.0
        manners = Manners(backoff_s=0.001, retries=RETRIES)
        with TeiNLI(server.url, manners=manners) as backend:
            scores = CachedNLI(backend, SQLiteScoreStore(file)).score(some)
    assert scores.probabilities == pytest.approx(wanted(some), abs=1e-6)
    assert 0 < scores.cache_hits <= first
    assert len(server.asked) - first == len(some) - scores.cache_hits, "what was kept is asked for again"
    assert set(server.asked) == {(pair.premise, pair.hypothesis) for pair in some}
