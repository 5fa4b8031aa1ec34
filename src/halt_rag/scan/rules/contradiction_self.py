"""A document that says two things about the same source or figure.

## What it does
Offline: the same paper id or DOI with two different years in brackets behind it. With a model (opt-in): sentences of
the document that speak of the same things and of which one contradicts the other.

## Why is this bad?
At least one of the two is false, whatever the truth is.

## Example
``REF-045 (2015)`` and further down ``REF-045 (2019)`` are reported at the second, if no corpus settles it.

## Limits
With a model, only pairs of sentences that share at least three long words are compared, at most 500 pairs a document;
where there are more, the rest is reported as not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from halt_rag.errors import InputError
from halt_rag.nli.scores import NLIBackend, Pair
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained
from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span, trimmed

CHECK = "self_consistent"
_DATED = re.compile(r"(?<![\w./-])([A-Z]{2,8}-\d{3}|10\.\d{4,9}/[^\s()\ufffc]{1,200})[*_\]]{0,3}\s?\(((?:19|20)\d\d)\)")
_LONG = re.compile(r"[^\W\d_]{5,}")
_PAIRS, _SHARED, _SURE = 500, 3, 0.9


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields a detection at the second of two statements that cannot both hold."""
    if not document.narrates:
        return
    first: dict[str, str] = {}
    for match in _DATED.finditer(document.prose):
        if first.setdefault(match[1], match[2]) != match[2]:
            yield _detection(Span(match.start(2) - 1, match.end()), f"{match[1]} ({first[match[1]]})", match[0])
    if known.backend is not None:
        yield from _by_model(document, known.backend)


def _by_model(document: Document, backend: NLIBackend) -> Iterator[Outcome]:
    sentences = [trimmed(document.prose, span) for span in split_sentences(document.prose)]
    worded = [
        (s, frozenset(_LONG.findall(s.of(document.prose).lower())))
        for s in sentences
        if "\ufffc" not in s.of(document.prose)
    ]
    pairs: list[tuple[Span, Span]] = []
    for (one, words), (other, more) in combinations(worded[:2000], 2):
        if len(words & more) >= _SHARED:
            if len(pairs) == _PAIRS:
                yield abstained(other, CHECK, "too_many_pairs")
                break
            pairs.append((one, other))
    for one, other in pairs:
        texts = one.of(document.prose), other.of(document.prose)
        try:
            scores = backend.score([Pair(*texts)])
        except InputError:
            yield abstained(other, CHECK, "too_long")
            continue
        if float(scores.contradiction[0]) >= _SURE:
            yield _detection(other, texts[0], texts[1], Severity.MEDIUM)


def _detection(span: Span, expected: str, actual: str, severity: Severity = Severity.HIGH) -> Outcome:
    return Outcome(
        span, CHECK, "detected", severity=severity, expected=f"As before: {expected[:300]}", actual=actual[:300],
        source="The document itself", suggestion="Decide which of the two holds.",
    )  # fmt: skip


RULE = Rule("HR502", "contradiction", DetectionType.CONTRADICTION, Severity.HIGH, (CHECK,), "0.1.0", check, "preview")
