"""A cascade whose last step is a model behind HTTP: asked about what was left open, and fitted by itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from halt_rag import BackendError, HaltRagVerifier
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.hosted import HostedNLI
from halt_rag.nli.remote.settings import Manners
from halt_rag.verify.verifier import Cascade
from tests.nli.servers import ModelServer, Reply, serving
from tests.verify.support import task_model

pytest.importorskip("httpx")
pytest.importorskip("aiolimiter")

SOURCE = "The dam was built in 1967."
OPEN, FALSE = "The dam is old and wet and grey.", "Bread is baked in Rome."
FIRST = {(SOURCE, OPEN): (0.8, 0.1, 0.1)}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(ModelServer(lambda premise, hypothesis: (0.98, 0.01, 0.01))) as running:
        yield running


@pytest.fixture
def verifier(server: ModelServer) -> Iterator[HaltRagVerifier]:
    first = FakeNLI(FIRST)
    manners = Manners(backoff_s=0.001, retries=1)
    with HostedNLI("example/nli", url=f"{server.url}/models", manners=manners) as hosted:
        last = HaltRagVerifier(backend=hosted, artifact=task_model(hosted))
        yield HaltRagVerifier(backend=first, artifact=task_model(first), cascade=Cascade([last]))


def test_calls_are_made_for_open_claims_only(server: ModelServer, verifier: HaltRagVerifier) -> None:
    result = verifier.verify(SOURCE, f"{SOURCE} {OPEN} {FALSE}")
    assert [(c.label, c.tier) for c in result.claims] == [("faithful", 0), ("faithful", 1), ("unfaithful", 0)]
    assert server.asked == [(SOURCE, OPEN)]
    assert result.receipt.pairs_by_tier[1] == 1
    assert [(m.backend, m.calibrated) for m in result.cascade] == [("hosted", True)]


def test_no_call_is_made_where_nothing_is_open(server: ModelServer, verifier: HaltRagVerifier) -> None:
    assert verifier.verify(SOURCE, FALSE).decision == "hallucinated"
    assert server.asked == []


def test_a_failure_of_the_last_step_is_an_error_and_no_verdict(server: ModelServer, verifier: HaltRagVerifier) -> None:
    server.fault = lambda number: Reply(500, {"error": "down"})
    with pytest.raises(BackendError):
        verifier.verify(SOURCE, f"{SOURCE} {OPEN}")
