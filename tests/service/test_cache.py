"""A score cache that cannot be used costs time, never an answer; and there is a warning and a figure."""

from __future__ import annotations

import ctypes
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.service.build import app_of
from halt_rag.service.settings import Settings
from tests.service.conftest import figure, wait_until

BODY = {"source": "The lake is deep.", "generated": "The lake is deep. It is red."}


def a_folder(path: Path) -> None:
    path.mkdir()


def other_bytes(path: Path) -> None:
    path.write_bytes(b"\x00garbage" * 1000)


def damaged_head(path: Path) -> None:
    SQLiteScoreStore(path).put({bytes(32): bytes(16)})
    content = path.read_bytes()
    path.write_bytes(b"\xff" * 100 + content[100:])


@pytest.mark.parametrize("spoil", [a_folder, other_bytes, damaged_head])
def test_the_service_goes_on_without_a_cache(
    spoil: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = tmp_path / "scores.sqlite"
    spoil(cache)
    with TestClient(app_of(Settings(backend="fake", cache=cache))) as client, caplog.at_level(logging.WARNING):
        wait_until(lambda: client.get("/readyz").status_code == 200)
        for _ in range(2):
            answer = client.post("/verify", json=BODY)
            assert answer.status_code == 200
            assert answer.json()["decision"] == "hallucinated"
            assert answer.json()["receipt"]["cache_hits"] == 0
        assert figure(client.get("/metrics").text, "halt_rag_cache_failures_total") >= 1
    assert len([r for r in caplog.records if "The NLI cache is not used" in r.getMessage()]) == 1


def test_a_damaged_body_is_set_aside_and_a_new_cache_begun(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = tmp_path / "scores.sqlite"
    SQLiteScoreStore(cache).put({bytes([n]) * 32: bytes(16) for n in range(200)})
    content = cache.read_bytes()
    cache.write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    with TestClient(app_of(Settings(backend="fake", cache=cache))) as client, caplog.at_level(logging.WARNING):
        first, second = (client.post("/verify", json=BODY).json()["receipt"] for _ in range(2))
    assert (first["cache_hits"], second["cache_hits"]) == (0, second["pairs_scored"])
    assert list(tmp_path.glob("*.aside-*"))
    assert any("was renamed" in record.getMessage() for record in caplog.records)


READ_ONLY = """
import sys, logging
from pathlib import Path
from starlette.testclient import TestClient
from halt_rag.service.build import app_of
from halt_rag.service.settings import Settings
logging.basicConfig(level=logging.WARNING)
body = {"source": "It rained.", "generated": "It rained."}
with TestClient(app_of(Settings(backend="fake", cache=Path(sys.argv[1])))) as client:
    print([client.post("/verify", json=body).status_code for _ in range(2)])
    print(client.get("/metrics").text)
"""


def _without_override() -> None:
    """Takes from root, where the tests run as root, the right to write what is read-only."""
    for capability in (1, 2):
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's")
def test_a_read_only_cache(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    cache = folder / "scores.sqlite"
    SQLiteScoreStore(cache).put({bytes(32): bytes(16)})
    cache.chmod(0o444)
    folder.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(cache)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=_without_override,
    )
    folder.chmod(0o755)
    assert done.stdout.startswith("[200, 200]")
    assert figure(done.stdout, "halt_rag_cache_failures_total") >= 1
    assert done.stderr.count("The NLI cache is not used") == 1
