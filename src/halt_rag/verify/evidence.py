"""Which sentence decided a claim: the search for it within a window, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span, trimmed
from halt_rag.verify.lexical import Lexemes, lexemes, missing, recall
from halt_rag.verify.reading import Sources
from halt_rag.verify.result import Evidence, EvidenceKind, Missing
from halt_rag.verify.together import Joint, nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_SENTENCES = 8
#: A sentence stands for its window if it alone reaches this share of the window's probability.
_STANDS_ALONE = 0.6
#: A window contradicts a claim only if the model says so and the two share words enough to be about one thing.
CONTRADICTS, SAME_SUBJECT = 0.5, 0.3


@dataclass(frozen=True, slots=True)
class Search:
    """Where to look for what decided one claim.

    Attributes:
        kind: What is looked for.
        window: Index of the window to look in.
        score: The window's own probability, of entailment or (kind "contradicts") of contradiction.
        sentences: Spans in the passage of the sentences that are compared, one where only that comes into question;
            empty where the window is one sentence.
        pairs: What a model has to score: the sentences.
    """

    kind: EvidenceKind
    window: int
    score: float
    sentences: list[Span]
    pairs: list[Pair]


def contradicting(
    claim: Lexemes,
    windows: Sequence[int],
    scores: NDArray[np.float32],
    sources: Sources,
    *,
    least: float = CONTRADICTS,
    shared: float = SAME_SUBJECT,
    beside: int | None = None,
) -> int | None:
    """Position among a claim's windows of the one that contradicts it most; None where none does.

    Args:
        claim: Its words.
        windows: The windows that were read.
        scores: Their probabilities.
        sources: The passages and windows.
        least: How probable the contradiction must be.
        shared: Which share of the claim's words the window must hold.
        beside: A passage that is not looked at.
    """
    best = None
    for place, window in enumerate(windows):
        p = float(scores[place, 2])
        if p < least or sources.windows[window].passage == beside:
            continue
        if (best is None or p > scores[best, 2]) and recall(claim.words, sources.lexemes[window].words) >= shared:
            best = place
    return best


def plan_search(
    kind: EvidenceKind, window: int, score: float, *, claim: Lexemes, hypothesis: str, sources: Sources
) -> Search:
    """What to score to find the deciding sentence of a window.

    The sentence that supports or contradicts is found by the model, among the nearest by words where there are many;
    the one nearest to a claim that nothing supports by its words alone.
    """
    place = sources.windows[window]
    premise = sources.texts[window]
    spans = [s for s in (trimmed(premise, s) for s in split_sentences(premise)) if s]
    if len(spans) > 1 and kind == "nearest":
        spans = [nearest(premise, claim)]
    elif len(spans) > _MOST_SENTENCES:
        near = sorted(spans, key=lambda s: (-recall(claim.words, lexemes(s.of(premise)).words), s.start))
        spans = sorted(near[:_MOST_SENTENCES])
    elif len(spans) < 2:
        spans = []
    pairs = [Pair(s.of(premise), hypothesis) for s in spans]
    return Search(kind, window, score, [s.shift(place.span.start) for s in spans], pairs)


def found(search: Search, scores: NLIScores | None, sources: Sources, *, claim: str) -> Evidence:
    """The deciding sentence; the whole window where none decides alone, or where they were not scored.

    Args:
        search: Where it was looked for.
        scores: Those of ``search.pairs``.
        sources: The passages and windows.
        claim: The claim's text, for what the nearest sentence lacks of it.
    """
    place = sources.windows[search.window]
    best, score = trimmed(sources.passages[place.passage].text, place.span), search.score
    if search.sentences and scores is not None:
        each = scores.probabilities[:, 2 if search.kind == "contradicts" else 0]
        top = int(each.argmax())
        if search.kind == "nearest" or each[top] >= _STANDS_ALONE * search.score:
            best, score = search.sentences[top], float(each[top])
    quote = _quote(search.window, best, score, sources, search.kind)
    if search.kind != "nearest":
        return quote
    words, quantities, names = missing(claim, lexemes(quote.text))
    return quote.model_copy(update={"missing": Missing(words=words, quantities=quantities, names=names)})


@dataclass(frozen=True, slots=True)
class JointSearch:
    """Two passages that support a claim together, and the sentence of each that may do so alone with the other.

    Attributes:
        joint: What was read.
        score: P(entailment) by it.
        sentences: The nearest sentence of each, in its passage.
        pairs: What a model has to score: the two sentences as one premise.
    """

    joint: Joint
    score: float
    sentences: tuple[Span, Span]
    pairs: list[Pair]


def plan_joint_search(joint: Joint, score: float, *, claim: Lexemes, hypothesis: str, sources: Sources) -> JointSearch:
    """What to score to find the two deciding sentences."""
    quotes, spans = [], []
    for window, span in zip(joint.windows, joint.spans, strict=True):
        read = span.of(sources.passages[sources.windows[window].passage].text)
        sentence = nearest(read, claim)
        quotes.append(sentence.of(read))
        spans.append(sentence.shift(span.start))
    return JointSearch(joint, score, (spans[0], spans[1]), [Pair(" ".join(quotes), hypothesis)])


def found_together(search: JointSearch, scores: NLIScores | None, sources: Sources) -> list[Evidence]:
    """The two deciding sentences; all that was read where they do not decide, or were not scored."""
    spans, score = search.joint.spans, search.score
    if scores is not None and scores.entailment[0] >= _STANDS_ALONE * score:
        spans, score = search.sentences, float(scores.entailment[0])
    return [
        _quote(window, span, score, sources, "supports").model_copy(update={"together": True})
        for window, span in zip(search.joint.windows, spans, strict=True)
    ]


def _quote(window: int, span: Span, score: float, sources: Sources, kind: EvidenceKind) -> Evidence:
    index = sources.windows[window].passage
    passage = sources.passages[index]
    return Evidence(
        passage_id=passage.id,
        passage_index=index,
        start=span.start,
        end=span.end,
        text=span.of(passage.text),
        score=score,
        kind=kind,
    )
