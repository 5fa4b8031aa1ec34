"""Presence probes: patterns that refute a claimed absence or completeness.

Patterns come from contracts and run over documents that may be hostile, so they run in RE2, whose time is linear in
the document whatever the pattern.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from halt_rag.contracts.evidence.source import Source
from halt_rag.errors import ConfigurationError, MissingExtraError


def hits(pattern: str, sources: Iterable[Source]) -> int:
    """How many different things a probe finds in the sources: its first group, or else the whole match.

    ``^`` and ``$`` match at each line.

    Raises:
        MissingExtraError: If google-re2 is not installed.
        ConfigurationError: If the pattern is not RE2 syntax.
    """
    compiled = _compiled(pattern)
    return len(
        {
            match.group(1 if compiled.groups else 0)
            for source in sources
            for match in compiled.finditer(source.unified)
            if match.group(0)
        }
    )


@lru_cache
def _compiled(pattern: str) -> Any:
    try:
        re2: Any = importlib.import_module("re2")
    except ImportError:
        raise MissingExtraError("google-re2", "contracts") from None
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(f"(?m){pattern}", options)
    except re2.error as error:
        raise ConfigurationError(f"The presence probe {pattern!r} is not RE2 syntax: {error}") from None
