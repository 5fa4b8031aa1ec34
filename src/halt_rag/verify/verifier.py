"""The main path: sources and a generated text in, a verification out.

Read ``HaltRagVerifier._steps`` from top to bottom, then ``session.Session.check`` and ``checking.check``: claims,
windows, scores, probabilities, verdicts, evidence, decision.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, overload

from halt_rag.errors import ConfigurationError, HaltRagError, InputError
from halt_rag.nli.registry import find_backend
from halt_rag.nli.scores import NLIBackend, NLIScores, asked
from halt_rag.verify import artifact as artifacts
from halt_rag.verify.artifact import PipelineSettings, TaskModel
from halt_rag.verify.asking import Ask, Steps, joined, run_each, run_together
from halt_rag.verify.cascade import Cascade
from halt_rag.verify.competence import languages_of
from halt_rag.verify.decide import Thresholds
from halt_rag.verify.languages import competent
from halt_rag.verify.result import Failed, Verification
from halt_rag.verify.session import Session
from halt_rag.verify.sources import Passage, Source, as_passages, checked
from halt_rag.verify.streaming import Stream
from halt_rag.verify.summary import verification
from halt_rag.verify.text_head import TEXT_TASKS, TextHead, load_model, text_head_for
from halt_rag.verify.text_model import TextModel
from halt_rag.verify.tiers import ReadingMode, Tier

__all__ = ["Cascade", "HaltRagVerifier", "Item", "Passage"]

#: Without a task model: 1 - P(entailment), cut in the middle.
_UNCALIBRATED = Thresholds(0.5, 0.5, 0.5)
#: A verification that may be cancelled is scored in pieces of so many pairs.
_PIECE = 64


@dataclass(frozen=True, slots=True)
class Item:
    """One text to verify, for ``verify_many``; the fields are the arguments of ``verify``."""

    source: Source
    generated: str
    question: str | None = None


class HaltRagVerifier:
    """Says which parts of a generated text its sources support.

    Args:
        backend: The NLI model to ask; default: the one that ships with the package, offline.
        task: Which of the shipped task models calibrates the probabilities. With "general" the verdict on a text is
            that of its worst claim. With "qa", "dialogue" or "summarization" it is that of a model of the whole text;
            claims are labelled as with "general". None uses none: probabilities are 1 - P(entailment), marked
            ``calibrated: false``. So they are with a backend for which no task model ships.
        artifact: A task model, or the path of one, instead of a shipped one; for ``task``, where that is not "general".
        more_backends: The other NLI models of a task model that reads a text with several.
        locate_evidence: Whether to search the deciding sentence within its window, and the parts of claims that do not
            hold; costs about as many pairs again on short sources. Without it, evidence is the window.
        max_pairs: At most this many pairs are scored against windows for one text, by each model. Claims beyond are not
            read, which the receipt says. At most as many again are scored against two windows together, and at most
            as many again to locate evidence; beyond, evidence is the window. A task's model of whole texts reads each
            of its windows once besides.
        reading: Which windows of long sources are read for a claim: ``"exhaustive"``: all. ``"indexed"``: the nearest
            by words, more where these do not support it, see docs/long-sources.md. ``"auto"``: all of sources with at
            most 48 windows (about 15 pages), otherwise indexed.
        cascade: More models, which are asked about the claims that the first leaves open.

    Raises:
        InputError: If an argument has no such value.

    Example:
        >>> result = HaltRagVerifier().verify("The dam was built in 1967.", "The dam was built in 1958.")
        >>> result.decision
        'hallucinated'
    """

    def __init__(
        self,
        *,
        backend: NLIBackend | None = None,
        task: str | None = "general",
        artifact: TaskModel | TextModel | Path | str | None = None,
        more_backends: Sequence[NLIBackend] = (),
        locate_evidence: bool = True,
        max_pairs: int = 10_000,
        reading: ReadingMode = "auto",
        cascade: Cascade | Sequence[NLIBackend | HaltRagVerifier] = (),
    ) -> None:
        if max_pairs < 1:
            raise InputError(f"max_pairs must be at least 1, not {max_pairs}.")
        if reading not in {"exhaustive", "indexed", "auto"}:
            raise InputError(f"reading must be 'exhaustive', 'indexed' or 'auto', not {reading!r}.")
        self.task = task
        self._given_backend = backend
        self._given_artifact = artifact
        self._more_backends = more_backends
        self._locate_evidence = locate_evidence
        self._max_pairs = max_pairs
        self._reading: ReadingMode = reading
        given = cascade if isinstance(cascade, Cascade) or not cascade else Cascade(cascade)
        self._cascade = given if isinstance(given, Cascade) else None

    @classmethod
    def from_config(cls, path: Path | str, **changes: Any) -> HaltRagVerifier:
        """A verifier as a file of settings describes it, see docs/pipeline.md.

        Args:
            path: The file.
            changes: Keyword arguments of the verifier that replace or complete those of the file.

        Raises:
            ConfigurationError: If the file or its task model cannot be used.
        """
        from halt_rag.verify.configured import verifier_options

        return cls(**(verifier_options(Path(path)) | changes))

    @cached_property
    def backend(self) -> NLIBackend:
        """The NLI model; with a cascade, the first."""
        return self._given_backend if self._given_backend is not None else find_backend("embedded")()

    @cached_property
    def task_model(self) -> TaskModel | None:
        """The calibration; None where probabilities are not calibrated.

        Raises:
            UnknownNameError: If no task model of that name ships.
            ConfigurationError: If it cannot be read, or (ArtifactMismatchError) belongs to another NLI model.
        """
        given = self._artifact
        if isinstance(given, TaskModel):
            model = given
        else:
            task = "general" if self.task in TEXT_TASKS else self.task
            other = self._given_backend is not None and self.backend.model_id not in artifacts.known_models()
            if task is None or (other and task == "general"):
                return None
            model = artifacts.shipped(task, self.backend.model_id)
        model.check_fits(self.backend.model_id, self.backend.revision)
        return model

    @cached_property
    def _artifact(self) -> TaskModel | TextModel | None:
        given = self._given_artifact
        return load_model(Path(given)) if isinstance(given, Path | str) else given

    @cached_property
    def text_head(self) -> TextHead | None:
        """What gives the verdict on a text where that is not its worst claim's.

        Raises:
            UnknownNameError: If the task has no text model for this NLI model, though others have.
            ConfigurationError: If it cannot be read, belongs to another pipeline, or is to be used in a cascade.
        """
        given = self._artifact if isinstance(self._artifact, TextModel) else None
        head = text_head_for(self.task, given, [self.backend, *self._more_backends], self.task_model)
        if head is not None and self._cascade is not None:
            raise ConfigurationError(
                f"The task model {head.model.id!r} was not fitted on claims of a cascade.", hint="Use task='general'."
            )
        return head

    @cached_property
    def settings(self) -> PipelineSettings:
        """How texts are cut."""
        return self.task_model.pipeline if self.task_model else PipelineSettings()

    @cached_property
    def thresholds(self) -> Thresholds:
        """Where verdicts on texts change."""
        return self.text_head.model.cuts.thresholds() if self.text_head else self._claim_thresholds

    @cached_property
    def _claim_thresholds(self) -> Thresholds:
        return self.task_model.cuts.thresholds() if self.task_model else _UNCALIBRATED

    @cached_property
    def tiers(self) -> list[Tier]:
        """The models in the order in which they are asked, each with its calibration.

        Raises:
            InputError: If a verifier in the cascade has a cascade of its own.
            ConfigurationError: As ``task_model``, for each of them.
        """
        verifiers = [self]
        for then in self._cascade.then if self._cascade else ():
            if not isinstance(then, HaltRagVerifier):
                then = HaltRagVerifier(backend=then, task=self.task, reading=self._reading)
            verifiers.append(then)
        if any(v._cascade for v in verifiers[1:]):
            raise InputError("A verifier in a cascade has no cascade of its own.", hint="List all in one cascade.")
        band = self._cascade.band if self._cascade else None
        last = len(verifiers) - 1
        return [v._tier(number, band if number < last else None) for number, v in enumerate(verifiers)]

    def _tier(self, number: int, band: tuple[float, float] | None) -> Tier:
        cuts = self._claim_thresholds
        low, high = band or (cuts.supported_below, cuts.hallucinated_from)
        return Tier(
            number,
            self.backend,
            self.task_model,
            self.settings,
            cuts,
            self._reading,
            sure_below=min(cuts.supported_below, low),
            sure_from=max(cuts.hallucinated_from, high),
        )

    def verify(self, source: Source, generated: str, question: str | None = None) -> Verification:
        """Verifies a generated text against its sources.

        Args:
            source: What the text must be faithful to: a string, several, or passages with ids.
            generated: The text to check.
            question: The question that it answers, if any; short answers are read together with it.

        Returns:
            The decision, the claims with their evidence, and a receipt of what was read.

        Raises:
            InputError: If a text is empty, no string, or no valid Unicode.
            ConfigurationError: If the model or its calibration cannot be loaded.
            BackendError: If the model cannot be asked. That is never a verdict.
        """
        return run_together([self._steps(Item(source, generated, question))], self._score)[0]

    async def averify(self, source: Source, generated: str, question: str | None = None) -> Verification:
        """As ``verify``, in a thread beside the event loop.

        When the task is cancelled, the thread stops after the pairs that are being scored, at most 64.

        Raises:
            HaltRagError: As ``verify``.
        """
        stop = threading.Event()
        steps = [self._steps(Item(source, generated, question))]
        try:
            return (await asyncio.to_thread(run_together, steps, partial(self._score_in_pieces, stop)))[0]
        finally:
            stop.set()

    def stream(self, source: Source, question: str | None = None) -> Stream:
        """Begins to verify a text that is still being written; the sources are read at once.

        Args:
            source: As for ``verify``.
            question: As for ``verify``.

        Returns:
            What takes the pieces of the text, see ``Stream``. Its result is that of ``verify`` on the whole text.

        Raises:
            InputError, ConfigurationError: As ``verify``.
        """
        if self.text_head is not None:
            raise ConfigurationError(
                f"A text that is still being written has no verdict of the task {self.task!r} yet.",
                hint="Stream with task='general'.",
            )
        return Stream(self._session(source, question), self._score)

    @overload
    def verify_many(
        self, items: Iterable[Item], *, at_once: int = 32, workers: int = 1, on_error: Literal["raise"] = "raise"
    ) -> Iterator[Verification]: ...

    @overload
    def verify_many(
        self, items: Iterable[Item], *, at_once: int = 32, workers: int = 1, on_error: Literal["return"]
    ) -> Iterator[Verification | Failed]: ...

    def verify_many(
        self,
        items: Iterable[Item],
        *,
        at_once: int = 32,
        workers: int = 1,
        on_error: Literal["raise", "return"] = "raise",
    ) -> Iterator[Verification | Failed]:
        """Verifies several texts; pairs of ``at_once`` texts are scored together, which keeps all cores busy.

        Args:
            items: The texts; taken as they are needed.
            at_once: How many are scored together.
            workers: Threads, each with ``at_once`` texts. The embedded model uses all cores by itself; threads help
                where a model is asked over a network.
            on_error: ``"return"``: a text that cannot be verified yields a ``Failed``, and the others go on.

        Yields:
            The verifications, in order; each is what ``verify`` returns.

        Raises:
            InputError: If a number is below 1.
            HaltRagError: As ``verify``, at the first text that cannot be verified, with ``on_error="raise"``.
        """
        for name, value in (("at_once", at_once), ("workers", workers)):
            if value < 1:
                raise InputError(f"{name} must be at least 1, not {value}.")
        rest = iter(items)
        parts = enumerate(iter(lambda: list(islice(rest, at_once)), []))
        batch = partial(self._batch, at_once=at_once, keep_errors=on_error == "return")
        if workers == 1:
            for number, part in parts:
                yield from batch(number, part)
            return
        _ = self.tiers  # Loaded here, once, not by each thread.
        pool = ThreadPoolExecutor(workers, thread_name_prefix="halt-rag")
        running: deque[Future[list[Verification | Failed]]] = deque()
        try:
            for number, part in parts:
                running.append(pool.submit(batch, number, part))
                if len(running) >= workers:
                    yield from running.popleft().result()
            while running:
                yield from running.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _batch(self, number: int, items: list[Item], *, at_once: int, keep_errors: bool) -> list[Verification | Failed]:
        steps = [self._steps(item) for item in items]
        results = run_each(steps, self._score) if keep_errors else run_together(steps, self._score)
        return [
            Failed.of(result, number * at_once + i) if isinstance(result, HaltRagError) else result
            for i, result in enumerate(results)
        ]

    def _steps(self, item: Item) -> Steps[Verification]:
        generated = checked("The generated text", item.generated)
        if not generated.strip():
            raise InputError("The generated text is empty.", hint="There is nothing to verify.")
        session = self._session(item.source, item.question)
        claims = session.claims_of(generated)
        found = yield from session.check(claims, generated)
        result = verification(session, claims, generated, found)
        if (head := self.text_head) is None:
            return result
        reading = head.read([passage.text for passage in as_passages(item.source)], generated, item.question)
        known, tags = languages_of(self.backend), [*session.sources.languages, *(c.claim.language for c, _ in found)]
        foreign = not all(competent(tag, known) for tag in tags)
        pairs = [] if foreign else head.pairs(reading)
        scores = (yield Ask(0, pairs)) if pairs else None
        figures = head.figures([c for c, _ in found], session.sources, item.question) if scores is not None else None
        return head.applied(result, reading, scores, figures, foreign=foreign)

    def _session(self, source: Source, question: str | None) -> Session:
        asked = (checked("The question", question).strip() or None) if question else None
        return Session(self.tiers, as_passages(source), asked, max_pairs=self._max_pairs, locate=self._locate_evidence)

    def _score(self, ask: Ask) -> NLIScores:
        return asked(self.tiers[ask.tier].backend, ask.pairs)

    def _score_in_pieces(self, stop: threading.Event, ask: Ask) -> NLIScores:
        """The same, unless nobody waits for the answer any more."""
        parts = []
        for start in range(0, len(ask.pairs), _PIECE):
            if stop.is_set():
                raise _StoppedError
            parts.append(self._score(Ask(ask.tier, ask.pairs[start : start + _PIECE])))
        return joined(parts)


class _StoppedError(Exception):
    """A verification was cancelled; nobody sees it."""
