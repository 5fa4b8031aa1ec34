"""A claim with its quantities as a passage writes them: "2,400 metres" becomes "2.4 km" where that is what it says.

A small model does not convert units, dates or number words, but `text.quantities` does, exactly. So a window that holds
a converted quantity is read for the claim in both wordings, and the one that it supports better counts. The other words
are for the model to judge. Each passage has a wording of its own, so that a further passage never takes one away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from halt_rag.text.quantities import find_quantities
from halt_rag.text.spans import Span
from halt_rag.verify.findings import QuantityFinding
from halt_rag.verify.quantities import QuantityIndex, compare, compare_with_each


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
        text, places = hypothesis, []
        for finding in findings:
            if finding.status != "converted" or len(finding.sources) != 1:
                continue
            place = finding.sources[0].span
            own, theirs = finding.quantity.span.of(claim), place.of(source.text)
            here = list(re.finditer(rf"(?<!\w){re.escape(own)}(?!\w)", text))
            if len(here) == 1 and theirs != own:
                text = text[: here[0].start()] + theirs + text[here[0].end() :]
                places.append(place)
        if places:
            found[source.position] = Rewording(text, tuple(places))
    return found
