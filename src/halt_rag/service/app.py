"""The application: routes, what every request passes, and how errors are answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from halt_rag import __version__
from halt_rag.errors import HaltRagError, MissingExtraError
from halt_rag.service.settings import Settings

try:
    from fastapi import FastAPI, Request, Response
    from fastapi.exceptions import RequestValidationError
    from prometheus_client import CollectorRegistry as _  # noqa: F401 - it is missed here, by name, or nowhere
    from starlette.exceptions import HTTPException
    from starlette.responses import JSONResponse
except ModuleNotFoundError as missing:
    raise MissingExtraError(missing.name or "fastapi", "service") from missing

from halt_rag.service import problems
from halt_rag.service.checking import checking_routes
from halt_rag.service.core import Service, service_of
from halt_rag.service.gate import Bounds, Key, Watch
from halt_rag.service.meters import CONTENT_TYPE, Meters
from halt_rag.service.verifying import verifying_routes
from halt_rag.verify.verifier import HaltRagVerifier

_DESCRIPTION = (
    "Says which parts of a generated text its sources support. Errors are application/problem+json and never have a "
    "decision; an abstention is an answer with status 200."
)
_REFUSALS = {
    "400": "The body is not JSON.",
    "401": "An API key is needed.",
    "404": "There is no contract of that name.",
    "408": "The body came too slowly.",
    "413": "The body is too long.",
    "415": "The body is not declared as JSON.",
    "422": "The input cannot be used.",
    "429": "Too much is waiting; Retry-After says for how long to wait.",
    "500": "The service failed.",
    "501": "A package that this needs is not installed.",
    "502": "A model gave no usable answer.",
    "503": "A model could not be asked.",
    "504": "The deadline has passed.",
}


def create_app(
    verifier: HaltRagVerifier,
    settings: Settings | None = None,
    *,
    tasks: Mapping[str, HaltRagVerifier] | None = None,
    meters: Meters | None = None,
) -> FastAPI:
    """The service around a verifier, as an ASGI application.

    Args:
        verifier: Verifies the texts of requests that name no task, or one without a verifier of its own.
        settings: The settings; host, port, workers, backend and cache matter to ``halt-rag serve`` only.
        tasks: Verifiers by task.
        meters: Where to count, if something outside counts, too.

    Returns:
        The application. It loads the model when it starts, and finishes what it accepted when it stops.
    """
    settings = settings or Settings()
    meters = meters or Meters()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.service = service = Service(verifier, settings, meters, tasks or {})
        service.batcher.start()
        warming = asyncio.create_task(service.warm())
        warming.add_done_callback(service.warmed)
        yield
        warming.cancel()
        await service.batcher.close()

    app = FastAPI(
        title="halt-rag",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        exception_handlers={
            HaltRagError: problems.on_library_error,
            HTTPException: problems.on_http_error,
            RequestValidationError: problems.on_invalid_body,
            Exception: problems.on_failure,
        },
    )
    app.include_router(verifying_routes())
    app.include_router(checking_routes())
    app.add_api_route("/healthz", healthz, methods=["GET"], tags=["operate"])
    app.add_api_route("/readyz", readyz, methods=["GET"], tags=["operate"])
    app.add_api_route("/metrics", metrics, methods=["GET"], tags=["operate"], response_class=Response)
    # The last one added is the first that a request passes.
    app.add_middleware(Bounds, settings=settings)
    app.add_middleware(Key, hashes=settings.api_key_hashes)
    app.add_middleware(Watch, meters=meters)
    _document(app, with_key=bool(settings.api_key_hashes))
    return app


async def healthz() -> dict[str, str]:
    """Whether the process runs."""
    return {"status": "ok"}


async def readyz(request: Request) -> Response:
    """Whether the model is loaded; 503 where it is not."""
    why = service_of(request).not_ready
    if why is None:
        return JSONResponse({"status": "ready"})
    problem = problems.Problem(
        type="urn:halt-rag:NOT_READY", title="The service is not ready", status=503, detail=why, code="NOT_READY",
        retryable=True,
    )  # fmt: skip
    return problems.respond(problem, {"Retry-After": "1"})


async def metrics(request: Request) -> Response:
    """Figures for Prometheus."""
    return Response(service_of(request).meters.text(), media_type=CONTENT_TYPE)


def _document(app: FastAPI, *, with_key: bool) -> None:
    """Puts the problems, and the key where there is one, into the OpenAPI document."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = made()
            components = document.setdefault("components", {})
            schemas = components.setdefault("schemas", {})
            schemas["Problem"] = problems.Problem.model_json_schema(mode="serialization")
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            for path, operations in document["paths"].items():
                for method, operation in operations.items():
                    _add_problems(path, method, operation)
                    if with_key and path not in {"/healthz", "/readyz"}:
                        operation["security"] = [{"key": []}]
            if with_key:
                components["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        return app.openapi_schema or made()

    app.openapi = openapi  # type: ignore[method-assign]


def _add_problems(path: str, method: str, operation: dict[str, Any]) -> None:
    content = {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    wanted = _REFUSALS if method == "post" else {s: _REFUSALS[s] for s in ("401", "500", "503")}
    for status, description in wanted.items():
        if status != "404" or "{" in path:
            operation["responses"][status] = {"description": description, "content": content}
    if path == "/metrics":
        operation["responses"]["200"]["content"] = {"text/plain": {"schema": {"type": "string"}}}
