"""A groundedness requirement for mellea, for its sampling loops and for its own ``validate``."""

from __future__ import annotations

import asyncio
from typing import Any

from halt_rag.contracts.sentence_index import Document
from halt_rag.errors import InputError, MissingExtraError
from halt_rag.groundedness.material import Message
from halt_rag.groundedness.requirement import GroundednessRequirement
from halt_rag.groundedness.result import ValidationResult


def mellea_requirement(
    requirement: GroundednessRequirement, *, question: str | None = None, check_only: bool = False
) -> Any:
    """Makes a mellea ``Requirement`` of a groundedness requirement.

    It checks the last item of the context: an assistant's ``Message``, or the output that a sampling loop just
    generated, which is no message. Documents are the requirement's own, else those attached to that message, else
    those attached to the latest message of the user that has any. The requirement's own engine judges; mellea's
    backend is not asked.

    An errored result has no reason and the error, as in mellea's own requirements: its repair strategies tell a model
    the description then. mellea's loops generate again after it all the same; the results keep it.

    Args:
        requirement: What to check.
        question: What responses answer. It is not taken from the context, where the user's last message may be the
            repair text of a loop.
        check_only: Whether to keep the description out of mellea's prompts.

    Returns:
        A ``mellea.core.Requirement``. Checks run in a thread, so that the event loop goes on.

    Raises:
        MissingExtraError: If mellea is not installed.
    """
    try:
        from mellea.core import Requirement
        from mellea.core import ValidationResult as MelleaResult
    except ModuleNotFoundError as error:
        raise MissingExtraError("mellea", "mellea") from error

    def check(context: Any) -> Any:
        result = _checked(requirement, context, question)
        return MelleaResult(result.passed, reason=result.reason, score=result.score, error=result.error)

    class Groundedness(Requirement):  # type: ignore[misc, unused-ignore]  # mellea is untyped where it is missing
        """Checks in a thread; what it needs is in a closure, because mellea copies requirements deeply."""

        async def validate(self, backend: Any, ctx: Any, **_: Any) -> Any:  # noqa: ARG002 - mellea gives it
            """Checks the last item of a context."""
            return await asyncio.to_thread(check, ctx)

    return Groundedness(description=requirement.description, validation_fn=check, check_only=check_only)


def _checked(requirement: GroundednessRequirement, context: Any, question: str | None) -> ValidationResult:
    from mellea.core import ModelOutputThunk
    from mellea.stdlib.components import Message as MelleaMessage

    items = context.as_list()
    if not items:
        return requirement.check(None)
    *before, last = items
    response: Any = last
    if isinstance(last, ModelOutputThunk):
        if last.value is None:
            error = InputError("The last output of the context is not computed yet.", hint="Await it first.")
            return ValidationResult(False, error=error, stage="setup")
        response = last.value
    asked = [item for item in reversed(before) if isinstance(item, MelleaMessage) and item.role == "user"]
    attached = (found for item in (last, *asked) if (found := _documents(item)))
    documents = next(attached, None) if requirement.documents is None else None
    history: list[Message] = [{"role": "user", "content": question}] if question else []
    return requirement.check(response, documents, history)


def _documents(item: Any) -> list[Document]:
    """The documents that are attached to a message."""
    from mellea.stdlib.components import Document as MelleaDocument
    from mellea.stdlib.components import Message as MelleaMessage

    parts = item.parts() if isinstance(item, MelleaMessage) else ()
    return [Document(part.text, part.doc_id) for part in parts if isinstance(part, MelleaDocument)]
