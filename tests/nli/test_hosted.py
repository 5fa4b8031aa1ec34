from __future__ import annotations

import contextlib
import gzip
import json
import logging
import pickle
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.checkpoint import Reading
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.hosted import HostedNLI
from halt_rag.nli.remote.limits import BudgetError
from halt_rag.nli.remote.settings import Budget, Connection, Manners
from halt_rag.nli.scores import GradualBackend, Pair
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from tests.nli.contract import BackendContract
from tests.nli.servers import ModelServer, Reply, by, hashed, serving
from tests.nli.tiny import write_model

pytest.importorskip("httpx")
pytest.importorskip("aiolimiter")

SECRET = "hf_aVerySecretToken123"  # noqa: S105 - made up
QUICK = Manners(backoff_s=0.001, concurrency=4)
PAIR = Pair("It rained all day.", "It rained.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny", max_tokens=120)


@pytest.fixture(scope="module")
def backend(folder: Path) -> Iterator[HostedNLI]:
    with (
        serving(ModelServer(by(EmbeddedNLI(folder)))) as server,
        HostedNLI(
            "example/nli", folder / "tokenizer.json", reading=Reading(max_tokens=120), url=f"{server.url}/models",
            manners=QUICK,
        ) as hosted,
    ):  # fmt: skip
        yield hosted


class TestContract(BackendContract):
    pass


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(ModelServer()) as running:
        yield running


def hosted(server: ModelServer, **options: Any) -> HostedNLI:
    options = {"manners": QUICK} | options
    return HostedNLI(options.pop("model", "example/nli"), url=f"{server.url}/models", **options)


def pairs(count: int) -> list[Pair]:
    return [Pair(f"premise {index}", f"hypothesis {index}") for index in range(count)]


def test_a_pair_is_sent_as_documented_and_with_the_token(server: ModelServer, folder: Path) -> None:
    with hosted(server, tokenizer=folder / "tokenizer.json", connection=Connection(token=SECRET)) as backend:
        backend.score([PAIR])
    (seen,) = server.seen
    assert seen.path == "/models/example/nli"
    assert seen.headers["authorization"] == f"Bearer {SECRET}"
    assert seen.body == {
        "inputs": [{"text": PAIR.premise, "text_pair": PAIR.hypothesis}],
        "parameters": {"top_k": 3, "truncation": "only_first"},
    }


@pytest.mark.parametrize("nested", [True, False])
def test_labels_are_read_by_name_in_whatever_order(server: ModelServer, *, nested: bool) -> None:
    server.nested = nested
    with hosted(server) as backend:
        scores = backend.score(pairs(6)).probabilities
    assert scores == pytest.approx(np.array([hashed(p.premise, p.hypothesis) for p in pairs(6)]), abs=1e-6)


def test_without_the_tokenizer_no_truncation_is_asked_for_and_tokens_are_counted_high(server: ModelServer) -> None:
    with hosted(server) as backend:
        backend.score([PAIR])
        assert backend.tokenizer.count("International 日") == 5 + 3
        with pytest.raises(InputError, match="at most 512"):
            backend.score([Pair("word " * 400, "word")])
    assert [set(seen.body["parameters"]) for seen in server.seen] == [{"top_k"}]


def test_equal_pairs_are_sent_once(server: ModelServer) -> None:
    with hosted(server) as backend:
        assert len(backend.score([PAIR, *pairs(2), PAIR])) == 4
        assert len(server.seen) == backend.calls == 3


def test_zero_shot_is_marked_approximate(server: ModelServer) -> None:
    with hosted(server) as exact, hosted(server, form="zero-shot") as backend:
        row = backend.score([PAIR]).probabilities[0]
        assert backend.approximate
        assert not exact.approximate
        assert backend.revision != exact.revision
    e, _, c = hashed(PAIR.premise, PAIR.hypothesis)
    assert row == pytest.approx([e / (e + c), c / (e + c) / 2, c / (e + c) / 2], abs=1e-6)
    assert server.seen[0].body["parameters"]["hypothesis_template"] == "{}"


