"""A verification step for pipelines of dicts, and a decorator; no framework needed."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

from halt_rag.errors import InputError
from halt_rag.policies import MESSAGE, FailOn, Guard, OnError, Outcome, Policy, Verifier
from halt_rag.verify.sources import Passage

Function = TypeVar("Function", bound=Callable[..., Any])
Key = str | Sequence[str]

SOURCE_KEYS: Final = ("source", "sources", "context", "contexts", "documents")
GENERATED_KEYS: Final = ("generated", "answer", "response", "output")
QUESTION_KEYS: Final = ("question", "query", "input")
OUTCOME_KEY: Final = "halt_rag"


@dataclass(frozen=True)
class Keys:
    """Where a step finds things in a dict. Of several keys, the first that the dict has counts.

    Attributes:
        source: What the text must be faithful to; see ``passages_of`` for what may stand there.
        generated: The text to check. What may be passed on is put there in its place.
        question: The question that it answers; may be missing from the dict.
        outcome: Where the ``Outcome`` is put.
    """

    source: Key = SOURCE_KEYS
    generated: Key = GENERATED_KEYS
    question: Key = QUESTION_KEYS
    outcome: str = OUTCOME_KEY


@dataclass(frozen=True)
class VerifyStep:
    """A step of a pipeline: takes a dict, returns a new one with the outcome. Made by ``verify_step``.

    Attributes:
        guard: Verifies and applies the policy.
        keys: Where things are in the dict.
        source: Sources for all texts, in place of those in the dict.
    """

    guard: Guard
    keys: Keys = field(default_factory=Keys)
    source: object = None

    def __call__(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Checks the text in a dict.

        Returns:
            A copy of the dict, with what may be passed on in place of the text, and the ``Outcome``.

        Raises:
            InputError: If the dict lacks the source or the text, or they are of no known kind.
            HaltRagError: As ``Guard.check``.
        """
        return self._with(state, self.guard.check(*self._read(state)))

    async def acall(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The same for async pipelines; the verifier runs in a thread.

        Raises:
            HaltRagError: As the call itself.
        """
        return self._with(state, await self.guard.acheck(*self._read(state)))

    def _read(self, state: Mapping[str, Any]) -> tuple[list[Passage], str, str | None]:
        if not isinstance(state, Mapping):
            raise InputError(
                f"The step takes a dict, not {type(state).__name__}.", hint="Pass source and text under their keys."
            )
        source = state[_present(state, self.keys.source, "source")] if self.source is None else self.source
        text = text_of(state[_present(state, self.keys.generated, "generated text")])
        asked = next((key for key in _names(self.keys.question) if key in state), None)
        question = None if asked is None else state[asked]
        if question is not None and not isinstance(question, str):
            raise InputError(f"The question under {asked!r} must be a string, not {type(question).__name__}.")
        return passages_of(source), text, question

    def _with(self, state: Mapping[str, Any], outcome: Outcome) -> dict[str, Any]:
        key = _present(state, self.keys.generated, "generated text")
        return {**state, key: with_text(state[key], outcome.text), self.keys.outcome: outcome}


def verify_step(
    verifier: Verifier,
    policy: Policy = "annotate",
    *,
    on_error: OnError = "closed",
    fail_on: FailOn | None = None,
    message: str = MESSAGE,
    keys: Keys | None = None,
) -> VerifyStep:
    """A step for a pipeline of functions from dict to dict.

    Args:
        verifier: The verifier.
        policy: What to do with a text that fails; this and the next three are the fields of ``Guard``.
        on_error: What to do with a text that cannot be verified.
        fail_on: Which texts fail.
        message: What takes the place of a text.
        keys: Where things are in the dicts.

    Returns:
        A callable; its method ``acall`` is the same for async pipelines.

    Raises:
        UnknownNameError: If there is no such policy.
    """
    return VerifyStep(Guard(verifier, policy, on_error, fail_on, message), keys or Keys())


def verified(step: VerifyStep) -> Callable[[Function], Function]:
    """A decorator for functions, plain or async, that return the dict that a step takes.

    Args:
        step: The step that every returned dict goes through.
    """

    def decorate(function: Function) -> Function:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def arun(*args: Any, **kwargs: Any) -> dict[str, Any]:
                return await step.acall(await function(*args, **kwargs))

            return cast("Function", arun)

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> dict[str, Any]:
            return step(function(*args, **kwargs))

        return cast("Function", run)

    return decorate


def passages_of(source: object) -> list[Passage]:
    """The passages that a framework's value stands for.

    Args:
        source: A string; a ``Passage``; a mapping with ``text``, ``page_content`` or ``content`` and perhaps ``id``;
            an object with ``page_content`` (a LangChain ``Document``) or ``get_content()`` (a LlamaIndex node, with
            or without a score); or a list of those. An id is taken from the item, else from its metadata
            (``id``, ``source``), else it is the 1-based position.

    Raises:
        InputError: If something else is among them.
    """
    one = isinstance(source, str | Passage | Mapping) or not isinstance(source, Sequence)
    items = [source] if one else list(cast("Sequence[object]", source))
    return [_passage(position, item) for position, item in enumerate(items, 1)]


def text_of(value: object) -> str:
    """The text of a string or of a message with ``content``.

    Raises:
        InputError: If it is neither, or the content is no text.
    """
    content = getattr(value, "content", value)
    if isinstance(content, list):
        parts = [
            part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, str | dict)
        ]
        texts = [part for part in parts if isinstance(part, str)]
        content = "".join(texts) if len(texts) == len(content) else content
    if not isinstance(content, str):
        raise InputError(
            f"The generated text is {type(value).__name__}, not a string or a message with text.",
            hint="Put a parser in front, or give the key under which the text is.",
        )
    return content


def with_text(value: object, text: str) -> object:
    """The value with another text: a string, or a copy of the message."""
    if isinstance(value, str):
        return text
    copied = getattr(value, "model_copy", None)
    return copied(update={"content": text}) if callable(copied) and text != text_of(value) else value


def _names(key: Key) -> Sequence[str]:
    return (key,) if isinstance(key, str) else key


def _present(state: Mapping[str, Any], key: Key, what: str) -> str:
    for name in _names(key):
        if name in state:
            return name
    raise InputError(
        f"The dict has no {what}: none of the keys {', '.join(map(repr, _names(key)))}.",
        hint=f"It has {', '.join(map(repr, state)) or 'none'}; name the right one in Keys(...).",
    )


def _passage(position: int, item: object) -> Passage:
    if isinstance(item, Passage):
        return item
    if isinstance(item, str):
        return Passage(str(position), item)
    if isinstance(item, Mapping):
        text = next((item[key] for key in ("text", "page_content", "content") if key in item), None)
        name, metadata = item.get("id"), item.get("metadata")
    else:
        text, name, metadata = _from_object(item)
    if not isinstance(text, str):
        raise InputError(
            f"Passage {position} is {type(item).__name__} without a text.",
            hint="Give strings, Passage objects, documents, or mappings with text.",
        )
    if name is None and isinstance(metadata, Mapping):
        name = metadata.get("id", metadata.get("source"))
    return Passage(str(position) if name is None else str(name), text)


def _from_object(item: object) -> tuple[object, object, object]:
    """Text, id and metadata of a document or node."""
    if hasattr(item, "page_content"):
        return item.page_content, getattr(item, "id", None), getattr(item, "metadata", None)
    node = getattr(item, "node", item)
    content = getattr(node, "get_content", None)
    if callable(content):
        # By default without the metadata that a node's templates add for models.
        return content(), getattr(node, "node_id", None), None
    return None, None, None
