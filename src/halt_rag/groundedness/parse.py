"""Reads what a judge answered about spans. What cannot be read is unknown, with a note; nothing has a default.

Both readers take the array of objects that the prompts ask for, with or without text, a code fence or an object around
it, and also if it breaks off: what is complete counts. Keys and labels are compared without case and separators, so
that ``FULLY_SUPPORTED``, ``fully-supported`` and ``FullySupported`` are one. Ids are whole numbers, as numbers or
strings of digits. A span that is named twice gets the worse of the two: a label that fails goes before an unreadable
one, and that before one that passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from halt_rag.contracts.strict_json import shown
from halt_rag.groundedness.lenient_json import UNREADABLE, Entry, entries
from halt_rag.groundedness.verdict import Necessity, Support

_NECESSITY: Final[Mapping[str, Necessity]] = {
    **dict.fromkeys(("yes", "true", "1"), Necessity.YES),
    **dict.fromkeys(("no", "false", "0"), Necessity.NO),
}
_SUPPORT: Final[Mapping[str, Support]] = {
    "fullysupported": Support.FULL,
    "partiallysupported": Support.PARTIAL,
    "notsupported": Support.NONE,
    "unsupported": Support.NONE,
    # Not full and not partial support: nothing better than none was said.
    "notfullysupported": Support.NONE,
    "notpartiallysupported": Support.NONE,
}
_NECESSITY_WORST_FIRST: Final = (Necessity.YES, Necessity.UNKNOWN, Necessity.NO)
_SUPPORT_WORST_FIRST: Final = (Support.NONE, Support.UNKNOWN, Support.PARTIAL, Support.FULL)
_MOST_DIGITS: Final = 9
_SEPARATORS: Final = re.compile(r"[\s_-]+")
_AROUND: Final = " \t\r\n.*`'\""

Value = TypeVar("Value", Necessity, Support)


@dataclass(frozen=True, slots=True)
class Reading(Generic[Value]):
    """What was read about one span.

    Attributes:
        value: The value; the unknown one if there was none, or none that could be read.
        note: Why it is unknown; may quote the judge.
    """

    value: Value
    note: str = ""


def parse_necessity(output: str, count: int) -> list[Reading[Necessity]]:
    """Reads ``[{"span_id": 0, "needs_citation": "yes"}, ...]``.

    ``needs_citation`` is yes or no, true or false, 1 or 0, as a string or as JSON has it.

    Args:
        output: What the judge wrote.
        count: How many spans were asked about; ids run from 0.

    Returns:
        A reading for each span.
    """
    return _readings(output, count, _necessities, _NECESSITY_WORST_FIRST)


def parse_support(output: str, count: int) -> list[Reading[Support]]:
    """Reads ``[{"span_id": 0, "support_level": "FULLY_SUPPORTED"}, ...]``.

    Where an object has no label of its own, those in its ``evidence`` or ``citations`` count, the worst of them.

    Args:
        output: What the judge wrote.
        count: How many spans were asked about; ids run from 0.

    Returns:
        A reading for each span.
    """
    return _readings(output, count, _supports, _SUPPORT_WORST_FIRST)


def _readings(
    output: str, count: int, read: Callable[[Entry], Iterator[Reading[Value]]], worst_first: tuple[Value, ...]
) -> list[Reading[Value]]:
    unknown = next(value for value in worst_first if value.value == "unknown")
    found: list[list[Reading[Value]]] = [[] for _ in range(count)]
    strays: list[str] = []
    for entry in entries(output):
        ids = _values(entry, "span_id")
        number = _span_id(ids)
        if number is None or number >= count:
            strays.append(_outline(ids[0]) if ids else "none")
        elif not entry.sound:
            found[number].append(Reading(unknown, "its entry is broken off or not JSON"))
        else:
            found[number] += read(entry)
    ignored = f"; ids that are no span: {', '.join(strays[:5])}" if strays else ""
    missing = Reading(unknown, f"the answer {_lack(output)}{ignored}")
    return [min(readings, key=lambda r: worst_first.index(r.value), default=missing) for readings in found]


def _lack(output: str) -> str:
    if not output.strip():
        return "is empty"
    return "has no entry for it" if "[" in output else f"is not a JSON array: {shown(output)}"


def _necessities(entry: Entry) -> Iterator[Reading[Necessity]]:
    labels = _values(entry, "needs_citation")
    if not labels:
        yield Reading(Necessity.UNKNOWN, "its entry has no needs_citation")
    for label in labels:
        if isinstance(label, bool) or (isinstance(label, int) and label in (0, 1)):
            yield Reading(Necessity.YES if label else Necessity.NO)
        else:
            value = _NECESSITY.get(label.strip().lower()) if isinstance(label, str) else None
            note = f"needs_citation is {_outline(label)}, not yes or no"
            yield Reading(value) if value else Reading(Necessity.UNKNOWN, note)


def _supports(entry: Entry) -> Iterator[Reading[Support]]:
    labels = _own_labels(entry)
    nested = [item for key in ("evidence", "citations") for value in _values(entry, key) for item in _items(value)]
    if not labels and nested:
        labels = [label for item in nested for label in (_own_labels(item) or [None])]
    if not labels:
        yield Reading(Support.UNKNOWN, "its entry has no support_level")
    for label in labels:
        value = _SUPPORT.get(_folded(label)) if isinstance(label, str) else None
        note = f"support_level is {_outline(label)}, none of the three levels"
        yield Reading(value) if value else Reading(Support.UNKNOWN, note)


def _own_labels(item: object) -> list[object]:
    """The labels of an object that are not blank."""
    if not isinstance(item, Entry):
        return []
    labels = _values(item, "support_level") if item.sound else [UNREADABLE]
    return [label for label in labels if label is not None and not (isinstance(label, str) and not label.strip())]


def _items(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()


def _outline(value: object) -> str:
    if value is UNREADABLE:
        return "not JSON"
    return "an object" if isinstance(value, Entry) else "an array" if isinstance(value, list) else shown(value)


def _span_id(values: list[object]) -> int | None:
    """The number that all values of an id agree on; None if there is none."""
    numbers = {_whole(value) for value in values}
    return numbers.pop() if len(numbers) == 1 else None


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        digits = value.strip().lstrip("0") or value.strip()[-1:]
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else None
    if isinstance(value, float) and value.is_integer():
        return int(value) if value >= 0 else None
    return value if isinstance(value, int) and value >= 0 else None


def _values(entry: Entry, name: str) -> list[object]:
    """The values under a key, however it is spelled."""
    wanted = _folded(name)
    return [value for key, values in entry.values.items() if _folded(key) == wanted for value in values]


def _folded(text: str) -> str:
    """A key or label without the marks around it and the separators within, in small letters."""
    return _SEPARATORS.sub("", text.strip(_AROUND).lower())
