"""Numbers that follow from others by one step of arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import permutations

from halt_rag.text.quantities.model import Quantity, Reading
from halt_rag.text.quantities.relation import relation

_SUM = re.compile(
    r"\b(?:total\w*|altogether|combined|together|in all|overall|sum|both|insgesamt|zusammen|gesamt\w*|summe|"
    r"ensemble|somme|"
    r"en tout|au total|cumul\w*|juntos|juntas|suma\w*|conjunto|en total)\b",
    re.IGNORECASE,
)
#: What can be said of several kinds together ("75 people" of 40 men and 35 women), where they stand side by side.
_KINDS = re.compile(
    r"(?:people|persons|individuals|members|participants|passengers|attendees|guests|residents|inhabitants|patients|"
    r"students|pupils|workers|employees|staff|victims|animals|birds|vehicles|items|pieces|units|products|devices)\b",
    re.IGNORECASE,
)
_BESIDE = 20  # The most code points between two numbers of one list: "40 men and 35 women".
_DIFFERENCE = re.compile(
    r"\b(?:differen\w+|differ\w*|more|less|fewer|increas\w+|decreas\w+|rose|risen|rise|grew|grown|growth|fell|fallen|drop\w*|"
    r"declin\w+|gap|margin|remain\w*|left|lost|gain\w*|additional\w*|extra|faster|slower|longer|shorter|higher|lower|taller|"
    r"older|younger|cheaper|sav\w+|up by|down by|apart|later|earlier|after|lasted|ago|change\w*|reduc\w+|"
    r"mehr|weniger|unterschied|gestiegen|stieg|sank|gesunken|gewachsen|zunahme|rückgang|übrig|später|dauerte|"
    r"de plus|de moins|différence|hausse|baisse|augment\w+|dimin\w+|reste\w*|"
    r"diferencia|aument\w+|disminu\w+|creci\w+|baj[óa]\w*|quedan|menos|más)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:increas\w+|decreas\w+|rose|risen|rise|grew|grown|growth|fell|fallen|drop\w*|declin\w+|gain\w*|up|down|change\w*|"
    r"reduc\w+|higher|lower|more|less|fewer|cut|jump\w*|surg\w+|gestiegen|stieg|sank|gesunken|gewachsen|wuchs|zunahme|rückgang|hausse|"
    r"baisse|augment\w+|dimin\w+|aument\w+|disminu\w+|creci\w+)\b",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"%|\b(?:of|share|percent\w*|proportion|ratio|out of|half|quarter|third|thirds|von|der|anteil|prozent|"
    r"des|de|part|proporción|"
    r"parte)\b",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"\b(?:total\w*|altogether|in all|overall|each|per|every|cost\w*|times|insgesamt|gesamt\w*|je|pro|"
    r"au total|chacun\w*|en total|"
    r"cada)\b",
    re.IGNORECASE,
)
_NOT_ADDED = frozenset({"temperature", "ordinal", "version", "clock", "date", "times"})


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a number follows from others.

    Attributes:
        text: The arithmetic, as in ``5 + 3 = 8``.
        used: Positions of the operands, in the order of the text.
    """

    text: str
    used: tuple[int, ...]


def derived(claim: str, target: Quantity, operands: Sequence[Quantity], quotes: Sequence[str]) -> Derivation | None:
    """The first step of arithmetic that gives the target, or None.

    A step is tried only where the claim has a word for it ("total", "more", "rose", "%"): small numbers fit by chance.

    Args:
        claim: The claim's text, for its words.
        target: The number to be reached.
        operands: Quantities that stand near each other; at most a dozen.
        quotes: Their texts.
    """
    if not target.normals or target.kind in ("ordinal", "version", "time", "date", "range"):
        return None
    for step in (_sums, _changes, _shares, _differences, _products, _spans_of_time):
        for value, text, used in step(claim, target, operands, quotes):
            result = _with_value(target, value)
            if relation(target, result) == "equal" and target.normals[0].value:
                return Derivation(f"{text} = {_shown(value, target)}", used)
    return None


