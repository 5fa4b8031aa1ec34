"""The validator: shape, bounds, quote on its lines, value from quote; flags always. No model takes part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from halt_rag.contracts.evidence.codes import DOUBTS, ERRORS, NOTES
from halt_rag.contracts.evidence.fields import Field
from halt_rag.contracts.evidence.probe import hits
from halt_rag.contracts.evidence.quote import check_evidence
from halt_rag.contracts.evidence.result import EvidenceResult, FieldResult, Finding, status_of
from halt_rag.contracts.evidence.source import Source
from halt_rag.contracts.evidence.values import check_value
from halt_rag.errors import InputError

Keys = tuple[str | int, ...]
Sources = Mapping[str, Source]
_FLAGS = ("answer_found", "complete_answer_found")
_RANK = {"error": 0, "doubt": 1, "note": 2}


def as_sources(sources: str | Source | Sequence[Source]) -> dict[str, Source]:
    """Sources by id, in order; a plain text is the source ``document``.

    Raises:
        InputError: If two sources share an id, or there is none.
    """
    if isinstance(sources, str):
        sources = Source("document", sources)
    if isinstance(sources, Source):
        return {sources.id: sources}
    given = list(sources)
    by_id = {source.id: source for source in given}
    if not given or len(by_id) != len(given):
        raise InputError(f"Sources need different ids and at least one source: {[source.id for source in given]}.")
    return by_id


def validate_field(field: Field, output: object, sources: Sources, *, keys: Keys | None = None) -> list[FieldResult]:
    """The verdict on a field and, for lists and objects, on each part below it; the field's own comes first.

    Args:
        field: What was declared.
        output: What was sent: ``{value, evidence, answer_found, complete_answer_found}``, for lists with ``items``
            in place of value and evidence, for objects the object of its fields.
        sources: The documents by id; the first is meant where evidence names none.
        keys: Where the field is in the record, for the results.
    """
    keys = (field.name,) if keys is None else keys
    if not isinstance(output, Mapping):
        return [_result(keys, [_finding("FIELD_NOT_OBJECT")])]
    if field.type == "object":
        return _object(field, output, sources, keys)
    if field.type == "list":
        return _list(field, output, sources, keys)
    return [_scalar(field, output, sources, keys)]


def _finding(code: str, detail: str = "") -> Finding:
    for severity, table in (("error", ERRORS), ("doubt", DOUBTS), ("note", NOTES)):
        if code in table:
            text = f"{table[code]}: {detail}" if detail else table[code]
            return Finding(code, severity, text)  # type: ignore[arg-type] # the three severities
    raise KeyError(code)


def _result(
    keys: Keys, findings: Sequence[Finding], evidence: Sequence[EvidenceResult] = (), value: object = None
) -> FieldResult:
    ordered = tuple(sorted(findings, key=lambda finding: _RANK[finding.severity]))
    return FieldResult(keys, status_of(ordered), ordered, tuple(evidence), value)


def _object(field: Field, output: Mapping[str, Any], sources: Sources, keys: Keys) -> list[FieldResult]:
    results = members(field.fields, output, sources, prefix=keys)
    return [_result(keys, [_finding("FIELD_UNKNOWN", name) for name in unknown(field.fields, output)]), *results]


def members(
    fields: Sequence[Field], output: Mapping[str, Any], sources: Sources, *, prefix: Keys = ()
) -> list[FieldResult]:
    """The verdicts on the members of an object or record."""
    results = []
    for member in fields:
        keys = (*prefix, member.name)
        if member.name in output:
            results += validate_field(member, output[member.name], sources, keys=keys)
        else:
            results.append(_result(keys, [_finding("FIELD_MISSING")]))
    return results


def unknown(fields: Sequence[Field], output: Mapping[str, Any]) -> list[str]:
    """The keys that no field declares."""
    names = {member.name for member in fields}
    return sorted(str(key) for key in output if key not in names)


def _list(field: Field, output: Mapping[str, Any], sources: Sources, keys: Keys) -> list[FieldResult]:
    items = output.get("items")
    if not isinstance(items, list) or field.items is None:
        return [_result(keys, [_finding("ITEMS_MISSING"), *_flag_shape(output)])]
    results = [
        result
        for at, item in enumerate(items)
        for result in validate_field(field.items, item, sources, keys=(*keys, "items", at))
    ]
    findings = _flags(output, present=bool(items))
    findings += _probed(field, output, sources, _different(items))
    if not _failed(findings):
        findings += _declared(output, present=bool(items))
    return [_result(keys, findings, value=[result.value for result in results]), *results]


def _different(items: Sequence[Any]) -> int:
    """How many items say different things; the probe counts its hits the same way."""
    values = [item.get("value") if isinstance(item, Mapping) else None for item in items]
    return len({value if isinstance(value, str | int | float) else (at,) for at, value in enumerate(values)})


def _scalar(field: Field, output: Mapping[str, Any], sources: Sources, keys: Keys) -> FieldResult:
    value = output.get("value")
    findings = [] if "value" in output else [_finding("VALUE_MISSING")]
    evidence = _evidence(field, output.get("evidence"), sources)
    present = value is not None
    findings += [finding for item in evidence for finding in item.findings]
    if present:
        if not evidence and not field.derived:
            findings.append(_finding("EVIDENCE_MISSING"))
        if not _failed(findings):
            findings += _value(field, value, evidence, sources)
    elif not field.nullable and "value" in output:
        findings.append(_finding("NULL_NOT_ALLOWED"))
    findings += _flags(output, present=present)
    findings += _probed(field, output, sources, int(present))
    if not _failed(findings):
        # A span that holds says more about an absence than the flags do.
        absent = [_finding("EVIDENCE_ON_ABSENT")] if evidence and not present else []
        findings += absent or _declared(output, present=present)
    return _result(keys, findings, evidence, value)


def _failed(findings: Sequence[Finding]) -> bool:
    return any(finding.severity == "error" for finding in findings) if findings else False


def _evidence(field: Field, evidence: object, sources: Sources) -> list[EvidenceResult]:
    if evidence is None:
        return []
    given = evidence if isinstance(evidence, list) else [evidence]
    return [check_evidence(item, sources, field.policy, index=at) for at, item in enumerate(given)]


def _value(field: Field, value: object, evidence: Sequence[EvidenceResult], sources: Sources) -> list[Finding]:
    if field.derived:
        return [_finding("VALUE_DERIVED")]
    rules = field.rules
    if field.folds is None and any(source.content_type != "text" for source in sources.values()):
        allowed = dict.fromkeys(name for source in sources.values() for name in source.folds)
        rules = replace(rules, folds=tuple(allowed))
    verdict = check_value(value, [item.quote for item in evidence if item.quote], rules)
    notes = [_finding(note) for note in verdict.notes]
    if verdict.code == "RANGE_ENDPOINT":
        return [Finding("RANGE_ENDPOINT", "error", f"{NOTES['RANGE_ENDPOINT']}: {verdict.detail}")]
    return [_finding(verdict.code, verdict.detail), *notes] if verdict.code else notes


def _flag_shape(output: Mapping[str, Any]) -> list[Finding]:
    missing = [flag for flag in _FLAGS if output.get(flag) is None]
    if missing:
        return [_finding("FLAG_MISSING", ", ".join(missing))]
    wrong = [flag for flag in _FLAGS if not isinstance(output[flag], bool)]
    return [_finding("FLAG_NOT_BOOLEAN", ", ".join(wrong))] if wrong else []


def _flags(output: Mapping[str, Any], *, present: bool) -> list[Finding]:
    found, complete = output.get("answer_found"), output.get("complete_answer_found")
    if not isinstance(found, bool) or not isinstance(complete, bool):
        return _flag_shape(output)
    if found != present:
        return [_finding("FLAGS_INCONSISTENT", f"answer_found is {found}, a value is {'there' if present else 'not'}")]
    return [_finding("FLAGS_INCONSISTENT", "complete without being found")] if complete and not found else []


def _declared(output: Mapping[str, Any], *, present: bool) -> list[Finding]:
    if not present:
        return [_finding("ABSENT_DECLARED")]
    return [] if output["complete_answer_found"] else [_finding("INCOMPLETE_DECLARED")]


def _probed(field: Field, output: Mapping[str, Any], sources: Sources, reported: int) -> list[Finding]:
    """What the presence probe says: flags under-report absence, so they are evidence and not the gate."""
    if field.presence_probe is None:
        return []
    there = hits(field.presence_probe, sources.values())
    if not reported and there:
        return [_finding("ABSENCE_CONTRADICTED", f"{there} found")]
    if field.type == "list" and output.get("complete_answer_found") is True and there > reported:
        return [_finding("COMPLETENESS_CONTRADICTED", f"{there} found, {reported} reported")]
    return []
