"""What every NLI backend must do: subclass in a module that has a module-scoped fixture ``backend``."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from halt_rag.errors import InputError
from halt_rag.nli.scores import NLIBackend, Pair

TOLERANCE = 1e-3

PAIRS = [
    Pair("The committee met in Geneva in May.", "The committee met in Geneva."),
    Pair("The committee met in Geneva in May.", "The committee never met in May."),
    Pair("A dog.", "The committee met in Geneva."),
    Pair("The committee met. It did not vote, and it will meet again.", "It voted."),
    Pair("The committee met in Geneva in May.", "The committee met in Geneva."),
]

HOSTILE = {
    "empty": "",
    "white space": " \t\r\n\u00a0\u2028",
    "nul": "a\x00b \x00",
    "lone surrogates": "a \ud83d b \ude00\ud800",
    "special tokens": "</s></s> <s> [SEP] [CLS] <pad> <mask> [UNK]",
    "emoji": "👍🏽 👩‍👩‍👧 🇨🇭",
    "decomposed": "Ze\u0301ro a\u0308 \u0301\u0301",
    "right to left": "\u202eשלום עולם مرحبا",
    "no spaces": "日本語の文です。",
    "noncharacters": "\ufffe\uffff\ufeff \U0010ffff",
}

texts = st.text(st.characters(codec=None), max_size=12)
pairs_of_texts = st.builds(Pair, texts, texts)
quick = settings(
    max_examples=25,
    deadline=None,
    # One backend for all examples is the point; each subclass runs the same test with its own.
    suppress_health_check=[HealthCheck.differing_executors, HealthCheck.too_slow],
)


class BackendContract:
    """Tests that hold for every backend."""

    def test_it_is_a_backend(self, backend: NLIBackend) -> None:
        assert isinstance(backend, NLIBackend)
        assert all(isinstance(text, str) and text for text in (backend.name, backend.model_id, backend.revision))

    def test_identity_is_stable(self, backend: NLIBackend) -> None:
        before = backend.model_id, backend.revision
        backend.score(PAIRS)
        assert (backend.model_id, backend.revision) == before

    def test_nothing_gives_no_rows(self, backend: NLIBackend) -> None:
        scores = backend.score([])
        assert scores.probabilities.shape == (0, 3)
        assert scores.probabilities.dtype == np.float32
        assert len(scores) == scores.cache_hits == 0

    def test_rows_are_probabilities(self, backend: NLIBackend) -> None:
        probabilities = backend.score(PAIRS).probabilities
        assert probabilities.shape == (len(PAIRS), 3)
        assert probabilities.dtype == np.float32
        assert (probabilities >= 0).all()
        assert np.abs(probabilities.sum(axis=1, dtype=np.float64) - 1).max() < 1e-5

    def test_equal_pairs_get_equal_rows(self, backend: NLIBackend) -> None:
        first, *_, last = backend.score(PAIRS).probabilities
        assert np.abs(first - last).max() < TOLERANCE

    def test_rows_are_in_the_order_of_pairs(self, backend: NLIBackend) -> None:
        distinct = PAIRS[:4]
        forward = backend.score(distinct).probabilities
        backward = backend.score(distinct[::-1]).probabilities
        assert np.abs(forward[::-1] - backward).max() < TOLERANCE
        assert np.abs(forward - backward).max() > TOLERANCE, "the pairs score alike: this test cannot fail"

    def test_other_sequences_will_do(self, backend: NLIBackend) -> None:
        assert np.array_equal(backend.score(tuple(PAIRS)).probabilities, backend.score(PAIRS).probabilities)

    @quick
    @given(pairs=st.lists(pairs_of_texts, min_size=1, max_size=6), data=st.data())
    def test_company_does_not_change_a_score(self, backend: NLIBackend, pairs: list[Pair], data: st.DataObject) -> None:
        index = data.draw(st.integers(0, len(pairs) - 1))
        alone = backend.score([pairs[index]]).probabilities[0]
        together = backend.score(pairs).probabilities[index]
        assert np.abs(alone - together).max() < TOLERANCE

    def test_a_long_neighbour_does_not_change_a_score(self, backend: NLIBackend) -> None:
        long = Pair(self.words(backend, backend.tokenizer.max_tokens), "")
        alone = backend.score([PAIRS[2]]).probabilities[0]
        together = backend.score([long, PAIRS[2], long]).probabilities[1]
        assert np.abs(alone - together).max() < TOLERANCE

    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
    def test_every_string_is_text(self, backend: NLIBackend, text: str) -> None:
        scores = backend.score([Pair(text, "A dog."), Pair("A dog.", text), Pair(text, text)])
        assert np.isfinite(scores.probabilities).all()

    def test_a_pair_of_just_the_length_is_read(self, backend: NLIBackend) -> None:
        pair = Pair(self.words(backend, backend.tokenizer.max_tokens), "")
        assert len(backend.score([pair])) == 1

    def test_a_longer_pair_is_refused_and_named(self, backend: NLIBackend) -> None:
        limit = backend.tokenizer.max_tokens
        pair = Pair(self.words(backend, limit + 1), "")
        with pytest.raises(InputError, match=rf"\b2\b.*\b{limit + 1}\b.*\b{limit}\b"):
            backend.score([PAIRS[2], PAIRS[2], pair, pair])

    def test_length_counts_both_texts(self, backend: NLIBackend) -> None:
        limit = backend.tokenizer.max_tokens
        text = self.words(backend, limit // 2 + 2)
        with pytest.raises(InputError):
            backend.score([Pair(text, text + " a")])

    def test_threads_get_their_own_answers(self, backend: NLIBackend) -> None:
        expected = [backend.score([pair]).probabilities for pair in PAIRS]
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda pair: backend.score([pair]).probabilities, PAIRS * 4))
        for answer, wanted in zip(answers, expected * 4, strict=True):
            assert np.abs(answer - wanted).max() < TOLERANCE

    @quick
    @given(text=st.text(st.characters(codec=None), max_size=40))
    def test_offsets_are_ranges_of_code_points_in_order(self, backend: NLIBackend, text: str) -> None:
        offsets = backend.tokenizer.offsets(text)
        assert backend.tokenizer.count(text) == len(offsets)
        assert all(0 <= start <= end <= len(text) for start, end in offsets)
        assert offsets == sorted(offsets)

    @quick
    @given(text=st.text(st.characters(codec=None), max_size=40))
    def test_unknown_parts_are_in_order(self, backend: NLIBackend, text: str) -> None:
        spans = backend.tokenizer.unknown(text)
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert all(one.end <= other.start for one, other in pairwise(spans))

    def test_plain_words_are_known(self, backend: NLIBackend) -> None:
        assert backend.tokenizer.unknown("") == backend.tokenizer.unknown(PAIRS[3].premise) == []

    def test_offsets_find_the_words(self, backend: NLIBackend) -> None:
        text = "👍🏽 Ze\u0301ro \ud800 end"
        starts = {start for start, _ in backend.tokenizer.offsets(text)}
        assert {text.index("Z"), text.index("end")} <= starts
        assert max(end for _, end in backend.tokenizer.offsets(text)) == len(text)

    @staticmethod
    def words(backend: NLIBackend, tokens: int) -> str:
        """A text that makes a pair of so many tokens, together with an empty one."""
        text = " ".join("a" * (tokens - backend.tokenizer.pair_overhead))
        assert backend.tokenizer.count(text) + backend.tokenizer.pair_overhead == tokens
        return text
