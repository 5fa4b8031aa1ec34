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
from halt_rag.verify.denials import without_denial
from halt_rag.verify.languages import language_of
from halt_rag.verify.na import is_na, is_yes_or_no, lead_in_end
from halt_rag.verify.questions import asks_yes_or_no, says_yes_or_no, statement_of
from halt_rag.verify.structure import TableRow, is_dialogue, is_item, only_announces, tables, turns, unmarked

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


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a generated text.

    Attributes:
        span: Where it is, without surrounding white space.
        row: What it is in a table; None outside.
    """

    span: Span
    row: TableRow | None


@dataclass(frozen=True, slots=True)
class Place:
    """From where on a text is read, and what must be known there of what stands before.

    Attributes:
        start: Where that is; the beginning of a sentence.
        opened: The lines that open the table or the code that it is in; empty outside.
        width: How long the lines before it in its paragraph are, in code points.
    """

    start: int = 0
    opened: str = ""
    width: int = 0


def claims_of(generated: str, question: str | None) -> list[ClaimText]:
    """Every sentence of a generated text, in order; together they hold all that is not white space."""
    found = turns(generated)
    reader = Reader(question)
    reader.take(generated, found if is_dialogue(who for _, who in found) else [])
    sentences = reader.sentences(Place())
    return [reader.claim(one, following) for one, following in zip_longest(sentences, sentences[1:])]


def _language(claim: ClaimText, generated: str) -> str | None:
    span = claim.span
    said = (claim.hypothesis or "") if claim.with_question else span.of(generated)
    # Only what stands before: what follows may not be written yet.
    return language_of(said) or language_of(generated[max(0, span.start - _AROUND) : span.end])


@dataclass(frozen=True, slots=True)
class Before:
    """What a sentence needs of those before it.

    Attributes:
        announced: The words that announce the items of a list.
        asked: The question right before it.
        subject: Whom or what a pronoun stands for.
    """

    announced: str = ""
    asked: str | None = None
    subject: str | None = None


class Reader:
    """Reads the sentences of a text in order, and keeps what the next one needs."""

    def __init__(self, question: str | None) -> None:
        self._question = question.strip() if question else None
        self._generated = ""
        self._turns: list[tuple[Span, str]] = []
        self._announced = ""
        self._asked: str | None = None
        self._subject = asked_about(self._question) if self._question else None

    @property
    def before(self) -> Before:
        """What the next sentence needs; it can be set to what it was."""
        return Before(self._announced, self._asked, self._subject)

    @before.setter
    def before(self, before: Before) -> None:
        self._announced, self._asked, self._subject = before.announced, before.asked, before.subject

    def take(self, generated: str, spoken: list[tuple[Span, str]]) -> None:
        """Takes the text, or the text with more of it, and its turns, if it is a dialogue."""
        self._generated, self._turns = generated, spoken

    def sentences(self, place: Place) -> list[Sentence]:
        """The sentences from a place on, as they are in the whole text."""
        begin, before = len(place.opened), place.start - len(place.opened)
        found: list[Sentence] = []
        for span, row in _statements(place.opened + self._generated[place.start :], place.width):
            if span.end > begin:
                found += self._by_turns(Span(max(span.start, begin) + before, span.end + before), row)
        return found

    def claim(self, sentence: Sentence, following: Sentence | None) -> ClaimText:
        """The claim that a sentence is.

        Args:
            sentence: The sentence.
            following: The sentence after it.
        """
        claim = self._claim(sentence, following)
        return claim if claim.hypothesis is None else replace(claim, language=_language(claim, self._generated))

    def _claim(self, sentence: Sentence, following: Sentence | None) -> ClaimText:
        asked, self._asked = self._asked, None
        span = sentence.span
        if sentence.row:
            return ClaimText(span, sentence.row.said)
        text = span.of(self._generated)
        item = is_item(text)
        if not item:
            self._announced = ""
        if asked and (is_yes_or_no(text) or says_yes_or_no(text) is not None):
            return ClaimText(span, statement_of(asked, text) or f"{asked} {text}", with_question=True)
        if is_na(text, self._question):
            self._asked = unmarked(text) if _asks_a_fact(text) else None
            return ClaimText(span, None)
        if following and text.endswith((":", ":**")) and is_item(following.span.of(self._generated)):
            self._announced = unmarked(text)
            self._subject = antecedent_of(self._announced) or self._subject
            return ClaimText(span, None if only_announces(text) else self._announced)
        answer = self._answer(span, text, alone=following is None and self._begins(span))
        plain = unmarked(text)
        said = _answered(plain) or without_denial(plain) or plain
        return answer or ClaimText(span, self._in_context(span, said, item=item))

    def _by_turns(self, span: Span, row: TableRow | None) -> Iterator[Sentence]:
        """A sentence, cut where the next speaker's turn begins."""
        whole = span
        place = bisect_right(self._turns, span.start, key=_turn_start)
        while place < len(self._turns) and self._turns[place][0].start < span.end:
            cut = self._turns[place][0].start
            yield Sentence(trimmed(self._generated, Span(span.start, cut)), None)
            span = trimmed(self._generated, Span(cut, span.end))
            place += 1
        yield Sentence(span, row if span == whole else None)

    def _begins(self, span: Span) -> bool:
        """Whether a sentence is the first."""
        return not self._generated[: span.start].strip()

    def _answer(self, span: Span, text: str, *, alone: bool) -> ClaimText | None:
        """The claim together with its question, where it is a short answer or "yes" or "no"."""
        short = alone and len(_WORD.findall(text)) <= SHORT_ANSWER_WORDS
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


def _statements(generated: str, width: int) -> Iterator[tuple[Span, TableRow | None]]:
    """The sentences without white space around them; a row of a table is one, a lead-in before a colon is one."""
    done = 0
    rows = tables(generated)
    row_starts = [row.span.start for row in rows]
    for sentence in split_sentences(generated, width=width):
        span = trimmed(generated, Span(max(sentence.start, done), max(sentence.end, done)))
        while span:
            place = bisect_right(row_starts, span.start) - 1
            row = rows[place] if place >= 0 and span.start < rows[place].span.end else None
            if row is not None and span.start == row.span.start:
                yield row.span, row
                done = row.span.end
                span = trimmed(generated, Span(max(span.start, done), max(span.end, done)))
                continue
            upcoming = row_starts[place + 1] if place + 1 < len(rows) else len(generated)
            cut = min(span.end, upcoming)
            for part in _without_lead_in(generated, trimmed(generated, Span(span.start, cut))):
                yield part, None
            span = trimmed(generated, Span(cut, span.end))


def _without_lead_in(generated: str, span: Span) -> Iterator[Span]:
    cut = span.start + lead_in_end(span.of(generated))
    if cut > span.start:
        yield trimmed(generated, Span(span.start, cut))
    yield Span(cut, span.end)
