"""Passages cut into windows, claims that fit beside one, and the count of what was read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from halt_rag.errors import ConfigurationError
from halt_rag.text.spans import Span, trimmed, united
from halt_rag.text.windows import Tokenizer, Window, windows
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.claims import ClaimText
from halt_rag.verify.index import WindowIndex
from halt_rag.verify.languages import language_of
from halt_rag.verify.lexical import Lexemes, lexemes, union
from halt_rag.verify.sources import Passage


@dataclass(frozen=True, slots=True)
class Sources:
    """The passages, cut into windows.

    Attributes:
        passages: As given.
        windows: Where the windows lie.
        texts: Their texts.
        lexemes: Their words, numbers and names.
        known: Words, numbers and names of all of them together.
        tokens: Tokens of all passages.
        index: Finds windows by their words.
        languages: The language of each window; None where it is too short to tell.
    """

    passages: list[Passage]
    windows: list[Window]
    texts: list[str]
    lexemes: list[Lexemes]
    known: Lexemes
    tokens: int
    index: WindowIndex
    languages: list[str | None]


def read_sources(passages: list[Passage], tokenizer: Tokenizer, settings: PipelineSettings) -> Sources:
    """Cuts passages into windows.

    Raises:
        ConfigurationError: If a window and a claim together do not fit the model.
    """
    room = settings.window_tokens + settings.claim_tokens + tokenizer.pair_overhead
    if room > tokenizer.max_tokens:
        raise ConfigurationError(
            f"Windows of {settings.window_tokens} and claims of {settings.claim_tokens} tokens need {room}, "
            f"but the model reads {tokenizer.max_tokens}."
        )
    cut = windows([p.text for p in passages], tokenizer, budget=settings.window_tokens, overlap=settings.overlap_tokens)
    texts = [w.span.of(passages[w.passage].text) for w in cut]
    parts = [lexemes(text) for text in texts]
    tokens = sum(tokenizer.count(p.text) for p in passages)
    return Sources(
        passages, cut, texts, parts, union(parts), tokens, WindowIndex(parts), [language_of(text) for text in texts]
    )


def fit_claims(
    claims: Sequence[ClaimText], generated: str, tokenizer: Tokenizer, settings: PipelineSettings
) -> list[ClaimText]:
    """Cuts claims that are too long for the model, and leaves out of their hypotheses what does not fit beside them."""
    most = tokenizer.max_tokens - tokenizer.pair_overhead - settings.window_tokens
    fitted: list[ClaimText] = []
    for claim in claims:
        text = claim.span.of(generated)
        if claim.hypothesis is None:
            fitted.append(claim)
        elif tokenizer.count(text) > settings.claim_tokens:
            for piece in windows([text], tokenizer, budget=settings.claim_tokens, overlap=0):
                span = trimmed(generated, piece.span.shift(claim.span.start))
                fitted.append(replace(claim, span=span, hypothesis=span.of(generated), with_question=False))
        elif claim.hypothesis != text and tokenizer.count(claim.hypothesis) > most:
            fitted.append(replace(claim, hypothesis=text, with_question=False))
        else:
            fitted.append(claim)
    return fitted


def can_be_read(unknown: Iterable[str], windows: Sequence[str]) -> bool:
    """Whether a model can tell a text from others by what it says.

    Whatever a tokenizer does not know looks the same to its model, in a claim and in a source. So each such part of
    the text must stand in one of the windows, character by character and not within a longer word or number.
    """
    patterns = [re.compile(rf"(?<![0-9A-Za-z]){re.escape(part)}(?![0-9A-Za-z])") for part in set(unknown)]
    return all(any(pattern.search(window) for window in windows) for pattern in patterns)


def tokens_read(sources: Sources, read: set[int], tokenizer: Tokenizer) -> int:
    """How many tokens of the passages lie in the windows that were read."""
    if len(read) == len(sources.windows):
        return sources.tokens
    by_passage: dict[int, list[Span]] = {}
    for i in read:
        window = sources.windows[i]
        by_passage.setdefault(window.passage, []).append(window.span)
    total = sum(
        tokenizer.count(span.of(sources.passages[passage].text))
        for passage, spans in by_passage.items()
        for span in united(spans)
    )
    return min(total, sources.tokens)
