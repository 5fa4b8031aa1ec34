"""Keeps scores, so that a pair is scored once for all processes that share a store."""

from __future__ import annotations

import hashlib
import logging
import struct
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from halt_rag.errors import HaltRagError
from halt_rag.nli.scores import GradualBackend, NLIBackend, NLIScores, Pair, StandIn, asked, check_answer
from halt_rag.nli.tokenizer import PairTooLongError

_log = logging.getLogger(__name__)

#: Pairs scored between two writes: what an error or a kill can lose.
CHUNK = 256
#: Seconds between two writes at most, where scores come gradually.
LAG = 1.0
#: Seconds for which a store that failed is left alone.
PAUSE = 30.0

_SCORES = struct.Struct("<3f")
_ENTRY = struct.Struct("<3fI")


class StoreError(HaltRagError):
    """A store could not be read or written. ``CachedNLI`` scores without it then."""

    code = "STORE"


class ScoreStore(Protocol):
    """Where entries are kept: 16 bytes under a key of 32 bytes. Must be usable from several threads."""

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The entries of those keys that are there.

        Raises:
            StoreError: If the store cannot be read.
        """
        ...

    def put(self, entries: Mapping[bytes, bytes]) -> None:
        """Adds entries, or replaces them.

        Raises:
            StoreError: If the store cannot be written.
        """
        ...


class CachedNLI(StandIn):
    """Answers pairs from a store, and has a backend score the others; itself an ``NLIBackend``.

    An entry belongs to the backend's name, model id and revision and to both texts, of which only hashes
    are kept. The same scores come back, bit for bit. A store that fails, or an entry that is damaged,
    costs time and never changes a score: the pair is scored again. (A store that must not be used, such as a file of
    another program, is an error: the caller named the wrong one.) A failing store is logged once and
    left alone for 30 seconds. Scores are written every 256 pairs, so that an error later in a long call
    does not lose them; those of a ``GradualBackend``, which cost money or time elsewhere, also each second and before
    an error surfaces.

    Args:
        backend: Scores what the store lacks.
        store: E.g. a ``SQLiteScoreStore`` or a ``RedisScoreStore``.
    """

    def __init__(self, backend: NLIBackend, store: ScoreStore) -> None:
        super().__init__(backend)
        self._store = store
        self._lock = threading.Lock()
        self._hits = self._misses = 0
        self._warned = False
        self._paused_until = 0.0

    @property
    def hits(self) -> int:
        """How many pairs were answered from the store so far."""
        return self._hits

    @property
    def misses(self) -> int:
        """How many pairs were not answered from the store so far; a pair that a call repeats counts each time."""
        return self._misses

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs; ``cached`` of the result says which came from the store.

        Raises:
            InputError: As the backend does; the index is that of ``pairs``.
            ConfigurationError: If the store is none of ours, e.g. the file of another program.
            BackendError: As the backend does. What was scored before is in the store.
        """
        import numpy as np

        keys = _keys(self._backend, pairs)
        known = self._read(list(dict.fromkeys(keys)))
        cached = np.array([key in known for key in keys], dtype=np.bool_)
        with self._lock:
            self._hits += int(cached.sum())
            self._misses += int((~cached).sum())
        # For each key to score, the first pair that has it, in the order of the pairs.
        missing: dict[bytes, int] = {}
        for index, key in enumerate(keys):
            if key not in known:
                missing.setdefault(key, index)
        todo = list(missing.items())
        if todo and isinstance(self._backend, GradualBackend):
            known |= self._score_gradually(self._backend, pairs, todo)
        else:
            for start in range(0, len(todo), CHUNK):
                known |= self._score_and_write(pairs, todo[start : start + CHUNK])
        rows = [known[key] for key in keys]
        return NLIScores(np.array(rows, dtype=np.float32).reshape(-1, 3), cached)

    def _score_and_write(
        self, pairs: Sequence[Pair], chunk: Sequence[tuple[bytes, int]]
    ) -> dict[bytes, tuple[float, float, float]]:
        with _numbered(chunk):
            scores = asked(self._backend, [pairs[index] for _, index in chunk])
        # float32 to float and back is exact.
        scored = {key: (e, n, c) for (key, _), (e, n, c) in zip(chunk, scores.probabilities.tolist(), strict=True)}
        self._write(scored)
        return scored

    def _score_gradually(
        self, backend: GradualBackend, pairs: Sequence[Pair], todo: Sequence[tuple[bytes, int]]
    ) -> dict[bytes, tuple[float, float, float]]:
        scored: dict[bytes, tuple[float, float, float]] = {}
        unwritten: dict[bytes, tuple[float, float, float]] = {}
        written = time.monotonic()
        try:
            with _numbered(todo):
                for indices, rows in backend.score_gradually([pairs[index] for _, index in todo]):
                    check_answer(backend, rows, len(indices))
                    for index, (e, n, c) in zip(indices, rows.tolist(), strict=True):
                        unwritten[todo[index][0]] = (e, n, c)
                    if len(unwritten) >= CHUNK or time.monotonic() - written >= LAG:
                        self._write(unwritten)
                        scored |= unwritten
                        unwritten, written = {}, time.monotonic()
        finally:
            self._write(unwritten)
        return scored | unwritten

    def _write(self, scored: Mapping[bytes, tuple[float, float, float]]) -> None:
        if scored and self._store_is_on():
            try:
                self._store.put({key: _pack(key, row) for key, row in scored.items()})
            except StoreError as error:
                self._store_failed(error)

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, tuple[float, float, float]]:
        entries: Mapping[bytes, bytes] = {}
        if keys and self._store_is_on():
            try:
                entries = self._store.get(keys)
            except StoreError as error:
                self._store_failed(error)
        rows = {key: _unpack(key, entries[key]) for key in keys if key in entries}
        return {key: row for key, row in rows.items() if row is not None}

    def _store_is_on(self) -> bool:
        return time.monotonic() >= self._paused_until

    def _store_failed(self, error: StoreError) -> None:
        with self._lock:
            self._paused_until = time.monotonic() + PAUSE
            first, self._warned = not self._warned, True
        if first:
            _log.warning("The NLI cache is not used: %s", error)


@contextmanager
def _numbered(part: Sequence[tuple[bytes, int]]) -> Iterator[None]:
    """Errors about a pair of a part name its place among all pairs."""
    try:
        yield
    except PairTooLongError as error:
        raise PairTooLongError(part[error.index][1], error.tokens, error.max_tokens) from error


def _keys(backend: NLIBackend, pairs: Sequence[Pair]) -> list[bytes]:
    """The key of each pair: SHA-256 over the hashes of what its scores depend on."""
    model = b"".join(map(_hash, (backend.name, backend.model_id, backend.revision)))
    hashes = {text: _hash(text) for pair in pairs for text in (pair.premise, pair.hypothesis)}
    return [hashlib.sha256(model + hashes[pair.premise] + hashes[pair.hypothesis]).digest() for pair in pairs]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _pack(key: bytes, row: tuple[float, float, float]) -> bytes:
    """Three float32 and a checksum over them and the key."""
    scores = _SCORES.pack(*row)
    return scores + zlib.crc32(key + scores).to_bytes(4, "little")


def _unpack(key: bytes, entry: bytes) -> tuple[float, float, float] | None:
    """The scores of an entry, or None if it is damaged."""
    if len(entry) != _ENTRY.size:
        return None
    entailment, neutral, contradiction, checksum = _ENTRY.unpack(entry)
    if checksum != zlib.crc32(key + entry[: _SCORES.size]):
        return None
    return entailment, neutral, contradiction
