"""Span records: which stretches of a response its documents support, found without a language model.

The records keep the contract ``hallucination_detection`` (``halt_rag.contracts.hallucination_detection``); the function
of the same name in ``halt_rag.contracts.functions`` asks a language model instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from halt_rag.verify.result import Claim, Evidence, Verification
from halt_rag.verify.sources import Source
from halt_rag.verify.verifier import HaltRagVerifier

_LONGEST_QUOTE = 200
_WHY = {
    "uncertain": "The model is too near its threshold to decide.",
    "not_read": "No support was found, and not everything could be read.",
}


@dataclass(frozen=True, slots=True)
class FlaggedContent:
    """What ``flag_hallucinated_content`` found.

    Attributes:
        records: One for each sentence with a verdict, in order: ``response_begin`` and ``response_end`` (half-open, in
            code points of the response), ``response_text``, ``faithfulness`` (``faithful``, ``partial``,
            ``unfaithful`` or ``NA``) and ``explanation``.
        undetermined: One for each sentence without a verdict, in order: ``response_begin``, ``response_end``,
            ``response_text``, ``reason`` (``uncertain`` or ``not_read``) and ``explanation``. These are not
            ``unfaithful``: the verifier does not know.
        verification: All that was found, with evidence and receipt; None for a blank response.
    """

    records: list[dict[str, Any]]
    undetermined: list[dict[str, Any]]
    verification: Verification | None


def flag_hallucinated_content(
    response: str, documents: Source, context: str | None = None, *, verifier: HaltRagVerifier | None = None
) -> FlaggedContent:
    """Says of each sentence of a response whether documents support it.

    Args:
        response: The response to check.
        documents: What it must be faithful to: strings, or passages with ids.
        context: The question that the response answers, if any.
        verifier: What checks; default: the model that ships with the package.

    Returns:
        Records for the sentences with a verdict, and apart from them the sentences without one. A blank response has
        no sentences, so that nothing is asked.

    Raises:
        InputError: If a text is no string or no valid Unicode, or there is no document with text.
        ConfigurationError: If the model or its calibration cannot be loaded.
        BackendError: If the model cannot be asked. That is never a record.
    """
    if isinstance(response, str) and not response.strip():
        return FlaggedContent([], [], None)
    result = (verifier or HaltRagVerifier()).verify(documents, response, context)
    records: list[dict[str, Any]] = []
    undetermined: list[dict[str, Any]] = []
    for claim in result.claims:
        place = {"response_begin": claim.start, "response_end": claim.end, "response_text": claim.text}
        if claim.label is None:
            undetermined.append({**place, "reason": claim.reason, "explanation": explanation(claim)})
        else:
            records.append({**place, "faithfulness": claim.label, "explanation": explanation(claim)})
    return FlaggedContent(records, undetermined, result)


def explanation(claim: Claim) -> str:
    """Why a claim has its label, in plain words; the evidence is quoted, shortened to 200 characters."""
    if claim.label == "NA":
        return "There is nothing to check."
    if claim.label is None:
        return " ".join([_WHY[claim.reason or "uncertain"], *map(_evidence, claim.evidence)])
    said = [_parts(claim)] if claim.label == "partial" else []
    said += map(_evidence, claim.evidence)
    if claim.conflict:
        said.append("The passages are in conflict.")
    return " ".join(said)


def _evidence(evidence: Evidence) -> str:
    quote = f"passage {evidence.passage_id}: {_quoted(evidence.text)}."
    if evidence.kind == "supports":
        return f"{'Supported together by' if evidence.together else 'Supported by'} {quote}"
    if evidence.kind == "contradicts":
        return f"Contradicted by {quote}"
    said = f"No passage supports it; the nearest is {quote}"
    lacks = evidence.missing
    if lacks is None or not (lacks.words or lacks.quantities or lacks.names):
        return said
    return f"{said} That lacks {', '.join(map(_quoted, [*lacks.quantities, *lacks.names, *lacks.words]))}."


def _parts(claim: Claim) -> str:
    halves: list[tuple[str, Sequence[str]]] = [
        ("Supported", [part.text for part in claim.parts if part.label == "faithful"]),
        ("Not supported", [part.text for part in claim.parts if part.label == "unfaithful"]),
    ]
    return " ".join(f"{name}: {', '.join(map(_quoted, texts))}." for name, texts in halves)


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    short = line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"
    return f'"{short}"'
