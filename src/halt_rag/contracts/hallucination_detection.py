"""Which sentences of a response its documents support: ``hallucination_detection``.

Each record is about one span of the response:

================== ==================================================================
``response_begin`` where it begins, in code points; an integer
``response_end``   where it ends, exclusive; an integer, not smaller
``response_text``  its text; not compared with the offsets
``faithfulness``   ``faithful``: the documents support it. ``partial``: they support a
                   part of it. ``unfaithful``: they contradict it, or nothing in them
                   supports it. ``NA``: there is nothing to check in it
``explanation``    why; a string, which may be empty
================== ==================================================================

The set of labels is closed on purpose: a label that this version does not know has no defined meaning, so it raises,
and so does a missing one. A server that ships its own output description may send a newer label before this library
knows it; its users must then expect ``AdapterSchemaMismatchError`` until they upgrade halt-rag.

This is the only contract that drops data. Models repeat themselves: of several records with the same span and the same
label the first is kept. If their labels differ, there is no defined way to choose, and it raises. What remains must not
overlap; spans are half-open, so that neighbours may touch and an empty span overlaps nothing.

Not checked: whether the offsets lie within the response, which the contract does not see (numbers that are decoded with
:class:`~halt_rag.contracts.sentence_index.SentenceIndex` do), whether a bare offset is negative, and whether the
records cover the whole response: the empty list passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from halt_rag.contracts.base import ArrayContract, Fault, Offence, Record
from halt_rag.contracts.strict_json import kind, shown

LABELS: Final = ("faithful", "partial", "unfaithful", "NA")
"""What a span can be; see the module's own text for their meaning."""


def _check_record(record: Record) -> Iterator[Fault]:
    label = record["faithfulness"]
    if not isinstance(label, str) or label not in LABELS:
        yield (
            "faithfulness",
            f"is {'null' if label is None else shown(label)}; this version knows {', '.join(LABELS)}. "
            "If the model is newer, upgrade halt-rag",
        )
    begin, end = record["response_begin"], record["response_end"]
    whole = True
    for field, offset in (("response_begin", begin), ("response_end", end)):
        if not isinstance(offset, int) or isinstance(offset, bool):
            whole = False
            yield field, f"must be an integer, not {kind(offset)}"
    if whole and begin > end:
        yield "response_begin", f"is {shown(begin)}, after response_end, which is {shown(end)}"
    if not isinstance(record["explanation"], str):
        yield "explanation", f"must be a string, not {kind(record['explanation'])}"


def _span(record: Record) -> tuple[int, int]:
    return record["response_begin"], record["response_end"]


def _check_records(records: Sequence[Record]) -> Iterator[Offence]:
    labels: dict[tuple[int, int], str] = {}
    agreed = True
    for position, record in enumerate(records):
        label = record["faithfulness"]
        first = labels.setdefault(_span(record), label)
        if first != label:
            agreed = False
            reason = f"is {label}, but an earlier record has {first} for the same span"
            yield Offence(position, "faithfulness", reason, tuple(record))
    if agreed:
        yield from _overlaps(records)


def _overlaps(records: Sequence[Record]) -> Iterator[Offence]:
    firsts = {_span(record): position for position, record in reversed(list(enumerate(records)))}
    reach: tuple[int, int] | None = None
    for span in sorted(firsts):
        if span[0] == span[1]:
            continue
        if reach is not None and span[0] < reach[1]:
            position = max(firsts[span], firsts[reach])
            other = min(firsts[span], firsts[reach])
            reason = f"gives a span that overlaps the one of record {other}"
            yield Offence(position, "response_begin", reason, tuple(records[position]))
        if reach is None or span[1] > reach[1]:
            reach = span


def _first_of_each_span(records: Sequence[Record]) -> list[Record]:
    seen: set[tuple[int, int]] = set()
    kept = []
    for record in records:
        if _span(record) not in seen:
            seen.add(_span(record))
            kept.append(record)
    return kept


CONTRACT: Final = ArrayContract(
    "hallucination_detection",
    frozenset({"response_begin", "response_end", "response_text", "faithfulness", "explanation"}),
    check_record=_check_record,
    check_records=_check_records,
    keep=_first_of_each_span,
)
"""Checks every value and, alone among the contracts, drops repeats."""
