"""Which document sentences a response sentence rests on: ``citations``.

Each record joins one span of the response (``response_begin``, ``response_end``, ``response_text``) with one span of a
document (``citation_doc_id``, ``citation_begin``, ``citation_end``, ``citation_text``); offsets are half-open, in code
points. A response span that rests on several places has several records, and a document without an id has ``null``, so
repeats and nulls are kept as they are: only the keys are checked.
"""

from __future__ import annotations

from typing import Final

from halt_rag.contracts.base import ArrayContract

CONTRACT: Final = ArrayContract(
    "citations",
    frozenset(
        {
            "response_begin",
            "response_end",
            "response_text",
            "citation_doc_id",
            "citation_begin",
            "citation_end",
            "citation_text",
        }
    ),
)
"""Checks the keys; keeps repeats and nulls."""
