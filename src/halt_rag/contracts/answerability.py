"""Whether documents answer a question: ``answerability``.

``answerability`` is ``answerable`` or ``unanswerable``. The contract checks the key alone, as servers do;
:func:`~halt_rag.contracts.functions.check_answerability`, which hands out a verdict, checks the value too.
"""

from __future__ import annotations

from typing import Final

from halt_rag.contracts.base import ObjectContract

LABELS: Final = ("answerable", "unanswerable")
"""``answerable``: the documents hold the answer. ``unanswerable``: they do not."""

CONTRACT: Final = ObjectContract("answerability", frozenset({"answerability"}))
"""Checks the key."""
