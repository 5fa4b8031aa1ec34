"""From labelled examples to their features, by the same steps that the verifier takes at run time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from halt_rag.errors import InputError
from halt_rag.learn.rows import LabelledRow
from halt_rag.learn.table import FeatureTable
from halt_rag.nli.scores import NLIBackend, NLIScores, Pair, StandIn
from halt_rag.verify.sources import as_passages
from halt_rag.verify.text_features import ClaimFigures, Schema
from halt_rag.verify.text_head import Reading, TextReader, claim_figures_of
from halt_rag.verify.text_model import TextSettings
from halt_rag.verify.verifier import HaltRagVerifier, Item

if TYPE_CHECKING:
    from halt_rag.verify.artifact import TaskModel

Progress = Callable[[int, int], None]

#: Examples read together; their pairs are scored in one call.
_AT_ONCE = 32
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
        self._verifier = HaltRagVerifier(backend=self._first, task=claims_task, locate_evidence=False)
        self._claims: TaskModel | None = self._verifier.task_model
        self.reader = TextReader(schema, settings, backends=self.backends, claims=self._claims)

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
            [row.group or row.id or str(i) for i, row in enumerate(rows)],
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
        scores = self.backends[name].score([pair for part in parts for pair in part]).probabilities
        ends = np.cumsum([len(part) for part in parts])
        return list(np.split(scores, ends[:-1]))

    def _claim_figures(self, rows: Sequence[LabelledRow]) -> list[ClaimFigures | None]:
        if self.schema == "paper":
            return [None] * len(rows)
        items = [Item(row.source, row.generated, row.question) for row in rows]
        return [claim_figures_of(result) for result in self._verifier.verify_many(items, at_once=_AT_ONCE)]


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
        else:
            duration = f"About {seconds / 60:.0f} minutes on this machine."
        return f"{self.examples:,} examples: about {pairs}; up to {calls:,} hosted calls. {duration}"


def estimate(extractor: Extractor, rows: Sequence[LabelledRow]) -> Estimate:
    """What ``table`` will cost on these rows.

    Pairs are counted on a sample without asking a model. Where every model runs here, a few examples are scored to
    take the time; their scores are in the cache then. Examples whose scores a cache holds take no time to speak of,
    so after an interruption the estimate is of what is left.
    """
    hosted = [name for name, backend in extractor.backends.items() if backend.name in {"hosted", "tei"}]
    drawn = list(rows)
    Random(0).shuffle(drawn)  # noqa: S311 - a sample, no secret
    counted = drawn[:_COUNTED]
    counting, counters = extractor.counting()
    counting.table("estimate", counted)
    share = len(rows) / len(counted)
    pairs = {name: round(len(counter.asked) * share) for name, counter in counters.items()}
    seconds = None
    if not hosted:
        timed = drawn[:_TIMED]
        extractor.table("estimate", timed[:1])  # Loads the models.
        started = time.perf_counter()
        extractor.table("estimate", timed)
        seconds = (time.perf_counter() - started) * len(rows) / len(timed)
    return Estimate(len(rows), pairs, hosted, seconds)
