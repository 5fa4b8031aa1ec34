"""Cases of area ``evidence``: one field of a typed generation contract against its document."""

from __future__ import annotations

from typing import Any

from halt_rag.contracts.evidence.fields import parse_field
from halt_rag.contracts.evidence.result import FieldResult
from halt_rag.contracts.evidence.source import Source
from halt_rag.contracts.evidence.validate import as_sources, validate_field
from tests.case_areas import Case, Check


def run(case: Case) -> Check:
    """Validates the case's output and compares each part that the case expects."""
    given = case["input"]
    options = given.get("options", {})
    field = parse_field({**given["field"], **options}, locale=given.get("locale"))
    main = Source("document", given["document"], given.get("content_type", "text"), given.get("source_sha256"))
    others = [Source(name, text) for name, text in given.get("other_documents", {}).items()]
    results = validate_field(field, given["output"], as_sources([main, *others]))
    actual = observed(results)
    return Check(all(agrees(key, value, actual) for key, value in case["expected"].items()), actual)


def observed(results: list[FieldResult]) -> dict[str, Any]:
    """What the cases speak about, from the verdict on a field and its items."""
    statuses = [result.status for result in results]
    status = next((some for some in ("invalid", "unverified") if some in statuses), "valid")
    evidence = [item for result in results for item in result.evidence]
    places = [[place.line_start, place.line_end] for item in evidence for place in item.relocations]
    return {
        "status": status,
        "codes": sorted({code for result in results if result.status == status for code in result.codes}),
        "match": results[0].match,
        "folds": list(results[0].folds),
        "relocate": places[0] if len(places) == 1 else places,
        "repairable": any(item.repairable for item in evidence),
        "hint": next((item.hint for item in evidence if item.hint), None),
        "evidence_index": next((f.evidence for f in results[0].findings if f.severity == "error"), None),
    }


def agrees(key: str, value: Any, actual: dict[str, Any]) -> bool:
    """Whether one expected part is met; codes and folds are sets."""
    if key in ("codes", "folds"):
        return sorted(value) == sorted(actual[key])
    return bool(value == actual[key])


RUNNERS = {"evidence": run}
