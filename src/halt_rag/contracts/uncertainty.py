"""How sure a model is of its answer: ``uncertainty``. The key is ``certainty``, a number, higher is surer."""

from __future__ import annotations

from typing import Final

from halt_rag.contracts.base import ObjectContract

CONTRACT: Final = ObjectContract("uncertainty", frozenset({"certainty"}))
"""Checks the key."""
