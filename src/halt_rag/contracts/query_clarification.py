"""What to ask back when a question is unclear, or that it is clear: ``query_clarification``.

The key is ``clarification``.
"""

from __future__ import annotations

from typing import Final

from halt_rag.contracts.base import ObjectContract

CONTRACT: Final = ObjectContract("query_clarification", frozenset({"clarification"}))
"""Checks the key."""
