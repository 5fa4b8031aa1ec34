"""A text that is checked while it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from halt_rag.errors import HaltRagError, InputError
from halt_rag.verify.asking import Scorer, run_together
from halt_rag.verify.claims import ClaimText
from halt_rag.verify.growing import SETTLED
from halt_rag.verify.result import Claim, Verification
from halt_rag.verify.session import Checked, Session
from halt_rag.verify.sources import checked
from halt_rag.verify.summary import nothing_to_check, verification
from halt_rag.verify.tiers import Allowance

#: What must follow a claim before it counts as complete: two words and a space, or so much without one. A boundary
#: that the next word could still undo (after an abbreviation, inside a quotation) has mostly been undone by then.
_GOES_ON = re.compile(r"\s*+(?:\S{16}|\S++\s++\S++\s)")
#: Where a sentence may end. Sentences are looked for only while there is such a place that is followed by enough and is
#: not settled. The white space after it is a part of it, so that no place is looked at from each of many line ends.
_MAY_END = re.compile(r"(?:[^\w\s,'’\"%/&+-]|\n)\s*+")
#: Where more than this is still open (code points), it is read again only when it has grown by a sixteenth.
_LONG = 4096


class Stream:
    """Checks a text that arrives in pieces; ``HaltRagVerifier.stream`` makes one.

    A claim is checked as soon as it is complete, that is, as soon as enough text follows to show that it has ended. The
    sources are read at the start, before there is any text. The final result is the same as that of ``verify`` on the
    whole text, whatever the pieces were.

    Rarely, later text changes what an earlier sentence was (a quotation mark that closes, a table). What was yielded
    is then checked again and yielded again: a claim replaces all that were yielded before and that it overlaps.

    One stream is for one text and one thread at a time.

    Example:
        >>> from halt_rag import HaltRagVerifier
        >>> from halt_rag.nli.fake import FakeNLI
        >>> stream = HaltRagVerifier(backend=FakeNLI()).stream("The dam is old. It is grey.")
        >>> [claim.label for claim in stream.feed("The dam is old. It")]
        []
        >>> [claim.label for claim in stream.feed(" is green")]
        ['faithful']
        >>> stream.feed(" and large.")
        []
        >>> stream.finish().decision
        'hallucinated'
    """

    def __init__(self, session: Session, score: Scorer) -> None:
        self._session, self._score = session, score
        self._growing = session.growing()
        self._text = ""
        self._looked_to, self._look_from = 0, 0
        self._ended: list[ClaimText] = []  # As far as known; what was checked is in ``_claims``.
        self._claims: list[ClaimText] = []
        self._found: list[list[Checked]] = []  # For each claim; empty where there is nothing to check.
        self._limits: list[list[Allowance]] = []  # For each claim, what was left before the batch that it is in.
        self._result: Verification | None = None

    @property
    def text(self) -> str:
        """The text so far."""
        return self._text

    @property
    def result(self) -> Verification:
        """The verification of the whole text.

        Raises:
            InputError: If the text is not finished.
        """
        if self._result is None:
            raise InputError("The text is not finished.", hint="Call finish() when its last piece has been fed.")
        return self._result

    def feed(self, piece: str) -> list[Claim]:
        """Takes the next piece of the text, of any length, and checks what it completes.

        Returns:
            The claims that are complete now, in order; mostly none.

        Raises:
            InputError: If the piece is no string or no valid Unicode, or the text is finished.
            BackendError: If the model cannot be asked. The piece is kept: ``feed("")`` tries again.
        """
        if self._result is not None:
            raise InputError("The text is finished.", hint="Begin another stream for another text.")
        self._text += checked("The piece", piece)
        marks = list(_MAY_END.finditer(self._text, self._looked_to))
        self._looked_to = marks[0].start() if marks else len(self._text)
        if len(self._text) < self._look_from or not any(self._goes_on(mark.end()) for mark in marks):
            return []
        first, claims = self._growing.read(self._text, lambda span: self._goes_on(span.end))
        self._ended[first:] = claims
        new = self._check(self._ended, first)
        open_marks = (mark.start() for mark in marks if not SETTLED.match(self._text, mark.end()))
        self._looked_to = next(open_marks, len(self._text))
        unsettled = len(self._text) - self._growing.place.start
        self._look_from = len(self._text) + (unsettled // 16 if unsettled > _LONG else 0)
        return new

    def _goes_on(self, place: int) -> bool:
        return _GOES_ON.match(self._text, place) is not None

    def finish(self) -> Verification:
        """Checks what is left, and gives the verification of the whole text.

        Raises:
            InputError: If there is no text.
            BackendError: If the model cannot be asked; call it again to try again.
        """
        self._finish()
        return self.result

    def _finish(self) -> list[Claim]:
        """Checks what is left, and returns the records that are new."""
        if self._result is not None:
            return []
        if not self._text.strip():
            raise InputError("The generated text is empty.", hint="There is nothing to verify.")
        new = self._check(self._session.claims_of(self._text), 0)
        found = [one for several in self._found for one in several]
        self._result = verification(self._session, self._claims, self._text, found)
        return new

    def over(self, pieces: Iterable[str]) -> Iterator[Claim]:
        """Checks a text as its pieces come, to its end; then ``result`` is there.

        Yields:
            Each claim when it is complete; those that the end completes last.

        Raises:
            InputError, BackendError: As ``feed`` and ``finish``.
        """
        for piece in pieces:
            yield from self.feed(piece)
        yield from self._finish()

    def _check(self, claims: list[ClaimText], first: int) -> list[Claim]:
        """Makes ``claims``, which are known up to ``first``, what is checked, and returns the records that are new."""
        same = min(first, len(self._claims))
        while same < min(len(claims), len(self._claims)) and claims[same] == self._claims[same]:
            same += 1
        limits = self._limits[same] if same < len(self._limits) else self._session.limits()
        # What was checked in one batch took from the same limits: back to where that batch began.
        while 0 < same < len(self._limits) and self._limits[same - 1] is limits:
            same -= 1
        known = {(record.start, record.end): record for several in self._found[same:] for _, record in several}
        del self._claims[same:], self._found[same:], self._limits[same:]
        self._session.return_to(limits)
        new = claims[same:]
        if not new:
            return []
        try:
            (found,) = run_together([self._session.check(new, self._text)], self._score)
        except HaltRagError:
            self._session.return_to(limits)
            raise
        by_span = {c.claim.span: (c, record) for c, record in found}
        self._claims += new
        self._found += [[by_span[c.span]] if c.span in by_span else [] for c in new]
        self._limits += [limits] * len(new)
        records = [by_span[c.span][1] if c.span in by_span else nothing_to_check(c, self._text) for c in new]
        return [record for record in records if known.get((record.start, record.end)) != record]