@pytest.mark.parametrize("form", [{"labels": ["It rained."], "scores": [0.9]}, [{"label": "It rained.", "score": 0.9}]])
def test_zero_shot_answers_of_both_forms(server: ModelServer, form: Any) -> None:
    server.replies.append(Reply(body=form))
    with hosted(server, form="zero-shot") as backend:
        assert backend.score([PAIR]).entailment[0] == pytest.approx(0.9)


def test_a_grader_has_two_outputs_and_its_own_form(server: ModelServer) -> None:
    server.names, server.score = ("LABEL_0", "LABEL_1"), lambda *_: (0.3, 0.7, 0.0)
    with hosted(server, model="factcg") as backend:
        row = backend.score([Pair("Rain {hypothesis}.", "Wet {premise}.")]).probabilities[0]
    assert row == pytest.approx([0.7, 0.3, 0.0])
    text = server.seen[0].body["inputs"][0]
    assert set(text) == {"text"}
    assert text["text"].startswith("Rain {hypothesis}.\n\nChoose your answer")
    assert '"Wet {premise}."?' in text["text"]
    with pytest.raises(InputError, match="special token"):
        hosted(server, model="minicheck-roberta")


GOOD = [
    {"label": "entailment", "score": 0.5},
    {"label": "neutral", "score": 0.3},
    {"label": "CONTRADICTION", "score": 0.2},
]


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ([[]], "nothing"),
        ([GOOD, GOOD], "2 result"),
        ([GOOD[:1]], "entailment only"),
        ([GOOD[:2]], "entailment, neutral only"),
        ([[*GOOD, GOOD[0]]], "twice"),
        ([[*GOOD[:2], {"label": "contradiction", "score": 1.2}]], "from 0 to 1"),
        ([[*GOOD[:2], {"label": "contradiction", "score": "0.2"}]], "from 0 to 1"),
        ([[*GOOD[:2], {"label": "contradiction", "score": float("nan")}]], "from 0 to 1"),
        ([[*GOOD[:2], {"label": "contradiction", "score": -1e-7}]], "from 0 to 1"),
        ([[*GOOD[:2], {"label": "Widerspruch", "score": 0.2}]], "Widerspruch"),
        ([[*GOOD[:2], {"label": "contradiction", "score": 0.9}]], "sigmoid"),
        ([[{"label": f"LABEL_{i}", "score": 1 / 3} for i in range(3)]], "LABEL_0"),
        ([[{"label": "positive", "score": 0.5}, {"label": "negative", "score": 0.5}]], "positive"),
        ({"generated_text": "yes"}, "1 result"),
        ("yes", "1 result"),
        ([["entailment"]], "no list of labels"),
    ],
)
def test_unusable_answers_are_errors_at_once(server: ModelServer, answer: Any, shown: str) -> None:
    server.replies.append(Reply(body=answer))
    with hosted(server) as backend, pytest.raises(BackendError, match=shown) as caught:
        backend.score([PAIR])
    assert not caught.value.retryable
    assert len(server.seen) == 1


def test_another_model_than_the_preset_is_noticed(server: ModelServer) -> None:
    server.names, server.score = ("entailment", "not_entailment"), lambda *_: (0.3, 0.7, 0.0)
    with hosted(server, model="roberta-large-mnli") as backend, pytest.raises(BackendError, match="Another model"):
        backend.score([PAIR])


FINAL = [
    (400, {"error": "Bad Request: text input must be of type `str`"}, "zero-shot"),
    (401, {"error": "Invalid credentials in Authorization header"}, "HF_TOKEN"),
    (402, {"error": "You have exceeded your monthly included credits"}, "credits"),
    (403, {"error": "This authentication method does not have sufficient permissions"}, "permission"),
    (404, {"error": "Model example/nli does not exist"}, "local, onnx, tei"),
    (413, {"error": "Payload too large"}, "smaller"),
    (422, {"error": ["inputs must have less than 512 tokens", "second"]}, "form of pairs"),
    (302, {}, "final address"),
    (501, {"error": {"message": "Not implemented"}}, "Not implemented"),
]


