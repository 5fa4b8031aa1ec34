"""Verification of LlamaIndex responses, and an evaluator for its evaluation tools."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Sequence
from typing import Any

from halt_rag.errors import HaltRagError, InputError, MissingExtraError
from halt_rag.integrations.generic import OUTCOME_KEY, passages_of
from halt_rag.policies import MESSAGE, FailOn, Guard, OnError, Outcome, Policy, Verifier
from halt_rag.verify.result import Verification


def verify_response(
    verifier: Verifier,
    response: Any,
    policy: Policy = "annotate",
    *,
    question: str | None = None,
    on_error: OnError = "closed",
    fail_on: FailOn | None = None,
    message: str = MESSAGE,
) -> Any:
    """Checks a response of a query engine against its source nodes.

    Args:
        verifier: The verifier.
        response: What ``query_engine.query(...)`` returned; of a stream, the text is collected first.
        policy: What to do with a text that fails; this and the last three are the fields of ``Guard``.
        question: The question; short answers are read together with it.
        on_error: What to do with a text that cannot be verified.
        fail_on: Which texts fail.
        message: What takes the place of a text.

    Returns:
        A LlamaIndex ``Response`` with what may be passed on, the same source nodes, and the ``Outcome`` in
        ``metadata["halt_rag"]``. The given response is left as it is.

    Raises:
        MissingExtraError: If LlamaIndex is not installed.
        InputError: If the response is none of LlamaIndex, or its answer is no text.
        HaltRagError: As ``Guard.check``.
    """
    guard = Guard(verifier, policy, on_error, fail_on, message)
    response = _plain(response)
    outcome = guard.check(passages_of(response.source_nodes), _text(response), question)
    return _with(response, outcome)


async def averify_response(
    verifier: Verifier,
    response: Any,
    policy: Policy = "annotate",
    *,
    question: str | None = None,
    on_error: OnError = "closed",
    fail_on: FailOn | None = None,
    message: str = MESSAGE,
) -> Any:
    """The same as ``verify_response`` for what ``query_engine.aquery(...)`` returned; the verifier runs in a thread.

    Raises:
        HaltRagError: As ``verify_response``.
    """
    guard = Guard(verifier, policy, on_error, fail_on, message)
    collect = getattr(response, "get_response", None)
    if inspect.iscoroutinefunction(collect):
        response = await collect()
    response = await asyncio.to_thread(_plain, response)
    outcome = await guard.acheck(passages_of(response.source_nodes), _text(response), question)
    return _with(response, outcome)


def evaluator(verifier: Verifier) -> Any:
    """A LlamaIndex ``BaseEvaluator``: does the response follow from the contexts?

    Its results have ``passing`` (None where the verifier abstains), ``score`` (the probability that the text is
    supported, where there is one), ``feedback`` (the decision, and the sentences that fail), and ``invalid_result``
    with its reason where the text could not be verified.

    Args:
        verifier: The verifier; no language model is asked.

    Raises:
        MissingExtraError: If LlamaIndex is not installed.
    """
    try:
        from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    except ModuleNotFoundError as error:
        raise MissingExtraError("llama-index-core", "llamaindex") from error

    class HaltRagEvaluator(BaseEvaluator):  # type: ignore[misc, unused-ignore]  # untyped where it is missing
        """Evaluates in a thread, without prompts."""

        def _get_prompts(self) -> dict[str, Any]:
            return {}

        def _update_prompts(self, prompts: Any) -> None:
            pass

        async def aevaluate(
            self,
            query: str | None = None,
            response: str | None = None,
            contexts: Sequence[str] | None = None,
            **_: Any,
        ) -> Any:
            """Evaluates a response against its contexts."""
            given = {"query": query, "response": response, "contexts": contexts}
            try:
                if response is None or contexts is None:
                    raise InputError("The response or its contexts are missing.")
                result = await asyncio.to_thread(verifier.verify, list(contexts), response, query or None)
            except HaltRagError as error:
                return EvaluationResult(**given, invalid_result=True, invalid_reason=f"{error.code}: {error}")
            return EvaluationResult(**given, **_evaluated(result))

    return HaltRagEvaluator()


def _evaluated(result: Verification) -> dict[str, Any]:
    p = result.calibrated_prob
    bad = [claim.text for claim in result.claims if claim.label in {"unfaithful", "partial"}]
    return {
        "passing": None if result.decision == "abstain" else result.decision == "supported",
        "score": None if p is None else 1 - p,
        "feedback": "\n".join([result.decision, *(f"not supported: {text}" for text in bad)]),
    }


def _plain(response: Any) -> Any:
    """The response as a ``Response``; a stream is read to its end.

    Raises:
        MissingExtraError: If LlamaIndex is not installed.
        InputError: If it is no response.
    """
    try:
        from llama_index.core.base.response.schema import PydanticResponse, Response, StreamingResponse
    except ModuleNotFoundError as error:
        raise MissingExtraError("llama-index-core", "llamaindex") from error
    whole = isinstance(response, PydanticResponse) and response.response is not None
    if whole or isinstance(response, StreamingResponse):
        response = response.get_response()
    if not isinstance(response, Response):
        raise InputError(
            f"This is no response of a LlamaIndex query engine, but {type(response).__name__}.",
            hint="Give what query_engine.query(...) returned; what aquery(...) streams is for averify_response.",
        )
    return response


def _text(response: Any) -> str:
    if not isinstance(response.response, str):
        raise InputError("The response has no text.", hint="There is nothing to verify.")
    return response.response


def _with(response: Any, outcome: Outcome) -> Any:
    metadata = {**(response.metadata or {}), OUTCOME_KEY: outcome}
    return type(response)(response=outcome.text, source_nodes=response.source_nodes, metadata=metadata)
