"""Whether a text holds factual errors: ``factuality-detection``. The key is ``score``."""

from __future__ import annotations

from typing import Final

from halt_rag.contracts.base import ObjectContract

CONTRACT: Final = ObjectContract("factuality-detection", frozenset({"score"}))
"""Checks the key."""
