"""From labelled examples to their features, by the same steps that the verifier takes at run time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np

from halt_rag.errors import InputError
from halt_rag.learn.rows import LabelledRow, groups_of
from halt_rag.learn.table import FeatureTable
from halt_rag.nli.scores import NLIBackend, NLIScores, Pair, StandIn, asked
from halt_rag.verify.asking import Steps, run_together
from halt_rag.verify.checking import read_nearest
from halt_rag.verify.rewording import PassageQuantities
from halt_rag.verify.session import Session
from halt_rag.verify.sources import as_passages
from halt_rag.verify.text_features import ClaimFigures, Schema
from halt_rag.verify.text_head import Reading, TextReader
from halt_rag.verify.text_model import TextSettings
from halt_rag.verify.verifier import HaltRagVerifier

Progress = Callable[[int, int], None]

#: Examples read together; their pairs are scored in one call.
_AT_ONCE = 32
#: The limit of pairs for one text, as of a verifier that is given none.
_MAX_PAIRS = 10_000
#: Examples whose pairs are counted, and those that are timed, for an estimate.
_COUNTED, _TIMED = 200, 32


class Extractor:
    """Computes the features of examples.

    Args:
        schema: Which features.
        settings: How texts are read.
        backends: The NLI models by name, in the order of their features; the first also checks the claims. Give them
            with a cache (``CachedNLI``), and an interrupted run goes on where it stopped.
        claims_task: The task model that weighs the claims. With a backend for which none ships, a claim's
            P(hallucinated) is 1 - P(entailment).
    """

    def __init__(
        self,
        schema: Schema,
        settings: TextSettings,
        *,
        backends: Mapping[str, NLIBackend],
        claims_task: str = "general",
    ) -> None:
        self.schema, self.settings, self.backends = schema, settings, dict(backends)
        self._first = next(iter(self.backends.values()))
        verifier = HaltRagVerifier(backend=self._first, task=claims_task)
        self._tiers = verifier.tiers
        self.reader = TextReader(schema, settings, backends=self.backends, claims=verifier.task_model)

    def counting(self) -> tuple[Extractor, dict[str, CountingNLI]]:
        """The same, with models that only count what they are asked; for an estimate."""
        counters = {name: CountingNLI(backend) for name, backend in self.backends.items()}
        return Extractor(self.schema, self.settings, backends=counters), counters

    def table(self, task: str, rows: Sequence[LabelledRow], progress: Progress | None = None) -> FeatureTable:
        """The features of examples.

        Args:
            task: What to call the data.
            rows: The examples.
            progress: Called with the number of examples done and of all.

        Raises:
            InputError: If there is no example, or one cannot be read; names it.
            BackendError: If a model cannot be asked. What was scored is in its cache.
        """
        if not rows:
            raise InputError("There are no examples.")
        found: list[tuple[dict[str, float], bool, bool]] = []
        for start in range(0, len(rows), _AT_ONCE):
            found += self._batch(rows[start : start + _AT_ONCE])
            if progress:
                progress(len(found), len(rows))
        names = list(found[0][0])
        return FeatureTable(
            task,
            self.reader.pipeline,
            names,
            np.array([[features[name] for name in names] for features, _, _ in found]),
            [row.id or str(i) for i, row in enumerate(rows)],
            groups_of(rows),
            np.array([row.label == "hallucinated" for row in rows]),
            np.array([truncated for _, truncated, _ in found]),
            np.array([to_check for _, _, to_check in found]),
        )

    def _batch(self, rows: Sequence[LabelledRow]) -> Iterator[tuple[dict[str, float], bool, bool]]:
        """Features, whether the text was cut off, and whether it holds a claim, of each example."""
        sources = [[passage.text for passage in as_passages(row.source)] for row in rows]
        readings = [self.reader.read(s, row.generated, row.question) for s, row in zip(sources, rows, strict=True)]
        claims = self._claim_figures(rows)
        scores = [
            dict(zip(self.backends, by_model, strict=True))
            for by_model in zip(*(self._scored(name, readings, rows) for name in self.backends), strict=True)
        ]
        for reading, by_name, figures in zip(readings, scores, claims, strict=True):
            features = self.reader.features(reading, by_name, figures)
            yield features, reading.truncated, figures is None or bool(figures.p or figures.unread)

    def _scored(
        self, name: str, readings: Sequence[Reading], rows: Sequence[LabelledRow]
    ) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        """The probabilities of one model, for each example of shape (windows, 3)."""
        parts = [reading.pairs[name] for reading in readings]
        for part, row in zip(parts, rows, strict=True):
            if not part:
                raise InputError(f"The source of example {row.id!r} has nothing that {name} can read.")
        scores = asked(self.backends[name], [pair for part in parts for pair in part]).probabilities
        ends = np.cumsum([len(part) for part in parts])
        return list(np.split(scores, ends[:-1]))

    def _claim_figures(self, rows: Sequence[LabelledRow]) -> list[ClaimFigures | None]:
        if self.schema == "paper":
            return [None] * len(rows)
        return list(run_together([self._claims_of(row) for row in rows], lambda ask: asked(self._first, ask.pairs)))

    def _claims_of(self, row: LabelledRow) -> Steps[ClaimFigures]:
        """What the verifier would find for the claims of an example in their nearest windows; only these are read."""
        passages, question = as_passages(row.source), (row.question or "").strip() or None
        session = Session(self._tiers, passages, question, max_pairs=_MAX_PAIRS, locate=False)
        found = yield from read_nearest(
            session.claims_of(row.generated),
            row.generated,
            session.sources,
            quantities=PassageQuantities([passage.text for passage in passages], question),
            tier=self._tiers[0],
            allowance=session.limits()[0],
            most=self.settings.claim_windows,
        )
        return self.reader.figures(found, session.sources, question)


class CountingNLI(StandIn):
    """Answers without asking a model, and keeps what it was asked; an ``NLIBackend``."""

    def __init__(self, backend: NLIBackend) -> None:
        super().__init__(backend)
        self.asked: set[Pair] = set()

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """The same made-up answer to each pair."""
        self.asked.update(pairs)
        return NLIScores(np.tile(np.array([0.2, 0.6, 0.2], dtype=np.float32), (len(pairs), 1)))


@dataclass(frozen=True, slots=True)
class Estimate:
    """What extracting features will cost.

    Attributes:
        examples: How many examples.
        pairs: Distinct pairs for each model, by name; those that a cache holds included.
        hosted: Names of the models for which each pair is a call to a paid service, at most.
        seconds: Time on this machine, from a sample that was scored; None where nothing was scored.
    """

    examples: int
    pairs: dict[str, int]
    hosted: list[str]
    seconds: float | None

    def text(self) -> str:
        """The estimate in one paragraph."""
        pairs = ", ".join(f"{count:,} pairs with {name}" for name, count in self.pairs.items())
        calls = sum(self.pairs[name] for name in self.hosted)
        seconds = self.seconds
        if seconds is None:
            duration = "The time depends on the service."
        elif seconds < 90:
            duration = f"About {seconds:.0f} s on this machine."
        elif seconds < 5400:
            duration = f"About {seconds / 60:.0f} minutes on this machine."
        else:
            duration = f"About {seconds / 3600:.1f} hours on this machine."
        return f"{self.examples:,} examples: about {pairs}; up to {calls:,} hosted calls. {duration}"


def estimate(extractor: Extractor, rows: Sequence[LabelledRow]) -> Estimate:
    """What ``table`` will cost on these rows, from examples of all their lengths.

    Pairs are counted on a sample without asking a model. Where every model runs here, a few examples are scored to see
    how long a character takes; their scores are in the cache then. These are others each time, so that after an
    interruption as many of them as of all examples are in the cache: the time is that of what is left.
    """
    hosted = [name for name, backend in extractor.backends.items() if backend.name in {"hosted", "tei"}]
    counted = spread(rows, _COUNTED, Random(0))  # noqa: S311 - a sample, no secret
    asked = _asked(extractor, counted)
    share = len(rows) / len(counted)
    pairs = {name: round(len(some) * share) for name, some in asked.items()}
    seconds = None
    if not hosted:
        timed = spread(rows, _TIMED, Random())  # noqa: S311
        extractor.table("estimate", timed[:1])  # Loads the models.
        timed = timed[1:] or timed
        started = time.perf_counter()
        extractor.table("estimate", timed)
        spent = time.perf_counter() - started
        seconds = spent / _characters(_asked(extractor, timed)) * _characters(asked) * share
    return Estimate(len(rows), pairs, hosted, seconds)


def spread(rows: Sequence[LabelledRow], most: int, random: Random) -> list[LabelledRow]:
    """A sample with examples of all lengths: one, at random, of each of ``most`` equal parts of the rows by length."""
    ordered = sorted(rows, key=_length)
    edges = [len(ordered) * i // most for i in range(most + 1)]
    return [ordered[random.randrange(start, end)] for start, end in pairwise(edges) if start < end]


def _length(row: LabelledRow) -> int:
    sources = [row.source] if isinstance(row.source, str) else row.source
    return sum(map(len, [*sources, row.generated, row.question or ""]))


def _asked(extractor: Extractor, rows: Sequence[LabelledRow]) -> dict[str, set[Pair]]:
    """The distinct pairs that each model is asked about some rows, by its name; none is scored."""
    counting, counters = extractor.counting()
    counting.table("estimate", rows)
    return {name: counter.asked for name, counter in counters.items()}


def _characters(asked: Mapping[str, set[Pair]]) -> int:
    return sum(len(pair.premise) + len(pair.hypothesis) for some in asked.values() for pair in some)
