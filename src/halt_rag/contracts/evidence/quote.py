"""Checks one piece of evidence: shape, then bounds, then whether the quote is at its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from halt_rag.contracts.evidence.codes import ERRORS
from halt_rag.contracts.evidence.hints import hint
from halt_rag.contracts.evidence.markup import folded
from halt_rag.contracts.evidence.result import EvidenceResult, Finding, Place
from halt_rag.contracts.evidence.search import Haystack, needed_folds
from halt_rag.contracts.evidence.source import Source, unify
from halt_rag.text.folds import CASE, INVISIBLE
from halt_rag.text.spans import Span

_ELLIPSIS = re.compile(r"[\[(] ?(?:\.{3}|…) ?[\])]|\.{3,}|…|\. \. \.")
_MOST_PLACES = 20
_MOST_FRAGMENTS = 16
_HINT_LENGTH = 20_000


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
        evidence: ``{source?, line_start, line_end, quote}`` or ``{source?, start, end, quote}`` with code-point
            offsets; ``source_sha256`` may pin the text. Without ``source``, the first of the sources is meant.
        sources: The documents by id.
        policy: How far the quote may differ.
        index: Position of the evidence in its field, for the findings.
    """
    if not isinstance(evidence, Mapping):
        return EvidenceResult(findings=_errors(["EVIDENCE_NOT_OBJECT"], index))
    quote = evidence.get("quote")
    keys = ("start", "end") if "start" in evidence or "end" in evidence else ("line_start", "line_end")
    shape = [*_range_shape(evidence, keys), *_quote_shape(quote)]
    source = sources.get(evidence.get("source") or next(iter(sources), ""))
    result = EvidenceResult(quote=quote if isinstance(quote, str) else None)
    searchable = not _quote_shape(quote) and source is not None
    if shape:
        return _located(result, shape, index, source if searchable else None)
    if source is None:
        result = replace(result, findings=_errors(["SOURCE_UNKNOWN"], index, f"source {evidence.get('source')!r}"))
        return _elsewhere(result, sources, "", policy)
    problem = _bounds(evidence, source, keys)
    if problem:
        return _located(result, [problem[0]], index, source, problem[1])
    region = _region(source, int(evidence[keys[0]]), int(evidence[keys[1]]), keys)
    return _at_place(result, source, region, policy, index=index, sources=sources)


def _errors(codes: Iterable[str], index: int, detail: str = "") -> tuple[Finding, ...]:
    tail = f": {detail}" if detail else ""
    return tuple(Finding(code, "error", ERRORS[code] + tail, index) for code in dict.fromkeys(codes))


