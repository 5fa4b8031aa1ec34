"""Names for findings that survive edits: no line numbers, no times."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable


def fingerprints(path: str, findings: Iterable[tuple[str, str, str]]) -> list[str]:
    """A stable name for each finding of a file, in order.

    The name is made of the path, the detection type, the claim and the line around it with white space
    and case folded, and a number where the same occurs again.

    Args:
        path: The file, from the root.
        findings: Type, claim and line of each finding, in order of place.
    """
    seen: Counter[str] = Counter()
    names = []
    for kind, claim, line in findings:
        base = "\0".join((path, kind, _plain(claim), _plain(line)))
        seen[base] += 1
        names.append(hashlib.sha256(f"{base}\0{seen[base]}".encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return names


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()
