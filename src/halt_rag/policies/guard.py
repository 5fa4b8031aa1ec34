"""A verifier with a policy: verify, then annotate, raise, filter, replace, or whatever a callable does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

from halt_rag.errors import HallucinationError, HaltRagError, InputError, UnknownNameError
from halt_rag.policies.outcome import Applied, Failure, Outcome, PolicyName
from halt_rag.policies.removal import to_drop, without
from halt_rag.verify.result import Claim, Verification
from halt_rag.verify.sources import Source

Policy = Literal["annotate", "raise", "filter", "abstain_message"] | Callable[[Verification, str], str]
OnError = Literal["open", "closed"]
FailOn = Literal["hallucinated", "abstain"]

POLICIES: Final = ("annotate", "raise", "filter", "abstain_message")
MESSAGE: Final = "This answer could not be verified against its sources."


class Verifier(Protocol):
    """What a guard needs; ``HaltRagVerifier`` is one."""

    def verify(self, source: Source, generated: str, question: str | None = None) -> Verification:
        """Verifies a text against its sources."""
        ...


@dataclass(frozen=True)
class Guard:
    """Verifies texts and does with each what the policy says.

    ========================  =====================================================================================
    policy                    what it does where the text fails
    ========================  =====================================================================================
    ``annotate``              nothing: the text stays, the verification is in the outcome
    ``raise``                 raises ``HallucinationError`` with the verification
    ``filter``                drops the sentences that fail; puts the message where no checked sentence is left
    ``abstain_message``       puts the message in place of the text
    a callable                ``policy(verification, text)`` returns what may be passed on; asked for every text
    ========================  =====================================================================================

    Attributes:
        verifier: Verifies the texts.
        policy: See the table.
        on_error: What happens to a text that could not be verified, because the verifier raised a ``HaltRagError``.
            ``closed``: the message takes its place, and with ``raise`` the error is raised. ``open``: it is passed on
            unverified. The outcome says which; either way there is no verification and no decision in it.
        fail_on: Which texts fail. ``hallucinated``: those (for ``filter``: sentences labelled unfaithful or partial).
            ``abstain``: also those of which the verifier cannot tell (for ``filter``: also undetermined sentences).
            Default: ``abstain`` for ``abstain_message``, ``hallucinated`` for the others.
        message: Takes the place of a text.

    Raises:
        UnknownNameError: If there is no such policy, ``on_error`` or ``fail_on``.
        InputError: If the message is blank.

    Example:
        >>> from halt_rag import HaltRagVerifier
        >>> guard = Guard(HaltRagVerifier(), policy="filter")
        >>> guard.check("The dam was built in 1967.", "The dam was built in 1967. It is 300 metres high.").text
        'The dam was built in 1967.'
    """

    verifier: Verifier
    policy: Policy = "annotate"
    on_error: OnError = "closed"
    fail_on: FailOn | None = None
    message: str = MESSAGE

    def __post_init__(self) -> None:
        if not callable(self.policy) and self.policy not in POLICIES:
            raise UnknownNameError("policy", str(self.policy), POLICIES)
        if self.on_error not in get_args(OnError):
            raise UnknownNameError("on_error", str(self.on_error), get_args(OnError))
        if self.fail_on is not None and self.fail_on not in get_args(FailOn):
            raise UnknownNameError("fail_on", str(self.fail_on), get_args(FailOn))
        if not self.message.strip():
            raise InputError("The message is blank.", hint="Readers must see that something was withheld.")

    @property
    def name(self) -> PolicyName:
        """The policy's name."""
        return "custom" if callable(self.policy) else self.policy

    def check(self, source: Source, generated: str, question: str | None = None) -> Outcome:
        """Verifies a text and applies the policy.

        Args:
            source: What the text must be faithful to, as ``HaltRagVerifier.verify`` takes it.
            generated: The text.
            question: The question that it answers, if any.

        Raises:
            HallucinationError: With the policy ``raise``, if the text fails.
            HaltRagError: With the policy ``raise`` and ``on_error="closed"``, what the verifier raised.
        """
        try:
            verification = self.verifier.verify(source, generated, question)
        except HaltRagError as error:
            return self.failed(generated, error)
        return self.settle(generated, verification)

    async def acheck(self, source: Source, generated: str, question: str | None = None) -> Outcome:
        """The same in a thread, so that the event loop goes on.

        Raises:
            HaltRagError: As ``check``.
        """
        return await asyncio.to_thread(self.check, source, generated, question)

    def settle(self, generated: str, verification: Verification) -> Outcome:
        """Applies the policy to a text that is verified.

        Raises:
            HallucinationError: With the policy ``raise``, if the text fails.
            TypeError: If a callable returns something else than a string; an async function returns a coroutine.
        """
        if callable(self.policy):
            text = self.policy(verification, generated)
            if not isinstance(text, str):
                raise TypeError(f"The policy must return the text to pass on, a str, not {type(text).__name__}.")
            return self._outcome("custom", text, verification)
        failing = {"hallucinated", "abstain"} if self._strict else {"hallucinated"}
        if self.policy == "annotate" or verification.decision not in failing:
            return self._outcome("passed", generated, verification)
        if self.policy == "raise":
            raise HallucinationError(_why(verification), result=verification)
        if self.policy == "abstain_message":
            return self._outcome("replaced", self.message, verification)
        dropped, left = to_drop(verification.claims, undetermined=self._strict)
        if not left or not dropped:
            return self._outcome("replaced", self.message, verification, dropped)
        return self._outcome("filtered", without(generated, dropped), verification, dropped)

    def failed(self, generated: str, error: HaltRagError) -> Outcome:
        """Applies ``on_error`` to a text that could not be verified.

        Raises:
            HaltRagError: The error, with the policy ``raise`` and ``on_error="closed"``.
        """
        if self.on_error == "closed" and self.policy == "raise":
            raise error
        applied: Applied = "error_open" if self.on_error == "open" else "error_closed"
        text = generated if self.on_error == "open" else self.message
        return Outcome(
            policy=self.name, applied=applied, text=text, dropped=[], verification=None, error=Failure.of(error)
        )

    @property
    def _strict(self) -> bool:
        return (self.fail_on or ("abstain" if self.policy == "abstain_message" else "hallucinated")) == "abstain"

    def _outcome(
        self, applied: Applied, text: str, verification: Verification, dropped: list[Claim] | None = None
    ) -> Outcome:
        return Outcome(
            policy=self.name,
            applied=applied,
            text=text,
            dropped=dropped or [],
            verification=verification,
            error=None,
        )


def _why(verification: Verification) -> str:
    """What failed, in numbers only: error messages end up in logs."""
    checked = [claim for claim in verification.claims if claim.label != "NA"]
    if verification.decision == "abstain":
        unclear = sum(claim.label is None for claim in checked)
        return f"Of {unclear} of {len(checked)} claims it could not be told whether the sources support them."
    bad = sum(claim.label in {"unfaithful", "partial"} for claim in checked)
    p = "" if verification.calibrated_prob is None else f" (P(hallucinated) {verification.calibrated_prob:.2f})"
    return f"The sources do not support {bad} of {len(checked)} claims{p}."
