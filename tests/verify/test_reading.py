"""Passages in windows, claims that fit, and the count of what was read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from halt_rag.nli.fake import WhitespaceTokenizer
from halt_rag.text.spans import Span
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.claims import ClaimText, claims_of
from halt_rag.verify.reading import Sources, fit_claims, read_sources, tokens_read
from halt_rag.verify.sources import Passage
from tests.verify.support import SMALL, plain_texts, texts

TOKENIZER = WhitespaceTokenizer()


def read(*passages: str) -> Sources:
    return read_sources([Passage(str(i), p) for i, p in enumerate(passages)], TOKENIZER, SMALL)


@given(st.lists(texts, min_size=1, max_size=4))
def test_all_windows_together_are_all_tokens(passages: list[str]) -> None:
    sources = read(*passages)
    assert sources.tokens == sum(len(p.split()) for p in passages)
    assert tokens_read(sources, set(range(len(sources.windows))), TOKENIZER) == sources.tokens


@given(st.lists(plain_texts, min_size=1, max_size=4), st.data())
def test_tokens_of_overlapping_windows_count_once(passages: list[str], data: st.DataObject) -> None:
    sources = read(*(p * 5 for p in passages))
    some = data.draw(st.sets(st.integers(0, len(sources.windows) - 1)))
    seen = {
        (w.passage, token)
        for w in (sources.windows[i] for i in some)
        for token, (start, end) in enumerate(TOKENIZER.offsets(sources.passages[w.passage].text))
        if w.span.start < end and start < w.span.end
    }
    assert tokens_read(sources, some, TOKENIZER) == len(seen)


@given(texts, st.integers(1, 6))
def test_fitted_claims_fit_and_still_hold_everything(text: str, copies: int) -> None:
    generated = " ".join([text] * copies)
    settings = PipelineSettings(window_tokens=16, claim_tokens=16)
    fitted = fit_claims(claims_of(generated, None), generated, TOKENIZER, settings)
    assert all(c.hypothesis is None or TOKENIZER.count(c.hypothesis) <= 16 for c in fitted)
    covered = [False] * len(generated)
    for claim in fitted:
        covered[claim.span.start : claim.span.end] = [True] * len(claim.span)
    assert all(seen or c.isspace() for seen, c in zip(covered, generated, strict=True))


def test_a_question_that_does_not_fit_is_left_out() -> None:
    claim = ClaimText(Span(0, 8), "why " * 600 + "In 1967.", with_question=True)
    assert fit_claims([claim], "In 1967.", TOKENIZER, SMALL) == [ClaimText(Span(0, 8), "In 1967.")]
