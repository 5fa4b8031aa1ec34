from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.errors import BackendError, InputError
from halt_rag.nli.cache import CHUNK, CachedNLI, StoreError
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from tests.nli.contract import PAIRS, BackendContract
from tests.nli.tiny import write_model

DISTINCT = len(set(PAIRS))


class MemoryStore:
    """A store that can be broken and looked into."""

    def __init__(self) -> None:
        self.entries: dict[bytes, bytes] = {}
        self.broken = False
        self.asked = 0

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        self._ask()
        return {key: self.entries[key] for key in keys if key in self.entries}

    def put(self, entries: Mapping[bytes, bytes]) -> None:
        self._ask()
        self.entries.update(entries)

    def _ask(self) -> None:
        self.asked += 1
        if self.broken:
            raise StoreError("The store is broken.")


class Named(FakeNLI):
    """A fake with another identity."""

    def __init__(self, name: str, model_id: str, revision: str) -> None:
        super().__init__()
        self.name, self.model_id, self._revision = name, model_id, revision

    @property
    def revision(self) -> str:
        return self._revision


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> CachedNLI:
    folder = tmp_path_factory.mktemp("cached")
    model = EmbeddedNLI(write_model(folder / "model", max_tokens=120))
    return CachedNLI(model, SQLiteScoreStore(folder / "scores.sqlite"))


class TestContract(BackendContract):
    pass


def test_the_same_scores_come_back_bit_for_bit(tmp_path: Path) -> None:
    model = EmbeddedNLI(write_model(tmp_path / "model", max_tokens=120))
    plain = model.score(PAIRS).probabilities
    first, second = (CachedNLI(model, SQLiteScoreStore(tmp_path / "scores.sqlite")).score(PAIRS) for _ in range(2))
    assert np.array_equal(first.probabilities, plain)
    assert np.array_equal(second.probabilities, plain)
    assert (first.cache_hits, second.cache_hits) == (0, len(PAIRS))


def test_known_pairs_are_not_scored_again() -> None:
    fake, store = FakeNLI(), MemoryStore()
    CachedNLI(fake, store).score(PAIRS[:2])
    cached = CachedNLI(fake, store)
    scores = cached.score(PAIRS)
    assert fake.calls == [tuple(PAIRS[:2]), tuple(PAIRS[2:4])]
    assert scores.cached is not None
    # The last pair repeats the first.
    assert scores.cached.tolist() == [True, True, False, False, True]
    assert (cached.hits, cached.misses) == (3, 2)
    assert np.array_equal(scores.probabilities, FakeNLI().score(PAIRS).probabilities)


def test_a_repeated_pair_is_scored_once_and_no_hit() -> None:
    fake = FakeNLI()
    cached = CachedNLI(fake, MemoryStore())
    assert cached.score([PAIRS[0]] * 5).cache_hits == 0
    assert fake.calls == [(PAIRS[0],)]
    assert (cached.hits, cached.misses) == (0, 5)


@pytest.mark.parametrize(
    "other",
    [Named("x", "m", "r"), Named("n", "x", "r"), Named("n", "m", "x"), Named("n", "mr", ""), Named("nm", "", "r")],
)
def test_other_models_have_other_entries(other: Named) -> None:
    store = MemoryStore()
    CachedNLI(Named("n", "m", "r"), store).score(PAIRS)
    assert CachedNLI(other, store).score(PAIRS).cache_hits == 0


@pytest.mark.parametrize(
    "other", [Pair("c", "ab"), Pair("a", "bc"), Pair("abc", ""), Pair("AB", "c"), Pair("ab", "c ")]
)
def test_other_pairs_have_other_entries(other: Pair) -> None:
    cached = CachedNLI(FakeNLI(), MemoryStore())
    cached.score([Pair("ab", "c")])
    assert cached.score([other]).cache_hits == 0


def test_what_was_scored_before_an_error_is_kept_and_the_index_is_the_callers() -> None:
    fake, store = FakeNLI(max_tokens=20), MemoryStore()
    CachedNLI(fake, store).score(PAIRS[:1])
    pairs = [PAIRS[0], *(Pair(f"a {index}", "a") for index in range(CHUNK + 20)), Pair("a " * 30, "a")]
    with pytest.raises(InputError, match=f"Pair {CHUNK + 21} has 34 tokens"):
        CachedNLI(fake, store).score(pairs)
    assert CachedNLI(fake, store).score(pairs[: CHUNK + 1]).cache_hits == CHUNK + 1


def test_errors_of_the_backend_surface_but_known_pairs_are_answered() -> None:
    fake, store = FakeNLI(), MemoryStore()
    CachedNLI(fake, store).score(PAIRS[:2])
    fake.failure = BackendError("Out of order.", backend="fake")
    assert CachedNLI(fake, store).score(PAIRS[:2]).cache_hits == 2
    with pytest.raises(BackendError, match="Out of order"):
        CachedNLI(fake, store).score(PAIRS)


def test_a_broken_store_changes_no_score_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    store.broken = True
    cached = CachedNLI(FakeNLI(), store)
    with caplog.at_level(logging.WARNING):
        answers = [cached.score(PAIRS) for _ in range(3)]
    assert all(np.array_equal(answer.probabilities, FakeNLI().score(PAIRS).probabilities) for answer in answers)
    assert [record.getMessage() for record in caplog.records] == ["The NLI cache is not used: The store is broken."]
    assert store.asked == 1, "a store that fails must be left alone for a while"


def test_a_repaired_store_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    store.broken = True
    cached = CachedNLI(FakeNLI(), store)
    monkeypatch.setattr("halt_rag.nli.cache.PAUSE", 0.0)
    cached.score(PAIRS)
    store.broken = False
    cached.score(PAIRS)
    assert cached.score(PAIRS).cache_hits == len(PAIRS)


@given(row=st.integers(0, DISTINCT - 1), bit=st.integers(0, 127))
def test_an_entry_with_a_flipped_bit_is_scored_again(row: int, bit: int) -> None:
    store = MemoryStore()
    expected = CachedNLI(FakeNLI(), store).score(PAIRS).probabilities
    key = list(store.entries)[row]
    entry = bytearray(store.entries[key])
    entry[bit // 8] ^= 1 << bit % 8
    store.entries[key] = bytes(entry)
    again: NLIScores = CachedNLI(FakeNLI(), store).score(PAIRS)
    assert again.cache_hits < len(PAIRS)
    assert np.array_equal(again.probabilities, expected)


@pytest.mark.parametrize("entry", [b"", b"\0" * 12, b"\0" * 16, b"\0" * 17])
def test_an_entry_of_something_else_is_scored_again(entry: bytes) -> None:
    store = MemoryStore()
    expected = CachedNLI(FakeNLI(), store).score(PAIRS).probabilities
    store.entries = dict.fromkeys(store.entries, entry)
    again = CachedNLI(FakeNLI(), store).score(PAIRS)
    assert again.cache_hits == 0
    assert np.array_equal(again.probabilities, expected)


def test_swapped_entries_are_noticed() -> None:
    store = MemoryStore()
    expected = CachedNLI(FakeNLI(), store).score(PAIRS).probabilities
    store.entries = dict(zip(store.entries, reversed(store.entries.values()), strict=True))
    assert np.array_equal(CachedNLI(FakeNLI(), store).score(PAIRS).probabilities, expected)


def test_the_statistics_count_all_threads() -> None:
    cached = CachedNLI(FakeNLI(), MemoryStore())
    cached.score(PAIRS)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: cached.score(PAIRS), range(100)))
    assert (cached.hits, cached.misses) == (100 * len(PAIRS), len(PAIRS))
