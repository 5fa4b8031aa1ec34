"""How steps ask for scores: they are generators that yield what a model has to score and are sent the answer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from halt_rag.errors import HaltRagError
from halt_rag.nli.scores import NLIScores, Pair

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask:
    """What has to be scored.

    Attributes:
        tier: By which model: 0 is the first, 1 the next of the cascade.
        pairs: The pairs, at least one.
    """

    tier: int
    pairs: list[Pair]


Steps = Generator[Ask, NLIScores, T]
Scorer = Callable[[Ask], NLIScores]


@dataclass(slots=True)
class Tally:
    """What was read for one claim.

    Attributes:
        pairs: How many pairs were asked, by tier.
        hits: How many of them a cache answered.
        windows: Windows of the first model that were read.
    """

    pairs: dict[int, int] = field(default_factory=dict)
    hits: int = 0
    windows: set[int] = field(default_factory=set)

    def add(self, other: Tally) -> None:
        """Counts what another has counted, too."""
        for tier, pairs in other.pairs.items():
            self.pairs[tier] = self.pairs.get(tier, 0) + pairs
        self.hits += other.hits
        self.windows |= other.windows


def scored(tier: int, wanted: Sequence[tuple[Tally, list[Pair]]]) -> Steps[list[NLIScores]]:
    """Asks for several lists of pairs at once, counts them, and returns the scores of each list."""
    import numpy as np

    pairs = [pair for _, some in wanted for pair in some]
    scores = (yield Ask(tier, pairs)) if pairs else NLIScores(np.zeros((0, 3), dtype=np.float32))
    found, start = [], 0
    for tally, some in wanted:
        part = scores.part(start, start + len(some))
        start += len(some)
        if some:
            tally.pairs[tier] = tally.pairs.get(tier, 0) + len(some)
        tally.hits += part.cache_hits
        found.append(part)
    return found


def joined(parts: Sequence[NLIScores]) -> NLIScores:
    """The scores of several calls, at least one, in order."""
    import numpy as np

    rows = np.concatenate([part.probabilities for part in parts])
    none = [np.zeros(len(part), dtype=np.bool_) if part.cached is None else part.cached for part in parts]
    return NLIScores(rows, np.concatenate(none))


def run_together(running: Sequence[Steps[T]], score: Scorer) -> list[T]:
    """Runs several steps side by side; what they ask of one model at a time is scored in one call.

    Returns:
        What each returned, in order.

    Raises:
        HaltRagError: The first that occurs.
    """
    together = _Together(running, score, keep_errors=False)
    return [result for result in together.results() if not isinstance(result, HaltRagError)]


def run_each(running: Sequence[Steps[T]], score: Scorer) -> list[T | HaltRagError]:
    """As ``run_together``, but an error is the result of the steps that it is about.

    Where a call for several fails, each is asked alone.
    """
    return _Together(running, score, keep_errors=True).results()


class _Together(Generic[T]):
    def __init__(self, running: Sequence[Steps[T]], score: Scorer, *, keep_errors: bool) -> None:
        self._running, self._score, self._keep_errors = running, score, keep_errors
        self._done: dict[int, T | HaltRagError] = {}
        self._asked: dict[int, Ask] = {}

    def results(self) -> list[T | HaltRagError]:
        """Runs all to their end."""
        for i in range(len(self._running)):
            self._advance(i, None)
        while self._asked:
            now, self._asked = self._asked, {}
            for tier in sorted({ask.tier for ask in now.values()}):
                self._answer({i: ask for i, ask in now.items() if ask.tier == tier})
        return [self._done[i] for i in range(len(self._running))]

    def _answer(self, asks: dict[int, Ask]) -> None:
        """Scores what some ask of one model, and lets them go on."""
        first = next(iter(asks.values()))
        try:
            scores = self._score(Ask(first.tier, [pair for ask in asks.values() for pair in ask.pairs]))
        except HaltRagError as error:
            self._keep(error)
            if len(asks) == 1:
                self._done |= dict.fromkeys(asks, error)
            else:
                for i, ask in asks.items():
                    self._answer({i: ask})
            return
        start = 0
        for i, ask in asks.items():
            self._advance(i, scores.part(start, start + len(ask.pairs)))
            start += len(ask.pairs)

    def _advance(self, i: int, scores: NLIScores | None) -> None:
        try:
            self._asked[i] = next(self._running[i]) if scores is None else self._running[i].send(scores)
        except StopIteration as stop:
            self._done[i] = stop.value
        except HaltRagError as error:
            self._keep(error)
            self._done[i] = error

    def _keep(self, error: HaltRagError) -> None:
        if not self._keep_errors:
            raise error
