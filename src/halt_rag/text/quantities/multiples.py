"""Numbers that a text states as a part or a multiple of another: "half of the 40", "three times as many as the 15"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from halt_rag.text.quantities.model import Quantity, Reading
from halt_rag.text.spans import Span

_FACTORS = {
    "half": Decimal("0.5"), "double": Decimal(2), "twice": Decimal(2), "triple": Decimal(3), "treble": Decimal(3),
    "thrice": Decimal(3), "quadruple": Decimal(4),
}  # fmt: skip
_BASE = r"(?:the\ |all\ |its\ |their\ |his\ |her\ |our\ |these\ |those\ |that\ of\ (?:the\ )?)?(?:\w{1,12}\ )?"
_AS_MANY = r"as\ (?:many|much|large|big|high|long|old|tall|heavy|fast|wide|deep)(?:\ \w{1,20})?\ as\ "
_AFTER_FACTOR = re.compile(rf"\s(?:(?:of\ |{_AS_MANY}){_BASE}|the\ |all\ |its\ |their\ |these\ |those\ )?", re.VERBOSE)
_FACTOR = re.compile(r"\b(?:half|double|twice|triple|treble|thrice|quadruple)\b", re.IGNORECASE)
_WINDOW = 70


@dataclass(frozen=True, slots=True)
class Multiple:
    """A number that stands in a text as a part or multiple of another.

    Attributes:
        base: The position of the number that is divided or multiplied.
        result: What comes out, with the place of the whole phrase.
    """

    base: int
    result: Quantity


def multiples(text: str, quantities: Sequence[Quantity]) -> list[Multiple]:
    """The parts and multiples of numbers that a text states, in order; linear in its length.

    Args:
        text: The text.
        quantities: Its quantities, in order.
    """
    found = []
    for at, one in enumerate(quantities):
        if len(one.normals) != 1 or one.kind not in ("number", "money", "measure", "duration") or one.bound:
            continue
        if one.dimension in ("share", "times", "points", "ordinal", "version", "temperature"):
            continue
        factor = _before(text, one, quantities[at - 1] if at else None)
        if factor is None:
            continue
        start, value = factor
        result = Quantity(
            Span(start, one.span.end),
            one.kind,
            tuple(_scaled(reading, value) for reading in one.numbers),
            tuple(_scaled(reading, value) for reading in one.normals),
            one.dimension,
            one.unit,
            one.currencies,
        )
        found.append(Multiple(at, result))
    return found


def _before(text: str, base: Quantity, last: Quantity | None) -> tuple[int, Decimal] | None:
    """Where the factor of a number begins, and its value; None where it has none."""
    if last is not None and last.dimension in ("share", "times") and len(last.normals) == 1 and not last.bound:
        gap = text[last.span.end : base.span.start]
        tied = last.dimension == "share" or " as " in gap or gap.strip().lower() == "the"
        if tied and len(gap) > 1 and len(gap) <= _WINDOW and _AFTER_FACTOR.fullmatch(gap):
            return last.span.start, last.normals[0].value
    first = max(0, base.span.start - _WINDOW, last.span.end if last else 0)
    for word in _FACTOR.finditer(text, first, base.span.start):
        if _AFTER_FACTOR.fullmatch(text, word.end(), base.span.start):
            return word.start(), _FACTORS[word[0].lower()]
    return None


def _scaled(reading: Reading, factor: Decimal) -> Reading:
    return Reading(reading.value * factor, Decimal("1e-9"))
