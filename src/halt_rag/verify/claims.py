"""The claims of a generated text: its sentences, each checkable or with nothing to check (``na.py`` has the rules).

What is asked about a sentence is what it says where it stands: without the marks of Markdown, a row of a table with the
names of its columns, an item of a list with the words that announce it, a pronoun replaced by whom it stands for, an
answer with its question. The span of a claim stays that of the sentence. docs/claims.md says which of these choices
were measured, and how.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span, trimmed
from halt_rag.verify.clauses import clauses_of as clauses_of  # What callers divide claims with.
from halt_rag.verify.context import antecedent_of, asked_about, resolved
from halt_rag.verify.languages import language_of
from halt_rag.verify.na import is_na, is_yes_or_no, lead_in_end
from halt_rag.verify.questions import asks_yes_or_no, says_yes_or_no, statement_of
from halt_rag.verify.structure import is_item, only_announces, speakers, tables, unmarked

#: An answer of at most this many words is read together with its question.
SHORT_ANSWER_WORDS = 8

#: How many code points before a short claim tell its language.
_AROUND = 500
_WORD = re.compile(r"\w+")
_ASKED_AND_ANSWERED = re.compile(r"(?P<asked>[^?]+\?)\s+(?P<answer>[^?]{2,40})")
#: A question about the conversation: "Do you have other questions?", "Is there anything else?"
_TALKS = re.compile(r"\b(?:i|me|my|we|us|our|you|your|anything|this)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim before it is checked.

    Attributes:
        span: Where it is in the generated text, without surrounding white space.
        hypothesis: What a model is asked about; None where there is nothing to check.
        with_question: Whether the hypothesis is made of the question and the claim.
        language: The language of the claim, or of the text around it where it is too short to tell; None where that is
            too short, too, or there is nothing to check.
    """

    span: Span
    hypothesis: str | None
    with_question: bool = False
    language: str | None = None


def claims_of(generated: str, question: str | None) -> list[ClaimText]:
    """Every sentence of a generated text, in order; together they hold all that is not white space."""
    reader = _Reader(generated, question)
    spans = [part for span in _statements(generated, reader.rows) for part in reader.by_turns(span)]
    claims = [reader.claim(span, following) for span, following in zip_longest(spans, spans[1:])]
    return [c if c.hypothesis is None else replace(c, language=_language(c, generated)) for c in claims]


def _language(claim: ClaimText, generated: str) -> str | None:
    span = claim.span
    said = (claim.hypothesis or "") if claim.with_question else span.of(generated)
    # Only what stands before: what follows may not be written yet.
    return language_of(said) or language_of(generated[max(0, span.start - _AROUND) : span.end])


