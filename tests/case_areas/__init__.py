"""How the cases of each area run through the public API: one small module per family, each with a table ``RUNNERS``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from halt_rag.errors import AdapterSchemaMismatchError


@dataclass(frozen=True)
class Check:
    """What became of a case."""

    passed: bool
    actual: object


Case = dict[str, Any]
Runner = Callable[[Case], Check]


def runners() -> dict[str, Runner]:
    """The runner of each area, from all modules of this package."""
    table: dict[str, Runner] = {}
    for module in pkgutil.iter_modules(__path__):
        for area, runner in importlib.import_module(f"{__name__}.{module.name}").RUNNERS.items():
            if area in table:
                raise ValueError(f"two runners for area {area}")
            table[area] = runner
    return table


def by_outcome(act: Callable[[Any], object]) -> Runner:
    """A runner for cases whose ``expected`` has an ``outcome``: ``ok`` with a value, or ``raise`` with an error."""

    def run(case: Case) -> Check:
        expected = case["expected"]
        try:
            value = act(case["input"])
        except (AdapterSchemaMismatchError, ValueError, TypeError) as error:
            return Check(_is_as_expected(error, expected), f"raises {type(error).__name__}: {error}")
        return Check(expected["outcome"] == "ok" and value == expected["value"], value)

    return run


def _is_as_expected(error: Exception, expected: dict[str, Any]) -> bool:
    if expected["outcome"] != "raise":
        return False
    kinds: dict[str, type[Exception]] = {
        "value_error": ValueError,
        "type_error": TypeError,
        "schema_mismatch": AdapterSchemaMismatchError,
    }
    described = all(part in str(error) for part in expected.get("message_contains", ()))
    return isinstance(error, kinds[expected["error"]]) and described
