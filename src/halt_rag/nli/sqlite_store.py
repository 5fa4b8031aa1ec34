"""A score store in one SQLite file, for the threads and processes of one machine."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from halt_rag.errors import ConfigurationError
from halt_rag.nli.cache import StoreError

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

#: Marks the file as ours ("hRAG"), in the field that SQLite has for it.
APPLICATION_ID = 0x68524147
#: The first bytes of an SQLite file, and where that field is (https://www.sqlite.org/fileformat.html, 1.3).
_MAGIC, _FIELD = b"SQLite format 3\0", slice(68, 72)
SCHEMA_VERSION = 1
BUSY_SECONDS = 5.0
#: Keys in one query; SQLite before 3.32 allows 999.
_BATCH = 900
#: Primary result codes that mean that the file is not what we wrote: our own statements cannot be wrong.
_DAMAGED = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class _OtherVersionError(sqlite3.DatabaseError):
    """The file is ours, but of another version."""

    sqlite_errorcode = sqlite3.SQLITE_NOTADB


class SQLiteScoreStore:
    """Keeps scores in an SQLite file (WAL); a ``ScoreStore`` for many threads and processes at once.

    Each call opens the file anew, which takes a fraction of a millisecond: nothing is held over a fork, and
    the file may be deleted or replaced at any time. An entry takes some 60 bytes; the file only grows, and
    deleting it is always safe. No texts are in it, only hashes.

    A file of ours that is damaged or has another schema version is renamed, with ``.aside-`` and the time
    appended, and logged; a new one takes its place. Ours is a file that has our mark in its first 72 bytes,
    or is empty; any other is neither opened nor renamed but refused. WAL needs a local disk: do not put the
    file on a network share.

    Args:
        path: The file. It and its folders are made on first use.
    """

    def __init__(self, path: Path) -> None:
        self._path = Path(path)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The entries of those keys that are there.

        Raises:
            ConfigurationError: If the file is not ours.
            StoreError: If the file cannot be read, or is locked for 5 seconds.
        """

        def read(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            found: dict[bytes, bytes] = {}
            for start in range(0, len(keys), _BATCH):
                batch = keys[start : start + _BATCH]
                marks = ",".join("?" * len(batch))
                # Only question marks are put into the statement.
                query = f"SELECT key, CAST(entry AS BLOB) FROM scores WHERE key IN ({marks})"  # noqa: S608
                found.update(connection.execute(query, batch))
            return found

        return self._with_connection(read)

    def put(self, entries: Mapping[bytes, bytes]) -> None:
        """Adds entries, or replaces them, in one transaction.

        Raises:
            ConfigurationError: If the file is not ours.
            StoreError: If the file cannot be written, or is locked for 5 seconds.
        """

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", entries.items())

        self._with_connection(write)

    def _with_connection(self, action: Callable[[sqlite3.Connection], _T]) -> _T:
        """Does something with the file; if it is found damaged, sets it aside and tries again."""
        for last in (False, False, True):
            seen = _identity(self._path)
            try:
                return self._attempt(action)
            except sqlite3.Error as error:
                primary = error.sqlite_errorcode & 0xFF
                if last or primary not in _DAMAGED | {sqlite3.SQLITE_IOERR}:
                    raise StoreError(f"{self._path}: {error}.") from error
                # An I/O error may mean only that another process is setting the file aside.
                if primary in _DAMAGED:
                    self._set_aside(seen, error)
        raise AssertionError("the last attempt returns or raises")

    def _attempt(self, action: Callable[[sqlite3.Connection], _T]) -> _T:
        self._refuse_other_files()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"The folder of the cache cannot be made: {error}.") from error
        with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
            _prepare(connection)
            return action(connection)

    def _refuse_other_files(self) -> None:
        """Leaves alone what we did not write, such as notes or the database of a program that is running."""
        try:
            if not self._path.is_file():
                return
            with self._path.open("rb") as file:
                head = file.read(_FIELD.stop)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(f"{self._path}: {error}.") from error
        mark = APPLICATION_ID.to_bytes(4, "big")
        if head and not (head.startswith(_MAGIC) and head[_FIELD] == mark):
            raise ConfigurationError(
                f"{self._path} is no score cache of halt-rag. It was left as it is.",
                hint="Give another path for the cache; if the file is a damaged cache, delete it.",
            )

    def _set_aside(self, seen: tuple[int, int] | None, error: sqlite3.Error) -> None:
        """Renames the file with its companions, unless another process did so since it was ``seen``."""
        # One at a time, or one process would rename the log that belongs to another's new file.
        guard = self._path.with_name(self._path.name + ".lock")
        suffix = f".aside-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}"
        try:
            with closing(sqlite3.connect(guard, timeout=BUSY_SECONDS, isolation_level=None)) as lock:
                lock.execute("BEGIN EXCLUSIVE")
                if seen is None or _identity(self._path) != seen:
                    return
                # The log first: were it left for a moment next to a new file, SQLite would play it into that.
                for companion in ("-wal", "-shm", ""):
                    file = self._path.with_name(self._path.name + companion)
                    # A process that closes the file may remove its log at any moment.
                    with suppress(FileNotFoundError):
                        file.rename(self._path.with_name(self._path.name + suffix + companion))
        except (OSError, sqlite3.Error) as failure:
            raise StoreError(f"{self._path} cannot be used ({error}) nor renamed: {failure}.") from failure
        _log.warning("The NLI cache %s cannot be used (%s); it was renamed with %s.", self._path, error, suffix)


def _prepare(connection: sqlite3.Connection) -> None:
    """Makes the table in a new file; refuses another version."""
    # No waiting for the disk: after a power cut a cache may be damaged, and is then set aside.
    connection.execute("PRAGMA synchronous=OFF")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == SCHEMA_VERSION:
        return
    if version:
        raise _OtherVersionError(f"its schema version is {version}, not {SCHEMA_VERSION}")
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, entry BLOB NOT NULL) WITHOUT ROWID"
        )
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    # Only now, so that the mark is in the file itself and never in a log alone. Another process may be using
    # the new file already; it works in the older mode, too.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode=WAL")


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file stands at a path, if one does."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