_Steps = Iterator[tuple[Reading, str, tuple[int, ...]]]


def _with_value(target: Quantity, value: Reading) -> Quantity:
    return Quantity(target.span, target.kind, (value,), (value,), target.dimension, target.unit, target.currencies)


def _shown(value: Reading, target: Quantity) -> str:
    factor = target.normals[0].value / target.numbers[0].value if target.numbers[0].value else Decimal(1)
    number = value.value / factor
    rounded = number if number == number.to_integral_value() else round(number, 4)
    plain = f"{rounded.normalize():,f}"
    if target.kind == "money":
        return f"{plain} {target.unit}"
    return f"{plain}%" if target.unit == "%" else f"{plain} {target.unit}".strip()


def _alike(target: Quantity, operands: Sequence[Quantity]) -> list[int]:
    """Operands of the target's own kind with one reading each."""
    return [
        at
        for at, one in enumerate(operands)
        if one.dimension == target.dimension
        and len(one.normals) == 1
        and one.kind == target.kind
        and (one.dimension != "money" or one.currencies & target.currencies)
    ]


def _sums(claim: str, target: Quantity, operands: Sequence[Quantity], quotes: Sequence[str]) -> _Steps:
    kinds = _KINDS.match(claim, target.span.end + 1)
    if target.dimension in _NOT_ADDED or not (kinds or _SUM.search(claim)):
        return
    alike = _alike(target, operands)
    groups: list[tuple[int, ...]] = list(_lists(alike, operands)) if kinds else []
    if _SUM.search(claim):
        groups += [tuple(alike)] if 3 <= len(alike) <= 12 else []
        groups += [tuple(alike[at : at + size]) for size in (2, 3, 4, 5) for at in range(len(alike) - size + 1)]
    for used in groups:
        value = sum((operands[at].normals[0].value for at in used), Decimal(0))
        yield _exact(value, [operands[at] for at in used]), " + ".join(quotes[at] for at in used), used


def _lists(alike: Sequence[int], operands: Sequence[Quantity]) -> Iterator[tuple[int, ...]]:
    """The numbers that stand side by side, all of each list: two of three would be a wrong sum."""
    group: list[int] = []
    for at in alike:
        if group and not 0 < operands[at].span.start - operands[group[-1]].span.end <= _BESIDE:
            if len(group) > 1:
                yield tuple(group)
            group = []
        group.append(at)
    if len(group) > 1:
        yield tuple(group)


def _exact(value: Decimal, operands: Sequence[Quantity]) -> Reading:
    return Reading(value, min(one.normals[0].step for one in operands))


def _differences(claim: str, target: Quantity, operands: Sequence[Quantity], quotes: Sequence[str]) -> _Steps:
    kind = "percent" if target.dimension == "points" else target.kind
    if target.dimension in _NOT_ADDED or not (_DIFFERENCE.search(claim) or target.dimension == "points"):
        return
    wanted = "share" if target.dimension == "points" else target.dimension
    alike = [
        at for at, one in enumerate(operands) if one.dimension == wanted and one.kind == kind and len(one.normals) == 1
    ]
    for one, other in permutations(alike, 2):
        left, right = operands[one], operands[other]
        if left.dimension == "money" and not left.currencies & right.currencies & target.currencies:
            continue
        value = left.normals[0].value - right.normals[0].value
        if value > 0:
            yield _exact(value, (left, right)), f"{quotes[one]} − {quotes[other]}", (one, other)


def _pairs(operands: Sequence[Quantity]) -> Iterator[tuple[int, int]]:
    """Pairs of the same dimension of which the second is no zero."""
    for one, other in permutations(range(len(operands)), 2):
        left, right = operands[one], operands[other]
        if left.dimension != right.dimension or left.dimension in _NOT_ADDED or left.dimension in ("share", "points"):
            continue
        if len(left.normals) != 1 or len(right.normals) != 1 or right.normals[0].value <= 0:
            continue
        if left.dimension != "money" or left.currencies & right.currencies:
            yield one, other