@pytest.mark.parametrize(("status", "body", "hint"), FINAL, ids=[str(row[0]) for row in FINAL])
def test_refusals_fail_at_once_and_say_what_to_do(server: ModelServer, status: int, body: Any, hint: str) -> None:
    server.fault = lambda _: Reply(status, body)
    with hosted(server) as backend, pytest.raises(BackendError, match=hint) as caught:
        backend.score([PAIR])
    assert (caught.value.status_code, caught.value.retryable, len(server.seen)) == (status, False, 1)


PASSING = [
    Reply(408, {"error": "timeout"}),
    Reply(429, {"error": "rate limited"}, {"Retry-After": "0"}),
    Reply(429, {"error": "rate limited"}, {"RateLimit": '"api";r=0;t=0'}),
    Reply(500, {"error": "CUDA out of memory"}),
    Reply(502, raw=b"<html>Bad gateway</html>"),
    Reply(503, {"error": "Model example/nli is currently loading", "estimated_time": 0.01}),
    Reply(504, raw=b""),
    Reply(drop=True),
    Reply(cut=True, body=[GOOD]),
    Reply(raw=b"<html>Sign in to the network</html>"),
]


@pytest.mark.parametrize("trouble", PASSING, ids=lambda reply: f"{reply.status} {reply.drop or reply.cut}")
def test_troubles_that_pass_are_repeated(server: ModelServer, trouble: Reply) -> None:
    server.replies.extend([trouble, trouble])
    with hosted(server) as backend:
        assert backend.score([PAIR]).probabilities[0] == pytest.approx(hashed(PAIR.premise, PAIR.hypothesis), abs=1e-6)
    assert len(server.seen) == 3


@pytest.mark.parametrize("trouble", PASSING, ids=lambda reply: f"{reply.status} {reply.drop or reply.cut}")
def test_repetitions_are_bounded(server: ModelServer, trouble: Reply) -> None:
    server.fault = lambda _: trouble
    manners = Manners(backoff_s=0.001, retries=2)
    with hosted(server, manners=manners) as backend, pytest.raises(BackendError) as caught:
        backend.score([PAIR])
    assert caught.value.retryable
    assert len(server.seen) == 3


def test_a_silent_server_is_asked_again(server: ModelServer) -> None:
    server.replies.append(Reply(delay=5, body=[GOOD]))
    with hosted(server, manners=Manners(attempt_s=0.4, backoff_s=0.001)) as backend:
        backend.score([PAIR])
    assert len(server.seen) == 2


def test_a_server_that_is_not_there() -> None:
    server = ModelServer()
    with serving(server):
        pass
    manners = Manners(backoff_s=0.001, retries=1)
    with hosted(server, manners=manners) as backend, pytest.raises(BackendError, match="ConnectError") as caught:
        backend.score([PAIR])
    assert caught.value.retryable


def test_the_server_is_left_alone_for_as_long_as_it_asks(server: ModelServer) -> None:
    server.replies.append(Reply(429, {"error": "slow down"}, {"Retry-After": "1"}))
    with hosted(server, manners=Manners(concurrency=1, backoff_s=0.001)) as backend:
        begun = time.monotonic()
        backend.score([PAIR])
        assert time.monotonic() - begun >= 1


def test_a_wait_past_the_deadline_is_not_waited_for(server: ModelServer) -> None:
    server.fault = lambda _: Reply(429, {"error": "slow down"}, {"Retry-After": "3600"})
    with hosted(server, manners=Manners(deadline_s=60)) as backend:
        for _ in range(2):
            with pytest.raises(BackendError) as caught:
                backend.score(pairs(8))
            assert caught.value.retryable
    assert len(server.seen) <= 8


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Retry-After": "999999999999"}, {}),
        ({"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}, {}),
        ({}, {"error": "loading", "estimated_time": 9e8}),
    ],
)
def test_an_absurd_wait_is_not_waited_for_without_a_deadline_either(
    server: ModelServer, headers: dict[str, str], body: dict[str, Any]
) -> None:
    server.fault = lambda _: Reply(503, body, headers)
    manners = Manners(deadline_s=None, longest_wait_s=0.2)
    with hosted(server, manners=manners) as backend:
        with pytest.raises(BackendError, match="longest_wait_s") as caught:
            backend.score([PAIR])
        assert (caught.value.status_code, caught.value.retryable, len(server.seen)) == (503, True, 1)
        server.fault = lambda _: None
        assert len(backend.score([PAIR])) == 1, "the wish of one answer must not close the server for good"


