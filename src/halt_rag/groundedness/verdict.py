"""The rule that turns what is known about each span into a verdict. Pure; the same for every engine.

========================  =======  ==================================  ============
needs a citation          has one  support                             span outcome
========================  =======  ==================================  ============
no                        any      any                                 ok
yes                       no       not asked                           fails
yes                       yes      none, or partial where strict       fails
yes or unknown            yes      full, or partial where allowed      ok
yes                       yes      unknown                             unknown
unknown                   no       not asked                           unknown
unknown                   yes      failing or unknown                  unknown
========================  =======  ==================================  ============

Any span fails: the response fails, and only those spans are named. Otherwise, any span is unknown: there is no
verdict. Otherwise the response passes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from halt_rag.text.spans import Span

SpanOutcome = Literal["ok", "fails", "unknown"]


class Necessity(StrEnum):
    """Whether a span states something that needs a source."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Support(StrEnum):
    """How well the evidence of a span supports it."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class JudgedSpan:
    """A span of the response and what an engine found out about it.

    Attributes:
        span: Its place in the response, in code points.
        text: Its text, without white space around it.
        cited: Whether something in the documents was found to rest it on.
        necessity: Whether it needs that.
        support: How well what was found supports it; None where that was not asked.
        contradicted: Whether the documents say otherwise, where the engine can tell.
        note: Why something is unknown, for the operator; may quote a model, and is never shown to one.
    """

    span: Span
    text: str
    cited: bool
    necessity: Necessity
    support: Support | None = None
    contradicted: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a response.

    Attributes:
        outcome: ``pass``, ``fail``, or ``unknown``: it cannot be told.
        failing: The spans that determinately fail.
        unknown: The spans of which it cannot be told, also where the outcome is ``fail``.
    """

    outcome: Literal["pass", "fail", "unknown"]
    failing: tuple[JudgedSpan, ...]
    unknown: tuple[JudgedSpan, ...]


def outcome_of(span: JudgedSpan, *, allow_partial: bool) -> SpanOutcome:
    """The outcome of one span, by the table above."""
    if span.necessity is Necessity.NO:
        return "ok"
    enough = (Support.FULL, Support.PARTIAL) if allow_partial else (Support.FULL,)
    if span.cited and span.support in enough:
        return "ok"
    if span.necessity is Necessity.UNKNOWN or (span.cited and span.support in (None, Support.UNKNOWN)):
        return "unknown"
    return "fails"


def verdict_on(spans: Iterable[JudgedSpan], *, allow_partial: bool) -> Verdict:
    """The verdict on a response from its spans; one without spans passes."""
    by_outcome: dict[SpanOutcome, list[JudgedSpan]] = {"ok": [], "fails": [], "unknown": []}
    for span in spans:
        by_outcome[outcome_of(span, allow_partial=allow_partial)].append(span)
    failing, unknown = tuple(by_outcome["fails"]), tuple(by_outcome["unknown"])
    return Verdict("fail" if failing else "unknown" if unknown else "pass", failing, unknown)
