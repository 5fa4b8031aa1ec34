"""The main path: sources and a generated text in, a verification out.

Read ``HaltRagVerifier._steps`` from top to bottom: claims, windows, scores, probabilities, evidence, decision.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from halt_rag.errors import BackendError, InputError
from halt_rag.nli.registry import find_backend
from halt_rag.nli.scores import NLIBackend, NLIScores, Pair
from halt_rag.text.spans import Span
from halt_rag.verify import artifact as artifacts
from halt_rag.verify.artifact import PipelineSettings, TaskModel
from halt_rag.verify.checking import (
    CheckedClaim,
    label,
    plan,
    search_for,
    weigh,
    window_pairs,
    within,
)
from halt_rag.verify.claims import ClaimText, claims_of
from halt_rag.verify.decide import Thresholds, decide
from halt_rag.verify.evidence import Search, found, holds_in_part
from halt_rag.verify.reading import Sources, fit_claims, read_sources, tokens_read
from halt_rag.verify.result import Claim, ModelInfo, Receipt, Verification
from halt_rag.verify.sources import Passage, Source, as_passages, checked

__all__ = ["HaltRagVerifier", "Item", "Passage"]

Steps = Generator[list[Pair], NLIScores, Verification]

#: Without a task model: 1 - P(entailment), cut in the middle.
_UNCALIBRATED = Thresholds(0.5, 0.5, 0.5)


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
        task: Which of the shipped task models calibrates the probabilities: "general". None uses none: they are
            1 - P(entailment), marked ``calibrated: false``. So they are with a backend for which no task model ships.
        artifact: A task model, or the path of one, instead of a shipped one.
        locate_evidence: Whether to search the deciding sentence within its window; costs about as many pairs again
            on short sources. Without it, evidence is the window.
        max_pairs: At most this many pairs are scored against windows for one text. Claims beyond are not read, which
            the receipt says. At most as many again are scored to locate evidence; beyond, evidence is the window.

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
        artifact: TaskModel | Path | None = None,
        locate_evidence: bool = True,
        max_pairs: int = 10_000,
    ) -> None:
        if max_pairs < 1:
            raise InputError(f"max_pairs must be at least 1, not {max_pairs}.")
        self.task = task
        self._given_backend = backend
        self._given_artifact = artifact
        self._locate_evidence = locate_evidence
        self._max_pairs = max_pairs

    @cached_property
    def backend(self) -> NLIBackend:
        """The NLI model."""
        return self._given_backend if self._given_backend is not None else find_backend("embedded")()

    @cached_property
    def task_model(self) -> TaskModel | None:
        """The calibration; None where probabilities are not calibrated.

        Raises:
            UnknownNameError: If no task model of that name ships.
            ConfigurationError: If it cannot be read, or (ArtifactMismatchError) belongs to another NLI model.
        """
        given = self._given_artifact
        if given is not None:
            model = given if isinstance(given, TaskModel) else artifacts.load(given)
        else:
            other = self._given_backend is not None and self.backend.model_id not in artifacts.known_models()
            if self.task is None or (other and self.task == "general"):
                return None
            model = artifacts.shipped(self.task, self.backend.model_id)
        model.check_fits(self.backend.model_id, self.backend.revision)
        return model

    @cached_property
    def settings(self) -> PipelineSettings:
        """How texts are cut."""
        return self.task_model.pipeline if self.task_model else PipelineSettings()

    @cached_property
    def thresholds(self) -> Thresholds:
        """Where verdicts change."""
        return self.task_model.cuts.thresholds() if self.task_model else _UNCALIBRATED

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
        return next(self.verify_many([Item(source, generated, question)]))

    def verify_many(self, items: Iterable[Item], *, at_once: int = 32) -> Iterator[Verification]:
        """Verifies several texts; pairs of ``at_once`` texts are scored together, which keeps all cores busy.

        Yields:
            The verifications, in order; each is what ``verify`` returns.

        Raises:
            HaltRagError: As ``verify``, at the first text that cannot be verified.
        """
        if at_once < 1:
            raise InputError(f"at_once must be at least 1, not {at_once}.")
        rest = iter(items)
        while part := list(islice(rest, at_once)):
            yield from self._together([self._steps(item) for item in part])

    def _together(self, running: list[Steps]) -> list[Verification]:
        """Runs several texts through their steps side by side, scoring what they ask for in one call."""
        done: dict[int, Verification] = {}
        asked = {i: next(steps) for i, steps in enumerate(running)}
        while asked:
            scores = self._score([pair for pairs in asked.values() for pair in pairs])
            start, again = 0, {}
            for i, pairs in asked.items():
                part = scores.part(start, start + len(pairs))
                start += len(pairs)
                try:
                    again[i] = running[i].send(part)
                except StopIteration as stop:
                    done[i] = stop.value
            asked = again
        return [done[i] for i in range(len(running))]

    def _score(self, pairs: list[Pair]) -> NLIScores:
        """Asks the backend, and takes nothing but probabilities from it."""
        scores = self.backend.score(pairs)
        p = scores.probabilities
        if p.shape != (len(pairs), 3) or not ((p >= 0) & (p <= 1)).all():
            raise BackendError(
                f"{self.backend.model_id} gave no probabilities of shape {(len(pairs), 3)}: "
                f"the shape is {p.shape}, or values are outside 0 to 1.",
                backend=self.backend.name,
            )
        return scores

    def _steps(self, item: Item) -> Steps:
        generated = checked("The generated text", item.generated)
        if not generated.strip():
            raise InputError("The generated text is empty.", hint="There is nothing to verify.")
        question = (checked("The question", item.question).strip() or None) if item.question else None
        tokenizer, settings, model = self.backend.tokenizer, self.settings, self.task_model
        sources = read_sources(as_passages(item.source), tokenizer, settings)
        claims = fit_claims(claims_of(generated, question), generated, tokenizer, settings)

        to_check = plan(claims, generated, sources, tokenizer=tokenizer, settings=settings, max_pairs=self._max_pairs)
        scores = yield window_pairs(to_check, sources)
        weigh(to_check, scores, sources, question=question, model=model)
        label(to_check, sources, self.thresholds)

        searches = [search_for(c, sources) for c in to_check]
        wanted = within([s.pairs if s else [] for s in searches], self._max_pairs if self._locate_evidence else 0)
        details = yield [pair for pairs in wanted for pair in pairs]

        results: dict[Span, Claim] = {}
        start = 0
        for c, search, pairs in zip(to_check, searches, wanted, strict=True):
            part = details.part(start, start + len(pairs))
            results[c.claim.span] = _claim(c, search, part if pairs else None, sources)
            start += len(pairs)
        return Verification(
            **self._decision(to_check),
            claims=[results.get(c.span) or _nothing_to_check(c, generated) for c in claims],
            receipt=self._receipt(to_check, claims, generated, sources, (scores, details)),
            model=self._model_info(),
        )

    def _decision(self, to_check: Sequence[CheckedClaim]) -> dict[str, Any]:
        """The verdict on the text: that of its worst claim, among those that were read."""
        weighed = [c for c in to_check if c.p is not None and c.reason != "not_read"]
        worst = max(weighed, key=lambda c: c.p or 0.0, default=None)
        p = None if worst is None else worst.p
        decision, why = decide(p, self.thresholds, complete=len(weighed) == len(to_check))
        return {
            "decision": decision,
            "abstain_reason": why,
            "calibrated_prob": p,
            "threshold": self.thresholds.threshold,
            "feature_breakdown": {} if worst is None else (worst.features or {}) | {"claims": float(len(to_check))},
        }

    def _receipt(
        self,
        to_check: Sequence[CheckedClaim],
        claims: Sequence[ClaimText],
        generated: str,
        sources: Sources,
        scores: tuple[NLIScores, NLIScores],
    ) -> Receipt:
        count = self.backend.tokenizer.count
        unread = [c for c in to_check if not c.windows]
        total = sum(count(c.span.of(generated)) for c in claims)
        return Receipt(
            passages=len(sources.passages),
            windows=len(sources.windows),
            pairs_scored=sum(map(len, scores)),
            cache_hits=sum(s.cache_hits for s in scores),
            source_tokens_total=sources.tokens,
            source_tokens_read=tokens_read(sources, {w for c in to_check for w in c.windows}, self.backend.tokenizer),
            generated_tokens_total=total,
            generated_tokens_read=total - sum(count(c.text) for c in unread),
            truncated=not all(c.complete for c in to_check),
        )

    def _model_info(self) -> ModelInfo:
        return ModelInfo(
            backend=self.backend.name,
            model_id=self.backend.model_id,
            revision=self.backend.revision,
            artifact=self.task_model.id if self.task_model else None,
            calibrated=self.task_model is not None,
        )


def _claim(c: CheckedClaim, search: Search | None, scores: NLIScores | None, sources: Sources) -> Claim:
    """The record of a claim that was checked."""
    in_part = search is not None and scores is not None and c.label == "unfaithful" and holds_in_part(search, scores)
    return Claim(
        start=c.claim.span.start,
        end=c.claim.span.end,
        text=c.text,
        label="partial" if in_part else c.label,
        p_hallucinated=c.p,
        reason=c.reason,
        evidence=[] if search is None else [found(search, scores, sources)],
    )


def _nothing_to_check(claim: ClaimText, generated: str) -> Claim:
    return Claim(
        start=claim.span.start,
        end=claim.span.end,
        text=claim.span.of(generated),
        label="NA",
        p_hallucinated=None,
        reason=None,
        evidence=[],
    )