def test_a_redirect_is_not_followed_and_takes_no_token(server: ModelServer) -> None:
    with serving(ModelServer()) as other:
        server.fault = lambda _: Reply(307, {}, {"Location": f"{other.url}/models/example/nli"})
        with (
            hosted(server, connection=Connection(token=SECRET)) as backend,
            pytest.raises(BackendError, match="final address"),
        ):
            backend.score([PAIR])
        assert not other.seen


@pytest.mark.parametrize("size", [100, 50_000_000])
def test_compressed_answers_are_not_unpacked(server: ModelServer, size: int) -> None:
    server.fault = lambda _: Reply(raw=gzip.compress(b" " * size), headers={"Content-Encoding": "gzip"})
    with hosted(server) as backend, pytest.raises(BackendError, match="'gzip', which was not asked for"):
        backend.score([PAIR])
    assert server.seen[0].headers["accept-encoding"] == "identity"


def test_a_body_that_drips_is_given_up(server: ModelServer) -> None:
    over = threading.Event()

    def drip(listener: socket.socket) -> None:
        with listener.accept()[0] as connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
            with contextlib.suppress(OSError):
                while not over.wait(0.02):
                    connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,))
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        manners = Manners(attempt_s=0.4, retries=0)
        with HostedNLI("m", url=url, manners=manners) as backend, pytest.raises(BackendError, match=r"within 0\.4 s"):
            backend.score([PAIR])
        over.set()
        thread.join()


def test_closing_ends_what_other_threads_wait_for(server: ModelServer) -> None:
    server.delay = 5
    backend = hosted(server)
    closing = threading.Timer(0.2, backend.close)
    closing.start()
    with pytest.raises(BackendError, match="closed meanwhile"):
        backend.score(pairs(3))
    closing.join()


def test_a_label_that_repeats_the_token_does_not_show_it(server: ModelServer) -> None:
    server.fault = lambda _: Reply(body=[[{"label": SECRET, "score": 1.0}]])
    with (
        hosted(server, connection=Connection(token=SECRET)) as backend,
        pytest.raises(BackendError, match=r"\[token\]") as caught,
    ):
        backend.score([PAIR])
    assert SECRET[:8] not in str(caught.value)


@pytest.mark.parametrize("proxy", ["socks5://user:hf_aVery@host:1", "hf_aVery"])
def test_proxies_that_cannot_be_used_are_not_shown(server: ModelServer, proxy: str) -> None:
    with (
        hosted(server, connection=Connection(proxy=proxy)) as backend,
        pytest.raises(ConfigurationError, match="the proxy") as caught,
    ):
        backend.score([PAIR])
    assert "hf_aVery" not in str(caught.value)


def test_the_deadline_ends_a_call(server: ModelServer) -> None:
    server.delay = 5
    with hosted(server, manners=Manners(deadline_s=0.3)) as backend, pytest.raises(BackendError, match="deadline_s"):
        backend.score([PAIR])


