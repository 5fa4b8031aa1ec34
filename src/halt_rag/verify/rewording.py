"""A claim with its quantities as a passage writes them: "2,400 metres" becomes "2.4 km" where that is what it says.

A small model does not convert units, dates or number words, but `text.quantities` does, exactly. So a window that holds
a converted quantity is read for the claim in both wordings, and the one that it supports better counts. The other words
are for the model to judge. Each passage has a wording of its own, so that a further passage never takes one away.

What a wrong rewording would cost is a false claim that looks true. So a quantity is replaced only where both are sure
to mean one value of one thing: "1,250 km" is not "1.25 km", "2.4" under "km" is not "2.4 miles", "early March 1998" is
not "28 March 1998", "about 9 hours" is not "1 to 10 hours".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from halt_rag.text.quantities import Quantity, find_quantities
from halt_rag.text.quantities.relation import relation
from halt_rag.text.spans import Span
from halt_rag.verify.findings import QuantityFinding
from halt_rag.verify.languages import language_of
from halt_rag.verify.quantities import QuantityIndex, compare, compare_with_each

#: A numeral in which one mark stands before three digits: "1,250", "1.250".
_ONE_MARK = re.compile(r"(?<![\d.,])\d{1,3}([.,])\d{3}(?![\d.,]*\d)")
#: Where one of these stands, degrees may be a difference, which converts otherwise.
_DIFFERENCE = re.compile(
    r"\b(?:by|rises?|increased?|drop|fall|decreased?|warming|cooling|changed?|difference|gap|margin|range|within|more|less"
    r"|(?:warm|cold|cool|hott|high|low|great)er)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rewording:
    """A claim in the quantities of one passage.

    Attributes:
        text: What a model is asked about.
        places: Where these quantities stand in the passage.
    """

    text: str
    places: tuple[Span, ...]


class PassageQuantities:
    """What the passages of a text say about the quantities of its claims; they are read when first asked about.

    Args:
        passages: Their texts.
        question: The question that the text answers, if any.
    """

    def __init__(self, passages: Sequence[str], question: str | None) -> None:
        self._passages, self._question = passages, question
        self._index: QuantityIndex | None = None

    def findings(self, claim: str) -> list[QuantityFinding]:
        """What they say about each quantity of a claim."""
        return compare(claim, self._read(), question=self._question) if find_quantities(claim) else []

    def rewordings(self, claim: str, hypothesis: str) -> dict[int, Rewording]:
        """What is asked about a claim, with its quantities as a passage writes them; see ``rewordings``."""
        return rewordings(claim, hypothesis, self._read(), question=self._question) if find_quantities(claim) else {}

    def _read(self) -> QuantityIndex:
        if self._index is None:
            self._index = QuantityIndex(self._passages)
        return self._index


def rewordings(
    claim: str, hypothesis: str, index: QuantityIndex, *, question: str | None = None
) -> dict[int, Rewording]:
    """The rewording for each passage that states a quantity of the claim in another form, by the passage's position.

    Args:
        claim: The claim as it stands in the text.
        hypothesis: What a model is asked about it; only quantities that stand there once are replaced.
        index: The quantities of the passages.
        question: The question that the claim answers, if any.
    """
    found = {}
    for source, findings in compare_with_each(claim, index, question=question):
        made: dict[Span, Span] = {}
        for finding in findings:
            if finding.status != "converted" or len(finding.sources) != 1:
                continue
            place, one = finding.sources[0].span, finding.quantity
            there = next((item for item in source.items if item.span == place), None)
            here = _only_place(one.span.of(claim), hypothesis)
            if here and there and _mean_the_same(one, claim, there, source.text):
                made[here] = place
        text, done = hypothesis, len(hypothesis)
        for here in sorted(made, reverse=True):
            theirs = " ".join(made[here].of(source.text).split())
            if here.end > done or theirs == here.of(hypothesis):
                del made[here]
                continue
            text, done = text[: here.start] + theirs + text[here.end :], here.start
        if made:
            found[source.position] = Rewording(text, tuple(sorted(made.values())))
    return found


def _only_place(own: str, hypothesis: str) -> Span | None:
    """Where a quantity stands in a hypothesis, as a whole; None where that is not sure, or it is said to be exact."""
    places = list(re.finditer(rf"(?<!\w)(?<!\d[.,]){re.escape(own)}(?![.,]?\d)(?!\w)", hypothesis))
    if len(places) != 1 or re.search(r"\b(?:exactly|precisely)\s$", hypothesis[: places[0].start()], re.IGNORECASE):
        return None
    return Span(*places[0].span())


def _mean_the_same(one: Quantity, claim: str, other: Quantity, source: str) -> bool:
    """Whether two quantities that may be equal are sure to be: each has one reading, and these say the same."""
    if one.dimension != other.dimension or (one.kind == "range") is not (other.kind == "range"):
        return False
    if one.ends:
        return all(_mean_the_same(a, claim, b, source) for a, b in zip(one.ends, other.ends, strict=True))
    if one.dimension == "date":
        return one.unit == other.unit and one.days == other.days and len(one.days) == 1
    if one.dimension == "version":
        return one.label == other.label
    if one.dimension in ("ordinal", "clock") and one.unit != other.unit:
        return False
    if one.dimension == "money" and not other.currencies <= one.currencies:
        return False
    if one.dimension == "temperature" and one.unit != other.unit and _DIFFERENCE.search(claim):
        return False
    sure, known = _with_one_reading(one, claim), _with_one_reading(other, source)
    return sure is not None and known is not None and relation(sure, known) == "equal"


def _with_one_reading(one: Quantity, text: str) -> Quantity | None:
    """A quantity with the reading that an English text means, "1,250" and "1.250"; None where several are left."""
    if len(one.normals) == 1:
        return one
    mark = _ONE_MARK.search(one.span.of(text))
    if mark is None or not len(one.normals) == len(one.numbers) == 2 or language_of(text) != "en":
        return None
    at = 0 if mark[1] == "," else 1
    return replace(one, numbers=one.numbers[at : at + 1], normals=one.normals[at : at + 1])