def _range_shape(evidence: Mapping[str, Any], keys: tuple[str, str]) -> list[str]:
    ends = [evidence.get(key) for key in keys]
    if None in ends:
        return ["SPAN_MISSING"]
    # JSON has one kind of number, so 4.0 is the integer 4; true is not 1.
    integral = all(not isinstance(end, bool) and isinstance(end, int | float) and end == end // 1 for end in ends)
    return [] if integral else ["LINE_NOT_INTEGER"]


def _quote_shape(quote: object) -> list[str]:
    if quote is None:
        return ["QUOTE_MISSING"]
    if not isinstance(quote, str):
        return ["QUOTE_NOT_STRING"]
    return [] if folded(quote, (INVISIBLE,)).text.strip() else ["QUOTE_EMPTY"]


def _bounds(evidence: Mapping[str, Any], source: Source, keys: tuple[str, str]) -> tuple[str, str] | None:
    pins = {evidence.get("source_sha256"), source.sha256} - {None}
    if any(pin != source.digest for pin in pins):
        return "SOURCE_CHANGED", f"its SHA-256 is now {source.digest}"
    first, last = int(evidence[keys[0]]), int(evidence[keys[1]])
    if keys[0] == "start":
        least, most, unit = 0, len(source.text), "code points"
    else:
        least, most, unit = 1, source.lines, "lines"
    if first > last:
        return "SPAN_INVERTED", f"{first} to {last}"
    if first < least or last > most:
        return "SPAN_OUT_OF_BOUNDS", f"{first} to {last} of {most} {unit}"
    return None


def _region(source: Source, first: int, last: int, keys: tuple[str, str]) -> Span:
    return source.region(first, last) if keys[0] == "line_start" else source.unified_span(Span(first, last))


def _at_place(
    result: EvidenceResult,
    source: Source,
    region: Span,
    policy: QuotePolicy,
    *,
    index: int,
    sources: Mapping[str, Source],
) -> EvidenceResult:
    assert result.quote is not None  # noqa: S101 - the shape stage has passed
    quote = unify(result.quote)
    allowed = source.folds if policy.folds is None else policy.folds
    exact = source.unified.find(quote, region.start, region.end)
    if exact >= 0:
        return _matched(result, source, region, Span(exact, exact + len(quote)), policy, index=index)
    lines = source.unified[region.start : region.end]
    known = tuple(dict.fromkeys((*allowed, *source.folds)))
    for names in dict.fromkeys((allowed, known)):
        found = next(Haystack(folded(lines, names), frozenset(names)).occurrences(quote), None) if names else None
        if found is not None:
            span = found.shift(region.start)
            folds = needed_folds(source.unified[span.start : span.end], quote, known)
            result = replace(result, folds=folds)
            if set(folds) <= set(allowed):
                return _matched(result, source, region, span, policy, index=index, tier="normalized")
            other = _relocated(result, source, ())
            code = "QUOTE_NOT_IN_SPAN" if other.relocations else "QUOTE_NOT_VERBATIM"
            return replace(other, findings=_errors([code], index, f"folds needed: {', '.join(folds)}"))
    return _not_at_place(result, source, region, policy, index=index, sources=sources)


def _matched(
    result: EvidenceResult,
    source: Source,
    region: Span,
    span: Span,
    policy: QuotePolicy,
    *,
    index: int,
    tier: str = "exact",
) -> EvidenceResult:
    assert result.quote is not None  # noqa: S101 - the shape stage has passed
    notes = []
    if len(result.quote.strip()) < policy.min_quote_chars:
        notes.append(Finding("QUOTE_TOO_SHORT", "note", f"the quote has fewer than {policy.min_quote_chars}", index))
    place = _place(source, span)
    claimed = source.line_range(region)
    wide = place.line_end - place.line_start < claimed[1] - claimed[0]
    if wide:
        notes.append(
            Finding(
                "SPAN_WIDER_THAN_QUOTE",
                "note",
                f"lines {place.line_start} to {place.line_end} hold the quote",
                index,
            )
        )
    return replace(
        result,
        match="exact" if tier == "exact" else "normalized",
        place=place,
        relocations=(place,) if wide else (),
        relocations_total=int(wide),
        findings=tuple(notes),
    )


def _not_at_place(
    result: EvidenceResult,
    source: Source,
    region: Span,
    policy: QuotePolicy,
    *,
    index: int,
    sources: Mapping[str, Source],
) -> EvidenceResult:
    assert result.quote is not None  # noqa: S101 - the shape stage has passed
    moved = _relocated(result, source, source.folds if policy.folds is None else policy.folds)
    if moved.relocations:
        where = ", ".join(f"{place.line_start}-{place.line_end}" for place in moved.relocations[:3])
        return replace(moved, findings=_errors(["QUOTE_NOT_IN_SPAN"], index, f"it is on lines {where}"))
    if _ELLIPSIS.search(result.quote):
        return _elided(result, source, region, policy, index=index)
    found = _elsewhere(
        replace(result, findings=_errors(["QUOTE_NOT_FOUND"], index)), sources, source.id, policy
    )
    if found.hint:
        return found
    lines = source.unified[region.start : min(region.end, region.start + _HINT_LENGTH)]
    reason = hint(unify(result.quote), lines) if len(result.quote) <= _HINT_LENGTH else None
    return replace(found, hint=reason)


def _elided(
    result: EvidenceResult, source: Source, region: Span, policy: QuotePolicy, *, index: int
) -> EvidenceResult:
    assert result.quote is not None  # noqa: S101 - the shape stage has passed
    parts = [part for part in _ELLIPSIS.split(unify(result.quote)) if part.strip()]
    refused = _errors(["QUOTE_HAS_ELLIPSIS"], index)
    if not parts or len(parts) > _MOST_FRAGMENTS:
        return replace(result, findings=refused)
    names = source.folds if policy.folds is None else policy.folds
    lines = Haystack(folded(source.unified[region.start : region.end], names), frozenset(names))
    at, places = 0, []
    for part in parts:
        place = next((span for span in lines.occurrences(part) if span.start >= at), None)
        places.append(place)
        at = place.end if place else at
    present = [place is not None or next(lines.occurrences(part), None) is not None for part, place in zip(parts, places, strict=True)]
    result = replace(result, fragments=tuple(zip(parts, present, strict=True)))
    if not all(present):
        missing = _errors(["QUOTE_NOT_FOUND"], index, "a part around the ellipsis") if policy.allow_ellipsis else ()
        return replace(result, findings=refused + missing)
    if None in places:
        return replace(result, findings=refused + _errors(["FRAGMENTS_OUT_OF_ORDER"], index))
    if not policy.allow_ellipsis:
        return replace(result, findings=refused, hint="send_separate_spans")
    spans = [place.shift(region.start) for place in places if place]
    note = Finding("QUOTE_HAS_ELLIPSIS", "note", "the parts around the ellipsis were checked one by one", index)
    return replace(
        result,
        match="normalized",
        folds=("ellipsis_parts",),
        place=_place(source, Span(spans[0].start, spans[-1].end)),
        findings=(note,),
    )


def _located(
    result: EvidenceResult, codes: list[str], index: int, source: Source | None, detail: str = ""
) -> EvidenceResult:
    result = replace(result, findings=_errors(codes, index, detail))
    return result if source is None else _relocated(result, source, source.folds)


def _elsewhere(
    result: EvidenceResult, sources: Mapping[str, Source], claimed: str, policy: QuotePolicy
) -> EvidenceResult:
    """The result with where another source has the quote, if one does."""
    for other in sources.values():
        if other.id != claimed:
            moved = _relocated(result, other, other.folds if policy.folds is None else policy.folds)
            if moved.relocations:
                return replace(moved, hint="other_source")
    return result


def _relocated(result: EvidenceResult, source: Source, names: tuple[str, ...]) -> EvidenceResult:
    """The result with the places in the whole source that hold the quote, exact ones if there are any."""
    assert result.quote is not None  # noqa: S101 - only called for readable quotes
    quote = unify(result.quote)
    for chosen in dict.fromkeys(((), tuple(name for name in names if name != CASE or CASE in names))):
        if chosen or source.unified:
            finds = source.haystack(chosen).occurrences(quote)
            ranges: dict[tuple[int, int], Span] = {}
            for span in finds:
                ranges.setdefault(source.line_range(span), span)
            if ranges:
                places = tuple(_place(source, span) for span in islice(ranges.values(), _MOST_PLACES))
                return replace(result, relocations=places, relocations_total=len(ranges))
    return result


def _place(source: Source, span: Span) -> Place:
    own = source.own_span(span)
    first, last = source.line_range(span)
    return Place(source.id, first, last, own.start, own.end)
