"""Checks one piece of evidence: shape, then bounds, then whether the quote is at its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from halt_rag.contracts.evidence.codes import ERRORS, MEANING
from halt_rag.contracts.evidence.hints import hint
from halt_rag.contracts.evidence.markup import folded
from halt_rag.contracts.evidence.result import EvidenceResult, Finding, Place
from halt_rag.contracts.evidence.search import Haystack, needed_folds
from halt_rag.contracts.evidence.source import Source, unify
from halt_rag.contracts.strict_json import shown
from halt_rag.text.folds import INVISIBLE
from halt_rag.text.spans import Span

_ELLIPSIS = re.compile(r"[\[(] ?(?:\.{3}|…) ?[\])]|\.{3,}|…|\. \. \.")
_MOST_PLACES = 20
PARTS = "parts"  # In place of folds, where a quote with an ellipsis was matched part by part.
_MOST_FRAGMENTS = 16
_HINT_LENGTH = 20_000
_LINE_KEYS = frozenset({"source", "line_start", "line_end", "quote"})


@dataclass(frozen=True, slots=True)
class QuotePolicy:
    """How far a quote may differ from its source.

    Attributes:
        folds: Names of the folds allowed; None means all that the source's content type allows.
        allow_ellipsis: Whether the parts around an ellipsis may be checked one by one, in order.
        min_quote_chars: Shorter quotes get the note ``QUOTE_TOO_SHORT``.
    """

    folds: tuple[str, ...] | None = None
    allow_ellipsis: bool = False
    min_quote_chars: int = 2


def check_evidence(
    evidence: object, sources: Mapping[str, Source], policy: QuotePolicy, *, index: int = 0
) -> EvidenceResult:
    """The verdict on one piece of evidence.

    Args:
        evidence: ``{source?, line_start, line_end, quote}``, or ``{source?, start, end, quote}`` with code-point
            offsets; ``source_sha256`` may pin the text. Without ``source``, the first of the sources is meant.
        sources: The documents by id.
        policy: How far the quote may differ.
        index: Position of the evidence in its field, for the findings.
    """
    plain = _verbatim(evidence, sources, policy)
    if plain is not None:
        return plain
    if not isinstance(evidence, Mapping):
        return EvidenceResult(findings=_errors(["EVIDENCE_NOT_OBJECT"], index))
    quote, name = evidence.get("quote"), evidence.get("source")
    keys = ("start", "end") if "start" in evidence or "end" in evidence else ("line_start", "line_end")
    wrong = _quote_shape(quote)
    shape = [*_range_shape(evidence, keys), *wrong]
    source = sources.get(name or next(iter(sources), "")) if isinstance(name, str | None) else None
    result = EvidenceResult(quote=quote if isinstance(quote, str) else None)
    if wrong or not isinstance(quote, str):
        return replace(result, findings=_errors(shape, index))
    if source is None:
        unknown = _errors([*shape, "SOURCE_UNKNOWN"], index, f"source {shown(name)}")
        return _elsewhere(replace(result, findings=unknown), quote, sources, policy)
    check = _QuoteCheck(source, policy, index, quote=unify(quote))
    if shape:
        return check.relocated(replace(result, findings=_errors(shape, index)))
    problem = _bounds(evidence, source, keys)
    if problem:
        return check.relocated(replace(result, findings=_errors([problem[0]], index, problem[1])))
    first, last = int(evidence[keys[0]]), int(evidence[keys[1]])
    region = source.region(first, last) if keys[0] == "line_start" else source.unified_span(Span(first, last))
    result = check.at(region, result)
    unfound = any(finding.code == "QUOTE_NOT_FOUND" for finding in result.findings) and not result.hint
    others = {name: other for name, other in sources.items() if other is not source}
    return _elsewhere(result, quote, others, policy) if unfound and others else result


def _verbatim(evidence: object, sources: Mapping[str, Source], policy: QuotePolicy) -> EvidenceResult | None:
    """The verdict on the common case, letter by letter on the one line claimed; None where a closer look is needed."""
    if type(evidence) is not dict or not evidence.keys() <= _LINE_KEYS:
        return None
    quote, name, line = evidence.get("quote"), evidence.get("source"), evidence.get("line_start")
    if type(quote) is not str or type(line) is not int or type(evidence.get("line_end")) is not int:
        return None
    source = sources.get(name) if type(name) is str and name else next(iter(sources.values()), None)
    if evidence["line_end"] != line or source is None or source.sha256 is not None or not isinstance(name, str | None):
        return None
    at = source.on_line(quote, line) if len(quote) >= max(1, policy.min_quote_chars) else -1
    # What begins and ends with blanks or is not seen at all is looked at more closely.
    if at < 0 or not (quote[0].isalnum() or quote.isascii()) or quote[0].isspace() or quote[-1].isspace():
        return None
    own = source.own_span(Span(at, at + len(quote)))
    return EvidenceResult("exact", place=Place(source.id, line, line, own.start, own.end), quote=quote)


def _errors(codes: Iterable[str], index: int, detail: str = "") -> tuple[Finding, ...]:
    tail = f": {detail}" if detail else ""
    return tuple(Finding(code, "error", ERRORS[code] + tail, index) for code in dict.fromkeys(codes))


def _range_shape(evidence: Mapping[str, Any], keys: tuple[str, str]) -> list[str]:
    ends = [evidence.get(key) for key in keys]
    if any(end is None for end in ends):
        return ["SPAN_MISSING"]
    # JSON has one kind of number, so 4.0 is the integer 4; true is not 1.
    integral = all(isinstance(end, int | float) and not isinstance(end, bool) and end % 1 == 0 for end in ends)
    return [] if integral else ["LINE_NOT_INTEGER"]


def _quote_shape(quote: object) -> list[str]:
    if quote is None:
        return ["QUOTE_MISSING"]
    if not isinstance(quote, str):
        return ["QUOTE_NOT_STRING"]
    visible = quote if quote.isascii() else folded(quote, (INVISIBLE,)).text
    return [] if visible.strip() else ["QUOTE_EMPTY"]


def _bounds(evidence: Mapping[str, Any], source: Source, keys: tuple[str, str]) -> tuple[str, str] | None:
    pins = [pin for pin in (evidence.get("source_sha256"), source.sha256) if pin is not None]
    if any(pin != source.digest for pin in pins):
        return "SOURCE_CHANGED", f"its SHA-256 is now {source.digest}"
    first, last = int(evidence[keys[0]]), int(evidence[keys[1]])
    if keys[0] == "start":
        least, most, unit = 0, len(source.text), "code points"
    else:
        least, most, unit = 1, source.lines, "lines"
    if first > last:
        return "SPAN_INVERTED", f"{shown(first)} to {shown(last)}"
    if first < least or last > most:
        return "SPAN_OUT_OF_BOUNDS", f"{shown(first)} to {shown(last)} of {most} {unit}"
    return None


def _elsewhere(
    result: EvidenceResult, quote: str, sources: Mapping[str, Source], policy: QuotePolicy
) -> EvidenceResult:
    """The result with where one of the sources has the quote, if one does."""
    for other in sources.values():
        moved = _QuoteCheck(other, policy, 0, quote=unify(quote)).relocated(result)
        if moved.relocations:
            return replace(moved, hint="other_source")
    return result


class _QuoteCheck:
    """One quote against one source."""

    def __init__(self, source: Source, policy: QuotePolicy, index: int, *, quote: str) -> None:
        self._source = source
        self._policy = policy
        self._index = index
        self._quote = quote
        self._allowed = source.folds if policy.folds is None else policy.folds

    def at(self, region: Span, result: EvidenceResult) -> EvidenceResult:
        """The verdict where the claimed region is inside the source."""
        unified = self._source.unified
        exact = unified.find(self._quote, region.start, region.end)
        if exact >= 0:
            return self._matched(result, region, Span(exact, exact + len(self._quote)))
        lines = unified[region.start : region.end]
        known = tuple(dict.fromkeys((*self._source.folds, *self._allowed)))
        for names in dict.fromkeys((self._allowed, known)):
            found = next(Haystack(folded(lines, names), frozenset(names)).occurrences(self._quote), None)
            if found is None:
                continue
            span = found.shift(region.start)
            whole = self._source.region(*self._source.line_range(span))
            folds = needed_folds(unified[whole.start : whole.end], self._quote, known)
            if set(folds) <= set(self._allowed):
                return self._matched(replace(result, folds=folds, match="normalized"), region, span)
            return self._not_verbatim(replace(result, folds=folds))
        return self._not_there(lines, region, result)

    def relocated(self, result: EvidenceResult) -> EvidenceResult:
        """The result with the lines of the whole source that hold the quote; exact ones, if there are any."""
        for names in dict.fromkeys(((), self._allowed)):
            if names and self._source.lacks(self._quote, names):
                continue
            ranges: dict[tuple[int, int], Span] = {}
            for span in self._source.haystack(names).occurrences(self._quote):
                ranges.setdefault(self._source.line_range(span), span)
            if ranges:
                places = tuple(map(self._place, islice(ranges.values(), _MOST_PLACES)))
                return replace(result, relocations=places, relocations_total=len(ranges))
        return result

    def _errors(self, *codes: str, detail: str = "") -> tuple[Finding, ...]:
        return _errors(codes, self._index, detail)

    def _place(self, span: Span) -> Place:
        own = self._source.own_span(span)
        first, last = self._source.line_range(span)
        return Place(self._source.id, first, last, own.start, own.end)

    def _matched(self, result: EvidenceResult, region: Span, span: Span) -> EvidenceResult:
        place, notes = self._place(span), []
        least = self._policy.min_quote_chars
        if len(self._quote.strip()) < least:
            notes.append(self._note("QUOTE_TOO_SHORT", f"it has fewer than {least} characters"))
        first, last = self._source.line_range(region)
        wide = place.line_end - place.line_start < last - first
        if wide:
            notes.append(self._note("SPAN_WIDER_THAN_QUOTE", f"it is on {place.lines}"))
        return replace(
            result,
            match="exact" if result.match == "none" else result.match,
            place=place,
            relocations=(place,) if wide else (),
            relocations_total=int(wide),
            findings=tuple(notes),
        )

    def _note(self, code: str, detail: str) -> Finding:
        return Finding(code, "note", f"{MEANING[code]}: {detail}", self._index)

    def _not_verbatim(self, result: EvidenceResult) -> EvidenceResult:
        """The quote is at its place, but only through folds that the field forbids."""
        moved = self.relocated(result)
        code = "QUOTE_NOT_IN_SPAN" if moved.relocations else "QUOTE_NOT_VERBATIM"
        return replace(moved, findings=self._errors(code, detail=f"folds needed: {', '.join(result.folds)}"))

    def _not_there(self, lines: str, region: Span, result: EvidenceResult) -> EvidenceResult:
        moved = self.relocated(result)
        if moved.relocations:
            return replace(moved, findings=self._errors("QUOTE_NOT_IN_SPAN"))
        if _ELLIPSIS.search(self._quote):
            return self._elided(lines, region, result)
        readable = len(self._quote) <= _HINT_LENGTH
        reason = hint(self._quote, lines[:_HINT_LENGTH]) if readable else None
        return replace(result, findings=self._errors("QUOTE_NOT_FOUND"), hint=reason)

    def _elided(self, lines: str, region: Span, result: EvidenceResult) -> EvidenceResult:
        """An ellipsis can swallow a "not": refused, or by permission checked part by part and noted."""
        parts = [part for part in _ELLIPSIS.split(self._quote) if part.strip()]
        refused = self._errors("QUOTE_HAS_ELLIPSIS")
        if not parts or len(parts) > _MOST_FRAGMENTS:
            return replace(result, findings=refused)
        spans, present = self._parts(parts, lines)
        result = replace(result, fragments=tuple(zip(parts, present, strict=True)))
        if not all(present):
            missing = self._errors("QUOTE_NOT_FOUND", detail="a part around the ellipsis")
            return replace(result, findings=refused + (missing if self._policy.allow_ellipsis else ()))
        if len(spans) < len(parts):
            return replace(result, findings=refused + self._errors("FRAGMENTS_OUT_OF_ORDER"))
        if not self._policy.allow_ellipsis:
            return replace(result, findings=refused, hint="send_separate_spans")
        whole = Span(spans[0].start, spans[-1].end).shift(region.start)
        note = self._note("QUOTE_HAS_ELLIPSIS", "its parts were checked one by one")
        return replace(result, match="normalized", folds=(PARTS,), place=self._place(whole), findings=(note,))

    def _parts(self, parts: list[str], lines: str) -> tuple[list[Span], list[bool]]:
        """Places of the parts one after another, as far as they go, and whether each is there at all."""
        text = Haystack(folded(lines, self._allowed), frozenset(self._allowed))
        present = [next(text.occurrences(part), None) is not None for part in parts]
        spans: list[Span] = []
        for part in parts:
            least = spans[-1].end if spans else 0
            span = next((span for span in text.occurrences(part) if span.start >= least), None)
            if span is None:
                break
            spans.append(span)
        return spans, present
