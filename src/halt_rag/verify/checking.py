"""A claim on its way from text to verdict: which windows are read, what the scores say, what follows from that.

What happens to a claim depends on the claim, the sources and the claims before it (by what they leave of the limits),
never on those after it. That is why a text can be checked while it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from halt_rag.nli.scores import Pair
from halt_rag.verify.artifact import TaskModel
from halt_rag.verify.asking import Steps, Tally, scored
from halt_rag.verify.claims import ClaimText
from halt_rag.verify.competence import languages_of, trusted
from halt_rag.verify.decide import Thresholds, decide
from halt_rag.verify.evidence import contradicting
from halt_rag.verify.features import claim_features
from halt_rag.verify.findings import QuantityFinding
from halt_rag.verify.index import ranked
from halt_rag.verify.lexical import Lexemes, lexemes
from halt_rag.verify.reading import Sources, can_be_read
from halt_rag.verify.result import Label, Reason
from halt_rag.verify.rewording import PassageQuantities, Rewording
from halt_rag.verify.tiers import Allowance, Context, Tier
from halt_rag.verify.together import MOST_SUPPORT, Joint, joints

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: So many windows, the nearest by the index, are read first; the others only if these do not support the claim.
FIRST = 16
#: A window with a lower score cannot support a claim (see docs/long-sources.md).
TOO_LITTLE = 0.2


@dataclass(slots=True)
class CheckedClaim:
    """A claim that is checked.

    Attributes:
        claim: Where it is and what is asked about it.
        text: Its text.
        lexemes: Its words, numbers and names.
        asked: Those of what a model is asked about, which may name what the text only refers to.
        tier: The model that checks it.
        first: Indices of the windows that are read for it.
        later: Indices of those that are read only if the first do not support it.
        nearest: Indices of those of the first that are the nearest by words, the nearest first; at most ``FIRST``.
        quantities: What the sources say about its quantities.
        rewordings: The claim with its quantities as a passage writes them, by the passage.
        reworded: Windows of which the scores are those of such a rewording, with it.
        ruled_out: Whether the windows that are in neither cannot support it.
        tally: Pairs asked for it.
        windows: Indices of the windows that were read, in order.
        scores: Their probabilities, shape (windows, 3); None where nothing was read.
        joint: The two passages that support it better than any window alone.
        joint_score: P(entailment) by these.
        complete: Whether all windows were read, and there is at least one.
        features: Its features; empty where nothing was read.
        p: Probability that it is hallucinated; None where nothing was read.
        label: The verdict; None where it is undetermined.
        reason: Why it is not faithful, or why it is undetermined.
        foreign: Whether windows were left out because the model is not competent in their language or the claim's.
    """

    claim: ClaimText
    text: str
    lexemes: Lexemes
    asked: Lexemes
    tier: int
    first: list[int]
    later: list[int]
    nearest: list[int]
    ruled_out: bool
    quantities: list[QuantityFinding] = field(default_factory=list)
    rewordings: dict[int, Rewording] = field(default_factory=dict)
    reworded: dict[int, str] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    windows: list[int] = field(default_factory=list)
    scores: NDArray[np.float32] | None = None
    joint: Joint | None = None
    joint_score: float = 0.0
    complete: bool = False
    features: dict[str, float] | None = None
    p: float | None = None
    label: Label | None = None
    reason: Reason | None = None
    foreign: bool = False

    @property
    def hypothesis(self) -> str:
        """What a model is asked about."""
        return self.claim.hypothesis or ""

    def asked_of(self, window: int) -> str:
        """What a model is asked about with a window."""
        return self.reworded.get(window, self.hypothesis)

    def add(self, windows: Sequence[int], scores: NDArray[np.float32]) -> None:
        """Takes the scores of windows that were read, and keeps all in the order of the windows."""
        import numpy as np

        if not windows:
            return
        every = [*self.windows, *windows]
        rows = scores if self.scores is None else np.concatenate([self.scores, scores])
        order = np.argsort(every)
        self.windows, self.scores = [every[i] for i in order], rows[order]


def check(
    claims: Sequence[ClaimText],
    generated: str,
    sources: Sources,
    *,
    context: Context,
    tier: Tier,
    allowance: Allowance,
) -> Steps[list[CheckedClaim]]:
    """Checks claims with one model.

    Args:
        claims: The claims; those with nothing to check are left out.
        generated: The text they are in.
        sources: What they are checked against.
        context: What the passages and the question hold together.
        tier: The model.
        allowance: What is left of the limits; what is used is taken off.
    """
    checked = _planned(claims, generated, sources, context.quantities, tier=tier, allowance=allowance)
    yield from _read([(c, c.first) for c in checked], sources, tier)
    weigh(checked, sources, context.known, tier)
    unsure = [c for c in checked if c.later and (c.p is None or c.p >= tier.sure_below)]
    yield from _read([(c, c.later) for c in unsure], sources, tier)
    yield from _read_together(checked, sources, tier, allowance)
    weigh(checked, sources, context.known, tier)
    for c in checked:
        c.complete = 0 < len(c.windows) == len(sources.windows)
        judge(c, sources, tier.thresholds)
    return checked


def read_nearest(
    claims: Sequence[ClaimText],
    generated: str,
    sources: Sources,
    *,
    quantities: PassageQuantities,
    tier: Tier,
    allowance: Allowance,
    most: int,
) -> Steps[list[CheckedClaim]]:
    """Reads only as many windows of each claim as ``by_nearest`` needs, and gives no verdicts; otherwise as ``check``.

    Args:
        claims: The claims; those with nothing to check are left out.
        generated: The text they are in.
        sources: What they are checked against.
        quantities: Compares the quantities of a claim with those of the passages.
        tier: The model.
        allowance: What is left of the limits; taken off as by ``check``.
        most: How many windows are read for a claim, at most ``FIRST``.
    """
    checked = _planned(claims, generated, sources, quantities, tier=tier, allowance=allowance)
    yield from _read([(c, c.nearest[:most]) for c in checked], sources, tier)
    return checked


def _planned(
    claims: Sequence[ClaimText],
    generated: str,
    sources: Sources,
    quantities: PassageQuantities,
    *,
    tier: Tier,
    allowance: Allowance,
) -> list[CheckedClaim]:
    checked = [plan(c, generated, sources, tier, allowance) for c in claims if c.hypothesis is not None]
    for c in checked:
        if c.first:
            c.quantities = quantities.findings(c.text)
            c.rewordings = quantities.rewordings(c.text, c.hypothesis)
    return checked


def plan(claim: ClaimText, generated: str, sources: Sources, tier: Tier, allowance: Allowance) -> CheckedClaim:
    """Which windows are read for a claim, within what is left of the limits; none for a claim that cannot be read."""
    text, hypothesis = claim.span.of(generated), claim.hypothesis or ""
    words, asked = lexemes(text), lexemes(hypothesis)
    every = len(sources.windows)
    most = every if tier.mode == "exhaustive" else min(every, tier.settings.max_windows_per_claim)
    room = min(most, allowance.windows)
    if not room:
        return CheckedClaim(claim, text, words, asked, tier.number, [], [], [], ruled_out=False)
    coverage = sources.index.coverage(asked)
    nearest = ranked(coverage)
    read = sorted(nearest[:room])
    texts = [sources.texts[w] for w in read]
    able = trusted(
        text,
        claim.language,
        texts,
        [sources.languages[w] for w in read],
        model_languages=languages_of(tier.backend),
    )
    foreign = len(able) < len(read)
    read = [read[i] for i in able]
    unknown = [part.of(hypothesis) for part in tier.backend.tokenizer.unknown(hypothesis)]
    if not can_be_read(unknown, [sources.texts[w] for w in read]):
        read = []
    allowance.windows -= len(read)
    indexed = tier.indexed(sources)
    ruled_out = (
        indexed
        and len(read) == most < every
        and bool(coverage[nearest[room]] < TOO_LITTLE)
        and sources.index.reaches(asked)
    )
    # An unknown part was looked for in all of these windows, so all are read.
    first, readable = set(nearest[:FIRST] if indexed and not unknown else read), set(read)
    return CheckedClaim(
        claim,
        text,
        words,
        asked,
        tier.number,
        [w for w in read if w in first],
        [w for w in read if w not in first],
        [w for w in nearest[:FIRST] if w in readable],
        ruled_out=ruled_out,
        foreign=foreign,
    )


def _read(wanted: Sequence[tuple[CheckedClaim, list[int]]], sources: Sources, tier: Tier) -> Steps[None]:
    """Scores claims against windows; where a claim has two wordings for a window, the one that it supports better."""
    pairs, again = [], []
    for c, windows in wanted:
        both = [(w, said) for w in windows if (said := _rewording(c, w, sources)) is not None]
        asked = [*((w, c.hypothesis) for w in windows), *both]
        pairs.append((c.tally, [Pair(sources.texts[w], said) for w, said in asked]))
        again.append(both)
    scores = yield from scored(tier.number, pairs)
    for (c, windows), both, part in zip(wanted, again, scores, strict=True):
        rows = part.probabilities[: len(windows)].copy()
        for (w, said), row in zip(both, part.probabilities[len(windows) :], strict=True):
            at = windows.index(w)
            if row[0] > rows[at, 0]:
                rows[at] = row
                c.reworded[w] = said
        c.add(windows, rows)
        if not tier.number:
            c.tally.windows.update(windows)


def _rewording(c: CheckedClaim, window: int, sources: Sources) -> str | None:
    """The claim with its quantities as the passage of a window writes them, if one of them stands in the window."""
    where = sources.windows[window]
    found = c.rewordings.get(where.passage)
    return found.text if found and any(where.span.overlaps(place) for place in found.places) else None


def _read_together(checked: Sequence[CheckedClaim], sources: Sources, tier: Tier, allowance: Allowance) -> Steps[None]:
    """Scores claims that no window supports against two windows together."""
    tried: list[list[Joint]] = []
    for c in checked:
        found = [] if c.scores is None or c.p is None else _joints(c, sources, tier)
        allowance.joints -= len(found)
        tried.append(found if allowance.joints >= 0 else [])
    pairs = [(c.tally, [Pair(j.premise, c.hypothesis) for j in some]) for c, some in zip(checked, tried, strict=True)]
    scores = yield from scored(tier.number, pairs)
    for c, some, part in zip(checked, tried, scores, strict=True):
        if some:
            best = int(part.entailment.argmax())
            c.joint, c.joint_score = some[best], min(MOST_SUPPORT, float(part.entailment[best]))


def _joints(c: CheckedClaim, sources: Sources, tier: Tier) -> list[Joint]:
    alone = [] if c.scores is None else c.scores[:, 0].tolist()
    return joints(
        c.asked,
        c.windows,
        alone,
        sources,
        tokenizer=tier.backend.tokenizer,
        budget=tier.settings.window_tokens,
    )


def weigh(checked: Sequence[CheckedClaim], sources: Sources, known: Lexemes, tier: Tier) -> None:
    """Turns scores into features and probabilities."""
    for c in checked:
        if c.scores is None:
            continue
        entailment = max(float(c.scores[:, 0].max()), c.joint_score)
        c.features, c.p = _weighed(c, c.windows, entailment, sources=sources, known=known, model=tier.model)


@dataclass(frozen=True, slots=True)
class NearestReading:
    """What the windows nearest to a claim say of it.

    Attributes:
        p: P(hallucinated).
        entailment: The highest P(entailment).
        contradiction: The highest P(contradiction).
    """

    p: float
    entailment: float
    contradiction: float


def by_nearest(
    c: CheckedClaim, most: int, sources: Sources, known: Lexemes, model: TaskModel | None
) -> NearestReading | None:
    """A claim from its nearest windows alone, the same whatever else was read.

    Args:
        c: A claim that was checked, or read by ``read_nearest``.
        most: How many windows count, at most ``FIRST``.
        sources: What it was checked against.
        known: Words, numbers and names of all passages and of the question together.
        model: Weighs it; None: 1 - P(entailment).

    Returns:
        None where nothing was read.
    """
    near = set(c.nearest[:most])
    rows = [i for i, window in enumerate(c.windows) if window in near]
    if c.scores is None or not rows:
        return None
    windows = [c.windows[i] for i in rows]
    entailment, _, contradiction = c.scores[rows].max(axis=0).tolist()
    _, p = _weighed(c, windows, entailment, sources=sources, known=known, model=model)
    return NearestReading(p, entailment, contradiction)


def _weighed(
    c: CheckedClaim,
    windows: Sequence[int],
    entailment: float,
    *,
    sources: Sources,
    known: Lexemes,
    model: TaskModel | None,
) -> tuple[dict[str, float], float]:
    """Features and P(hallucinated) of a claim that was read in some windows."""
    features = claim_features(
        c.lexemes,
        [sources.lexemes[w] for w in windows],
        entailment=entailment,
        known=known,
        with_question=c.claim.with_question,
        quantities=c.quantities,
    )
    return features, model.claim_head.probability(features) if model else 1 - entailment


def judge(c: CheckedClaim, sources: Sources, thresholds: Thresholds) -> None:
    """Gives a claim its verdict, whatever the other claims are.

    A claim that found no support is undetermined unless everything was read for it, or what was not read is ruled out.
    """
    unread: Reason = "language" if c.foreign else "not_read"
    if c.p is None or c.scores is None:
        c.reason = unread
        return
    decision, _ = decide(c.p, thresholds, complete=True)
    if decision == "supported":
        c.label = "faithful"
    elif not c.complete and not c.ruled_out:
        c.reason = unread
    elif decision == "abstain":
        c.reason = "uncertain"
    else:
        c.label = "unfaithful"
        against = contradicting(c.lexemes, c.windows, c.scores, sources)
        c.reason = "unsupported" if against is None else "contradicted"
