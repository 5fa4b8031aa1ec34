"""What is said about whether a context suffices for a question."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from halt_rag.verify.result import Record

Verdict = Literal["sufficient", "insufficient", "undetermined"]
Engine = Literal["judge", "answer", "search"]


class SubQuestion(Record):
    """One thing that must be known to answer the question."""

    question: str
    answered: bool = Field(description="Whether the context states it, with a quote that is really there.")
    quote: str | None = Field(description="The words of the context that state it.")


class Sufficiency(Record):
    """Whether the context alone lets a reader answer the question."""

    verdict: Verdict = Field(description="'sufficient', 'insufficient', or 'undetermined': not known.")
    reason: str = Field(description="Why, in one sentence.")
    engine: Engine = Field(
        description="'judge': a language model read the context; 'answer': a known answer was checked against it; "
        "'search': evidence was looked for in it."
    )
    p_sufficient: float | None = Field(
        default=None, ge=0, le=1, description="Calibrated probability, where the engine has one."
    )
    nearest: list[str] = Field(default_factory=list, description="Of 'search': the sentences nearest to the question.")
    sub_questions: list[SubQuestion] = Field(default_factory=list)
