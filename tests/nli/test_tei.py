from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.checkpoint import Reading
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.remote.settings import Connection, Manners
from halt_rag.nli.scores import Pair
from halt_rag.nli.tei import TeiNLI
from tests.nli.contract import BackendContract
from tests.nli.servers import ModelServer, Reply, by, hashed, serving
from tests.nli.tiny import write_model

pytest.importorskip("httpx")
pytest.importorskip("aiolimiter")

QUICK = Manners(backoff_s=0.001, concurrency=4)
PAIRS = [Pair(f"premise {index}", f"hypothesis {index}") for index in range(10)]
WANTED = np.array([hashed(pair.premise, pair.hypothesis) for pair in PAIRS])


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeiNLI]:
    folder = write_model(tmp_path_factory.mktemp("models") / "tiny", max_tokens=120)
    with (
        serving(ModelServer(by(EmbeddedNLI(folder)))) as server,
        TeiNLI(server.url, folder / "tokenizer.json", manners=QUICK) as tei,
    ):
        yield tei


class TestContract(BackendContract):
    pass


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(ModelServer()) as running:
        yield running


def test_pairs_are_sent_as_documented_in_batches_that_the_server_takes(server: ModelServer) -> None:
    with TeiNLI(server.url, connection=Connection(token="secret"), manners=QUICK) as backend:  # noqa: S106
        assert backend.score(PAIRS).probabilities == pytest.approx(WANTED, abs=1e-6)
        assert backend.estimate(PAIRS).calls == 3
    info, *predictions = server.seen
    assert (info.path, info.body) == ("/info", None)
    assert {seen.path for seen in predictions} == {"/predict"}
    assert sorted(len(seen.body["inputs"]) for seen in predictions) == [2, 4, 4]
    assert all(seen.body["truncate"] is seen.body["raw_scores"] is False for seen in predictions)
    assert all(seen.headers["authorization"] == "Bearer secret" for seen in server.seen)
    assert sorted(server.asked) == sorted((pair.premise, pair.hypothesis) for pair in PAIRS)


def test_large_texts_make_smaller_batches(server: ModelServer) -> None:
    server.info = {"max_input_length": 10_000_000}
    big = [Pair("x" * 600_000 + str(index), "a") for index in range(5)]
    with TeiNLI(server.url, manners=QUICK) as backend:
        backend.score(big)
    assert sorted(len(seen.body["inputs"]) for seen in server.seen[1:]) == [1, 2, 2]


def test_the_server_says_who_answers(server: ModelServer) -> None:
    server.names = ("contradiction", "entailment", "neutral")
    with TeiNLI(server.url, manners=QUICK) as backend:
        assert backend.model_id == "example/nli"
        assert backend.revision == "0123456789ab-120-120-float16"
        assert backend.tokenizer.max_tokens == 120
        row = backend.score([PAIRS[0]]).probabilities[0]
    assert row == pytest.approx(WANTED[0][[1, 2, 0]], abs=1e-6)


def test_one_pair_may_be_answered_flat(server: ModelServer) -> None:
    server.replies.extend([Reply(body=server.description()), Reply(body=server.items("a", "b"))])
    with TeiNLI(server.url, manners=QUICK) as backend:
        assert backend.score([Pair("a", "b")]).probabilities[0] == pytest.approx(hashed("a", "b"), abs=1e-6)


def test_unnamed_outputs_need_a_statement(server: ModelServer) -> None:
    server.names = ("LABEL_0", "LABEL_1", "LABEL_2")
    with TeiNLI(server.url, manners=QUICK) as backend, pytest.raises(ConfigurationError, match="LABEL_1"):
        backend.score(PAIRS)
    reading = Reading(labels=("contradiction", "neutral", "entailment"))
    with TeiNLI(server.url, reading=reading, manners=QUICK) as backend:
        assert backend.score(PAIRS).probabilities == pytest.approx(WANTED[:, [2, 1, 0]], abs=1e-6)


