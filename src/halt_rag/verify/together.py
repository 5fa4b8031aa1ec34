"""Two passages that support a claim only together ("multi-hop" evidence).

The premise is the text of two windows of different passages, one after the other. Whether a pair of windows is tried,
and its premise, depend on the two and the claim alone, so that a further passage never takes a pair away as long as
there are no more than ``MOST`` pairs to try.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span, trimmed
from halt_rag.text.windows import Tokenizer
from halt_rag.verify.lexical import Lexemes, lexemes
from halt_rag.verify.reading import Sources

#: Two passages together count for no more than this. Where a window alone reaches it, no pairs need to be tried.
MOST_SUPPORT = 0.9
#: Pairs of windows tried for a claim, those first that together hold most of its words.
MOST = 6
#: A window that entails a claim with this probability needs no other.
_ALONE = 0.5
#: Together the two hold this share of the claim's words, and each holds this share that the other lacks.
_HELD, _OWN = 0.8, 0.2
_FEWEST_WORDS = 4
#: Windows among which pairs are sought, those that hold most words.
_WINDOWS = 64


@dataclass(frozen=True, slots=True)
class Joint:
    """Two stretches of different passages that are read as one.

    Attributes:
        windows: Indices of the windows.
        spans: What is read of each, in its passage.
        premise: The two texts, one after the other.
    """

    windows: tuple[int, int]
    spans: tuple[Span, Span]
    premise: str


def joints(
    claim: Lexemes,
    windows: Sequence[int],
    entailment: Sequence[float],
    sources: Sources,
    *,
    tokenizer: Tokenizer,
    budget: int,
) -> list[Joint]:
    """The pairs of windows that may support a claim together.

    Args:
        claim: Its words.
        windows: Indices of the windows that were read for it.
        entailment: P(entailment) of each of them.
        sources: The passages and windows.
        tokenizer: The model's own.
        budget: The most tokens of a premise. Windows that do not fit are shortened to the stretch around their
            sentence nearest to the claim.
    """
    words = sorted(claim.words)
    if len(words) < _FEWEST_WORDS or max(entailment, default=1.0) >= MOST_SUPPORT:
        return []
    held = {
        w: sum(1 << i for i, word in enumerate(words) if word in sources.lexemes[w].words)
        for w, p in zip(windows, entailment, strict=True)
        if p < _ALONE
    }
    # By text, not by place: the order of the passages must not change what is read.
    near = sorted((w for w in held if held[w]), key=lambda w: (-held[w].bit_count(), sources.texts[w]))[:_WINDOWS]
    fitting = [
        (a, b)
        for a, b in combinations(near, 2)
        if sources.windows[a].passage != sources.windows[b].passage and _complete(held[a], held[b], len(words))
    ]
    fitting.sort(key=lambda pair: -(held[pair[0]] | held[pair[1]]).bit_count())
    found = (_joint(pair, claim, sources, tokenizer, budget) for pair in fitting[:MOST])
    return [joint for joint in found if tokenizer.count(joint.premise) <= budget]


def _complete(a: int, b: int, words: int) -> bool:
    """Whether two sets of a claim's words complete each other."""
    own = min((a & ~b).bit_count(), (b & ~a).bit_count())
    return own >= _OWN * words and (a | b).bit_count() >= _HELD * words


def _joint(pair: tuple[int, int], claim: Lexemes, sources: Sources, tokenizer: Tokenizer, budget: int) -> Joint:
    whole = sum(sources.windows[w].tokens for w in pair) < budget
    spans = tuple(
        trimmed(text, Span(0, len(text))) if whole else stretch(text, claim, tokenizer, budget // 2 - 1)
        for text in (sources.texts[w] for w in pair)
    )
    premise = " ".join(span.of(sources.texts[w]) for span, w in zip(spans, pair, strict=True))
    first, second = (span.shift(sources.windows[w].span.start) for span, w in zip(spans, pair, strict=True))
    return Joint(pair, (first, second), premise)


def nearest(text: str, claim: Lexemes) -> Span:
    """The sentence of a text that holds most words of a claim; of equals the first."""
    sentences = [s for s in (trimmed(text, s) for s in split_sentences(text)) if s]
    return max(sentences, key=lambda s: (len(claim.words & lexemes(s.of(text)).words), -s.start))


def stretch(text: str, claim: Lexemes, tokenizer: Tokenizer, budget: int) -> Span:
    """The sentence nearest to a claim with as many sentences before it, then after it, as fit in a budget of tokens."""
    sentences = [s for s in (trimmed(text, s) for s in split_sentences(text)) if s]
    place = sentences.index(nearest(text, claim))
    span = sentences[place]
    for other in [*sentences[:place][::-1], *sentences[place + 1 :]]:
        wider = Span(min(span.start, other.start), max(span.end, other.end))
        if tokenizer.count(wider.of(text)) > budget:
            # What comes after may still fit where what comes before does not.
            if other.start > span.start:
                break
            continue
        span = wider
    return span
