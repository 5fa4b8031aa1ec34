from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from halt_rag.errors import ConfigurationError, MissingExtraError
from halt_rag.nli.cache import CachedNLI, StoreError
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.redis_store import RedisScoreStore
from tests.nli.contract import PAIRS, BackendContract

SERVER = shutil.which("redis-server")
needs_server = pytest.mark.skipif(SERVER is None, reason="redis-server is not installed")

ENTRIES = {bytes([i % 256, i // 256]) * 16: i.to_bytes(16, "big") for i in range(3000)}


def start(socket: Path) -> subprocess.Popen[bytes]:
    redis = pytest.importorskip("redis", reason="the extra redis is not installed")
    assert SERVER is not None
    process = subprocess.Popen(
        [SERVER, "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(socket.parent)],
        stdout=subprocess.DEVNULL,
    )
    with redis.Redis(unix_socket_path=str(socket)) as client:
        for _ in range(500):
            try:
                client.ping()
            except redis.ConnectionError:
                time.sleep(0.02)
            else:
                return process
    process.kill()
    pytest.fail("redis-server does not answer")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    # Not pytest's folder: the path of a socket may have some hundred bytes only.
    with tempfile.TemporaryDirectory() as folder:
        process = start(Path(folder) / "s")
        yield f"unix://{folder}/s"
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="module")
def backend(url: str) -> CachedNLI:
    return CachedNLI(FakeNLI(), RedisScoreStore(url, prefix="contract:"))


@needs_server
class TestContract(BackendContract):
    pass


@needs_server
def test_entries_come_back(url: str) -> None:
    RedisScoreStore(url).put(ENTRIES)
    store = RedisScoreStore(url)
    assert store.get([*ENTRIES, b"unknown"]) == ENTRIES
    assert store.get([]) == {}
    store.put({})


@needs_server
def test_prefixes_part_stores(url: str) -> None:
    RedisScoreStore(url, prefix="one:").put(ENTRIES)
    assert RedisScoreStore(url, prefix="two:").get(list(ENTRIES)) == {}


@needs_server
def test_entries_expire_when_asked(url: str) -> None:
    import redis

    RedisScoreStore(url, prefix="brief:", seconds=100).put({b"k": b"v"})
    RedisScoreStore(url, prefix="lasting:").put({b"k": b"v"})
    with redis.Redis.from_url(url) as client:
        assert 0 < client.ttl("brief:k") <= 100
        assert client.ttl("lasting:k") == -1


@needs_server
def test_a_full_server_is_an_error_of_the_store(url: str) -> None:
    import redis

    with redis.Redis.from_url(url) as client:
        client.config_set("maxmemory", "1")
        try:
            with pytest.raises(StoreError, match="written"):
                RedisScoreStore(url, prefix="full:").put({b"k": b"v"})
        finally:
            client.config_set("maxmemory", "0")


@needs_server
def test_a_server_that_goes_away_and_comes_back(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halt_rag.nli.cache.PAUSE", 0.0)
    expected = FakeNLI().score(PAIRS).probabilities
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "s"
        process = start(socket)
        cached = CachedNLI(FakeNLI(), RedisScoreStore(f"unix://{socket}"))
        cached.score(PAIRS)
        assert cached.score(PAIRS).cache_hits == len(PAIRS)
        process.kill()
        process.wait(10)
        with caplog.at_level(logging.WARNING, "halt_rag"):
            scores = cached.score(PAIRS)
        assert scores.cache_hits == 0
        assert np.array_equal(scores.probabilities, expected)
        assert len(caplog.records) == 1
        process = start(socket)
        cached.score(PAIRS)
        assert cached.score(PAIRS).cache_hits == len(PAIRS)
        process.kill()
        process.wait(10)


def test_no_server_is_an_error_of_the_store(tmp_path: Path) -> None:
    pytest.importorskip("redis", reason="the extra redis is not installed")
    store = RedisScoreStore(f"unix://{tmp_path}/none")
    with pytest.raises(StoreError, match="read"):
        store.get([b"k"])
    with pytest.raises(StoreError, match="written"):
        store.put({b"k": b"v"})


def test_a_wrong_url_is_refused_without_showing_it() -> None:
    pytest.importorskip("redis", reason="the extra redis is not installed")
    with pytest.raises(ConfigurationError, match="redis://") as caught:
        RedisScoreStore("http://user:secret@localhost")
    assert "secret" not in str(caught.value)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(MissingExtraError, match=r"halt-rag\[redis\]"):
        RedisScoreStore("redis://localhost")
