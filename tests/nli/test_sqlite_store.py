from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halt_rag.errors import ConfigurationError
from halt_rag.nli.cache import CachedNLI, StoreError
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.sqlite_store import APPLICATION_ID, SCHEMA_VERSION, SQLiteScoreStore
from tests.nli.contract import PAIRS

ROOT = Path(__file__).parents[2]
ENTRIES = {bytes([i % 256, i // 256]) * 16: i.to_bytes(16, "big") for i in range(3000)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "scores.sqlite"


def execute(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def set_aside(file: Path) -> list[Path]:
    """The renamed files, without their logs."""
    return [path for path in file.parent.glob("*.aside-*") if not path.name.endswith(("-wal", "-shm"))]


def test_entries_come_back(file: Path) -> None:
    SQLiteScoreStore(file).put(ENTRIES)
    store = SQLiteScoreStore(file)
    assert store.get([*ENTRIES, b"unknown"]) == ENTRIES
    key = next(iter(ENTRIES))
    store.put({key: b"new"})
    assert store.get([key]) == {key: b"new"}
    assert store.get([]) == {}


def test_the_file_is_a_wal_database_of_our_schema(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folders" / "scores.sqlite"
    SQLiteScoreStore(file).put(ENTRIES)
    with closing(sqlite3.connect(file)) as connection:
        values = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "application_id", "user_version")
        ]
    assert values == ["wal", APPLICATION_ID, SCHEMA_VERSION]


def test_no_text_is_in_the_file(file: Path) -> None:
    CachedNLI(FakeNLI(), SQLiteScoreStore(file)).score(PAIRS)
    assert b"committee" not in file.read_bytes().lower()


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def header_only(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100])


def overwritten_pages(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    file.write_bytes(content)


def future(file: Path) -> None:
    execute(file, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def no_table(file: Path) -> None:
    execute(file, "DROP TABLE scores")


def other_columns(file: Path) -> None:
    execute(file, "DROP TABLE scores", "CREATE TABLE scores (key BLOB PRIMARY KEY)")


DAMAGES = [
    cut_off,
    header_only,
    overwritten_pages,
    future,
    no_table,
    other_columns,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_of_ours_that_cannot_be_used_is_set_aside(
    file: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    SQLiteScoreStore(file).put(ENTRIES)
    damage(file)
    content = file.read_bytes()
    cached = CachedNLI(FakeNLI(), SQLiteScoreStore(file))
    with caplog.at_level(logging.WARNING):
        scores = cached.score(PAIRS)
    assert np.array_equal(scores.probabilities, FakeNLI().score(PAIRS).probabilities)
    assert cached.score(PAIRS).cache_hits == len(PAIRS), "a new file must take its place"
    (aside,) = file.parent.glob("*.aside-*")
    assert aside.read_bytes() == content, "what was there must be kept"
    (record,) = caplog.records
    assert str(file) in record.getMessage()


def test_an_empty_file_is_a_new_one(file: Path) -> None:
    file.touch()
    SQLiteScoreStore(file).put(ENTRIES)
    assert list(file.parent.glob("*.aside-*")) == []
    assert SQLiteScoreStore(file).get(list(ENTRIES)) == ENTRIES


def text_file(file: Path) -> None:
    file.write_text("Call Anna on Monday.\n", encoding="utf-8")


def garbage(file: Path) -> None:
    file.write_bytes(os.urandom(9000))


def one_byte(file: Path) -> None:
    file.write_bytes(b"\0")


def lost_header(file: Path) -> None:
    """What was ours, but no longer shows it."""
    SQLiteScoreStore(file).put(ENTRIES)
    file.write_bytes(bytes(512) + file.read_bytes()[512:])


def other_table(file: Path) -> None:
    execute(file, "CREATE TABLE scores (key BLOB PRIMARY KEY, entry BLOB)", "INSERT INTO scores VALUES (x'00', x'00')")


def other_mark(file: Path) -> None:
    execute(file, "PRAGMA application_id = 77", f"PRAGMA user_version = {SCHEMA_VERSION}")


@pytest.mark.parametrize("make", [text_file, garbage, one_byte, lost_header, other_table, other_mark])
def test_a_file_that_is_not_ours_is_refused_and_left_alone(file: Path, make: Callable[[Path], None]) -> None:
    make(file)
    content = file.read_bytes()
    store = SQLiteScoreStore(file)
    with pytest.raises(ConfigurationError, match=rf"{file} is no score cache of halt-rag.*another path"):
        CachedNLI(FakeNLI(), store).score(PAIRS)
    with pytest.raises(ConfigurationError):
        store.put(ENTRIES)
    assert file.read_bytes() == content
    assert list(file.parent.iterdir()) == [file]


def test_a_database_that_another_program_has_open_is_left_alone(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE theirs (x)")
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO theirs VALUES (7)")
        before = {path: path.read_bytes() for path in file.parent.iterdir()}
        with pytest.raises(ConfigurationError):
            SQLiteScoreStore(file).put(ENTRIES)
        assert {path: path.read_bytes() for path in file.parent.iterdir()} == before
        other.execute("COMMIT")
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT x FROM theirs").fetchall() == [(7,)]


def test_the_mark_of_a_new_file_does_not_wait_in_its_log(file: Path) -> None:
    """Or a file whose writer was killed would look like that of another program."""
    seen = []

    class Looking(dict[bytes, bytes]):
        def items(self) -> Any:
            seen.append(file.read_bytes()[:72])
            return super().items()

    SQLiteScoreStore(file).put(Looking(ENTRIES))
    assert [head[68:] for head in seen] == [APPLICATION_ID.to_bytes(4, "big")]


def test_the_log_goes_with_its_file(file: Path) -> None:
    """What another version has written and not yet moved from its log stays with it, and off the new file."""
    store = SQLiteScoreStore(file)
    store.put(ENTRIES)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        other.execute("CREATE TABLE theirs (x)")
        other.execute("INSERT INTO theirs VALUES (7)")
        store.put(ENTRIES)
        assert store.get(list(ENTRIES)) == ENTRIES
        (aside,) = set_aside(file)
        with closing(sqlite3.connect(aside)) as connection:
            assert connection.execute("SELECT x FROM theirs").fetchall() == [(7,)]
    assert store.get(list(ENTRIES)) == ENTRIES


def test_a_deleted_file_is_made_again(file: Path) -> None:
    store = SQLiteScoreStore(file)
    store.put(ENTRIES)
    file.unlink()
    assert store.get(list(ENTRIES)) == {}


def test_entries_of_another_type_are_bytes_all_the_same(file: Path) -> None:
    store = SQLiteScoreStore(file)
    store.put({b"k": b""})
    execute(file, "UPDATE scores SET entry = 3")
    assert store.get([b"k"]) == {b"k": b"3"}


def folder_in_the_way(path: Path) -> Path:
    (path / "scores.sqlite").mkdir()
    return path / "scores.sqlite"


def file_in_the_way(path: Path) -> Path:
    (path / "folder").touch()
    return path / "folder" / "scores.sqlite"


@pytest.mark.parametrize("place", [folder_in_the_way, file_in_the_way])
def test_a_place_that_cannot_hold_a_file(
    tmp_path: Path, place: Callable[[Path], Path], caplog: pytest.LogCaptureFixture
) -> None:
    cached = CachedNLI(FakeNLI(), SQLiteScoreStore(place(tmp_path)))
    for _ in range(2):
        assert np.array_equal(cached.score(PAIRS).probabilities, FakeNLI().score(PAIRS).probabilities)
    assert len(caplog.records) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX permissions")
@pytest.mark.parametrize("filled", [False, True])
def test_a_read_only_folder(tmp_path: Path, filled: bool) -> None:
    """In a process without privileges, as root may write everywhere."""
    folder = tmp_path / "cache"
    folder.mkdir()
    if filled:
        CachedNLI(FakeNLI(), SQLiteScoreStore(folder / "scores.sqlite")).score(PAIRS)
    program = f"""
import os
import numpy as np
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import Pair
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from pathlib import Path
pairs = [Pair("a b", "a"), Pair("a", "b")]
np.zeros(1)
folder = Path({str(folder)!r})
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
cached = CachedNLI(FakeNLI(), SQLiteScoreStore(folder / "scores.sqlite"))
for _ in range(2):
    assert np.array_equal(cached.score(pairs).probabilities, FakeNLI().score(pairs).probabilities)
"""
    opened = [tmp_path, *list(tmp_path.parents)[:2]]
    modes = [path.stat().st_mode for path in opened]
    try:
        for path in opened:
            path.chmod(0o755)
        folder.chmod(0o555)
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    finally:
        folder.chmod(0o755)
        for path, mode in zip(opened, modes, strict=True):
            path.chmod(mode)
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("The NLI cache is not used") == 1


def test_a_locked_file_is_an_error_after_a_while(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SQLiteScoreStore(file)
    store.put(ENTRIES)
    monkeypatch.setattr("halt_rag.nli.sqlite_store.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            store.put(ENTRIES)
        assert store.get(list(ENTRIES)) == ENTRIES, "readers must not wait for writers"
        other.execute("ROLLBACK")
    assert list(file.parent.glob("*.aside-*")) == []


def test_many_threads(file: Path) -> None:
    store = SQLiteScoreStore(file)

    def write(part: int) -> None:
        store.put({key: entry for i, (key, entry) in enumerate(ENTRIES.items()) if i % 8 == part})
        store.get(list(ENTRIES))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert store.get(list(ENTRIES)) == ENTRIES


@pytest.mark.parametrize("damaged", [False, True])
def test_many_processes(file: Path, damaged: bool) -> None:
    """Several processes start at once on a new or damaged file, write it together, and read what others wrote."""
    if damaged:
        SQLiteScoreStore(file).put(ENTRIES)
        overwritten_pages(file)
    program = f"""
import sys
from pathlib import Path
from halt_rag.nli.sqlite_store import SQLiteScoreStore
store = SQLiteScoreStore(Path({str(file)!r}))
me = int(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
store.get([b"x"])
print("opened", flush=True)
sys.stdin.readline()
for start in range(0, 1000, 50):
    # Half of the keys are written by all.
    part = range(start, start + 50)
    mine = {{(k if k % 2 else 10_000 + k * 10 + me).to_bytes(32, "big"): k.to_bytes(16, "big") for k in part}}
    store.put(mine)
    assert store.get(list(mine)) == mine
"""
    command = [sys.executable, "-c", program]
    processes = [
        subprocess.Popen([*command, str(i)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for i in range(4)
    ]
    for step in ("ready", "opened"):
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == step
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
    for process in processes:
        process.communicate(timeout=60)
    assert [process.returncode for process in processes] == [0] * 4
    expected = {k.to_bytes(32, "big") for k in range(1, 1000, 2)}
    expected |= {(10_000 + k * 10 + me).to_bytes(32, "big") for k in range(0, 1000, 2) for me in range(4)}
    assert SQLiteScoreStore(file).get(list(expected)).keys() == expected
    assert len(set_aside(file)) == int(damaged)
