"""Which sentence decided a claim, and whether part of a failed claim holds."""

from __future__ import annotations

from dataclasses import dataclass

from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span, trimmed
from halt_rag.verify.claims import clauses_of
from halt_rag.verify.lexical import Lexemes, lexemes, recall
from halt_rag.verify.reading import Sources
from halt_rag.verify.result import Evidence, EvidenceKind

_MOST_SENTENCES = 8
#: A sentence stands for its window if it alone reaches this share of the window's probability.
_STANDS_ALONE = 0.6
#: A clause holds, or fails, only where the model is this sure.
_CLAUSE_HOLDS, _CLAUSE_FAILS = 0.7, 0.4


@dataclass(frozen=True, slots=True)
class Search:
    """Where to look for what decided one claim.

    Attributes:
        kind: What is looked for.
        window: Index of the window to look in.
        score: The window's own probability, of entailment or (kind "contradicts") of contradiction.
        sentences: Spans of the sentences in the passage that are compared; empty where the window is one sentence.
        clauses: Clauses of the claim to be checked one by one; empty where it holds as a whole or is not compound.
        pairs: What a model has to score: the sentences, then the clauses.
    """

    kind: EvidenceKind
    window: int
    score: float
    sentences: list[Span]
    clauses: list[str]
    pairs: list[Pair]


def plan_search(
    kind: EvidenceKind, window: int, score: float, *, claim: Lexemes, text: str, hypothesis: str, sources: Sources
) -> Search:
    """What to score to find the deciding sentence of a window; the nearest by words where there are many."""
    place = sources.windows[window]
    premise = sources.texts[window]
    spans = [trimmed(premise, s) for s in split_sentences(premise)]
    spans = [s for s in spans if len(s)]
    if len(spans) > _MOST_SENTENCES:
        near = sorted(spans, key=lambda s: (-recall(claim.words, lexemes(s.of(premise)).words), s.start))
        spans = sorted(near[:_MOST_SENTENCES])
    if len(spans) < 2:
        spans = []
    clauses = clauses_of(text) if kind != "supports" else []
    clauses = clauses if len(clauses) > 1 else []
    pairs = [Pair(s.of(premise), hypothesis) for s in spans] + [Pair(premise, c) for c in clauses]
    return Search(kind, window, score, [s.shift(place.span.start) for s in spans], clauses, pairs)


def found(search: Search, scores: NLIScores | None, sources: Sources) -> Evidence:
    """The deciding sentence; the whole window where none decides alone, or where they were not scored."""
    place = sources.windows[search.window]
    passage = sources.passages[place.passage]
    column = 2 if search.kind == "contradicts" else 0
    whole = trimmed(passage.text, place.span)
    best, score = whole, search.score
    if search.sentences and scores is not None:
        each = scores.probabilities[: len(search.sentences), column]
        top = int(each.argmax())
        if search.kind == "nearest" or each[top] >= _STANDS_ALONE * search.score:
            best, score = search.sentences[top], float(each[top])
    return Evidence(
        passage_id=passage.id,
        passage_index=place.passage,
        start=best.start,
        end=best.end,
        text=best.of(passage.text),
        score=score,
        kind=search.kind,
    )


def holds_in_part(search: Search, scores: NLIScores) -> bool:
    """Whether some clauses of a failed claim are entailed and others are not."""
    each = scores.probabilities[len(search.sentences) : len(search.pairs), 0]
    return bool(len(each) and each.max() >= _CLAUSE_HOLDS and each.min() <= _CLAUSE_FAILS)
