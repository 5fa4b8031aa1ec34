"""What a policy returns."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from halt_rag.errors import BackendError, HaltRagError
from halt_rag.verify.result import SCHEMA_VERSION, Claim, Record, Verification

Applied = Literal["passed", "filtered", "replaced", "custom", "error_open", "error_closed"]
PolicyName = Literal["annotate", "raise", "filter", "abstain_message", "custom"]


class Failure(Record):
    """Why a text could not be verified; the fields of an error in ``halt-rag verify --format json``."""

    code: str = Field(description="Stable identifier, such as INPUT or BACKEND.")
    message: str = Field(description="What was wrong.")
    hint: str = Field(description="What to do about it; may be empty.")
    retryable: bool = Field(description="Whether the same call may succeed later.")

    @classmethod
    def of(cls, error: HaltRagError) -> Failure:
        """The record of an error."""
        retryable = isinstance(error, BackendError) and error.retryable
        return cls(code=error.code, message=str(error), hint=error.hint, retryable=retryable)


class Outcome(Record):
    """A text after a policy: what may be passed on, why, and the verification behind it."""

    schema_version: str = SCHEMA_VERSION
    policy: PolicyName = Field(description="The policy that was asked for; 'custom' for a callable.")
    applied: Applied = Field(
        description="What was done: 'passed' (the text is as it was), 'filtered' (sentences were dropped), 'replaced' "
        "(by the message), 'custom' (what the callable returned), or, where the text could not be verified, "
        "'error_open' (it was passed on unverified) or 'error_closed' (the message stands in its place)."
    )
    text: str = Field(description="What may be passed on.")
    dropped: list[Claim] = Field(description="The claims that 'filter' left out, in order.")
    verification: Verification | None = Field(description="The verification; null where there is none.")
    error: Failure | None = Field(description="Why there is no verification; null where there is one.")

    def to_json(self, *, indent: int | None = None) -> str:
        """The outcome as JSON text; the same from library and HTTP."""
        return self.model_dump_json(indent=indent)
