"""Whether a text complies with a policy: ``policy-guardrails``.

The answer is in ``label`` or in ``score``, depending on the model; exactly one of them is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from halt_rag.contracts.base import WHOLE, Fault, ObjectContract, Record

_EITHER: Final = frozenset({"label", "score"})


def _check(record: Record) -> Iterator[Fault]:
    present = len(_EITHER & record.keys())
    if present != 1:
        yield WHOLE, f"must have exactly one of label and score, not {'both' if present else 'neither'}"


CONTRACT: Final = ObjectContract("policy-guardrails", optional=_EITHER, check=_check)
"""Checks that there is exactly one of the two keys."""
