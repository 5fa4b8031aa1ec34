"""A guard for LangChain: the last link of a chain in its expression language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from halt_rag.errors import InputError, MissingExtraError
from halt_rag.integrations.generic import Keys, VerifyStep
from halt_rag.policies import MESSAGE, FailOn, Guard, OnError, Policy, Verifier


@dataclass(frozen=True)
class HaltRagGuard:
    """Checks what a chain answers.

    The chain gives a dict with the documents and the answer, as ``create_retrieval_chain`` and
    ``RunnablePassthrough.assign`` do: the sources under ``context``, ``documents`` or another of the keys of
    ``halt_rag.integrations.generic.Keys``, the answer (a string or a message) under ``answer``. It gets that dict back,
    with what may be passed on as the answer and the ``Outcome`` under ``halt_rag``. Where ``source`` is set, a chain
    that answers with a plain string or message is checked, too, and gets the dict with ``answer`` and ``halt_rag``.

    While streaming, the answer is collected first: nothing unverified gets out.

    Attributes:
        verifier: The verifier.
        policy: What to do with an answer that fails; this and the next three are the fields of ``Guard``.
        on_error: What to do with an answer that cannot be verified.
        fail_on: Which answers fail.
        message: What takes the place of an answer.
        keys: Where things are in the dict.
        source: Sources for all answers, in place of those in the dict.

    Raises:
        UnknownNameError: If there is no such policy.
    """

    verifier: Verifier
    policy: Policy = "annotate"
    on_error: OnError = "closed"
    fail_on: FailOn | None = None
    message: str = MESSAGE
    keys: Keys = field(default_factory=Keys)
    source: Any = None

    def __post_init__(self) -> None:
        self._step()

    def as_runnable(self) -> Any:
        """The guard as a LangChain ``Runnable``: ``chain | guard.as_runnable()``.

        Raises:
            MissingExtraError: If LangChain is not installed.
        """
        try:
            from langchain_core.runnables import RunnableLambda
        except ModuleNotFoundError as error:
            raise MissingExtraError("langchain-core", "langchain") from error
        step = self._step()

        def check(value: Any) -> dict[str, Any]:
            return step(self._state(value))

        async def acheck(value: Any) -> dict[str, Any]:
            return await step.acall(self._state(value))

        return RunnableLambda(check, acheck, name="HaltRagGuard")

    def _step(self) -> VerifyStep:
        guard = Guard(self.verifier, self.policy, self.on_error, self.fail_on, self.message)
        return VerifyStep(guard, self.keys, self.source)

    def _state(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Mapping):
            return dict(value)
        if self.source is None:
            raise InputError(
                f"The chain gives {type(value).__name__}, without the sources that it was made from.",
                hint="Let it give a dict with 'context' and 'answer', or set source of HaltRagGuard.",
            )
        return {"answer": value}