class _Reader:
    """Reads the sentences of a text in order, and keeps what the next one needs."""

    def __init__(self, generated: str, question: str | None) -> None:
        self._generated, self._question = generated, question.strip() if question else None
        self._whole = len(generated.strip())
        found = tables(generated)
        self.rows = [span for span, _ in found]
        self._said = dict(found)
        self._turns = speakers(generated)
        self._announced = ""
        self._asked: str | None = None
        self._subject = asked_about(self._question) if self._question else None

    def claim(self, span: Span, following: Span | None) -> ClaimText:
        """The claim that a sentence is.

        Args:
            span: The sentence.
            following: The sentence after it.
        """
        asked, self._asked = self._asked, None
        if span in self._said:
            return ClaimText(span, self._said[span])
        text = span.of(self._generated)
        item = is_item(text)
        if not item:
            self._announced = ""
        if asked and (is_yes_or_no(text) or says_yes_or_no(text) is not None):
            return ClaimText(span, statement_of(asked, text) or f"{asked} {text}", with_question=True)
        if is_na(text, self._question):
            self._asked = unmarked(text) if _asks_a_fact(text) else None
            return ClaimText(span, None)
        if following and text.endswith((":", ":**")) and is_item(following.of(self._generated)):
            self._announced = unmarked(text)
            self._subject = antecedent_of(self._announced) or self._subject
            return ClaimText(span, None if only_announces(text) else self._announced)
        answer = self._answer(span, text)
        plain = unmarked(text)
        return answer or ClaimText(span, self._in_context(span, _answered(plain) or plain, item=item))

    def by_turns(self, span: Span) -> Iterator[Span]:
        """A sentence, cut where the next speaker's turn begins."""
        place = bisect_right(self._turns, span.start, key=_turn_start)
        while place < len(self._turns) and self._turns[place][0].start < span.end:
            cut = self._turns[place][0].start
            yield trimmed(self._generated, Span(span.start, cut))
            span = trimmed(self._generated, Span(cut, span.end))
            place += 1
        yield span

    def _answer(self, span: Span, text: str) -> ClaimText | None:
        """The claim together with its question, where it is a short answer or "yes" or "no"."""
        short = len(text) == self._whole and len(_WORD.findall(text)) <= SHORT_ANSWER_WORDS
        plain = unmarked(text)
        if not self._question or not (short or is_yes_or_no(text) or says_yes_or_no(plain) is not None):
            return None
        stated = statement_of(self._question, plain)
        if stated is None and self._subject:
            stated = resolved(plain, self._subject)
        return ClaimText(span, stated or f"{self._question} {plain}", with_question=True)

    def _in_context(self, span: Span, plain: str, *, item: bool) -> str:
        """A sentence with what it needs of those before it."""
        replaced = resolved(plain, self._subject) if self._subject else None
        said = replaced or plain
        if replaced is None:
            self._subject = antecedent_of(plain) or (self._subject if item else None)
        if item and self._announced and antecedent_of(plain) is None:
            return f"{self._announced} {said}"
        who = self._speaker(span)
        return f"{who}: {said}" if who else said

    def _speaker(self, span: Span) -> str | None:
        """Who says a sentence that is not the first of a turn."""
        place = bisect_right(self._turns, span.start, key=_turn_start) - 1
        if place < 0:
            return None
        turn, who = self._turns[place]
        begins = turn.start + len(turn.of(self._generated)) - len(turn.of(self._generated).lstrip(" \t>"))
        return who if begins < span.start and span.end <= turn.end else None


def _answered(plain: str) -> str | None:
    """What a sentence says that is a question with its "yes" or "no": "Is it open? No."."""
    parts = _ASKED_AND_ANSWERED.fullmatch(plain)
    return statement_of(parts["asked"], parts["answer"]) if parts and _asks_a_fact(parts["asked"]) else None


def _asks_a_fact(text: str) -> bool:
    """Whether "yes" or "no" after a question asserts something of the world, not of who speaks."""
    plain = unmarked(text)
    return asks_yes_or_no(plain) and plain.endswith("?") and not _TALKS.search(plain)


def _turn_start(turn: tuple[Span, str]) -> int:
    return turn[0].start


def _statements(generated: str, rows: list[Span]) -> Iterator[Span]:
    """The sentences without white space around them; a row of a table is one, a lead-in before a colon is one."""
    done = 0
    row_starts = [row.start for row in rows]
    for sentence in split_sentences(generated):
        span = trimmed(generated, Span(max(sentence.start, done), max(sentence.end, done)))
        while span:
            place = bisect_right(row_starts, span.start) - 1
            row = rows[place] if place >= 0 and span.start < rows[place].end else None
            if row is not None and span.start == row.start:
                yield row
                done = row.end
                span = trimmed(generated, Span(max(span.start, done), max(span.end, done)))
                continue
            upcoming = rows[place + 1].start if place + 1 < len(rows) else len(generated)
            cut = min(span.end, upcoming)
            yield from _without_lead_in(generated, trimmed(generated, Span(span.start, cut)))
            span = trimmed(generated, Span(cut, span.end))


def _without_lead_in(generated: str, span: Span) -> Iterator[Span]:
    cut = span.start + lead_in_end(span.of(generated))
    if cut > span.start:
        yield trimmed(generated, Span(span.start, cut))
    yield Span(cut, span.end)
