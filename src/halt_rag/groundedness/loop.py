"""Generates, checks and generates again, with any generator and any requirements."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from halt_rag.errors import InputError
from halt_rag.groundedness.repair import Checked, Strategy, repair_text, should_repair
from halt_rag.groundedness.result import Status, ValidationResult


class Requirement(Protocol):
    """What a loop checks: ``GroundednessRequirement``, or anything with these two."""

    @property
    def description(self) -> str:
        """What is required, in words for a model."""
        ...

    def check(self, response: str, /) -> ValidationResult:
        """Checks a response."""
        ...


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a generator is told about the attempts before.

    Attributes:
        text: The repair text, to add to the prompt.
        messages: Messages to add to the conversation instead. Under ``multi-turn`` all attempts so far, each with its
            repair text after it; else one message of the user with the repair text.
    """

    text: str
    messages: tuple[dict[str, str], ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A response and what the checks said.

    Attributes:
        response: What was generated.
        checked: Each requirement's description and result, in the order of the requirements.
    """

    response: str
    checked: tuple[Checked, ...]

    @property
    def status(self) -> Status:
        """``fail`` if a requirement determinately failed, else ``error`` if one has no verdict, else ``pass``."""
        found = {item.result.status for item in self.checked}
        return "fail" if "fail" in found else "error" if "error" in found else "pass"


@dataclass(frozen=True, slots=True)
class Validated:
    """What came of a loop.

    Attributes:
        attempts: All attempts, in order; never empty.
        stopped_by: ``pass``: the last response met all requirements. ``error``: a check of it gave no verdict.
            ``attempts``: there were no more left.
    """

    attempts: tuple[Attempt, ...]
    stopped_by: Literal["pass", "error", "attempts"]

    @property
    def response(self) -> str:
        """The last response, whether it passed or not."""
        return self.attempts[-1].response

    @property
    def passed(self) -> bool:
        """Whether the last response met all requirements."""
        return self.stopped_by == "pass"

    def __bool__(self) -> bool:
        return self.passed


Generate = Callable[[Feedback | None], str]
AsyncGenerate = Callable[[Feedback | None], Awaitable[str]]


def generate_validated(
    generate: Generate,
    requirements: Sequence[Requirement],
    *,
    max_attempts: int = 3,
    strategy: Strategy = "template",
    repair_errors: bool = False,
) -> Validated:
    """Generates until all requirements are met, none can be checked, or the attempts are used up.

    Args:
        generate: Makes a response. It is called with None first, and then with what to mend.
        requirements: What to check; each is checked on each response.
        max_attempts: The most calls of ``generate``.
        strategy: How to word what to mend, see :func:`~halt_rag.groundedness.repair.repair_text`.
        repair_errors: Whether to go on after a check that gave no verdict. By default the loop stops there: the
            response may be good, and generating again mends no outage.

    Returns:
        Every attempt with its results.

    Raises:
        InputError: If ``max_attempts`` is not positive, there is no requirement, one has no description, or a response
            is no string.
        UnknownNameError: If there is no such strategy.
        Exception: What ``generate`` raises, or a requirement of your own; the ready ones return their errors.
    """
    loop = _Loop(requirements, max_attempts, strategy, repair_errors)
    while loop.stopped_by is None:
        response = loop.text(generate(loop.feedback()))
        loop.add(response, [requirement.check(response) for requirement in requirements])
    return Validated(tuple(loop.attempts), loop.stopped_by)


async def agenerate_validated(
    generate: AsyncGenerate,
    requirements: Sequence[Requirement],
    *,
    max_attempts: int = 3,
    strategy: Strategy = "template",
    repair_errors: bool = False,
) -> Validated:
    """As :func:`generate_validated`, with an asynchronous generator; checks run side by side in threads."""
    loop = _Loop(requirements, max_attempts, strategy, repair_errors)
    while loop.stopped_by is None:
        response = loop.text(await generate(loop.feedback()))
        checks = [asyncio.to_thread(requirement.check, response) for requirement in requirements]
        loop.add(response, await asyncio.gather(*checks))
    return Validated(tuple(loop.attempts), loop.stopped_by)


class _Loop:
    """What both loops share: all but the waiting."""

    def __init__(
        self, requirements: Sequence[Requirement], max_attempts: int, strategy: Strategy, repair_errors: bool
    ) -> None:
        if max_attempts < 1:
            raise InputError(f"max_attempts must be at least 1, not {max_attempts}.")
        if not requirements:
            raise InputError("There is no requirement to check.", hint="A loop without one would pass anything.")
        if not all(requirement.description.strip() for requirement in requirements):
            raise InputError("A requirement has no description.", hint="It is what a model is told without a reason.")
        repair_text((), strategy)  # Refuses an unknown strategy before anything is generated.
        self.attempts: list[Attempt] = []
        self.stopped_by: Literal["pass", "error", "attempts"] | None = None
        self._requirements = requirements
        self._max_attempts = max_attempts
        self._strategy = strategy
        self._repair_errors = repair_errors
        self._turns: list[dict[str, str]] = []

    def text(self, response: object) -> str:
        """The response, if it is one."""
        if not isinstance(response, str):
            raise InputError(f"generate must return a str, not {type(response).__name__}.")
        return response

    def add(self, response: str, results: Sequence[ValidationResult]) -> None:
        """Takes an attempt, and decides whether it was the last."""
        checked = tuple(Checked(r.description, result) for r, result in zip(self._requirements, results, strict=True))
        self.attempts.append(Attempt(response, checked))
        open_ = [result for result in results if not result]
        if not open_:
            self.stopped_by = "pass"
        elif not all(should_repair(result, repair_errors=self._repair_errors) for result in open_):
            self.stopped_by = "error"
        elif len(self.attempts) == self._max_attempts:
            self.stopped_by = "attempts"

    def feedback(self) -> Feedback | None:
        """What to tell the generator before the next attempt."""
        if not self.attempts:
            return None
        last = self.attempts[-1]
        text = repair_text(last.checked, self._strategy)
        user = {"role": "user", "content": text}
        if self._strategy != "multi-turn":
            return Feedback(text, (user,))
        self._turns += [{"role": "assistant", "content": last.response}, user]
        return Feedback(text, tuple(self._turns))
