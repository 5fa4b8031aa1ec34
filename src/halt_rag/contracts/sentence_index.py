"""Numbers the sentences of a response and of what it was made from, and finds them again by number.

Everything is kept as places in the caller's own texts: nothing is joined and split again, so that offsets fit the
original whatever its white space is, and a text may contain what looks like a tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from halt_rag.contracts.errors import SentenceIndexRangeError, SentenceIndexTypeError
from halt_rag.contracts.strict_json import shown
from halt_rag.errors import InputError
from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span

Splitter = Callable[[str], Sequence[Span]]
"""Sentences of a text as spans that tile it: the first from 0 on, each where the one before ends. Only white space may
be left at the end."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document, with an id or without. Ids need not differ: a document is known by its position.

    Attributes:
        text: Its text; may be empty.
        doc_id: What to call it in records.
    """

    text: str
    doc_id: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the conversation before the response.

    Attributes:
        text: What was said; may be empty, as in a tool call.
        role: Who said it, e.g. ``user``.
    """

    text: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Which text a sentence is in.

    Attributes:
        kind: What the text is.
        position: Which document or which turn, from 0; 0 for the response.
        doc_id: The document's id, if it has one.
    """

    kind: Literal["response", "document", "turn"]
    position: int = 0
    doc_id: str | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it is.

    Attributes:
        index: Its number.
        span: Its place in its own text, in code points, with the white space up to the next sentence.
        text: The text of that span.
        place: Which text that is.
    """

    index: int
    span: Span
    text: str
    place: Place


class Numbering:
    """Sentences of several texts under one count, from 0 on."""

    def __init__(self, texts: Iterable[Sequence[Sentence]]) -> None:
        self._texts = tuple(map(tuple, texts))
        self._sentences = tuple(sentence for text in self._texts for sentence in text)

    def __len__(self) -> int:
        return len(self._sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self._sentences)

    def decode(self, index: object) -> Sentence:
        """The sentence with a number that a model gave.

        Raises:
            SentenceIndexTypeError: If it is a boolean or no integer; this is a ``TypeError``.
            SentenceIndexRangeError: If it is negative or past the last sentence; this is a ``ValueError``, and the
                message has the number and how many sentences there are.
        """
        if not isinstance(index, int) or isinstance(index, bool):
            raise SentenceIndexTypeError(f"A sentence number must be an integer, not {type(index).__name__}.")
        if not 0 <= index < len(self):
            count = f"{len(self)} sentence{'' if len(self) == 1 else 's'}"
            raise SentenceIndexRangeError(f"There is no sentence {shown(index)}: there are {count}, numbered from 0.")
        return self._sentences[index]

    def tagged(self, prefix: str) -> list[str]:
        """Each text for a model to read: ``<i0> One. <i1> Two.`` for the prefix ``i``. Never read back."""
        return [" ".join(f"<{prefix}{s.index}> {s.text.strip()}" for s in text) for text in self._texts]


class SentenceIndex:
    """The sentences of a response, its documents and its conversation.

    Attributes:
        response_text: The response.
        documents: The documents, as :class:`Document`.
        history: The earlier turns, as :class:`Turn`.
        response: The response's sentences, under a count of their own.
        context: The documents' sentences and after them the turns', under one count.
    """

    def __init__(
        self,
        response: str,
        documents: Iterable[Document | str] = (),
        *,
        history: Iterable[Turn | str] = (),
        split: Splitter = split_sentences,
    ) -> None:
        """Splits all texts.

        Args:
            response: May be empty.
            documents: In the order in which they are numbered; each may be empty.
            history: Earlier turns, oldest first, without the response; each may be empty.
            split: How to divide a text.

        Raises:
            InputError: If a text is not a string, or ``split`` does not tile a text.
        """
        self.documents = tuple(d if isinstance(d, Document) else Document(d) for d in documents)
        self.history = tuple(t if isinstance(t, Turn) else Turn(t) for t in history)
        self.response_text = response
        self.response = Numbering(_numbered([(response, Place("response"))], split))
        documents_first = [(d.text, Place("document", i, d.doc_id)) for i, d in enumerate(self.documents)]
        turns = [(t.text, Place("turn", i)) for i, t in enumerate(self.history)]
        self.context = Numbering(_numbered([*documents_first, *turns], split))

    def free_prefix(self, letter: str) -> str:
        """A tag prefix, the letter once or repeated, such that no text holds anything that looks like such a tag."""
        lookalike = re.compile(rf"<({re.escape(letter)}+)\d")
        texts = (self.response_text, *(d.text for d in self.documents), *(t.text for t in self.history))
        longest = max((len(tag) for text in texts for tag in lookalike.findall(text)), default=0)
        return letter * (longest + 1)

    def bounds_schema(self) -> dict[str, Any]:
        """JSON Schemas of the two fields that hold numbers, with the real counts in them.

        A backend that enforces schemas while decoding cannot produce a number that no sentence has. Backends that do
        not enforce them exist, so :meth:`Numbering.decode` checks all the same.

        Returns:
            ``r``: one sentence of the response. ``c``: a list of sentences of the context; only the empty list if
            there are none. If the response has no sentence, no number satisfies ``r``.
        """
        items: dict[str, Any] = {"type": "integer"}
        listed: dict[str, Any] = {"type": "array", "items": items}
        if self.context:
            items |= {"minimum": 0, "maximum": len(self.context) - 1}
        else:
            listed["maxItems"] = 0
        return {"r": {"type": "integer", "minimum": 0, "maximum": len(self.response) - 1}, "c": listed}


def _numbered(texts: Iterable[tuple[str, Place]], split: Splitter) -> Iterator[list[Sentence]]:
    count = 0
    for text, place in texts:
        spans = _tiles(text, split, place)
        yield [Sentence(count + i, span, span.of(text), place) for i, span in enumerate(spans)]
        count += len(spans)


def _tiles(text: str, split: Splitter, place: Place) -> Sequence[Span]:
    name = "the response" if place.kind == "response" else f"{place.kind} {place.position}"
    if not isinstance(text, str):
        raise InputError(f"The text of {name} must be a str, not {type(text).__name__}.")
    if not text or text.isspace():
        return ()
    spans = split(text)
    edges = [0, *(span.end for span in spans)]
    if any(span.start != edge for span, edge in zip(spans, edges, strict=False)) or text[edges[-1] :].strip():
        raise InputError(
            f"The sentences of {name} do not tile it.",
            hint="The first must begin at 0, each where the one before ends, and only white space may be left.",
        )
    return spans
