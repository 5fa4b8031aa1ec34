"""A backend without a model, for the tests of programs that use halt-rag."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Mapping, Sequence

from halt_rag.errors import HaltRagError, InputError
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import check_lengths
from halt_rag.text.spans import Span

_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"\w+")
_NEGATIONS = frozenset({"no", "not", "never", "none", "nor", "neither", "cannot", "without"})

_ENTAILED = (0.96, 0.03, 0.01)
_NEUTRAL = (0.03, 0.94, 0.03)
_CONTRADICTED = (0.01, 0.03, 0.96)


class WhitespaceTokenizer:
    """Splits at white space: one token for each run of other characters.

    Args:
        max_tokens: How many tokens a pair may have, ``pair_overhead`` included.
    """

    def __init__(self, max_tokens: int = 512) -> None:
        self._max_tokens = max_tokens

    @property
    def max_tokens(self) -> int:
        """How many tokens a pair may have, special tokens included."""
        return self._max_tokens

    @property
    def pair_overhead(self) -> int:
        """Always 3, as with a BERT model."""
        return 3

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The half-open code-point range of each token of a text."""
        return [match.span() for match in _TOKEN.finditer(text)]

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return len(text.split())

    def unknown(self, text: str) -> list[Span]:  # noqa: ARG002
        """Nothing: the fake compares the words themselves."""
        return []


class FakeNLI:
    """Scores pairs from a table or by a simple rule; an ``NLIBackend`` that needs no model and no time.

    The rule, for pairs that the table lacks, compares lower-cased words:

    - Not all words of the hypothesis, negations aside, stand in the premise: neutral.
    - They do, and one of the texts has an odd number of negations and the other an even one: contradiction.
    - Otherwise: entailment.

    Example:
        >>> backend = FakeNLI({("It rained.", "It was wet."): (0.9, 0.1, 0.0)})
        >>> backend.score([Pair("It rained.", "It was wet.")]).entailment.round(1).tolist()
        [0.9]
        >>> len(backend.calls)
        1

    Args:
        answers: Probabilities of entailment, neutral and contradiction for (premise, hypothesis).
        max_tokens: How many white-space tokens a pair may have, 3 for special tokens included.

    Attributes:
        calls: The pairs of each call of ``score`` so far, also of those that failed.
        failure: Set it to an error to have ``score`` raise it, e.g. a ``BackendError``.

    Raises:
        InputError: If an answer is not three numbers from 0 to 1 with the sum 1.
    """

    name = "fake"
    model_id = "fake"

    def __init__(
        self, answers: Mapping[tuple[str, str], Sequence[float]] | None = None, *, max_tokens: int = 512
    ) -> None:
        self._answers = {Pair(*texts): tuple(map(float, answer)) for texts, answer in (answers or {}).items()}
        for pair, answer in self._answers.items():
            if len(answer) != 3 or not all(0 <= p <= 1 for p in answer) or abs(sum(answer) - 1) > 1e-6:
                raise InputError(f"The answer {answer} for {pair} is not three probabilities with the sum 1.")
        self._tokenizer = WhitespaceTokenizer(max_tokens)
        self._lock = threading.Lock()
        self.calls: list[tuple[Pair, ...]] = []
        self.failure: HaltRagError | None = None

    @property
    def revision(self) -> str:
        """A hash of the answers: another table is another model."""
        table = sorted((pair.premise, pair.hypothesis, answer) for pair, answer in self._answers.items())
        return hashlib.sha256(json.dumps(table).encode()).hexdigest()[:12]

    @property
    def tokenizer(self) -> WhitespaceTokenizer:
        """Splits at white space."""
        return self._tokenizer

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs and records them.

        Raises:
            InputError: A ``PairTooLongError`` if a pair has more than ``max_tokens`` tokens.
            HaltRagError: The ``failure``, where one is set.
        """
        import numpy as np

        with self._lock:
            self.calls.append(tuple(pairs))
        if self.failure is not None:
            raise self.failure
        check_lengths(pairs, self._tokenizer)
        rows = [self._answers.get(pair) or _by_words(pair) for pair in pairs]
        return NLIScores(np.array(rows, dtype=np.float32).reshape(-1, 3))


def _by_words(pair: Pair) -> tuple[float, float, float]:
    premise, hypothesis = (_WORD.findall(text.lower()) for text in (pair.premise, pair.hypothesis))
    if not set(hypothesis) - _NEGATIONS <= set(premise):
        return _NEUTRAL
    negations = [sum(word in _NEGATIONS for word in words) for words in (premise, hypothesis)]
    return _ENTAILED if sum(negations) % 2 == 0 else _CONTRADICTED
