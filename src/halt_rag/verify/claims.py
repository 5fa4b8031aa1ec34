"""The claims of a generated text: its sentences, each checkable or with nothing to check (``na.py`` has the rules).

A lead-in or restated question before a colon is cut off from the statement after it. "Yes" and "No" are claims together
with the question that they answer, and so are other answers that are short and stand alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span, trimmed
from halt_rag.verify.na import is_na, is_yes_or_no, lead_in_end

#: An answer of at most this many words is read together with its question.
SHORT_ANSWER_WORDS = 8

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim before it is checked.

    Attributes:
        span: Where it is in the generated text, without surrounding white space.
        hypothesis: What a model is asked about; None where there is nothing to check.
        with_question: Whether the hypothesis begins with the question.
    """

    span: Span
    hypothesis: str | None
    with_question: bool = False


def claims_of(generated: str, question: str | None) -> list[ClaimText]:
    """Every sentence of a generated text, in order; together they hold all that is not white space."""
    claims = []
    whole = len(generated.strip())
    for span in _statements(generated):
        text = span.of(generated)
        short = len(text) == whole and len(_WORD.findall(text)) <= SHORT_ANSWER_WORDS
        if is_na(text, question):
            claims.append(ClaimText(span, None))
        elif question and (short or is_yes_or_no(text)):
            claims.append(ClaimText(span, f"{question.strip()} {text}", with_question=True))
        else:
            claims.append(ClaimText(span, text))
    return claims


def _statements(generated: str) -> Iterator[Span]:
    """The sentences without white space around them, and without the lead-in before a colon, which comes first."""
    for sentence in split_sentences(generated):
        span = trimmed(generated, sentence)
        if not span:
            continue
        cut = span.start + lead_in_end(span.of(generated))
        if cut > span.start:
            yield trimmed(generated, Span(span.start, cut))
        yield Span(cut, span.end)


_CLAUSE = re.compile(
    r"[,;]\s+(?:and|but|while|whereas|which|who|und|aber|et|mais|y|pero)\s+|;\s+|(?<!\s)\s+and\s+|,\s+", re.IGNORECASE
)


def clauses_of(text: str) -> list[str]:
    """The clauses of a sentence that are long enough to be checked alone; fewer than two where it is not compound."""
    words = [word.start() for word in _WORD.finditer(text)]
    parts, last, before = [], 0, 0
    for match in _CLAUSE.finditer(text):
        here, after = bisect_left(words, match.start()), bisect_left(words, match.end())
        if here - before >= 4 and len(words) - after >= 3:
            parts.append(text[last : match.start()].strip())
            last, before = match.end(), after
    parts.append(text[last:].strip())
    return parts
