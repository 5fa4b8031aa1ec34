"""Percentages in a text: their place, their value, and whether the sentence states, requires or describes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from halt_rag.scan.document import Document

_NUMBER = r"(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,9})(?:\.\d{1,9})?"
_UNIT = r"(?:[ \u00a0\u202f]?[%％]|[ \u00a0](?:percent|per cent)\b)"
_ANY = re.compile(r"[%％]|\bper ?cent\b")
_PERCENT = re.compile(
    rf"(?<![\w.,%％/])(?<!\d[-–])(?P<first>{_NUMBER})(?:{_UNIT})?(?:\s?[-–—]\s?|\sto\s)(?P<second>{_NUMBER}){_UNIT}(?![\w%])"
    rf"|(?<=[Bb]etween )(?P<low>{_NUMBER})(?:{_UNIT})?\sand\s(?P<high>{_NUMBER}){_UNIT}(?![\w%])"
    rf"|(?<![\w.,%％/])(?P<only>{_NUMBER}){_UNIT}(?![\w%])"
)
_COUNTS = re.compile(r"(?<![\w.,/-])(\d{1,9})\s?(?:/|\sof\s|\sout\sof\s)\s?(?:the\s)?(\d{1,9})(?![\w/]|[.,]\d)")
_COUNTS_BEHIND = re.compile(r"\s?\(\s?(\d{1,9})\s?(?:/|\sof\s|\sout\sof\s)\s?(?:the\s)?(\d{1,9})(?![\w/]|[.,]\d)")
_NORMATIVE = re.compile(
    r"(?:\b(?:must|shall|should|require[ds]?|requirements?|minimum|maximum|at\sleast|at\smost|no\s(?:more|less)\sthan|"
    r"targets?|thresholds?|goals?|limits?|budget|alert|exceeds?|above|below|under|over|when|if|unless|until|SLAs?|SLOs?|"
    r"objectives?|criteri(?:a|on)|gates?|aim|expected|want|need|ensure|maintain|keep|acceptance|confidence\sintervals?|"
    r"set\sto|defaults?|configur\w+|e\.g\.|example|suppose|imagine|assume|hypothetical|percentiles?|let|progress)\b"
    r"|[<>≤≥=]|[#█▓░|]{3,})",
    re.IGNORECASE,
)
_DEMAND = re.compile(
    r"(?:\b(?:must|shall|should|require[ds]?|requirements?|targets?|thresholds?|goals?|SLAs?|SLOs?|objectives?|"
    r"acceptance|criteri(?:a|on)|aim|suppose|imagine|assume|hypothetical|e\.g\.|example|if|progress)\b|[<>≤≥])",
    re.IGNORECASE,
)
_LAYOUT = re.compile(
    r"\b(?:width|height|opacity|zoom|margin|padding|font|size|scale[ds]?|volume|brightness|quality|top|left|right|"
    r"discount|off|tax|VAT|fee|interest|weight(?:ed|ing)?s?|split|sampl\w+|traffic|rollout|canary|dropout|"
    r"probability|chance|likelihood|alpha|transparen\w+|saturat\w+|CI)\b",
    re.IGNORECASE,
)
_MARKS = frozenset("\"'“‘")
_CAUSAL = re.compile(
    r"\b(?:improve[sd]|increase[sd]|reduce[sd]|decrease[sd]|boost(?:s|ed)|cuts?|fell|falls|drop(?:s|ped)|rose|rises|"
    r"grew|grows|gained|gains|save[sd]|lower(?:s|ed)|raise[sd]|outperform(?:s|ed)|decline[sd]|shr[au]nk|accelerate[sd]|"
    r"enhance[sd]|slashe[sd]|sped\sup|speeds\sup|jump(?:s|ed)|climb(?:s|ed)|eliminate[sd]|prevent(?:s|ed)|achieve[sd]|"
    r"doubled|tripled|(?:can|will|would|could|may|might)\s(?:\w+\s)?(?:improve|increase|reduce|decrease|boost|cut|fall|"
    r"drop|rise|grow|save|lower|raise|outperform|decline|accelerate|enhance|slash|eliminate|prevent))\b",
    re.IGNORECASE,
)


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
        number = match[group].replace(",", "")
        span = Span(match.start(), match.end())
        digits = len(number.partition(".")[2])
        is_range = group != "only"
        yield Percentage(span, float(number), digits, is_range, None if is_range else _counts(document, span))


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


def is_statement(document: Document, span: Span) -> bool:
    """Whether the sentence states a measured number, and not a setting, a threshold or an example."""
    sentence = document.sentence(span)
    text = document.prose
    if text[span.start - 1 : span.start] in _MARKS and span.start:
        return False  # A value that is quoted, as settings are.
    words = text[max(sentence.start, span.start - 200) : min(sentence.end, span.end + 100)]
    words = words.strip("|> \t")
    if is_causal(document, span):
        return not _DEMAND.search(words)
    return not (_NORMATIVE.search(words) or _LAYOUT.search(words))


def is_causal(document: Document, span: Span) -> bool:
    """Whether a verb of change stands shortly before the number in its sentence."""
    sentence = document.sentence(span)
    return _CAUSAL.search(document.prose[max(sentence.start, span.start - 80) : span.start]) is not None
