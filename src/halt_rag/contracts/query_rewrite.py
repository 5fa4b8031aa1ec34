"""A question of a conversation, rewritten to stand alone: ``query_rewrite``. The key is ``rewritten_question``."""

from __future__ import annotations

from typing import Final

from halt_rag.contracts.base import ObjectContract

CONTRACT: Final = ObjectContract("query_rewrite", frozenset({"rewritten_question"}))
"""Checks the key."""
