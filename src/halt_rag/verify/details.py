"""What is shown for a verdict: the evidence, both sides of a conflict, the parts of a claim that holds in part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.verify.asking import Steps, scored
from halt_rag.verify.checking import CheckedClaim
from halt_rag.verify.evidence import (
    CONTRADICTS,
    JointSearch,
    Search,
    contradicting,
    found,
    found_together,
    plan_joint_search,
    plan_search,
)
from halt_rag.verify.findings import QuantityFinding
from halt_rag.verify.lexical import recall
from halt_rag.verify.parts import AskedClause, in_part, judged, plan_parts
from halt_rag.verify.reading import Sources
from halt_rag.verify.result import Claim, Evidence, EvidenceKind, Part, QuantityCheck, SourceQuote
from halt_rag.verify.tiers import Allowance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Passages are in conflict only where the model is sure of both sides, and the second is about the same thing.
_SUPPORTS, _DENIES, _SAME_THING = CONTRADICTS, 0.8, 0.5


@dataclass(slots=True)
class Details:
    """What is looked for to explain the verdict on a claim.

    Attributes:
        searches: Windows in which the deciding sentence is sought.
        joint: Two passages that support it together.
        clauses: Its clauses, to be checked one by one.
        conflict: Whether the searches are the two sides of a conflict.
    """

    searches: list[Search] = field(default_factory=list)
    joint: JointSearch | None = None
    clauses: list[AskedClause] = field(default_factory=list)
    conflict: bool = False

    def pairs(self) -> list[Pair]:
        """What a model has to score, in the order of the attributes."""
        several = [s.pairs for s in self.searches] + ([self.joint.pairs] if self.joint else [])
        return [pair for pairs in [*several, *(c.pairs for c in self.clauses)] for pair in pairs]


def explain(
    checked: Sequence[CheckedClaim], sources: Sources, *, tier: int, allowance: Allowance, locate: bool
) -> Steps[list[Claim]]:
    """The records of claims that one model checked, in order.

    Args:
        checked: The claims.
        sources: What they were checked against.
        tier: The model.
        allowance: What is left of the limits; what is used is taken off.
        locate: Whether deciding sentences and parts are looked for.
    """
    planned = [plan_details(c, sources) for c in checked]
    wanted = []
    for c, details in zip(checked, planned, strict=True):
        pairs = details.pairs() if locate else []
        allowance.details -= len(pairs)
        wanted.append((c.tally, pairs if allowance.details >= 0 else []))
    scores = yield from scored(tier, wanted)
    return [
        record(c, details, part if len(part) else None, sources)
        for c, details, part in zip(checked, planned, scores, strict=True)
    ]


def plan_details(c: CheckedClaim, sources: Sources) -> Details:
    """What to look for; nothing where nothing was read."""
    scores = c.scores
    if scores is None:
        return Details()
    sides = _conflict(c, scores, sources)
    details = Details(conflict=sides is not None)
    if c.label == "faithful" and c.joint is not None and c.joint_score > scores[:, 0].max():
        details.joint = plan_joint_search(
            c.joint, c.joint_score, claim=c.asked, hypothesis=c.hypothesis, sources=sources
        )
    elif sides is not None:
        both: list[tuple[EvidenceKind, int]] = [("supports", sides[0]), ("contradicts", sides[1])]
        details.searches = [_search(c, kind, place, scores, sources) for kind, place in both]
        if c.label == "unfaithful":
            details.searches.reverse()
    else:
        details.searches = [_search(c, *_deciding(c, scores, sources), scores, sources)]
    if c.label == "unfaithful":
        said = c.text if c.claim.with_question else c.hypothesis
        details.clauses = plan_parts(c.text, said, c.windows, sources)
    return details


def _conflict(c: CheckedClaim, scores: NDArray[np.float32], sources: Sources) -> tuple[int, int] | None:
    """Positions of a window that supports a claim and of one of another passage that contradicts it."""
    top = int(scores[:, 0].argmax())
    if scores[top, 0] < _SUPPORTS:
        return None
    passage = sources.windows[c.windows[top]].passage
    against = contradicting(c.lexemes, c.windows, scores, sources, least=_DENIES, shared=_SAME_THING, beside=passage)
    return None if against is None else (top, against)


def _deciding(c: CheckedClaim, scores: NDArray[np.float32], sources: Sources) -> tuple[EvidenceKind, int]:
    """What decided a claim that was read, and the position of the window it is in."""
    if c.label == "faithful":
        return "supports", int(scores[:, 0].argmax())
    if c.reason == "contradicted":
        against = contradicting(c.lexemes, c.windows, scores, sources)
        if against is not None:
            return "contradicts", against
    held = [recall(c.asked.words, sources.lexemes[w].words) for w in c.windows]
    return "nearest", max(range(len(held)), key=held.__getitem__)


def _search(c: CheckedClaim, kind: EvidenceKind, place: int, scores: NDArray[np.float32], sources: Sources) -> Search:
    score = float(scores[place, 2 if kind == "contradicts" else 0])
    return plan_search(
        kind, c.windows[place], score, claim=c.asked, hypothesis=c.asked_of(c.windows[place]), sources=sources
    )


def record(c: CheckedClaim, details: Details, scores: NLIScores | None, sources: Sources) -> Claim:
    """The record of a claim that was checked; without scores the evidence is what was read."""
    evidence: list[Evidence] = []
    start = 0
    for search in details.searches:
        part = None if scores is None else scores.part(start, start + len(search.pairs))
        evidence.append(found(search, part, sources, claim=c.text))
        start += len(search.pairs)
    if details.joint is not None:
        evidence += found_together(details.joint, None if scores is None else scores.part(start, start + 1), sources)
        start += 1
    parts: list[Part] = []
    if details.clauses and scores is not None:
        parts = judged(
            details.clauses, scores.part(start, len(scores)), sources, claim=c.text, start=c.claim.span.start
        )
    return Claim(
        start=c.claim.span.start,
        end=c.claim.span.end,
        text=c.text,
        label="partial" if in_part(parts) else c.label,
        p_hallucinated=c.p,
        reason=c.reason,
        evidence=evidence,
        conflict=details.conflict,
        parts=parts,
        quantities=[_quantity(finding, c, sources) for finding in c.quantities],
        tier=c.tier,
    )


def _quantity(finding: QuantityFinding, c: CheckedClaim, sources: Sources) -> QuantityCheck:
    span = finding.quantity.span.shift(c.claim.span.start)
    quotes = []
    for place in finding.sources:
        passage = sources.passages[place.source]
        quotes.append(
            SourceQuote(
                passage_id=passage.id,
                passage_index=place.source,
                start=place.span.start,
                end=place.span.end,
                text=place.span.of(passage.text),
            )
        )
    return QuantityCheck(
        start=span.start,
        end=span.end,
        text=finding.quantity.span.of(c.text),
        status=finding.status,
        detail=finding.detail,
        sources=quotes,
    )
