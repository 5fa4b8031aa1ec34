"""What is done with a text once it is verified: one implementation for the library, the adapters and the service."""

from __future__ import annotations

from halt_rag.policies.guard import MESSAGE, POLICIES, FailOn, Guard, OnError, Policy, Verifier
from halt_rag.policies.outcome import Applied, Failure, Outcome
from halt_rag.policies.removal import without

__all__ = [
    "MESSAGE",
    "POLICIES",
    "Applied",
    "FailOn",
    "Failure",
    "Guard",
    "OnError",
    "Outcome",
    "Policy",
    "Verifier",
    "without",
]
