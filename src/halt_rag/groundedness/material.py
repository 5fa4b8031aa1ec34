"""Reads what a check is given: a response as text or as messages, documents, and the conversation before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from halt_rag.contracts.sentence_index import Document
from halt_rag.errors import InputError
from halt_rag.verify.sources import Passage


@runtime_checkable
class HasRole(Protocol):
    """A message object: what it says in ``content``, who says it in ``role``."""

    @property
    def role(self) -> Any:
        """``user``, ``assistant`` ..."""
        ...

    @property
    def content(self) -> Any:
        """A text, or a list of parts of which those with a ``text`` count."""
        ...


Message = Mapping[str, Any] | HasRole
Response = str | Message | Sequence[Message | str] | None
Documents = str | Document | Passage | Iterable[str | Document | Passage | Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Material:
    """What a check works on.

    Attributes:
        response: The text to check; may be blank.
        documents: What it must be grounded in; at least one has text.
        question: What the user said last before it.
    """

    response: str
    documents: tuple[Document, ...]
    question: str | None


def read_response(response: Response, history: Sequence[Message | str] | None) -> tuple[str, str | None]:
    """The text of a response, and what the user said last before it.

    Args:
        response: The text; or the assistant's message; or a conversation that ends with either.
        history: The conversation before.

    Raises:
        InputError: If there is no response, it is no message, not from the assistant, or has no text.
    """
    turns: list[Any] = list(history or ())
    if isinstance(response, Sequence) and not isinstance(response, str):
        turns += response
        if not response:
            raise InputError("The conversation is empty: there is no response to check.")
    elif response is None:
        raise InputError("The response is None: the conversation is empty, and there is nothing to check.")
    else:
        turns.append(response)
    *before, last = turns
    questions = (_content(turn) for turn in reversed(before) if _role(turn) == "user")
    return _said(last), next(questions, None)


def read_documents(documents: Documents | None) -> tuple[Document, ...]:
    """The documents, in order.

    Args:
        documents: A text, ``Document`` or ``Passage``; or several, among them mappings with ``text`` and, if they
            like, ``id`` or ``doc_id``.

    Raises:
        InputError: If there are none, none has text, or one is something else.
    """
    if isinstance(documents, Mapping) or not isinstance(documents, str | Document | Passage | Iterable | None):
        raise InputError(
            f"The documents are of type {type(documents).__name__}.", hint="Pass a text, or a list of documents."
        )
    items = [documents] if isinstance(documents, str | Document | Passage) else list(documents or ())
    read = tuple(_document(position, item) for position, item in enumerate(items))
    if not any(document.text.strip() for document in read):
        what = "All documents are blank" if read else "No documents were given"
        raise InputError(
            f"{what}, so that nothing can be checked against them.",
            hint="Pass documents to the requirement or to its check.",
        )
    return read


def _said(last: object) -> str:
    if isinstance(last, str):
        return last
    role = _role(last)
    if role is None:
        raise InputError(f"The last item is neither a text nor a Message with a role, but {type(last).__name__}.")
    if role != "assistant":
        raise InputError(f"The last message must come from the assistant, but its role is {role!r}.")
    content = _content(last)
    if content is None:
        raise InputError("The last message, from the assistant, has no text content.")
    return content


def _role(message: object) -> object:
    if isinstance(message, Mapping):
        return message.get("role")
    return message.role if isinstance(message, HasRole) else None


def _content(message: object) -> str | None:
    """The text of a message: its content, or the text parts of it."""
    content = message.get("content") if isinstance(message, Mapping) else getattr(message, "content", None)
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        texts = [text for text in parts if isinstance(text, str)]
        return "\n".join(texts) if texts else None
    return content if isinstance(content, str) else None


def _document(position: int, item: object) -> Document:
    name: object = None
    text: object = item
    if isinstance(item, Document):
        text, name = item.text, item.doc_id
    elif isinstance(item, Passage):
        text, name = item.text, item.id
    elif isinstance(item, Mapping):
        if "text" not in item:
            raise InputError(
                f"The mapping for document {position} has no 'text'.", hint="Pass texts, or mappings with text."
            )
        text, name = item.get("text"), item.get("doc_id", item.get("id"))
    if not isinstance(text, str):
        raise InputError(f"The text of document {position} must be a str, not {type(text).__name__}.")
    return Document(text, None if name is None else str(name))
