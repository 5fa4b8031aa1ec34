"""A text with its factual errors corrected: ``factuality-correction``. The key is ``correction``."""

from __future__ import annotations

from typing import Final

from halt_rag.contracts.base import ObjectContract

CONTRACT: Final = ObjectContract("factuality-correction", frozenset({"correction"}))
"""Checks the key."""
