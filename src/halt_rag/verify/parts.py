"""The parts of a claim that does not hold: which of its clauses the sources support and which they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.text.spans import Span
from halt_rag.verify.clauses import split_clauses
from halt_rag.verify.lexical import lexemes, recall
from halt_rag.verify.reading import Sources
from halt_rag.verify.result import Part

#: A clause holds, or fails, only where the model is this sure.
_HOLDS, _FAILS = 0.7, 0.4
#: Windows that a clause is read against, those that share most of its words.
_WINDOWS = 3


@dataclass(frozen=True, slots=True)
class AskedClause:
    """A clause to be checked.

    Attributes:
        statement: What a model is asked about.
        span: Where its words are in the claim; None where they do not stand there in one piece.
        pairs: What a model has to score.
    """

    statement: str
    span: Span | None
    pairs: list[Pair]


def plan_parts(text: str, said: str, windows: Sequence[int], sources: Sources) -> list[AskedClause]:
    """The clauses of a claim; none where it is not compound.

    Args:
        text: The claim, as it is written.
        said: What it says where it stands, with pronouns replaced.
        windows: The windows that were read for it.
        sources: The passages and windows.
    """
    clauses = split_clauses(said)
    if len(clauses) < 2 or not windows:
        return []
    planned, last = [], 0
    for clause in clauses:
        words = lexemes(clause.statement).words
        held = {w: recall(words, sources.lexemes[w].words) for w in windows}
        near = sorted(windows, key=held.__getitem__, reverse=True)[:_WINDOWS]
        quote = clause.span.of(said) if clause.span else ""
        start = text.find(quote, last) if quote else -1
        span = Span(start, start + len(quote)) if start >= 0 else None
        last = span.end if span else last
        planned.append(AskedClause(clause.statement, span, [Pair(sources.texts[w], clause.statement) for w in near]))
    return planned


def judged(
    clauses: Sequence[AskedClause], scores: NLIScores, sources: Sources, *, claim: str, start: int
) -> list[Part]:
    """The parts with their labels.

    Args:
        clauses: The clauses.
        scores: Those of all their pairs, in order.
        sources: The passages and windows.
        claim: The claim, as it is written.
        start: Where it begins in the generated text.
    """
    parts, first = [], 0
    for clause in clauses:
        score = float(scores.entailment[first : first + len(clause.pairs)].max())
        first += len(clause.pairs)
        span = clause.span.shift(start) if clause.span else None
        parts.append(
            Part(
                start=span.start if span else None,
                end=span.end if span else None,
                text=clause.span.of(claim) if clause.span else clause.statement,
                label=_label(clause, score, sources),
                score=score,
            )
        )
    return parts


def _label(clause: AskedClause, score: float, sources: Sources) -> Literal["faithful", "unfaithful"] | None:
    """A clause with a number that no passage has does not hold, however sure the model is."""
    if score <= _FAILS:
        return "unfaithful"
    return "faithful" if score >= _HOLDS and lexemes(clause.statement).numbers <= sources.known.numbers else None


def in_part(parts: Sequence[Part]) -> bool:
    """Whether some parts hold and others do not."""
    return {"faithful", "unfaithful"} <= {part.label for part in parts}
