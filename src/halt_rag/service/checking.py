"""The routes that check outputs, records, responses and documents; all but groundedness need no model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response

from halt_rag.contracts import CONTRACTS, Offence, OutputShapeError
from halt_rag.contracts.base import WHOLE
from halt_rag.contracts.evidence import EvidenceContract, Source
from halt_rag.contracts.strict_json import load
from halt_rag.errors import ConfigurationError, HaltRagError, InputError, MissingExtraError, UnknownNameError
from halt_rag.groundedness import GroundednessRequirement, JudgedSpan, UndeterminedError, ValidationResult
from halt_rag.scan import ScanReport, scan
from halt_rag.scan import Settings as ScanSettings
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.tree import MemoryTree, normal
from halt_rag.service.bodies import (
    ContractAnswer,
    ContractBody,
    EvidenceAnswer,
    EvidenceBody,
    GroundednessAnswer,
    GroundednessBody,
    OffenceAnswer,
    ScanBody,
    SpanAnswer,
    TextBody,
    at_most,
)
from halt_rag.service.core import Service, service_of
from halt_rag.service.problems import answer
from halt_rag.verify.sources import Passage, checked

_DEEPEST = 64  # Folders of a path.


def checking_routes() -> APIRouter:
    """``/v1/contracts/{name}/check``, ``/v1/evidence/validate``, ``/v1/groundedness`` and ``/v1/scan``."""
    router = APIRouter(tags=["check"])
    add = router.add_api_route
    add("/v1/contracts/{name}/check", check_contract, methods=["POST"], response_model=ContractAnswer)
    add("/v1/evidence/validate", validate_evidence, methods=["POST"], response_model=EvidenceAnswer)
    add("/v1/groundedness", check_groundedness, methods=["POST"], response_model=GroundednessAnswer)
    add("/v1/scan", scan_document, methods=["POST"], response_model=ScanReport)
    return router


async def check_contract(name: str, body: ContractBody, request: Request) -> Any:
    """Check an output against the contract of its function."""
    contract = CONTRACTS.get(name)
    if contract is None:
        return answer(UnknownNameError("contract", name[:100], CONTRACTS), 404)

    service = service_of(request)

    def check() -> str:
        _generated("The output", body.output, service)
        try:
            value = load(name, body.output) if isinstance(body.output, str) else body.output
            found = list(contract.offences(value))
        except OutputShapeError as error:
            found = [Offence(None, WHOLE, str(error), shape=True)]
        offences = [OffenceAnswer(record=o.record, field=o.field, reason=o.reason) for o in found]
        return ContractAnswer(contract=name, valid=not offences, offences=offences).model_dump_json()

    return _json(await service.answered(request, service.batcher.run(check)))


async def validate_evidence(body: EvidenceBody, request: Request) -> Any:
    """Validate a record against its typed contract and its sources."""
    service = service_of(request)
    documents = [body.sources] if isinstance(body.sources, str) else [source.text for source in body.sources]
    at_most(len(documents), service.settings.max_passages, "documents", "The request")
    at_most(sum(map(len, documents)), service.settings.max_source_characters, "characters", "The sources")

    def validate() -> str:
        _generated("The record", body.record, service)
        contract = _declared(body.contract)
        given = body.sources
        sources = given if isinstance(given, str) else [Source(s.id, s.text, s.content_type) for s in given]
        try:
            report = contract.validate(body.record, sources, apply_relocations=body.apply_relocations)
        except OutputShapeError:
            report = contract.validate(None, sources)
        told = report.to_dict()
        checked("The record", json.dumps(told, ensure_ascii=False))  # It may come back in the report.
        return EvidenceAnswer(offences=len(report.offences), report=told).model_dump_json()

    return _json(await service.answered(request, service.batcher.run(validate)))


async def check_groundedness(body: GroundednessBody, request: Request) -> Any:
    """Check that documents support a response: pass, fail, or undetermined."""
    service = service_of(request)
    if body.response.strip():
        TextBody(source=body.documents, generated=body.response, question=body.question).item(service.settings)
    given = body.documents
    documents: list[Any] = [given] if isinstance(given, str) else [_document(one) for one in given]
    requirement = GroundednessRequirement(allow_partial_support=body.allow_partial_support, verifier=service.verifier())
    history = [{"role": "user", "content": body.question}] if body.question else None
    work = service.batcher.run(lambda: requirement.check(body.response, documents, history))
    result = await service.answered(request, work)
    if result.error is not None and not isinstance(result.error, UndeterminedError):
        raise result.error
    return _told(result)


async def scan_document(body: ScanBody, request: Request) -> Response:
    """Scan a document for fabricated citations, unsupported numbers and what does not exist."""
    service = service_of(request)
    checked("The text", body.text)
    at_most(len(body.text), service.settings.max_source_characters, "characters", "The text")

    def run() -> str:
        files = MemoryTree([_path("files", path) for path in body.files or ()])
        known = Knowledge(files=files, today=datetime.now(UTC).date())
        texts = {_path("path", body.path): body.text}
        report = scan(root=Path("/"), texts=texts, settings=ScanSettings(), knowledge=known)
        return report.model_dump_json()

    return _json(await service.answered(request, service.batcher.run(run)))


def _json(content: str) -> Response:
    """An answer that was written in a thread: a long one would hold up the event loop."""
    return Response(content, media_type="application/json")


def _generated(what: str, value: Any, service: Service) -> None:
    """Refuses what is longer than a generated text may be.

    Raises:
        InputError: With both numbers.
    """
    length = len(value if isinstance(value, str) else json.dumps(value))
    at_most(length, service.settings.max_generated_characters, "characters", what)


def _path(field: str, path: str) -> str:
    """A path of a request, from the root of its documents.

    Raises:
        InputError: If it leaves the root or goes too deep.
    """
    inside = normal(path)
    if not inside or inside.count("/") > _DEEPEST:
        raise InputError(
            f"{field}: there is a path that is empty, absolute, outside the root, or deeper than {_DEEPEST} folders.",
            hint="Paths are relative to the root of the documents, such as docs/guide.md.",
        )
    return inside


def _declared(contract: dict[str, Any]) -> EvidenceContract[Any]:
    """The contract of a request.

    Raises:
        InputError: If it is none: it came with the request and is no setting of the service.
    """
    try:
        return EvidenceContract.from_dict(contract)
    except MissingExtraError:
        raise
    except ConfigurationError as error:
        raise InputError(f"The contract cannot be used: {error}") from error


def _document(one: Any) -> Any:
    return one if isinstance(one, str) else Passage(one.id, one.text)


def _told(result: ValidationResult) -> GroundednessAnswer:
    undetermined = isinstance(result.error, HaltRagError)
    return GroundednessAnswer(
        status="undetermined" if undetermined else ("pass" if result.passed else "fail"),
        reason=result.reason,
        score=None if undetermined else result.score,
        failing=_spans(result.failing),
        unknown=_spans(result.unknown),
    )


def _spans(spans: Sequence[JudgedSpan]) -> list[SpanAnswer]:
    return [
        SpanAnswer(
            start=one.span.start,
            end=one.span.end,
            text=one.text,
            support="unknown" if one.support is None else one.support.value,
            contradicted=one.contradicted,
        )
        for one in spans
    ]
