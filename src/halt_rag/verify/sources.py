"""What the caller gives: passages, and texts fit to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halt_rag.errors import InputError


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved text.

    Attributes:
        id: The caller's name for it; need not be unique.
        text: The text, as given; spans of evidence refer to it.
    """

    id: str
    text: str


Source = str | Sequence[str] | Sequence[Passage]


def checked(name: str, text: object) -> str:
    """The text, if a model can read it.

    Raises:
        InputError: If it is no string, or holds a lone surrogate (half of a UTF-16 pair: no valid Unicode).
    """
    if not isinstance(text, str):
        raise InputError(f"{name} must be a string, not {type(text).__name__}.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name} holds a lone surrogate at offset {error.start}, which is no valid Unicode.",
            hint="Decode the text with errors='replace' before it is checked.",
        ) from None
    return text


def as_passages(source: Source) -> list[Passage]:
    """The passages of a source: one string, several, or ``Passage`` objects. Ids default to 1, 2, 3 ...

    Raises:
        InputError: If it is of another type, there is no passage, none holds text, or one cannot be read.
    """
    if isinstance(source, str | Passage):
        items: Sequence[object] = [source]
    elif isinstance(source, Sequence) and not isinstance(source, bytes | bytearray | memoryview):
        items = source
    else:
        raise InputError(
            f"The source must be a string, or a list of strings or passages, not {type(source).__name__}.",
            hint="For passages with ids give Passage(id, text) objects.",
        )
    passages = [
        item if isinstance(item, Passage) else Passage(str(i), checked(f"Passage {i}", item))
        for i, item in enumerate(items, 1)
    ]
    for i, passage in enumerate(passages, 1):
        checked(f"Passage {i}", passage.text)
        checked(f"The id of passage {i}", passage.id)
    if not any(passage.text.strip() for passage in passages):
        raise InputError("The source is empty.", hint="Give at least one passage with text.")
    return passages
