"""The routes that verify texts."""

from __future__ import annotations

import logging

from fastapi import APIRouter, Request, Response

from halt_rag.errors import HaltRagError
from halt_rag.policies import Failure, Guard, Outcome
from halt_rag.service.bodies import BatchAnswer, BatchBody, FailedBody, GuardBody, TextBody, VerifyBody, at_most
from halt_rag.service.core import Service, service_of
from halt_rag.verify.result import Verification
from halt_rag.verify.sources import checked
from halt_rag.verify.verifier import Item

_log = logging.getLogger("halt_rag.service")


def verifying_routes() -> APIRouter:
    """``/verify``, ``/v1/verify/batch`` and ``/v1/guard``."""
    router = APIRouter(tags=["verify"])
    router.add_api_route("/verify", verify, methods=["POST"], response_model=Verification)
    router.add_api_route("/v1/verify/batch", verify_batch, methods=["POST"], response_model=BatchAnswer)
    router.add_api_route("/v1/guard", guard, methods=["POST"], response_model=Outcome)
    return router


async def verify(body: VerifyBody, request: Request) -> Response:
    """Verify a text against its sources. An abstention is an answer, too."""
    result = await _verified(request, body)
    if isinstance(result, HaltRagError):
        raise result
    return _json(result.to_json())


async def verify_batch(body: BatchBody, request: Request) -> Response:
    """Verify several texts. What could not be verified has an error in the place of its result."""
    service = service_of(request)
    most = min(service.settings.max_items, service.settings.queue)  # More could never be accepted.
    at_most(len(body.items), most, "items", "The request")
    read = [_read(item, service) for item in body.items]
    items = [item for item in read if isinstance(item, Item)]
    work = service.batcher.verify(service.verifier(body.task), items)
    results = iter(await service.answered(request, work))
    told = [next(results) if isinstance(item, Item) else item for item in read]
    answer = BatchAnswer(results=[FailedBody(error=Failure.of(r)) if isinstance(r, HaltRagError) else r for r in told])
    return _json(answer.model_dump_json())


async def guard(body: GuardBody, request: Request) -> Response:
    """Verify a text and apply a policy. With 'raise', a text that fails is answered with status 422."""
    service = service_of(request)
    checked("The message", body.message)
    applied = Guard(service.verifier(body.task), body.policy, body.on_error, body.fail_on, body.message)
    result = await _verified(request, body)
    if isinstance(result, HaltRagError):
        return _json(applied.failed(body.generated, result).to_json())
    return _json(applied.settle(body.generated, result).to_json())


async def _verified(request: Request, body: VerifyBody) -> Verification | HaltRagError:
    service = service_of(request)
    result: Verification | Item | HaltRagError = _read(body, service)
    if isinstance(result, Item):
        (result,) = await service.answered(request, service.batcher.verify(service.verifier(body.task), [result]))
    return result


def _read(body: TextBody, service: Service) -> Item | HaltRagError:
    if service.settings.log_texts:
        _log.info("text: %r", body.generated)
    try:
        return body.item(service.settings)
    except HaltRagError as error:
        return error


def _json(content: str) -> Response:
    return Response(content, media_type="application/json")