def test_concurrency_is_bounded_for_all_threads_together(server: ModelServer) -> None:
    server.delay = 0.02
    with hosted(server, manners=Manners(concurrency=3)) as backend:
        threads = [threading.Thread(target=backend.score, args=(pairs(8)[i::4],)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(server.asked) == 8
    assert 1 < server.most_under_way <= 3


def test_the_rate_is_bounded(server: ModelServer) -> None:
    with hosted(server, manners=Manners(rate=10.0)) as backend:
        begun = time.monotonic()
        backend.score(pairs(15))
        # Ten at once, the other five a tenth of a second apart.
        assert time.monotonic() - begun >= 0.45


def test_a_dead_server_is_given_up_for_a_while(server: ModelServer) -> None:
    server.fault = lambda _: Reply(500, {"error": "broken"})
    manners = Manners(concurrency=2, retries=50, backoff_s=0.0001, give_up_after=6, pause_s=0.3)
    with hosted(server, manners=manners) as backend:
        with pytest.raises(BackendError, match="6 times in a row"):
            backend.score(pairs(20))
        count = len(server.seen)
        assert count <= 8
        with pytest.raises(BackendError, match="left alone"):
            backend.score([PAIR])
        assert len(server.seen) == count
        server.fault = lambda _: None
        time.sleep(0.35)
        assert len(backend.score([PAIR])) == 1


def test_a_call_that_the_budget_does_not_allow_sends_nothing(server: ModelServer) -> None:
    budget = Budget(max_cost=0.05, price_per_call=0.01)
    with hosted(server, manners=Manners(budget=budget)) as backend:
        estimate = backend.estimate([*pairs(6), *pairs(6)])
        assert (estimate.pairs, estimate.calls) == (6, 6)
        assert estimate.cost == pytest.approx(0.06)
        with pytest.raises(BudgetError, match="6 requests are needed; the budget allows 5"):
            backend.score(pairs(6))
        assert not server.seen
        backend.score(pairs(5))
        with pytest.raises(BudgetError, match="5 were sent"):
            backend.score([PAIR])


def test_repetitions_count_against_the_budget(server: ModelServer) -> None:
    server.fault = lambda _: Reply(500, {})
    manners = Manners(backoff_s=0.001, retries=9, budget=Budget(max_calls=3))
    with hosted(server, manners=manners) as backend, pytest.raises(BudgetError):
        backend.score([PAIR])
    assert len(server.seen) == 3


def test_what_was_answered_before_an_error_is_kept(server: ModelServer, tmp_path: Path) -> None:
    server.fault = lambda number: Reply(401, {"error": "expired"}) if number >= 7 else None
    with hosted(server, manners=Manners(concurrency=2)) as backend:
        assert isinstance(backend, GradualBackend)
        cached = CachedNLI(backend, SQLiteScoreStore(tmp_path / "scores.sqlite"))
        with pytest.raises(BackendError, match="401"):
            cached.score(pairs(20))
        server.fault = lambda _: None
        scores = cached.score(pairs(20))
    assert scores.cache_hits == 7
    assert len(server.asked) == len(set(server.asked)) == 20
    assert scores.probabilities == pytest.approx(
        np.array([hashed(p.premise, p.hypothesis) for p in pairs(20)]), abs=1e-6
    )


def test_an_error_about_a_pair_names_its_place_through_the_cache(server: ModelServer, tmp_path: Path) -> None:
    with hosted(server) as backend:
        cached = CachedNLI(backend, SQLiteScoreStore(tmp_path / "scores.sqlite"))
        cached.score(pairs(2))
        with pytest.raises(InputError, match="Pair 3 has"):
            cached.score([*pairs(2), PAIR, Pair("long " * 600, "a")])


@pytest.mark.parametrize("status", [401, 500])
def test_the_token_is_nowhere(server: ModelServer, status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.fault = lambda _: Reply(status, {"error": f"the token {SECRET} is odd: " + SECRET * 40})
    connection = Connection(token=SECRET, proxy=None)
    with hosted(server, connection=connection, manners=Manners(retries=0)) as backend:
        with pytest.raises(BackendError) as caught:
            backend.score([PAIR])
        told = [
            str(caught.value),
            repr(caught.value),
            repr(connection),
            repr(backend),
            repr(vars(backend)),
            caplog.text,
        ]
    assert all(SECRET[:8] not in text for text in told)
    assert SECRET.encode() not in pickle.dumps(caught.value)


def test_tokens_come_from_the_environment_or_a_file(tmp_path: Path) -> None:
    assert Connection.from_env({"HF_TOKEN": f" {SECRET}\n"}).token == SECRET
    assert Connection.from_env({"HUGGING_FACE_HUB_TOKEN": SECRET, "HF_TOKEN": ""}).token == SECRET
    empty = Connection.from_env({})
    assert (empty.token, empty.trust_env) == (None, True)
    (tmp_path / "token").write_text(SECRET + "\n", encoding="utf-8")
    assert empty.with_token_of(tmp_path / "token").token == SECRET
    with pytest.raises(ConfigurationError, match="token file"):
        empty.with_token_of(tmp_path / "none")
    with pytest.raises(InputError, match="characters"):
        Connection(token="a\nb")  # noqa: S106 - not a secret


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("ftp://host", "http://"),
        ("host", "http://"),
        ("http://host/models", "unencrypted"),
        ("https://a:b@host", "password"),
        ("https://host?token=hf_aVery", "query"),
        ("https://host/#hf_aVery", "query"),
        ("http://[::1", "name a host"),
        ("https://host:99999", "name a host"),
        ("https://ho st/", "name a host"),
    ],
)
def test_addresses_that_are_refused(url: str, shown: str) -> None:
    with pytest.raises(InputError, match=shown) as caught:
        HostedNLI("example/nli", url=url, connection=Connection(token=SECRET))
    assert "hf_aVery" not in str(caught.value)


def test_a_proxy_is_used(server: ModelServer) -> None:
    # The server itself is the proxy: it is asked for the whole address of a host that does not exist.
    backend = HostedNLI(
        "example/nli", url="http://inference.invalid/models", connection=Connection(proxy=server.url), manners=QUICK
    )
    with backend:
        backend.score([PAIR])
    assert server.seen[0].path == "http://inference.invalid/models/example/nli"


def test_proxies_of_the_environment_need_consent(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.url)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    url = "http://inference.invalid/models"
    with HostedNLI("example/nli", url=url, connection=Connection(trust_env=True), manners=QUICK) as backend:
        backend.score([PAIR])
    manners = Manners(retries=0)
    with HostedNLI("example/nli", url=url, manners=manners) as backend, pytest.raises(BackendError):
        backend.score([PAIR])
    assert len(server.seen) == 1


def test_a_custom_authority_is_trusted_and_no_other(tmp_path: Path) -> None:
    import ssl

    trustme = pytest.importorskip("trustme")
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with serving(ModelServer(), context=context) as server:
        with hosted(server, connection=Connection(token=SECRET, ca_file=tmp_path / "ca.pem")) as backend:
            assert len(backend.score([PAIR])) == 1
        with hosted(server) as backend, pytest.raises(BackendError, match="not trusted") as caught:
            backend.score([PAIR])
        assert not caught.value.retryable
    with (
        hosted(server, connection=Connection(ca_file=tmp_path / "none.pem")) as backend,
        pytest.raises(ConfigurationError, match="CA file"),
    ):
        backend.score([PAIR])


def test_it_can_be_used_inside_a_running_loop(server: ModelServer) -> None:
    import asyncio

    async def main() -> int:
        with hosted(server) as backend:
            return len(backend.score(pairs(3)))

    assert asyncio.run(main()) == 3


def test_it_can_be_used_after_closing(server: ModelServer) -> None:
    with hosted(server) as backend:
        backend.score([PAIR])
        backend.close()
        assert len(backend.score([PAIR])) == 1
    assert json.dumps(server.seen[0].body) == json.dumps(server.seen[1].body)


@pytest.mark.parametrize(
    "options",
    [
        {"concurrency": 0},
        {"rate": 0},
        {"deadline_s": 0},
        {"retries": -1},
        {"backoff_s": -1},
        {"attempt_s": 0},
        {"longest_wait_s": 0},
        {"deadline_s": float("nan")},
        {"pause_s": float("nan")},
    ],
)
def test_limits_must_make_sense(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="positive"):
        Manners(**options)


@pytest.mark.parametrize(
    "options", [{"max_calls": -1}, {"max_cost": -1.0}, {"max_cost": 1.0}, {"max_cost": float("nan")}]
)
def test_budgets_must_make_sense(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"budget|price_per_call"):
        Budget(**options)
