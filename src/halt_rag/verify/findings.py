"""What the sources say about a quantity of a claim: the record, and what is counted of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from halt_rag.text.quantities import Quantity
from halt_rag.text.spans import Span

Status = Literal["matched", "converted", "derived", "contradicted", "absent"]

#: Counts up to this say little by themselves.
_SMALL = 20


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A place in one of the sources.

    Attributes:
        source: The 0-based position of the source.
        span: The place in its text.
    """

    source: int
    span: Span


@dataclass(frozen=True, slots=True)
class QuantityFinding:
    """What the sources say about one quantity of a claim.

    Attributes:
        quantity: The quantity, with its span in the claim.
        status: ``matched``: a source states it in the same form. ``converted``: a source states it in another form,
            unit or precision. ``derived``: it follows from numbers of a source by one step of arithmetic.
            ``contradicted``: a source gives another value for it. ``absent``: neither.
        detail: What was compared, in words; for ``derived`` the arithmetic. Empty where there is nothing to say.
        sources: The places that were compared with it, none for ``absent``.
    """

    quantity: Quantity
    status: Status
    detail: str = ""
    sources: tuple[SourceSpan, ...] = ()

    @property
    def specific(self) -> bool:
        """Whether the value tells something by itself: a date, an amount, more than a small number or an ordinal."""
        return not says_little(self.quantity)


def says_little(one: Quantity) -> bool:
    """Whether a value stands in many texts by chance: "third", "twice", "two"."""
    return one.dimension in ("ordinal", "times") or (
        one.dimension == "count" and all(abs(reading.value) <= _SMALL for reading in one.numbers)
    )


def quantity_features(findings: Iterable[QuantityFinding]) -> dict[str, float]:
    """Counts of the findings, each at most 2, as features of a claim.

    Returns:
        ``quantities_contradicted``, ``quantities_absent``, ``quantities_found`` (matched or converted) and
        ``quantities_derived``.
    """
    statuses = [finding.status for finding in findings]
    counts = {
        "contradicted": statuses.count("contradicted"),
        "absent": statuses.count("absent"),
        "found": statuses.count("matched") + statuses.count("converted"),
        "derived": statuses.count("derived"),
    }
    return {f"quantities_{name}": float(min(2, count)) for name, count in counts.items()}
