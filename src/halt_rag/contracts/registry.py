"""All contracts by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from halt_rag.contracts import (
    answerability,
    citations,
    context_attribution,
    factuality_correction,
    factuality_detection,
    guardian_core,
    hallucination_detection,
    policy_guardrails,
    query_clarification,
    query_rewrite,
    requirement_check,
    uncertainty,
)
from halt_rag.contracts.base import Contract, ObjectContract

_ALL: Final[tuple[Contract, ...]] = (
    answerability.CONTRACT,
    citations.CONTRACT,
    context_attribution.CONTRACT,
    factuality_correction.CONTRACT,
    factuality_detection.CONTRACT,
    guardian_core.CONTRACT,
    hallucination_detection.CONTRACT,
    policy_guardrails.CONTRACT,
    query_clarification.CONTRACT,
    query_rewrite.CONTRACT,
    requirement_check.CONTRACT,
    uncertainty.CONTRACT,
)

CONTRACTS: Final[Mapping[str, Contract]] = MappingProxyType({contract.name: contract for contract in _ALL})
"""The contracts of the known functions."""


def get_contract(name: str) -> Contract:
    """The contract of a function.

    A function that is not in :data:`CONTRACTS` gets a permissive one, which wants a JSON object and nothing of its
    keys. To refuse unknown names, look them up in :data:`CONTRACTS`.
    """
    return CONTRACTS.get(name) or ObjectContract(name)