@pytest.mark.parametrize(
    ("preset", "names", "shown"),
    [
        ("FacebookAI/roberta-large-mnli", ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), "stated to be contradiction"),
        ("MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", ("entailment", "not_entailment"), "stated to be entailment"),
    ],
)
def test_the_labels_of_a_preset_are_checked(
    server: ModelServer, preset: str, names: tuple[str, ...], shown: str
) -> None:
    server.names, server.info = names, {"model_id": preset}
    with TeiNLI(server.url, manners=QUICK) as backend, pytest.raises(ConfigurationError, match=shown):
        backend.score(PAIRS)


def test_a_preset_that_fits(server: ModelServer) -> None:
    server.names, server.info = (
        ("CONTRADICTION", "NEUTRAL", "ENTAILMENT"),
        {"model_id": "FacebookAI/roberta-large-mnli"},
    )
    with TeiNLI(server.url, model="roberta-large-mnli", manners=QUICK) as backend:
        assert backend.score(PAIRS).probabilities == pytest.approx(WANTED[:, [2, 1, 0]], abs=1e-6)
        assert backend.tokenizer.max_tokens == 120, "the server's own limit is lower than the preset's"


def test_another_model_is_refused(server: ModelServer) -> None:
    shown = "serves example/nli, not yaxili96"
    with TeiNLI(server.url, model="factcg", manners=QUICK) as backend, pytest.raises(ConfigurationError, match=shown):
        backend.score(PAIRS)


def test_a_grader_that_reads_joined_texts_is_refused(server: ModelServer) -> None:
    server.info = {"model_id": "lytang/MiniCheck-RoBERTa-Large"}
    with TeiNLI(server.url, manners=QUICK) as backend, pytest.raises(InputError, match="special token"):
        backend.score(PAIRS)


def test_a_grader_with_a_question(server: ModelServer) -> None:
    server.names, server.score = ("LABEL_0", "LABEL_1"), lambda *_: (0.4, 0.6, 0.0)
    server.info = {"model_id": "yaxili96/FactCG-DeBERTa-v3-Large", "max_input_length": 2048}
    with TeiNLI(server.url, manners=QUICK) as backend:
        assert backend.score(PAIRS[:1]).probabilities[0] == pytest.approx([0.6, 0.4, 0.0])
    ((text,),) = server.seen[-1].body["inputs"]
    assert 'conclude that "hypothesis 0"?' in text


def test_a_server_that_truncates_needs_exact_counting(server: ModelServer) -> None:
    server.info = {"auto_truncate": True}
    with TeiNLI(server.url, manners=QUICK) as backend, pytest.raises(ConfigurationError, match="auto_truncate"):
        backend.score(PAIRS)


@pytest.mark.parametrize(
    "info", [{"model_type": {"embedding": {"pooling": "cls"}}}, {"max_input_length": None}, {"model_type": []}]
)
def test_servers_without_a_classifier(server: ModelServer, info: dict[str, Any]) -> None:
    server.info = info
    with TeiNLI(server.url, manners=QUICK) as backend, pytest.raises(BackendError, match="does not describe"):
        backend.score(PAIRS)


def test_only_the_first_of_a_batch_is_no_answer(server: ModelServer) -> None:
    first_only = [[{"label": "entailment", "score": 1.0}]]
    server.replies.extend([Reply(body=server.description()), Reply(body=first_only)])
    with TeiNLI(server.url, manners=QUICK) as backend, pytest.raises(BackendError, match=r"1 result.* 4 pair"):
        backend.score(PAIRS[:4])


@pytest.mark.parametrize(
    ("status", "kind", "again"),
    [(413, "Validation", False), (422, "Validation", False), (424, "Backend", True), (429, "Overloaded", True)],
)
def test_errors_of_the_server(server: ModelServer, status: int, kind: str, *, again: bool) -> None:
    server.fault = lambda number: Reply(status, {"error": "`inputs` is odd", "error_type": kind}) if number else None
    manners = Manners(backoff_s=0.001, retries=1)
    with TeiNLI(server.url, manners=manners) as backend, pytest.raises(BackendError, match=r"inputs. is odd") as caught:
        backend.score(PAIRS[:1])
    assert (caught.value.status_code, caught.value.retryable) == (status, again)
    assert len(server.seen) == (3 if again else 2)