def _changes(claim: str, target: Quantity, operands: Sequence[Quantity], quotes: Sequence[str]) -> _Steps:
    if target.dimension != "share" or not _CHANGE.search(claim):
        return
    for new, old in _pairs(operands):
        before, after = operands[old].normals[0].value, operands[new].normals[0].value
        change = abs(after - before) / before
        sign = "−" if after > before else "-"
        text = (
            f"({quotes[new]} − {quotes[old]}) / {quotes[old]}"
            if sign == "−"
            else f"({quotes[old]} − {quotes[new]}) / {quotes[old]}"
        )
        yield Reading(change, Decimal("1e-9")), text, (new, old)


def _shares(claim: str, target: Quantity, operands: Sequence[Quantity], quotes: Sequence[str]) -> _Steps:
    if target.dimension == "times":
        wanted = True
    elif target.dimension == "share":
        wanted = _SHARE.search(claim) is not None
    else:
        return
    for part, whole in _pairs(operands):
        value = operands[part].normals[0].value / operands[whole].normals[0].value
        if wanted and (value > 1) == (target.dimension == "times"):
            yield Reading(value, Decimal("1e-9")), f"{quotes[part]} / {quotes[whole]}", (part, whole)


def _products(claim: str, target: Quantity, operands: Sequence[Quantity], quotes: Sequence[str]) -> _Steps:
    if target.dimension in _NOT_ADDED | {"share", "points"} or not _PRODUCT.search(claim):
        return
    for count, each in permutations(range(len(operands)), 2):
        times, one = operands[count], operands[each]
        if times.kind != "number" or times.dimension not in ("count", "times") or len(times.normals) != 1:
            continue
        if one.dimension != target.dimension or len(one.normals) != 1 or (one.dimension == "count" and count > each):
            continue
        if 1 in (times.normals[0].value, one.normals[0].value) or (
            one.dimension == "money" and not one.currencies & target.currencies
        ):
            continue
        value = times.normals[0].value * one.normals[0].value
        yield _exact(value, (one,)), f"{quotes[count]} × {quotes[each]}", (count, each)


def _spans_of_time(claim: str, target: Quantity, operands: Sequence[Quantity], quotes: Sequence[str]) -> _Steps:
    """The time between two years, two days or two times of a day."""
    del claim  # A duration that equals the time between two dates needs no further word.
    if target.dimension not in ("time", "months"):
        return
    between = _months_between if target.dimension == "months" else _seconds_between
    for one, other in permutations(range(len(operands)), 2):
        value = between(operands[one], operands[other])
        if value is not None and value > 0:
            yield Reading(value, Decimal("1e-9")), f"{quotes[one]} − {quotes[other]}", (one, other)


def _only_day(one: Quantity) -> tuple[int, int, int] | None:
    return next(iter(one.days)) if one.unit == "day" and len(one.days) == 1 else None


def _months_between(late: Quantity, early: Quantity) -> Decimal | None:
    one, other = _only_day(late), _only_day(early)
    if not one or not other or not one[0] or not other[0] or bool(one[1]) != bool(other[1]):
        return None
    return Decimal(12 * (one[0] - other[0]) + one[1] - other[1])


def _seconds_between(late: Quantity, early: Quantity) -> Decimal | None:
    if late.dimension == early.dimension == "clock":
        if len(late.normals) == len(early.normals) == 1:
            return (late.normals[0].value - early.normals[0].value) * 60
        return None
    one, other = _only_day(late), _only_day(early)
    if not one or not other or not (one[2] and other[2]) or bool(one[0]) != bool(other[0]):
        return None
    return Decimal((date(one[0] or 2000, *one[1:]) - date(other[0] or 2000, *other[1:])).days) * 86400
