"""Words in quotation marks that the cited document does not have.

## What it does
Compares a quotation with the document cited behind it in the same sentence: ``"..." (@path)``, ``"..." (REF-021)`` or
a link. Typography is folded; omissions ``...`` and insertions in square brackets divide a quotation into parts that
must follow each other.

## Why is this bad?
A quotation is a promise that somebody wrote these words.

## Example
``The paper states "memory solves everything" (@docs/references/REF-021-reflexion.md)`` is reported if the page has no
such words.

## Limits
Quotations of fewer than three words, scare quotes and quotations without a source behind them are not checked. A
source that cannot be read as text (PDF) is not checked; page numbers are not checked.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

from halt_rag.scan.document import Document
from halt_rag.scan.ids import paper_ids
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained
from halt_rag.scan.paths import written_paths
from halt_rag.scan.tree import normal
from halt_rag.text.folds import FOLDS, fold
from halt_rag.text.spans import Span

CHECK = "quote_in_source"
_QUOTE = re.compile(r"\"([^\"\r\n]{3,1000})\"|“([^”\r\n]{3,1000})”|«([^»\r\n]{3,1000})»|„([^“”\r\n]{3,1000})[“”]")
_GAP = re.compile(r"[^\"“”„«»]{0,120}")
_SPLIT = re.compile(r"\s*(?:\[[^\[\]]*\]|\.\.\.|…)\s*")
_PUNCTUATION = " .,;:!?"


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per quotation with a source."""
    if not document.narrates:
        return
    targets = sorted(_targets(document, known))
    places = [place for place, _ in targets]
    for match in _QUOTE.finditer(document.full):
        span = Span(*match.span())
        gap = _GAP.match(document.full, span.end)
        limit = min(document.sentence(span).end, gap.end() if gap else span.end)
        at = bisect_left(places, span.end)
        words = next(group for group in match.groups() if group is not None)
        if at < len(places) and places[at] < limit and len(words.split()) >= 3:
            yield _outcome(span, words, targets[at][1], known)


def _targets(document: Document, known: Knowledge) -> Iterator[tuple[int, str]]:
    """Documents that are cited: place, path."""
    for path in written_paths(document, known):
        place = known.resolve(path.path, document.path)
        if place and known.files.exists(place):
            yield path.span.start, place
    for match in paper_ids(document.prose, known.id_prefix):
        if match[0] in known.paper_files:
            yield match.start(), known.paper_files[match[0]]
    for link in document.layout.links:
        target = unquote(link.target.partition("#")[0])
        place = normal(target, posixpath.dirname(document.path)) if target and ":" not in target else None
        if place and known.files.exists(place):
            yield link.span.start, place


def _outcome(span: Span, words: str, path: str, known: Knowledge) -> Outcome:
    text = known.files.text(path)
    if text is None:
        return abstained(span, CHECK, "unreadable_source")
    if _is_quoted(words, _plain(text)):
        return Outcome(span, CHECK, "verified", hides=False)
    return Outcome(
        span, CHECK, "detected", expected=f"Words of {path}", actual="The words are not there", source=path,
        suggestion="Quote the source's own words, or drop the quotation marks.", hides=False,
    )  # fmt: skip


@lru_cache(maxsize=32)
def _plain(text: str) -> str:
    """A text as quotations are compared: folded, in small letters, without emphasis marks."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return fold(re.sub(r"[*_`]|^> ?", "", lines, flags=re.MULTILINE), FOLDS).text.replace("-\n", "-")


def _is_quoted(words: str, source: str) -> bool:
    at = 0
    for part in _SPLIT.split(_plain(words).strip(_PUNCTUATION)):
        found = source.find(part.strip(_PUNCTUATION), at)
        if found < 0:
            return False
        at = found + len(part)
    return True


RULE = Rule("HR109", "quote", DetectionType.MISQUOTED_SOURCE, Severity.HIGH, (CHECK,), "0.1.0", check)
