"""A date that no calendar has.

## What it does
Reads dates such as ``2024-02-30``, ``February 30, 2024`` and ``31 April 2023`` and checks that the day exists.
Months in English, German, French and Spanish.

## Why is this bad?
An impossible date was not copied from anywhere.

## Example
``2023-02-29`` is reported: 2023 was no leap year.

## Limits
Dates as ``01/02/2024`` are not read, their order is not known.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, verified
from halt_rag.text.spans import Span

CHECK = "date_exists"
_MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan januar janvier enero,february feb februar février febrero,march mar märz mars marzo,"
        "april apr avril abril,may mai mayo,june jun juni juin junio,july jul juli juillet julio,"
        "august aug août agosto,"
        "september sep sept septembre septiembre,october oct oktober octobre octubre,november nov novembre noviembre,"
        "december dec dezember décembre diciembre".split(","), 1,
    )
    for name in names.split()
}  # fmt: skip
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"(?<![\w./-])((?:19|20|21)\d\d)-(\d\d)-(\d\d)(?![\w/-]|\.\d)")
_WORDS = re.compile(
    rf"(?<!\w)(?:(?P<m1>{_NAMES})\.?\s(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y1>(?:19|20|21)\d\d)"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?(?P<m2>{_NAMES})\.?,?\s(?:de\s)?(?P<y2>(?:19|20|21)\d\d))(?!\w)",
    re.IGNORECASE,
)


def check(document: Document, _: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per date."""
    if not document.narrates:
        return
    for match in _ISO.finditer(document.prose):
        yield _outcome(Span(*match.span()), int(match[1]), int(match[2]), int(match[3]))
    for match in _WORDS.finditer(document.prose):
        month = _MONTHS[(match["m1"] or match["m2"]).lower()]
        yield _outcome(Span(*match.span()), int(match["y1"] or match["y2"]), month, int(match["d1"] or match["d2"]))


def _outcome(span: Span, year: int, month: int, day: int) -> Outcome:
    last = monthrange(year, month)[1] if 1 <= month <= 12 else 0
    if 1 <= day <= last:
        return verified(span, CHECK)
    return Outcome(
        span, CHECK, "detected", expected=f"1 to {last}" if last else "A month from 1 to 12",
        actual=f"day {day}" if last else f"month {month}", source="The calendar", suggestion="Correct the date.",
    )  # fmt: skip


RULE = Rule("HR108", "date", DetectionType.TEMPORAL_INCONSISTENCY, Severity.HIGH, (CHECK,), "0.1.0", check)
