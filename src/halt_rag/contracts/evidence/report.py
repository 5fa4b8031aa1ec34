"""The verdict on a record, and what may be done with it: retry, accept in part, move a range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from halt_rag.contracts.evidence.codes import HINTS
from halt_rag.contracts.evidence.fields import Field
from halt_rag.contracts.evidence.result import EvidenceResult, FieldResult, Finding, Place, Status
from halt_rag.contracts.strict_json import shown
from halt_rag.errors import ContractError

_RETRY = "Some fields do not keep the contract. Send the whole record again, with these mended:"


@dataclass(frozen=True, slots=True)
class Move:
    """A range that was corrected because the caller asked for it.

    Attributes:
        path: The field.
        evidence: Position of the evidence, from 0.
        place: Where the quote is.
    """

    path: str
    evidence: int
    place: Place


@dataclass(frozen=True)
class Report:
    """What the validator found in one record.

    Attributes:
        fields: The contract's fields.
        record: The record as validated.
        results: One result for each field, list, item and object, and for the record itself where it has findings.
        warnings: What this validation cannot vouch for, in sentences.
        moves: Ranges that were corrected on request.
    """

    fields: tuple[Field, ...]
    record: Any
    results: tuple[FieldResult, ...]
    warnings: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()

    @property
    def status(self) -> Status:
        """``invalid`` if any part is, else ``unverified`` if any part is, else ``valid``."""
        statuses = {result.status for result in self.results}
        return "invalid" if "invalid" in statuses else "unverified" if "unverified" in statuses else "valid"

    @property
    def offences(self) -> tuple[FieldResult, ...]:
        """The parts that are invalid."""
        return tuple(result for result in self.results if result.status == "invalid")

    def accept(self, *, partial: bool = False, unverified: bool = False) -> Validated:
        """The values that may be used.

        Args:
            partial: Keep the valid parts and make the others null, each with its reason. Otherwise all must be valid.
            unverified: Keep values that are neither wrong nor proven; they stay listed as such.

        Raises:
            ContractError: If not ``partial`` and some part is not accepted.
        """
        verdicts = {result.keys: result for result in self.results}
        whole = verdicts.get(())
        if whole is not None and whole.status == "invalid":
            dropped, values = {"": ", ".join(whole.codes)}, {}
        else:
            keep = _Keeper(verdicts, unverified=unverified)
            values = {field.name: keep(field, _get(self.record, field.name), (field.name,)) for field in self.fields}
            dropped = keep.dropped
        if dropped and not partial:
            raise ContractError(
                f"{len(dropped)} parts of the record cannot be accepted: {', '.join(dropped)}.", hint=repair_text(self)
            )
        kept = tuple(r.path for r in self.results if r.status == "unverified" and r.path not in dropped)
        return Validated(values, dropped, kept, self)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "status": self.status,
            "results": [result.to_dict() for result in self.results],
            "warnings": list(self.warnings),
            "moves": [
                {"path": m.path, "evidence": m.evidence, "lines": [m.place.line_start, m.place.line_end]}
                for m in self.moves
            ],
        }


@dataclass(frozen=True)
class Validated:
    """Values that the validator let through. Only :meth:`Report.accept` makes one.

    Attributes:
        values: Plain values by field; lists without their dropped items, objects nested.
        dropped: Why a part was left out, by path.
        unverified: Paths of kept values that nothing proves, such as derived fields.
        report: The report behind it.
    """

    values: Mapping[str, Any]
    dropped: Mapping[str, str]
    unverified: tuple[str, ...]
    report: Report


def _get(record: object, key: str) -> Any:
    return record.get(key) if isinstance(record, Mapping) else None


class _Keeper:
    """Takes the accepted values out of a record and notes what it leaves."""

    def __init__(self, verdicts: Mapping[tuple[str | int, ...], FieldResult], *, unverified: bool) -> None:
        self.dropped: dict[str, str] = {}
        self._verdicts = verdicts
        self._refused = ("invalid",) if unverified else ("invalid", "unverified")

    def __call__(self, field: Field, output: Any, keys: tuple[str | int, ...]) -> Any:
        verdict = self._verdicts[keys]
        if verdict.status in self._refused:
            self.dropped[verdict.path] = ", ".join(verdict.codes)
            return None
        if field.type == "object":
            return {one.name: self(one, _get(output, one.name), (*keys, one.name)) for one in field.fields}
        if field.items is None:
            return output["value"]
        items = []
        for at, item in enumerate(output["items"]):
            before = len(self.dropped)
            value = self(field.items, item, (*keys, "items", at))
            if field.items.type == "object" or len(self.dropped) == before:
                items.append(value)
        return items


def repair_text(report: Report) -> str:
    """What a model needs to know for a second try: the findings that make parts invalid, and nothing else.

    Empty if nothing is invalid. It holds no value from outside the record and its sources.
    """
    lines = [line for result in report.offences for line in _complaints(result)]
    return "\n".join([_RETRY, *lines]) if lines else ""


def _complaints(result: FieldResult) -> list[str]:
    lines = []
    for finding in result.findings:
        if finding.severity == "error":
            evidence = _about(result, finding)
            where = f" (evidence {finding.evidence + 1})" if finding.evidence is not None else ""
            lines.append(f"- {result.path or 'record'}{where}: {finding.message}.{advice(evidence)}")
    return lines


def _about(result: FieldResult, finding: Finding) -> EvidenceResult | None:
    return None if finding.evidence is None else result.evidence[finding.evidence]


def advice(evidence: EvidenceResult | None) -> str:
    """What may help to mend a piece of evidence: a hint, and where its quote really is; empty if nothing is known."""
    if evidence is None:
        return ""
    text = f" Hint: {HINTS[evidence.hint]}." if evidence.hint else ""
    places = evidence.relocations
    if len(places) == 1 and evidence.relocations_total == 1:
        return f"{text} The quote is on {places[0].lines} of {places[0].source}."
    if places:
        return f"{text} The quote is in {evidence.relocations_total} places; choose the right lines."
    return text


def claimed(report: Report, result: FieldResult, finding: Finding) -> str:
    """Where the evidence that a finding is about claims to be, or all of the field's; empty if there is none."""
    part = report.record
    for key in (*result.keys, "evidence") if result.evidence else ():
        part = part[key]
    given = part if isinstance(part, list) else [part]
    numbers = range(len(result.evidence)) if finding.evidence is None else [finding.evidence]
    return ", ".join(f"evidence {at + 1} ({_range(given[at])})" for at in numbers)


