"""What a value check says, and what it is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

VALID = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a quote states a value.

    Attributes:
        code: Empty if it does, else an error or a doubt of :mod:`halt_rag.contracts.evidence.codes`.
        detail: What was found instead, in a few words.
        notes: Codes of notes.
    """

    code: str = VALID
    detail: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueRules:
    """What the field says about its value.

    Attributes:
        type: The declared type.
        locale: A BCP 47 tag such as ``de-DE``, or None: only readings that hold in every locale.
        enum: The members of an ``enum``.
        allow_range: Whether one end of a range may stand for the value.
        folds: The folds under which strings are compared.
    """

    type: str
    locale: str | None = None
    enum: tuple[str, ...] = ()
    allow_range: bool = True
    folds: tuple[str, ...] = ()


# From the best to the least telling, for values with several quotes or several numbers in one quote.
_ORDER = (
    VALID,
    "VALUE_CONTRADICTS_QUOTE",
    "VALUE_AMBIGUOUS",
    "VALUE_OVERPRECISE",
    "CURRENCY_NOT_IN_QUOTE",
    "UNIT_NOT_IN_QUOTE",
    "RANGE_ENDPOINT",
    "VALUE_NOT_DERIVABLE",
    "VALUE_NOT_IN_QUOTE",
    "VALUE_UNPARSEABLE",
)


def best(verdicts: Iterable[Verdict]) -> Verdict:
    """The most telling verdict; of equals, the one with the fewest notes. None of them: not in the quote."""
    ranked = sorted(verdicts, key=lambda verdict: (_ORDER.index(verdict.code), len(verdict.notes)))
    return ranked[0] if ranked else Verdict("VALUE_NOT_IN_QUOTE")


def endpoint(rules: ValueRules) -> Verdict:
    """The verdict on a value that is one end of a range."""
    if rules.allow_range:
        return Verdict(notes=("RANGE_ENDPOINT",))
    return Verdict("RANGE_ENDPOINT", "ranges are forbidden")
