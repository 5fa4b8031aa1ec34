"""The mellea adapter in the real package: its contexts, its sampling loops, its OpenAI backend."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from halt_rag.errors import BackendError, MissingExtraError
from halt_rag.groundedness.requirement import GroundednessRequirement
from halt_rag.integrations.mellea_adapter import mellea_requirement
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.verifier import HaltRagVerifier
from tests.groundedness.server import Reply, chat_server

GOOD, BAD = "The dam was built in 1967.", "The dam was not built in 1967."
CANARY = "CANARY-3f9a"


def requirement(documents: Any = GOOD, failure: BackendError | None = None) -> GroundednessRequirement:
    backend = FakeNLI()
    backend.failure = failure
    return GroundednessRequirement(documents, verifier=HaltRagVerifier(backend=backend))


def test_without_mellea_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mellea.core", None)
    monkeypatch.setitem(sys.modules, "mellea", None)
    with pytest.raises(MissingExtraError, match=r"halt-rag\[mellea\]"):
        mellea_requirement(requirement())


@pytest.mark.filterwarnings("default")  # mellea's dependencies warn on import
class TestWithMellea:
    @pytest.fixture(autouse=True)
    def _mellea(self) -> None:
        pytest.importorskip("mellea", reason="mellea is not installed")

    def validate(self, adapted: Any, *items: Any) -> Any:
        from mellea.stdlib.context import ChatContext

        context = ChatContext()
        for item in items:
            context = context.add(item)
        return asyncio.run(adapted.validate(None, context))

    def message(self, role: Any, content: str, documents: Sequence[str] | None = None) -> Any:
        from mellea.stdlib.components import Message

        return Message(role, content, documents=documents)

    def thunk(self, value: str | None) -> Any:
        from mellea.core import ModelOutputThunk

        return ModelOutputThunk(value=value)

    def test_it_is_a_requirement_of_mellea(self) -> None:
        from mellea.core import Requirement, ValidationResult

        adapted = mellea_requirement(requirement(), check_only=True)
        assert isinstance(adapted, Requirement)
        assert (adapted.description, adapted.check_only) == (requirement().description, True)
        result = self.validate(adapted, self.message("assistant", GOOD))
        assert isinstance(result, ValidationResult)
        assert result.as_bool()

    def test_messages_and_outputs_are_responses(self) -> None:
        adapted = mellea_requirement(requirement())
        for item in (self.message("assistant", BAD), self.thunk(BAD)):
            result = self.validate(adapted, self.message("user", "When was it built?"), item)
            assert not result.as_bool()
            assert result.error is None
            assert BAD in result.reason

    def test_what_is_no_response_is_an_error_without_a_reason(self) -> None:
        from mellea.core import CBlock

        adapted = mellea_requirement(requirement())
        cases = {
            "empty": [],
            "assistant": [self.message("user", "Hi.")],
            "computed": [self.message("user", "Hi."), self.thunk(None)],
            "Message": [CBlock("Hi.")],
        }
        for word, items in cases.items():
            result = self.validate(adapted, *items)
            assert not result.as_bool()
            assert result.reason is None
            assert word in str(result.error)

    def test_documents_come_from_the_requirement_or_the_messages(self) -> None:
        def status(own: Any, *items: Any) -> Any:
            return self.validate(mellea_requirement(requirement(own)), *items)

        on_response = self.message("assistant", GOOD, [GOOD])
        on_question = self.message("user", "When?", [GOOD])
        assert status(None, on_response).as_bool()
        assert status(None, on_question, self.thunk(GOOD)).as_bool()
        assert "documents" in str(status(None, self.message("user", "When?"), self.thunk(GOOD)).error)
        assert status("Of bees.", on_response).error is None
        assert not status("Of bees.", on_response).as_bool()

    def test_a_question_is_given_to_the_adapter(self) -> None:
        asked = mellea_requirement(requirement(), question="The dam was built in?")
        assert self.validate(asked, self.thunk("In 1967.")).as_bool()
        unasked = mellea_requirement(requirement("1967: the dam was built."))
        assert not self.validate(unasked, self.thunk("In 1967.")).as_bool()

    def sample(self, adapted: Any, strategy: str, said: Sequence[str]) -> tuple[Any, list[str]]:
        """Runs a sampling loop of mellea over HTTP; the result, and each prompt that it sent."""
        from mellea import MelleaSession
        from mellea.backends.openai import OpenAIBackend
        from mellea.stdlib import sampling
        from mellea.stdlib.context import ChatContext

        left = iter(said)
        with chat_server(lambda _: Reply(next(left))) as server:
            backend = OpenAIBackend(model_id="m", base_url=server.base_url, api_key="unused")
            session = MelleaSession(backend, ctx=ChatContext())
            result = session.instruct(
                "Tell me of the dam.",
                requirements=[adapted],
                strategy=getattr(sampling, strategy)(loop_budget=len(said)),
                return_sampling_results=True,
            )
            return result, [json.dumps(request["messages"]) for request in server.requests]

    @pytest.mark.parametrize("strategy", ["RejectionSamplingStrategy", "RepairTemplateStrategy", "MultiTurnStrategy"])
    def test_its_sampling_loops_repair_what_is_not_grounded(self, strategy: str) -> None:
        result, prompts = self.sample(mellea_requirement(requirement()), strategy, [BAD, GOOD])
        assert result.success
        assert len(prompts) == 2
        assert ("the documents contradict it" in prompts[1]) == (strategy != "RejectionSamplingStrategy")

    @pytest.mark.parametrize("strategy", ["RepairTemplateStrategy", "MultiTurnStrategy"])
    def test_its_sampling_loops_tell_no_model_of_an_outage(self, strategy: str) -> None:
        outage = BackendError(CANARY, backend="b")
        adapted = mellea_requirement(requirement(failure=outage), check_only=True)
        result, prompts = self.sample(adapted, strategy, [GOOD, GOOD])
        assert not result.success
        validations = [validation for sample in result.sample_validations for _, validation in sample]
        assert [v.error for v in validations] == [outage, outage]
        assert [v.reason for v in validations] == [None, None]
        assert adapted.description in prompts[1]
        assert not any(CANARY in prompt or "None" in prompt for prompt in prompts)
