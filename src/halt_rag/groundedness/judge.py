"""What a judge is asked about the spans of a response, and the JSON Schemas of its answers.

All texts of the caller stand in one JSON value, as in :mod:`halt_rag.contracts.prompts`. That a text talks a model into
an answer cannot be ruled out by a prompt; that it changes what is asked can.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from halt_rag.contracts.prompts import Schema, asked, items_schema, prompt_for
from halt_rag.contracts.sentence_index import Document

_NECESSITY: Final = """\
Say of each span of a response whether it needs support by a source.
yes: it states something that a reader could check.
no: there is nothing to check in it. It is a greeting, thanks, a question, an offer or a transition; it says that the
answer is not known; or it only repeats another span.
Judge what the span is, not whether it is true. Give each span once, by its span_id."""

_SUPPORT: Final = """\
Say of each span of a response how well its evidence, read within the documents, supports it.
FULLY_SUPPORTED: everything that the span states follows from it.
PARTIALLY_SUPPORTED: a part of what it states follows, and another part does not.
NOT_SUPPORTED: nothing of it follows, or the documents say otherwise.
Judge by the documents alone, not by what you know. Give each span once, by its span_id."""


def necessity(response: str, spans: Sequence[str], question: str | None) -> tuple[str, Schema]:
    """Prompt and schema to ask which spans need a citation.

    Args:
        response: The response.
        spans: The texts of its spans, numbered from 0.
        question: What it answers.
    """
    schema = _schema(len(spans), "needs_citation", ["yes", "no"])
    numbered = [{"span_id": number, "text": text} for number, text in enumerate(spans)]
    material = {**asked(question), "response": response, "spans": numbered}
    return prompt_for(_NECESSITY, material, schema=schema), schema


def support(
    response: str, spans: Iterable[tuple[str, Sequence[str]]], documents: Iterable[Document], question: str | None
) -> tuple[str, Schema]:
    """Prompt and schema to ask how well spans are supported.

    Args:
        response: The response.
        spans: Text and evidence of the spans to judge, numbered from 0.
        documents: Where the evidence comes from.
        question: What the response answers.
    """
    numbered = [
        {"span_id": number, "text": text, "evidence": evidence} for number, (text, evidence) in enumerate(spans)
    ]
    schema = _schema(len(numbered), "support_level", ["FULLY_SUPPORTED", "PARTIALLY_SUPPORTED", "NOT_SUPPORTED"])
    texts = [document.text for document in documents]
    material = {"documents": texts, **asked(question), "response": response, "spans": numbered}
    return prompt_for(_SUPPORT, material, schema=schema), schema


def _schema(count: int, label: str, values: list[str]) -> Schema:
    number = {"type": "integer", "minimum": 0, "maximum": count - 1}
    return items_schema({"span_id": number, label: {"type": "string", "enum": values}})
