"""A multiple, "10x faster", without a benchmark nearby.

## What it does
Reads multiples with a comparison: ``10x faster``, ``3-5 times cheaper``, ``twice as fast``, ``10x speedup``. A link,
path or citation in the same paragraph counts as the benchmark.

## Why is this bad?
A multiple is a measured result. Without the measurement it is advertising.

## Example
``The router is 10x faster than the old one.`` is reported.

## Limits
What the benchmark says is not compared with the number. Goals, examples and what somebody says in
quotation marks are no statements. English, German, French and Spanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan import wording
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.nearby import Sources
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.scan.percentages import is_spoken
from halt_rag.text.spans import Span

CHECK = "has_benchmark"
_BETTER = (
    r"(?:faster|slower|quicker|cheaper|smaller|larger|bigger|better|worse|more|fewer|less|lower|higher|longer|shorter|"
    r"speed-?ups?|improvements?|reductions?|increases?|performance|throughput|productivity)"
)
_BETTER_DE = r"(?:schneller|langsamer|billiger|günstiger|kleiner|größer|besser|schlechter|mehr|weniger|höher|niedriger)"
_BETTER_FR = r"(?:plus|moins)\s(?:rapide|lent|efficace|petit|grand|performant|économe|cher|élevé|productif)e?s?"
_BETTER_ES = r"(?:más|menos)\s(?:rápid|lent|eficient|barat|pequeñ|grand|car|alt|productiv)(?:[oae]s?)?"
_AMOUNT = r"\d{1,6}(?:[.,]\d{1,3})?(?:\s?[-–]\s?\d{1,6}(?:[.,]\d{1,3})?)?"
_MULTIPLE = re.compile(
    rf"(?<![\w.,/-])(?:{_AMOUNT}\s?(?:[x×X]|-?\s?times|-?fold)\s{_BETTER}"
    rf"|(?:twice|(?:two|three|four|five|six|ten|hundred)\stimes)\s(?:as\s(?:fast|cheap|efficient|productive)|{_BETTER})"
    rf"|(?:{_AMOUNT}|zwei|drei|vier|fünf|zehn|hundert)(?:\s?[x×]|\s?-?\s?[Mm]al)\s(?:so\s\w{{3,12}}|{_BETTER_DE})"
    r"|doppelt\sso\s(?:schnell|effizient|groß|teuer|produktiv)"
    rf"|(?:{_AMOUNT}|deux|trois|quatre|cinq|dix|cent)\sfois\s{_BETTER_FR}"
    rf"|(?:{_AMOUNT}|dos|tres|cuatro|cinco|diez|cien)\sveces\s{_BETTER_ES})\b",
    re.IGNORECASE,
)


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per multiple."""
    if not document.narrates:
        return
    sources: Sources | None = None
    for match in _MULTIPLE.finditer(document.prose):
        span = Span(*match.span())
        if wording.is_demand(document.sentence(span).of(document.prose)[:2000]) or is_spoken(document, span):
            continue
        sources = sources or Sources(document, known)
        near = sources.near(span)
        if near.state == "found":
            yield verified(span, CHECK)
        elif near.state == "questionable":
            yield abstained(span, CHECK, "source_in_question")
        else:
            yield Outcome(
                span, CHECK, "detected", expected="A benchmark nearby", actual="No benchmark found",
                note=f"footnote {near.dangling} is not defined" if near.dangling else "",
                source="The paragraph, item or row around it", suggestion="Link the benchmark or remove the number.",
            )  # fmt: skip


RULE = Rule("HR203", "speedup", DetectionType.UNSUPPORTED_INFERENCE, Severity.MEDIUM, (CHECK,), "0.1.0", check)