def _range(evidence: Any) -> str:
    if not isinstance(evidence, Mapping):
        return "no object"
    keys, unit = (("start", "end"), "character") if "start" in evidence else (("line_start", "line_end"), "line")
    if all(evidence.get(key) is None for key in keys):
        return "no place given"
    first, last = (shown(evidence.get(key)) for key in keys)
    source = f" of {shown(evidence['source'])}" if evidence.get("source") is not None else ""
    return f"{unit} {first}{source}" if first == last else f"{unit}s {first} to {last}{source}"


def moved(report: Report) -> tuple[Any, tuple[Move, ...]]:
    """The record with each range corrected whose quote is at exactly one other place, and the list of them.

    Nothing else is touched: not the quote, not the value, and not the record that was sent. The result has to be
    validated again.
    """
    copies, moves = _Copies(report.record), []
    for result in report.results:
        for at, evidence in enumerate(result.evidence):
            if evidence.repairable:
                target = copies.evidence(result.keys, at)
                place = evidence.relocations[0]
                if "start" in target or "end" in target:
                    target |= {"start": place.start, "end": place.end}
                else:
                    target |= {"line_start": place.line_start, "line_end": place.line_end}
                if evidence.hint == "other_source":
                    target["source"] = place.source
                moves.append(Move(result.path, at, place))
    return copies.at(()), tuple(moves)


class _Copies:
    """A record of which only those parts are copied that are to be changed, each once."""

    def __init__(self, record: Any) -> None:
        self._record = record
        self._made: dict[tuple[str | int, ...], Any] = {}

    def at(self, keys: tuple[str | int, ...]) -> Any:
        if keys not in self._made:
            old = self.at(keys[:-1])[keys[-1]] if keys else self._record
            new = list(old) if isinstance(old, list) else dict(old) if isinstance(old, Mapping) else old
            if keys:
                self._made[keys[:-1]][keys[-1]] = new
            self._made[keys] = new
        return self._made[keys]

    def evidence(self, keys: tuple[str | int, ...], at: int) -> dict[str, Any]:
        whole = self.at((*keys, "evidence"))
        target: dict[str, Any] = self.at((*keys, "evidence", at)) if isinstance(whole, list) else whole
        return target
