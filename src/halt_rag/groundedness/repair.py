"""What to tell a model whose response did not pass. Pure: nothing is asked, nothing is sent.

A line holds the requirement's reason, else its description, or both where a strategy says so. The text of an error, a
traceback or an empty line never gets into it: a model cannot mend an outage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from halt_rag.errors import UnknownNameError
from halt_rag.groundedness.result import ValidationResult

Strategy = Literal["template", "multi-turn", "model-friendly"]

_HEADINGS: Final[Mapping[str, str]] = {
    "template": "The following requirements failed before:",
    "multi-turn": "Your last answer does not meet these requirements. Write it again so that it does:",
    "model-friendly": "Your last answer does not meet these requirements. Change only what they name:",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """A requirement's description and the result of checking it.

    Attributes:
        description: What is required, in words for a model.
        result: What the check returned.
    """

    description: str
    result: ValidationResult


def should_repair(result: ValidationResult, *, repair_errors: bool = False) -> bool:
    """Whether generating again can help.

    Args:
        result: The result of a check.
        repair_errors: Whether to generate again also after an error. Off, because no response mends a check that
            could not be made.

    Returns:
        True for a fail. For an error only if asked for.
    """
    return result.status == "fail" or (repair_errors and result.status == "error")


def should_recheck(result: ValidationResult) -> bool:
    """Whether checking the same response again later may give a verdict: its error, or a cause of it, says so.

    That is what ``retryable`` of an error means: true for time-outs, rate limits and servers that are down.
    """
    error: BaseException | None = result.error
    for _ in range(20):  # Chains of causes are short; one that runs in a circle ends here too.
        if error is None:
            break
        if getattr(error, "retryable", False) is True:
            return True
        error = error.__cause__ or error.__context__
    return False


def repair_text(checked: Iterable[Checked], strategy: Strategy = "template") -> str:
    """The text that asks a model for a better response.

    Args:
        checked: The requirements that were checked; those that passed are left out.
        strategy: ``template``: to add to the original prompt. ``multi-turn``: the next message of a conversation that
            holds the response. ``model-friendly``: as that, with description and reason.

    Returns:
        A heading and one bullet for each requirement that did not pass; empty if there is nothing to say.

    Raises:
        UnknownNameError: If there is no such strategy.
    """
    if strategy not in _HEADINGS:
        raise UnknownNameError("repair strategy", strategy, _HEADINGS)
    said = [_line(item, strategy) for item in checked if not item.result]
    bullets = [f"* {line}" for line in said if line]
    return "\n".join([_HEADINGS[strategy], *bullets]) if bullets else ""


def reason_for_model(result: ValidationResult) -> str:
    """The reason, unless it is blank or holds the text of the result's own error; then empty."""
    reason = (result.reason or "").strip()
    told = "" if result.error is None else str(result.error).strip()
    return "" if told and told in reason else reason


def _line(item: Checked, strategy: Strategy) -> str:
    reason, description = reason_for_model(item.result), item.description.strip()
    if strategy != "model-friendly":
        return reason or description
    if reason and description:
        return f"{description} (not met). Details: {reason}"
    return reason or (description and f"{description} (not met).")
