"""Ids of papers in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache


@lru_cache(maxsize=16)
def _pattern(prefix: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(prefix)}-(\d+)(?!\w)")


def paper_ids(text: str, prefix: str) -> Iterator[re.Match[str]]:
    """Ids such as ``REF-021``, well-formed (three digits) or not; group 1 is the digits."""
    return _pattern(prefix).finditer(text)


def is_well_formed(paper_id: str) -> bool:
    """Whether the number has three digits."""
    return len(paper_id.rsplit("-", 1)[-1]) == 3
