"""Warnings against uses of a contract that look like verification and are none."""

from __future__ import annotations

from collections.abc import Sequence

from halt_rag.contracts.evidence.fields import Field
from halt_rag.contracts.evidence.result import FieldResult

_MANY = 3


class UnvalidatedWarning(UserWarning):
    """Data was read that no validator has seen."""


def static_warnings(fields: Sequence[Field]) -> tuple[str, ...]:
    """What is doubtful about a contract before any record is seen."""
    scalars = [one for field in fields for one in field.walk() if one.type not in ("list", "object")]
    derived = [one.name for one in scalars if one.derived]
    if len(derived) < _MANY and 2 * len(derived) <= len(scalars):
        return ()
    return (
        f"DERIVED_FIELDS: {len(derived)} of {len(scalars)} fields are derived ({', '.join(derived)}). They have no "
        "verbatim span, so the validator proves nothing about them; asking for strict structure also makes models "
        "reason worse. Derive them in code from fields that are read.",
    )


def use_warnings(fields: Sequence[Field], results: Sequence[FieldResult]) -> tuple[str, ...]:
    """What is doubtful about how a record's absences are decided."""
    declared = [
        result
        for result in results
        if result.findings and any(one.code == "ABSENT_DECLARED" for one in result.findings)
    ]
    if not declared:
        return ()
    probed = {one.name for field in fields for one in field.walk() if one.presence_probe}
    absent = [result.path for result in declared if not probed & {str(key) for key in result.keys}]
    if not absent:
        return ()
    return (
        f"FLAGS_ONLY_GATE: only the model's own flags say that {', '.join(absent)} is absent. Models abstain on 50% to "
        "61.5% of unanswerable cases and on 1.6% to 11.1% of answerable ones (Joren et al., 2025), so the flags "
        "under-report absence. Add a presence probe, or check whether the context suffices.",
    )
