"""How the quantity of one text stands to that of another: the same, another, or not to be compared."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from halt_rag.text.quantities.model import Day, Quantity, Reading

Relation = Literal["equal", "bare", "near", "other unit", "different", "unrelated"]
"""``equal``: the first follows from the second, converted or rounded as far as it says. ``bare``: the same number, but
only one of them has a unit. ``near``: neither the same nor clearly another. ``other unit``: the same number of
something else. ``different``: another value of the same thing. ``unrelated``: they measure different things."""

_ROUNDED = Decimal("0.05")  # The most that rounding may change a number that is stated as exact,
_ABOUT = Decimal("0.1")  # and one that is stated as approximate.
_BEYOND = Decimal("0.25")  # How far a value may lie beyond a limit such as "more than" that describes it.
_TINY = Decimal("1e-12")
_UPPER: frozenset[str] = frozenset({"less than", "at most"})
_LOWER: frozenset[str] = frozenset({"more than", "at least"})
_SECONDS = {"time": Decimal(1), "months": Decimal(2629746), "working days": Decimal(86400)}  # A mean Gregorian month.
_LENGTHS = frozenset(_SECONDS)
_CONFUSED = (
    frozenset({"mass", "volume", "activity", "mass/mass", "mass/volume", "amount/volume"}),
    frozenset({"energy", "power"}),
    frozenset({"data", "data/time"}),
    frozenset({"length", "area", "volume"}),
    frozenset({"share", "points"}),
)
_BARE = frozenset({"count", "times"})
_UNITLESS = frozenset({"count", "times", "ordinal", "version", "date", "clock"})
_ZONES = {
    "Z": 0, "UTC": 0, "GMT": 0, "CET": 60, "MEZ": 60, "CEST": 120, "MESZ": 120, "EST": -300, "EDT": -240, "PST": -480,
    "PDT": -420, "MST": -420, "MDT": -360, "JST": 540,
}  # fmt: skip


def relation(claim: Quantity, source: Quantity) -> Relation:
    """How a claim's quantity stands to one of a source.

    Args:
        claim: What is stated.
        source: What it is held against. The claim may be less precise than the source, not more.
    """
    if "range" in (claim.kind, source.kind):
        return _of_ranges(claim, source)
    if claim.dimension == source.dimension == "date":
        return _of_dates(claim, source)
    if claim.dimension == source.dimension == "version":
        return _of_versions(claim.label, source.label)
    if claim.dimension == source.dimension == "clock":
        return _of_times(claim, source)
    if "date" in (claim.dimension, source.dimension):
        return _of_year(claim, source)
    if claim.dimension == source.dimension == "money" and not claim.currencies & source.currencies:
        return "other unit" if _same_number(claim, source) else "unrelated"
    if claim.dimension == source.dimension == "ordinal" and claim.unit != source.unit:
        return _of_labels(claim, source)
    if claim.dimension == source.dimension:
        return _of_numbers(claim, source)
    return _across(claim, source)


def _of_ranges(claim: Quantity, source: Quantity) -> Relation:
    if claim.kind == source.kind:
        pairs = [relation(one, other) for one, other in zip(claim.ends, source.ends, strict=True)]
        worst: tuple[Relation, ...] = ("unrelated", "different", "other unit", "near", "bare", "equal")
        return min(pairs, key=worst.index)
    whole, single = (claim, source) if claim.kind == "range" else (source, claim)
    low, high = whole.ends
    if single.dimension == low.dimension == high.dimension == "date":
        return "near" if _within(single.days, low.days, high.days) else "unrelated"
    if not (single.normals and low.normals and high.normals) or single.dimension != low.dimension:
        return "unrelated"
    value = single.normals[0].value
    inside = min(one.value for one in low.normals) <= value <= max(one.value for one in high.normals)
    if not inside:
        return "unrelated"
    return "equal" if single is claim and single.bound == "about" else "near"


def _within(days: frozenset[Day], first: frozenset[Day], last: frozenset[Day]) -> bool:
    """Whether a date may lie between two, as far as they go."""
    return any(
        one[0] <= day[0] <= other[0] and (day[0], day[1] or 13, day[2] or 32) >= one and day <= _latest(other)
        for day in days
        for one in first
        for other in last
    )


def _latest(day: Day) -> Day:
    return day[0], day[1] or 13, day[2] or 32


def _of_dates(claim: Quantity, source: Quantity) -> Relation:
    found = _of_calendar(claim, source)
    return "near" if found == "different" and claim.bound != source.bound else found


def _of_calendar(claim: Quantity, source: Quantity) -> Relation:
    if claim.unit == source.unit:
        every = [_of_days(one, other) for one in claim.days for other in source.days]
        return _closest(every)
    if source.unit == "day" and claim.unit in ("decade", "century", "quarter"):
        every = [_in_period(one, claim.unit, day) for one in claim.days for day in source.days]
        return _closest(every)
    return "near"


def _closest(readings: list[Relation]) -> Relation:
    return "equal" if "equal" in readings else "near" if "near" in readings else "different"


def _of_days(claim: Day, source: Day) -> Relation:
    if any(one and other and one != other for one, other in zip(claim, source, strict=True)):
        return "different"
    if any(one and not other for one, other in zip(claim, source, strict=True)):
        return "near"
    return "equal"


def _in_period(period: Day, unit: str, day: Day) -> Relation:
    year, month, _ = day
    if unit == "quarter":
        if (period[0] and year and period[0] != year) or (month and (month + 2) // 3 != period[1]):
            return "different"
        return "equal" if month and (year or not period[0]) else "near"
    if not year:
        return "near"
    return "equal" if (year // 10 * 10 if unit == "decade" else (year + 99) // 100) == period[0] else "different"


def _of_versions(claim: str, source: str) -> Relation:
    if claim == source:
        return "equal"
    return "near" if f"{claim}.".startswith(f"{source}.") or f"{source}.".startswith(f"{claim}.") else "different"


def _minutes_ahead(zone: str) -> int | None:
    """How far a zone is ahead of UTC; None if it is not named or means several."""
    if zone.startswith("+"):
        return int(zone[1:3]) * 60 + int(zone[-2:])
    return _ZONES.get(zone)


def _of_times(claim: Quantity, source: Quantity) -> Relation:
    ahead, behind = _minutes_ahead(claim.unit), _minutes_ahead(source.unit)
    shift = Decimal(behind - ahead) if ahead is not None and behind is not None else Decimal(0)
    near = bool(claim.unit and source.unit and claim.unit != source.unit and (ahead is None or behind is None))
    for one in claim.normals:
        for other in source.normals:
            gap = abs(one.value + shift - other.value) % 1440
            if min(gap, 1440 - gap) < Decimal("0.5" if one.value % 1 == 0 else "0.001"):
                return "near" if near else "equal"
    if claim.unit != source.unit and claim.unit and source.unit and _same_number(claim, source):
        return "other unit"
    return "different"


def _of_year(claim: Quantity, source: Quantity) -> Relation:
    dated, other = (claim, source) if claim.dimension == "date" else (source, claim)
    if other.dimension != "count" or dated.unit != "day":
        return "unrelated"
    years = {year for year, _, _ in dated.days}
    return "equal" if any(reading.value in years for reading in other.numbers) else "unrelated"


def _across(claim: Quantity, source: Quantity) -> Relation:
    """Quantities of different dimensions."""
    kinds = {claim.dimension, source.dimension}
    if kinds <= _LENGTHS:
        return _of_lengths(claim, source)
    same = _same_number(claim, source)
    if "version" in kinds:
        number = claim if source.dimension == "version" else source
        label = source.label if source.dimension == "version" else claim.label
        return "equal" if any(f"{reading.value}" == label for reading in number.numbers) else "unrelated"
    if not same:
        bp = {claim.kind, source.kind} == {"percent", "basis points"}
        return "equal" if bp and _same_normal(claim, source) else "unrelated"
    if kinds & _BARE and not kinds & (_UNITLESS - _BARE):
        return "bare"
    return "other unit" if any(kinds <= group for group in _CONFUSED) else "unrelated"


def _of_lengths(claim: Quantity, source: Quantity) -> Relation:
    """Durations in days, in months and in working days have no exact ratio."""
    if _same_number(claim, source):
        return "other unit"
    one, other = ({reading.value * _SECONDS[side.dimension] for reading in side.normals} for side in (claim, source))
    close = any(abs(left - right) <= Decimal("0.15") * max(left, right) for left in one for right in other)
    return "near" if close or "working days" in (claim.dimension, source.dimension) else "different"


def _same_number(claim: Quantity, source: Quantity) -> bool:
    return bool({reading.value for reading in claim.numbers} & {reading.value for reading in source.numbers})


def _same_normal(claim: Quantity, source: Quantity) -> bool:
    return bool({reading.value for reading in claim.normals} & {reading.value for reading in source.normals})


def _of_labels(claim: Quantity, source: Quantity) -> Relation:
    """What is numbered: "season 3" may be "the third"; "week 3" is nothing to "day 3"."""
    return "equal" if not (claim.unit and source.unit) and _same_number(claim, source) else "unrelated"


def _of_numbers(claim: Quantity, source: Quantity) -> Relation:
    every = {_of_readings(claim, one, source, other) for one in claim.normals for other in source.normals}
    if "equal" in every:
        return "equal"
    if claim.unit != source.unit and _same_number(claim, source) and claim.dimension != "money":
        return "other unit"
    return "near" if "near" in every else "different"


def _of_readings(claim: Quantity, one: Reading, source: Quantity, other: Reading) -> Relation:
    gap, size = abs(one.value - other.value), max(abs(one.value), abs(other.value))
    if gap <= _TINY * size:
        return _of_bounds(claim, source)
    if _beyond(claim, one.value, other.value):
        return "equal"
    if claim.bound != source.bound and (
        _satisfies(claim.bound, one.value, other.value) or _satisfies(source.bound, other.value, one.value)
    ):
        return "near"
    about = claim.bound == "about" or source.bound == "about"
    degrees = claim.dimension == "temperature"
    if degrees:
        size = Decimal("Infinity")
    if gap <= _tolerance(claim, one, source, other) and gap <= (_ABOUT if claim.bound == "about" else _ROUNDED) * size:
        return _of_bounds(claim, source)
    loose = max(_coarse(one), _coarse(other) if about or source.bound else other.step, one.step)
    return "near" if gap <= loose / 2 and gap <= 2 * _ABOUT * size else "different"


def _tolerance(claim: Quantity, one: Reading, source: Quantity, other: Reading) -> Decimal:
    """How far the claim's value may lie from the source's and still state it."""
    step = _coarse(one) if claim.bound == "about" else one.step
    if claim.unit != source.unit and claim.dimension not in ("count", "money"):
        step = max(step, other.step)
    elif other.step > step:
        return Decimal(0)  # More digits than the source has.
    if not step and claim.bound == "about":
        step = abs(one.value) / 10
    return step / 2


def _coarse(reading: Reading) -> Decimal:
    """The worth of the last digit that is not zero: 1,000 for 5,000."""
    if not reading.step or not reading.value:
        return reading.step
    digits = (reading.value / reading.step).to_integral_value()
    zeros = 0
    while digits and digits % 10 == 0:
        digits, zeros = digits // 10, zeros + 1
    return reading.step * Decimal(10) ** zeros


def _beyond(claim: Quantity, limit: Decimal, value: Decimal) -> bool:
    """Whether a value bears out a limit: 5.3 million for "more than 5 million"."""
    if claim.bound in _LOWER:
        return limit < value <= limit * (1 + _BEYOND)
    if claim.bound in _UPPER:
        return limit * (1 - _BEYOND) <= value < limit
    return False


def _satisfies(bound: str, limit: Decimal, value: Decimal) -> bool:
    """Whether a value far from a limit does not break it."""
    return (bound in _LOWER and value > limit) or (bound in _UPPER and value < limit)


def _of_bounds(claim: Quantity, source: Quantity) -> Relation:
    """Equal numbers under unequal bounds."""
    for one, other in ((_LOWER, _UPPER), (_UPPER, _LOWER)):
        if claim.bound in one and source.bound in other:
            return "different"
    return "near" if claim.bound in ("more than", "less than") and source.bound == "" else "equal"
