"""The two ways to judge the spans of a response: the verifier, and a language model asked in three stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from halt_rag.contracts.functions import EvidenceFinder, FoundEvidence, find_citations
from halt_rag.contracts.judges.base import Judge
from halt_rag.contracts.sentence_index import Document
from halt_rag.errors import BackendError
from halt_rag.groundedness import judge as prompts
from halt_rag.groundedness.material import Material
from halt_rag.groundedness.parse import parse_necessity, parse_support
from halt_rag.groundedness.result import Stage
from halt_rag.groundedness.spans import cut
from halt_rag.groundedness.verdict import JudgedSpan, Necessity, Support
from halt_rag.text.spans import Span
from halt_rag.verify.result import Claim, Verification
from halt_rag.verify.sources import Passage

Value = TypeVar("Value")
_SUPPORT = {"faithful": Support.FULL, "partial": Support.PARTIAL, "unfaithful": Support.NONE, None: Support.UNKNOWN}


class Verifier(Protocol):
    """What the verifier engine needs; ``HaltRagVerifier`` is one."""

    def verify(self, source: Sequence[Passage], generated: str, question: str | None = None) -> Verification:
        """Verifies a text against passages."""
        ...


class StageError(Exception):
    """A stage could not be carried out; ``error`` is what was caught. Never leaves the room."""

    def __init__(self, stage: Stage, error: Exception) -> None:
        super().__init__(stage)
        self.stage = stage
        self.error = error


@dataclass(frozen=True, slots=True)
class Judgment:
    """What an engine found out.

    Attributes:
        spans: The spans of the response, in order.
        score: Calibrated probability that the response is grounded, where there is one.
    """

    spans: tuple[JudgedSpan, ...]
    score: float | None = None


def by_verifier(verifier: Verifier, material: Material) -> Judgment:
    """Judges by the verifier's claims; each of them was checked against the documents, so each counts as cited.

    Raises:
        StageError: If the verifier fails.
    """
    verification = _stage("verification", lambda: _verification(verifier, material))
    p = verification.calibrated_prob if verification.model.calibrated else None
    return Judgment(tuple(map(_judged, verification.claims)), None if p is None else 1 - p)


@dataclass(frozen=True, slots=True)
class Panel:
    """A judge and how it is asked.

    Attributes:
        judge: The language model.
        citations: What finds citations; without it, the judge does.
        max_new_tokens: The most tokens of each answer.
    """

    judge: Judge
    citations: EvidenceFinder | None
    max_new_tokens: int

    def ask(self, prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        """The judge's answer, if it is a text.

        Raises:
            BackendError: If it is something else.
        """
        answer: object = self.judge(prompt, schema, max_tokens)
        if not isinstance(answer, str):
            raise BackendError(f"The judge answered with {answer!r:.60}, not with a text.", backend="judge")
        return answer


def by_judge(panel: Panel, material: Material) -> Judgment:
    """Judges in three stages: citations; which spans need one; how well those that may need one are supported.

    A span without a citation is not asked about again, nor is one that needs none.

    Raises:
        StageError: If the judge fails in one of them.
    """
    records = _stage("citations", lambda: _citations(panel, material))
    parts = cut(material.response, [(r["response_begin"], r["response_end"]) for r in records])
    prompt, schema = prompts.necessity(material.response, [part.text for part in parts], material.question)
    output = _stage("necessity", lambda: panel.ask(prompt, schema, panel.max_new_tokens))
    needs = parse_necessity(output, len(parts))
    spans = [
        JudgedSpan(part.span, part.text, part.cited, need.value, note=need.note)
        for part, need in zip(parts, needs, strict=True)
    ]
    asked = [span for span in spans if span.cited and span.necessity is not Necessity.NO]
    answered = dict(zip(asked, _supported(panel, material, asked, records), strict=True))
    return Judgment(tuple(answered.get(span, span) for span in spans))


def evidence_finder(verifier: Verifier) -> EvidenceFinder:
    """A finder of citations that needs no language model: the evidence by which the verifier found claims supported.

    Args:
        verifier: The verifier.

    Returns:
        A callable for ``citations``, or for ``find_citations``. It raises what the verifier raises.
    """

    def find(response: str, documents: Sequence[Document], /) -> list[FoundEvidence]:
        verification = _verification(verifier, Material(response, tuple(documents), None))
        return [
            FoundEvidence(Span(claim.start, claim.end), evidence.passage_index, Span(evidence.start, evidence.end))
            for claim in verification.claims
            for evidence in claim.evidence
            if evidence.kind == "supports"
        ]

    return find


def _stage(stage: Stage, call: Callable[[], Value]) -> Value:
    """Carries out what calls an engine.

    Raises:
        StageError: If that raised anything. An engine is the caller's: there is no telling what it raises.
    """
    try:
        return call()
    except Exception as error:  # The one catch-all: here a failure becomes data.
        raise StageError(stage, error) from error


def _verification(verifier: Verifier, material: Material) -> Verification:
    passages = [Passage(d.doc_id or str(i), d.text) for i, d in enumerate(material.documents, 1)]
    return verifier.verify(passages, material.response, material.question)


def _judged(claim: Claim) -> JudgedSpan:
    span = Span(claim.start, claim.end)
    if claim.label == "NA":
        return JudgedSpan(span, claim.text, cited=False, necessity=Necessity.NO)
    return JudgedSpan(
        span,
        claim.text,
        cited=True,
        necessity=Necessity.YES,
        support=_SUPPORT[claim.label],
        contradicted=claim.label == "unfaithful" and claim.reason == "contradicted",
        note="" if claim.label else f"the verifier could not tell: {claim.reason}",
    )


def _citations(panel: Panel, material: Material) -> list[dict[str, Any]]:
    judge = None if panel.citations else panel.ask
    return find_citations(
        material.response,
        material.documents,
        judge=judge,
        evidence_finder=panel.citations,
        max_tokens=panel.max_new_tokens,
    )


def _supported(
    panel: Panel, material: Material, spans: Sequence[JudgedSpan], records: Iterable[Mapping[str, Any]]
) -> list[JudgedSpan]:
    """The spans with their support, asked for in one call; none if there are no spans."""
    if not spans:
        return []
    cited = [(Span(r["response_begin"], r["response_end"]), r["citation_text"].strip()) for r in records]
    with_evidence = [(span.text, [text for place, text in cited if place.overlaps(span.span)]) for span in spans]
    prompt, schema = prompts.support(material.response, with_evidence, material.documents, material.question)
    output = _stage("support", lambda: panel.ask(prompt, schema, panel.max_new_tokens))
    return [
        replace(span, support=reading.value, note="; ".join(filter(None, (span.note, reading.note))))
        for span, reading in zip(spans, parse_support(output, len(spans)), strict=True)
    ]
