"""Which sentences of documents and conversation led to a response sentence: ``context-attribution``.

Each record joins one span of the response (``response_begin``, ``response_end``, ``response_text``) with one span of a
document or of an earlier turn (``attribution_begin``, ``attribution_end``, ``attribution_text``). Of
``attribution_doc_id`` and ``attribution_msg_index`` the one that does not apply is ``null``; both are where the
document has no id. Records come in the order of importance. Repeats and nulls are kept as they are: only the keys are
checked.
"""

from __future__ import annotations

from typing import Final

from halt_rag.contracts.base import ArrayContract

CONTRACT: Final = ArrayContract(
    "context-attribution",
    frozenset(
        {
            "response_begin",
            "response_end",
            "response_text",
            "attribution_doc_id",
            "attribution_msg_index",
            "attribution_begin",
            "attribution_end",
            "attribution_text",
        }
    ),
)
"""Checks the keys; keeps repeats and nulls."""
