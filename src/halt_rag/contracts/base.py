"""The two shapes of contract: an array of records, and one object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast, runtime_checkable

from halt_rag.contracts.errors import OutputShapeError
from halt_rag.contracts.strict_json import kind, load, non_finite
from halt_rag.errors import AdapterSchemaMismatchError, ContractError

Record = dict[str, Any]
Fault = tuple[str, str]
"""A field and what is wrong with it."""

WHOLE: Final = "(output)"
"""The field of an offence that lies in no field."""


@dataclass(frozen=True, slots=True)
class Offence:
    """One place where an output breaks its contract.

    Attributes:
        record: Position of the record in the array; ``None`` for an object, or for the array as a whole.
        field: The field, or :data:`WHOLE`.
        reason: What is wrong, as a sentence without its full stop.
        observed: The keys that the record has.
        shape: Whether the JSON is of the wrong shape; otherwise keys or values are wrong.
    """

    record: int | None
    field: str
    reason: str
    observed: tuple[str, ...] = ()
    shape: bool = False


@runtime_checkable
class Contract(Protocol):
    """What the output of one function must look like. Open to extra keys; what it says about values is closed."""

    @property
    def name(self) -> str:
        """Name of the function."""
        ...

    @property
    def expected_keys(self) -> frozenset[str]:
        """The keys that the contract speaks of."""
        ...

    def parse(self, raw: str) -> Record:
        """The output, checked: ``{"items": [...]}`` for an array, the object itself for an object.

        Raises:
            OutputShapeError: If it is not JSON or of another shape; this is a ``ValueError``.
            AdapterSchemaMismatchError: If keys are missing or values not allowed; this is no ``ValueError``.
            InputError: If ``raw`` is not a string.
        """
        ...

    def accept(self, value: object) -> Record:
        """The same for an output that has been read from JSON already; ``value`` is left as it is.

        Raises:
            OutputShapeError: If it is of another shape.
            AdapterSchemaMismatchError: If keys are missing or values not allowed.
        """
        ...

    def offences(self, value: object) -> Iterator[Offence]:
        """Everything that is wrong, in the order of the checks; ``parse`` raises the first of them."""
        ...


def no_faults(_: Record) -> Iterator[Fault]:
    """For records whose keys are all that is checked."""
    return iter(())


def no_offences(_: Sequence[Record]) -> Iterator[Offence]:
    """For arrays whose records do not depend on each other."""
    return iter(())


@dataclass(frozen=True)
class ArrayContract:
    """An output that is a JSON array of objects.

    Checks, in this order: the shape; the required keys of all records; no ``NaN`` or infinity anywhere; the values
    of each record; the records together, if nothing was wrong with any of them alone.

    Attributes:
        name: Name of the function.
        expected_keys: The keys that each record must have.
        check_record: Faults in one record's values.
        check_records: Offences among records; called only when each is right alone.
        keep: Which records to return; all of them, except for ``hallucination_detection``.
    """

    name: str
    expected_keys: frozenset[str]
    check_record: Callable[[Record], Iterator[Fault]] = no_faults
    check_records: Callable[[Sequence[Record]], Iterator[Offence]] = no_offences
    keep: Callable[[Sequence[Record]], list[Record]] = list

    def parse(self, raw: str) -> Record:
        """See :meth:`Contract.parse`."""
        return self.accept(load(self.name, raw))

    def accept(self, value: object) -> Record:
        """See :meth:`Contract.accept`."""
        for offence in self.offences(value):
            raise _error(self, offence)
        return {"items": self.keep(cast("list[Record]", value))}

    def offences(self, value: object) -> Iterator[Offence]:
        """See :meth:`Contract.offences`."""
        if not isinstance(value, list):
            yield Offence(None, WHOLE, f"must be a JSON array, not {kind(value)}", shape=True)
            return
        strangers = [position for position, item in enumerate(value) if not isinstance(item, dict)]
        for position in strangers:
            reason = f"must contain only JSON objects, not {kind(value[position])}"
            yield Offence(position, WHOLE, reason, shape=True)
        if not strangers:
            yield from self._content_offences(value)

    def _content_offences(self, records: Sequence[Record]) -> Iterator[Offence]:
        clean = True
        incomplete: set[int] = set()
        for position, record in enumerate(records):
            for field, reason in _missing(record, self.expected_keys):
                clean = False
                incomplete.add(position)
                yield Offence(position, field, reason, tuple(record))
        for position, record in enumerate(records):
            if position in incomplete:
                continue
            for field, reason in (*_unreadable_numbers(record), *self.check_record(record)):
                clean = False
                yield Offence(position, field, reason, tuple(record))
        if clean:
            yield from self.check_records(records)


@dataclass(frozen=True)
class ObjectContract:
    """An output that is one JSON object.

    Attributes:
        name: Name of the function.
        required: The keys that the object must have.
        optional: Further keys that the contract speaks of; ``check`` decides about them.
        check: Faults in the values; called when all required keys are there.
    """

    name: str
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    check: Callable[[Record], Iterator[Fault]] = no_faults

    @property
    def expected_keys(self) -> frozenset[str]:
        """The keys that the contract speaks of."""
        return self.required | self.optional

    def parse(self, raw: str) -> Record:
        """See :meth:`Contract.parse`."""
        return self.accept(load(self.name, raw))

    def accept(self, value: object) -> Record:
        """See :meth:`Contract.accept`."""
        for offence in self.offences(value):
            raise _error(self, offence)
        return cast("Record", value)

    def offences(self, value: object) -> Iterator[Offence]:
        """See :meth:`Contract.offences`."""
        if not isinstance(value, dict):
            yield Offence(None, WHOLE, f"must be a JSON object, not {kind(value)}", shape=True)
            return
        faults = [*_missing(value, self.required)] or [*_unreadable_numbers(value), *self.check(value)]
        for field, reason in faults:
            yield Offence(None, field, reason, tuple(value))


def _missing(record: Record, keys: frozenset[str]) -> Iterator[Fault]:
    if not keys <= record.keys():
        for key in sorted(keys - record.keys()):
            yield key, "is missing"


def _unreadable_numbers(record: Record) -> Iterator[Fault]:
    for field, value in record.items():
        if type(value) is not str and type(value) is not int and non_finite(value):
            yield field, "holds NaN or an infinity, which JSON does not have"


def _error(contract: Contract, offence: Offence) -> ContractError:
    where = "" if offence.record is None else f"record {offence.record}: "
    if offence.shape:
        return OutputShapeError(f"The output of {contract.name} {offence.reason}{where and f' ({where[:-2]})'}.")
    reason = f"{where}{offence.field} {offence.reason}"
    return AdapterSchemaMismatchError(contract.name, offence.observed, contract.expected_keys, reason)
