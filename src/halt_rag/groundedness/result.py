"""What a check returns: passed, failed, or could not tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from halt_rag.errors import HaltRagError, InputError
from halt_rag.groundedness.verdict import JudgedSpan

Status = Literal["pass", "fail", "error"]
Stage = Literal["setup", "citations", "necessity", "support", "verification", "verdict"]


class UndeterminedError(HaltRagError):
    """The engine answered, but what it said does not decide the matter: it was unreadable, or too near the threshold.

    It is the ``error`` of a result and never raised by a check. The message quotes the spans and says for each why it
    could not be judged; it is for the operator.
    """

    code = "UNDETERMINED"


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """The result of checking a response against a requirement.

    There are three. *Pass* and *fail* are verdicts on the response. *Error* is none: the check could not reach one,
    because it was not set up for it (no response, no documents, an engine that cannot do it), because it could not
    run (a model could not be asked), or because what it was told could not be read. ``bool(result)`` is true only for
    a pass, so that code which looks no further stays safe; code that repairs should look at ``status`` first.

    Attributes:
        passed: Whether the response met the requirement. Means nothing beside an ``error``.
        reason: Why, in words that a model may read; it holds nothing of an error. None where there is no verdict.
        error: What kept the check from a verdict, as it was caught; for the operator, never for a model. Its
            ``retryable``, where it has one, says whether the same check may succeed later.
        score: Estimated probability from 0 to 1 that the response is grounded, where the engine gives one.
        failing: The spans that determinately fail.
        unknown: The spans of which it could not be told. They can stand beside failing ones.
        stage: Where the check ended without a verdict; None beside a verdict.

    Raises:
        InputError: If the score is not from 0 to 1.
    """

    passed: bool
    reason: str | None = None
    error: Exception | None = None
    score: float | None = None
    failing: tuple[JudgedSpan, ...] = ()
    unknown: tuple[JudgedSpan, ...] = ()
    stage: Stage | None = None

    def __post_init__(self) -> None:
        if self.score is not None and not 0 <= self.score <= 1:
            raise InputError(f"A score must be from 0 to 1, not {self.score}.")

    @property
    def status(self) -> Status:
        """``pass``, ``fail``, or ``error``: no verdict. An error goes before whatever ``passed`` says."""
        if self.error is not None:
            return "error"
        return "pass" if self.passed else "fail"

    def as_bool(self) -> bool:
        """Whether the response is known to meet the requirement.

        False for a fail and for an error alike: a check that could not run, or whose output could not be read, never
        counts as passed.
        """
        return self.status == "pass"

    def __bool__(self) -> bool:
        return self.as_bool()
