"""The claims of a text that grows, without taking all of it apart again each time.

What later text can still change is read again; what stands before is settled. Sentences are settled up to the last
place where a paragraph, an item of a list, or a row of a table begins: nothing that follows can change them, as long as
what such a place lies in (a table, a block of code) is known. Inside a long paragraph, where a quotation mark or a
bracket may still be open, they are settled as far as the splitter of sentences never looks back.

Two things can still change what is settled. A second speaker makes lines such as "Note: ..." turns of a dialogue; then
all is read again, once. The others are rare (the end of front matter, HTML around a table, a quotation of more than a
page, a line that is longer than all before it in a hard-wrapped paragraph of more than a page), and only reading the
whole text shows them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from halt_rag.text.spans import Span
from halt_rag.verify.claims import Before, ClaimText, Place, Reader, Sentence
from halt_rag.verify.structure import is_dialogue, is_item, open_fence, turn_at, turns

#: What must follow a place where a sentence may end before that is settled: four words, or so much without spaces.
SETTLED = re.compile(r"\s*+(?:\S{24}|(?:\S++\s++){4})")
#: The splitter of sentences reads pieces of so many code points, and decides the last of them again with the next.
_PIECE, _AGAIN = 2048, 128


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence that was read: its claims, and what the next sentence needs."""

    sentence: Sentence
    claims: list[ClaimText]
    after: Before


class GrowingClaims:
    """The claims of a text of which more and more is there.

    Args:
        question: The question that the text answers, if any.
        fit: What makes claims that fit a model of a claim, given with the text.

    Attributes:
        settled: How many claims will not be read again.
        place: From where on the text will be read again.
    """

    def __init__(self, question: str | None, fit: Callable[[list[ClaimText], str], list[ClaimText]]) -> None:
        self._reader, self._fit = Reader(question), fit
        self._first = self._reader.before
        self._dialogue = False
        self._restart()

    def _restart(self) -> None:
        self.settled = 0
        self.place = Place()
        self._before = self._first
        self._read: list[_Read] = []
        self._names: set[str] = set()  # Who may speak before the place, and the last turn there.
        self._turn: tuple[Span, str] | None = None

    def read(self, text: str, ended: Callable[[Span], bool]) -> tuple[int, list[ClaimText]]:
        """Reads the sentences that have ended, and settles what can be.

        Args:
            text: The text so far; it begins with that of the last call.
            ended: Whether enough follows a sentence to show that it has ended. If not, it is not read.

        Returns:
            How many claims were settled before (0 where a second speaker now shows), and the claims after them.
        """
        spoken = turns(text, self.place.start)
        names = self._names.union(who for _, who in spoken)
        if is_dialogue(names) and not self._dialogue:
            self._dialogue = True
            self._restart()
            spoken = turns(text)
        if self._turn:
            spoken.insert(0, (turn_at(text, self._turn[0].start), self._turn[1]))
        self._reader.take(text, spoken if self._dialogue else [])
        sentences = self._reader.sentences(self.place)
        self._read_on(sentences, text, ended)
        first, claims = self.settled, [claim for one in self._read for claim in one.claims]
        self._settle(sentences, text, spoken)
        return first, claims

    def _read_on(self, sentences: list[Sentence], text: str, ended: Callable[[Span], bool]) -> None:
        """Reads the sentences that have ended, save those that are as they were."""
        same = 0
        while same < min(len(self._read), len(sentences)) and self._read[same].sentence == sentences[same]:
            same += 1
        del self._read[same:]
        self._reader.before = self._read[-1].after if self._read else self._before
        for place in range(same, len(sentences) - 1):
            one = sentences[place]
            if not ended(one.span):
                break
            claims = self._fit([self._reader.claim(one, sentences[place + 1])], text)
            self._read.append(_Read(one, claims, self._reader.before))

    def _settle(self, sentences: list[Sentence], text: str, spoken: list[tuple[Span, str]]) -> None:
        """Goes on to the last place up to which what was read is settled."""
        places = [i + 1 for i, one in enumerate(self._read) if SETTLED.match(text, one.sentence.span.end)]
        natural = [i for i in places if _begins_apart(sentences[i - 1], sentences[i], text)]
        if natural:
            at = natural[-1]
        elif places and len(text) - self.place.start > _PIECE:
            far = self.place.start + _PIECE - _AGAIN
            at = max((i for i in places if sentences[i].span.start <= far), default=places[0])
        else:
            return
        start, row = sentences[at].span.start, sentences[at].row
        passed = self.place.opened + text[self.place.start : start]
        opened = row.head if row else open_fence(passed)
        self.place = Place(start, opened, 0 if natural else max(self.place.width, _widest(passed)))
        self.settled += sum(len(one.claims) for one in self._read[:at])
        self._before = self._read[at - 1].after
        del self._read[:at]
        before = [turn for turn in spoken if turn[0].start < start]
        self._names.update(who for _, who in before)
        self._turn = before[-1] if before else None


def _begins_apart(before: Sentence, sentence: Sentence, text: str) -> bool:
    """Whether a sentence begins where one ends whatever the words are."""
    gap = text[before.span.end : sentence.span.start].rstrip(" \t")
    if len(gap.splitlines()) > 1:
        return True
    return bool(gap) and (sentence.row is not None or is_item(sentence.span.of(text)))


def _widest(lines: str) -> int:
    """How long the longest of the lines is that have ended."""
    return max(map(len, lines.splitlines()[:-1]), default=0)
