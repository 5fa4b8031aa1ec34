"""What a quantity in a text is."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from halt_rag.text.spans import Span

Kind = Literal[
    "number",
    "ordinal",
    "percent",
    "percentage points",
    "basis points",
    "money",
    "measure",
    "date",
    "time",
    "duration",
    "version",
    "range",
]

Bound = Literal["", "about", "more than", "at least", "less than", "at most"]

Day = tuple[int, int, int]
"""Year, month and day; 0 for what is not said."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One number that a numeral can mean.

    Attributes:
        value: The number.
        step: The worth of its last written digit: 0.1 for ``2.5``, 100,000 for ``1.2 million``, 0 for a fraction.
    """

    value: Decimal
    step: Decimal

    def times(self, factor: Decimal) -> Reading:
        """The same reading in another unit."""
        return Reading(self.value * factor, self.step * factor)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, amount, date or time in a text.

    Attributes:
        span: Where it is, with its unit or currency, without words such as "about".
        kind: What it is. A fraction such as "two thirds" is a ``number`` of dimension ``share``.
        numbers: What its numeral can mean, in the unit that is written; several where "1.250" may be either.
        normals: The same in the base unit of the dimension.
        dimension: What compares with it: ``count``, ``ordinal``, ``share``, ``points``, ``money``, ``time`` (seconds),
            ``months``, ``working days``, ``clock`` (minutes since midnight), ``date``, ``version``, or that of the
            unit: ``length``, ``mass``, ``mass/volume`` ...
        unit: The unit as a symbol, the currency's code or symbol, the time zone, or the grain of a date: ``day``,
            ``quarter``, ``decade``, ``century``. Empty where there is none.
        currencies: ISO 4217 codes that the currency can mean.
        days: What a date can mean; several where the order of day and month is not known.
        bound: Whether it is stated as approximate or as a limit.
        ends: The two ends of a ``range``.
        label: A version as written, without ``v``.
    """

    span: Span
    kind: Kind
    numbers: tuple[Reading, ...] = ()
    normals: tuple[Reading, ...] = ()
    dimension: str = "count"
    unit: str = ""
    currencies: frozenset[str] = frozenset()
    days: frozenset[Day] = frozenset()
    bound: Bound = ""
    ends: tuple[Quantity, ...] = ()
    label: str = ""

    @property
    def value(self) -> Decimal | None:
        """The normal value, in the base unit; None where it is no single number (a range, a date, ambiguous marks)."""
        return self.normals[0].value if len(self.normals) == 1 else None
