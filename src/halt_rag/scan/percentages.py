"""Percentages in a text: their place, their value, and whether the sentence states or demands them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halt_rag.scan import wording
from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from halt_rag.scan.document import Document

_NUMBER = r"(?:\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\d{1,3}(?:\.\d{3}){1,4},\d{1,9}|\d{1,9}(?:[.,]\d{1,9})?)"
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNIT = r"(?:[ \u00a0\u202f]?[%％]|[ \u00a0](?:percent|per cent|[Pp]rozent|pour cent|por ciento)\b)"
_ANY = re.compile(r"[%％]|\bper ?cent\b|[Pp]rozent\b|\bpour cent\b|\bpor ciento\b")
_PERCENT = re.compile(
    rf"(?<![\w.,%％/])(?<!\d[-–])(?P<first>{_NUMBER})(?:{_UNIT})?(?:\s?[-–—]\s?|\s(?:to|bis|à|a)\s)(?P<second>{_NUMBER}){_UNIT}(?![\w%])"
    rf"|(?:(?<=[Bb]etween )|(?<=[Zz]wischen )|(?<=[Ee]ntre ))(?P<low>{_NUMBER})(?:{_UNIT})?\s(?:and|und|et|y)\s"
    rf"(?P<high>{_NUMBER}){_UNIT}(?![\w%])"
    rf"|(?<![\w.,%％/])(?P<only>{_NUMBER}){_UNIT}(?![\w%])"
)
_OF = r"(?:/|\sof\s|\sout\sof\s|\svon\s|\ssur\s|\sde\s)\s?(?:the\s|den\s|les\s|las\s|los\s)?"
_COUNTS = re.compile(rf"(?<![\w.,/-])(\d{{1,9}})\s?{_OF}(\d{{1,9}})(?![\w/]|[.,]\d)")
_COUNTS_BEHIND = re.compile(rf"\s?\(\s?(\d{{1,9}})\s?{_OF}(\d{{1,9}})(?![\w/]|[.,]\d)")
_OPENING, _CLOSING = "“„«", "”»"
_MARKS = frozenset("\"'“‘„«")


@dataclass(frozen=True, slots=True)
class Percentage:
    """A percentage or a range of them.

    Attributes:
        span: From its first digit to the sign.
        value: The number, of a range the last.
        digits: Decimals shown.
        is_range: Whether it is a range.
        counts: Counts in the same sentence that it may be computed from: part, whole.
    """

    span: Span
    value: float
    digits: int
    is_range: bool
    counts: tuple[int, int] | None


def percentages(document: Document) -> Iterator[Percentage]:
    """The percentages of a document's prose."""
    if not _ANY.search(document.prose):
        return
    for match in _PERCENT.finditer(document.prose):
        group = "second" if match["second"] else "high" if match["high"] else "only"
        number = _plain(match[group])
        span = Span(match.start(), match.end())
        digits = len(number.partition(".")[2])
        is_range = group != "only"
        yield Percentage(span, float(number), digits, is_range, None if is_range else _counts(document, span))


def _plain(number: str) -> str:
    """The number with a decimal point and no marks of thousands: ``1,234.5`` and ``1.234,5`` are the same."""
    if _THOUSANDS.fullmatch(number):
        return number.replace(",", "")
    whole, comma, decimals = number.partition(",")
    return f"{whole.replace('.', '')}.{decimals}" if comma else number


def _counts(document: Document, span: Span) -> tuple[int, int] | None:
    """Counts right before a percentage in brackets, or right behind it in brackets."""
    text, sentence = document.prose, document.sentence(span)
    before = text[max(sentence.start, span.start - 80) : span.start]
    if before.rstrip(" ~≈=").endswith("("):
        found = list(_COUNTS.finditer(before))
        return (int(found[-1][1]), int(found[-1][2])) if found and "(" not in before[found[-1].end() : -2] else None
    behind = _COUNTS_BEHIND.match(text, span.end)
    return (int(behind[1]), int(behind[2])) if behind else None


def agrees(value: float, digits: int, part: int, whole: int) -> bool:
    """Whether a percentage is its counts' ratio, rounded or cut off at the decimals shown."""
    exact, unit = 100 * part / whole, 10.0**-digits
    return exact - unit < value <= exact + unit / 2 + 1e-9


def is_statement(document: Document, span: Span, *, causal: bool) -> bool:
    """Whether the sentence states a measured number, and not a setting, a threshold or an example.

    Args:
        document: The document.
        span: The number.
        causal: Whether a verb of change belongs to it.
    """
    sentence = document.sentence(span)
    text = document.prose
    if text[span.start - 1 : span.start] in _MARKS and span.start:
        return False  # A value that is quoted, as settings are.
    if wording.BOUND.match(text, span.end):
        return False
    words = text[max(sentence.start, span.start - 200) : min(sentence.end, span.end + 100)]
    words = words.strip("|> \t")
    if causal:
        return not wording.is_demand(words)
    return not wording.is_setting(words) and not is_spoken(document, span)


def is_causal(document: Document, span: Span) -> bool:
    """Whether a verb of change belongs to the number: shortly before it in its sentence, in German also behind it."""
    sentence, text = document.sentence(span), document.prose
    before = text[max(sentence.start, span.start - 80) : span.start]
    return wording.has_change(before, text[span.end : min(sentence.end, span.end + 80)])


def is_spoken(document: Document, span: Span) -> bool:
    """Whether a place is inside quotation marks that open before it in its paragraph."""
    before = document.prose[max(document.block(span.start).start, span.start - 2000) : span.start]
    opened = sum(map(before.count, _OPENING)) - sum(map(before.count, _CLOSING))
    return opened > 0 or before.count('"') % 2 == 1
