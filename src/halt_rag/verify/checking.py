"""A claim on its way from text to verdict: which windows are read, what the scores say, what decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.verify.artifact import PipelineSettings, TaskModel
from halt_rag.verify.claims import ClaimText
from halt_rag.verify.decide import Thresholds, decide
from halt_rag.verify.evidence import Search, plan_search
from halt_rag.verify.features import claim_features
from halt_rag.verify.lexical import Lexemes, lexemes, recall, union
from halt_rag.verify.reading import Sources, can_be_read, candidates
from halt_rag.verify.result import EvidenceKind, Label, Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from halt_rag.text.windows import Tokenizer

#: A window contradicts a claim only if the model says so and the two share words enough to be about one thing.
_CONTRADICTS, _SAME_SUBJECT = 0.5, 0.3


@dataclass(slots=True)
class CheckedClaim:
    """A claim that is checked.

    Attributes:
        claim: Where it is and what is asked about it.
        text: Its text.
        lexemes: Its words, numbers and names.
        windows: Indices of the windows that are read for it.
        complete: Whether these are all windows, and at least one.
        scores: Probabilities, shape (windows, 3).
        features: Its features; empty where nothing was read.
        p: Probability that it is hallucinated; None where nothing was read.
        label: The verdict; None where it is undetermined.
        reason: Why it is not faithful, or why it is undetermined.
    """

    claim: ClaimText
    text: str
    lexemes: Lexemes
    windows: list[int]
    complete: bool
    scores: NDArray[np.float32] | None = None
    features: dict[str, float] | None = None
    p: float | None = None
    label: Label | None = None
    reason: Reason | None = None


def plan(
    claims: Sequence[ClaimText],
    generated: str,
    sources: Sources,
    *,
    tokenizer: Tokenizer,
    settings: PipelineSettings,
    max_pairs: int,
) -> list[CheckedClaim]:
    """Which windows are read for which claim, within a budget of pairs; none for a claim that cannot be read."""
    left = max_pairs
    planned = []
    for claim in claims:
        if claim.hypothesis is None:
            continue
        text = claim.span.of(generated)
        words = lexemes(text)
        read = candidates(words, sources, min(settings.max_windows_per_claim, left)) if left else []
        if not can_be_read(claim.hypothesis, [sources.texts[w] for w in read], tokenizer):
            read = []
        left -= len(read)
        planned.append(CheckedClaim(claim, text, words, read, 0 < len(read) == len(sources.windows)))
    return planned


def within(asked: Sequence[list[Pair]], most: int) -> list[list[Pair]]:
    """What is asked for, as far as a budget of pairs goes; whoever comes after it has run out gets nothing."""
    totals = accumulate(map(len, asked))
    return [pairs if total <= most else [] for pairs, total in zip(asked, totals, strict=True)]


def window_pairs(checked: Sequence[CheckedClaim], sources: Sources) -> list[Pair]:
    """What has to be scored: each claim against its windows, in order."""
    return [Pair(sources.texts[w], c.claim.hypothesis or "") for c in checked for w in c.windows]


def weigh(
    checked: Sequence[CheckedClaim],
    scores: NLIScores,
    sources: Sources,
    *,
    question: str | None,
    model: TaskModel | None,
) -> None:
    """Turns the scores of ``window_pairs`` into features and probabilities."""
    known = union([sources.known, lexemes(question)]) if question else sources.known
    start = 0
    for c in checked:
        if not c.windows:
            continue
        c.scores = scores.probabilities[start : start + len(c.windows)]
        start += len(c.windows)
        entailment = float(c.scores[:, 0].max())
        read = [sources.lexemes[w] for w in c.windows]
        c.features = claim_features(
            c.lexemes, read, entailment=entailment, known=known, with_question=c.claim.with_question
        )
        c.p = model.claim_head.probability(c.features) if model else 1 - entailment


def label(checked: Sequence[CheckedClaim], sources: Sources, thresholds: Thresholds) -> None:
    """Gives each claim its verdict, whatever the other claims are.

    A claim that found no support is undetermined unless everything was read for it.
    """
    for c in checked:
        if c.p is None:
            c.reason = "not_read"
            continue
        decision, _ = decide(c.p, thresholds, complete=True)
        if decision == "supported":
            c.label = "faithful"
        elif not c.complete:
            c.reason = "not_read"
        elif decision == "abstain":
            c.reason = "uncertain"
        else:
            c.label = "unfaithful"
            c.reason = "unsupported" if _contradicting(c, sources) is None else "contradicted"


def _contradicting(c: CheckedClaim, sources: Sources) -> int | None:
    """Position among the claim's windows of the one that contradicts it most; None where none does."""
    if c.scores is None:
        return None
    about_it = [recall(c.lexemes.words, sources.lexemes[w].words) >= _SAME_SUBJECT for w in c.windows]
    found = [float(p) if same else 0.0 for p, same in zip(c.scores[:, 2], about_it, strict=True)]
    top = max(range(len(found)), key=found.__getitem__)
    return top if found[top] >= _CONTRADICTS else None


def search_for(c: CheckedClaim, sources: Sources) -> Search | None:
    """Where to look for what decided a claim; None where nothing was read."""
    if c.scores is None:
        return None
    kind: EvidenceKind
    if c.label == "faithful":
        kind, place = "supports", int(c.scores[:, 0].argmax())
    elif c.reason == "contradicted":
        kind, place = "contradicts", _contradicting(c, sources) or 0
    else:
        kind = "nearest"
        place = max(
            range(len(c.windows)), key=lambda i: (recall(c.lexemes.words, sources.lexemes[c.windows[i]].words), -i)
        )
    return plan_search(
        kind,
        c.windows[place],
        float(c.scores[place, 2 if kind == "contradicts" else 0]),
        claim=c.lexemes,
        text=c.text,
        hypothesis=c.claim.hypothesis or "",
        sources=sources,
    )
