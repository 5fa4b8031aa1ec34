"""Whether a quote states a value, by declared type."""

from __future__ import annotations

from collections.abc import Callable

from halt_rag.contracts.evidence.values.dates import check_date, check_datetime
from halt_rag.contracts.evidence.values.durations import check_duration
from halt_rag.contracts.evidence.values.measures import check_amount, check_quantity
from halt_rag.contracts.evidence.values.numbers import check_number, check_percent, check_ratio
from halt_rag.contracts.evidence.values.text import check_boolean, check_enum, check_string, check_version
from halt_rag.contracts.evidence.values.verdict import ValueRules, Verdict, best

CHECKS: dict[str, Callable[[object, str, ValueRules], Verdict]] = {
    "string": check_string,
    "integer": check_number,
    "number": check_number,
    "percent": check_percent,
    "ratio": check_ratio,
    "amount": check_amount,
    "quantity": check_quantity,
    "date": check_date,
    "datetime": check_datetime,
    "duration": check_duration,
    "boolean": check_boolean,
    "enum": check_enum,
    "version": check_version,
}
"""The check of each scalar type."""

__all__ = ["CHECKS", "ValueRules", "Verdict", "check_value"]

# Their number and its currency or unit may stand in different quotes: a table's cell and its head.
_SPREAD = ("amount", "quantity")


def check_value(value: object, quotes: list[str], rules: ValueRules) -> Verdict:
    """Whether one of the quotes states the value.

    Args:
        value: The value as sent.
        quotes: The quotes of the field's evidence, which have been found in their sources.
        rules: The field's rules.
    """
    check = CHECKS[rules.type]
    if len(quotes) == 1:
        return check(value, quotes[0], rules)
    verdict = best(check(value, quote, rules) for quote in quotes)
    if verdict.code and rules.type in _SPREAD:
        verdict = best([verdict, check(value, "\n\n".join(quotes), rules)])
    return verdict
