"""The verdict rule: its table, and that it says no more than what every way of knowing the rest would say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

import pytest

from halt_rag.groundedness.verdict import JudgedSpan, Necessity, SpanOutcome, Support, outcome_of, verdict_on
from halt_rag.text.spans import Span

State = tuple[Necessity, bool, Support | None]
SUPPORTS = [None, *Support]
STATES: list[State] = [
    (necessity, cited, support)
    for necessity in Necessity
    for cited, support in [(False, None), *((True, support) for support in SUPPORTS)]
]


def span(state: State, place: int = 0) -> JudgedSpan:
    necessity, cited, support = state
    return JudgedSpan(Span(place, place + 1), f"S{place}", cited=cited, necessity=necessity, support=support)


def spans(states: tuple[State, ...]) -> list[JudgedSpan]:
    return [span(state, place) for place, state in enumerate(states)]


def known(one: JudgedSpan) -> Iterator[JudgedSpan]:
    """Every way in which what is unknown about a span could turn out."""
    needs = [Necessity.YES, Necessity.NO] if one.necessity is Necessity.UNKNOWN else [one.necessity]
    open_ = one.cited and one.support in (None, Support.UNKNOWN)
    supports = [Support.FULL, Support.PARTIAL, Support.NONE] if open_ else [one.support]
    for necessity, support in product(needs, supports):
        yield replace(one, necessity=necessity, support=support)


def blanked(one: JudgedSpan) -> Iterator[JudgedSpan]:
    """Every way in which less could be known about a span."""
    for necessity in {one.necessity, Necessity.UNKNOWN}:
        for support in {one.support, Support.UNKNOWN} if one.cited else {one.support}:
            yield replace(one, necessity=necessity, support=support)


@pytest.mark.parametrize("allow_partial", [False, True])
@pytest.mark.parametrize("state", STATES)
def test_table(state: State, *, allow_partial: bool) -> None:
    necessity, cited, support = state
    passing = cited and (support is Support.FULL or (allow_partial and support is Support.PARTIAL))
    expected: SpanOutcome
    if necessity is Necessity.NO or passing:
        expected = "ok"
    elif necessity is Necessity.UNKNOWN or (cited and support in (None, Support.UNKNOWN)):
        expected = "unknown"
    else:
        expected = "fails"
    assert outcome_of(span(state), allow_partial=allow_partial) == expected


@pytest.mark.parametrize("allow_partial", [False, True])
@pytest.mark.parametrize("state", STATES)
def test_a_span_is_determined_exactly_where_nothing_unknown_could_change_it(
    state: State, *, allow_partial: bool
) -> None:
    one = span(state)
    possible = {outcome_of(other, allow_partial=allow_partial) for other in known(one)}
    outcome = outcome_of(one, allow_partial=allow_partial)
    assert "unknown" not in possible
    assert possible == {outcome} if outcome != "unknown" else possible == {"ok", "fails"}


ALL = [states for count in range(5) for states in combinations_with_replacement(STATES, count)]


@pytest.mark.parametrize("allow_partial", [False, True])
def test_no_unknown_changes_a_determined_outcome(*, allow_partial: bool) -> None:
    assert len(ALL) > 7000
    for states in ALL:
        judged = spans(states)
        verdict = verdict_on(judged, allow_partial=allow_partial)
        outcomes = [outcome_of(one, allow_partial=allow_partial) for one in judged]
        assert verdict.failing == tuple(s for s, o in zip(judged, outcomes, strict=True) if o == "fails")
        assert verdict.unknown == tuple(s for s, o in zip(judged, outcomes, strict=True) if o == "unknown")
        settled = verdict_on(
            [s for s, o in zip(judged, outcomes, strict=True) if o != "unknown"], allow_partial=allow_partial
        )
        expected = settled.outcome if settled.outcome == "fail" or not verdict.unknown else "unknown"
        assert verdict.outcome == expected


@pytest.mark.parametrize("allow_partial", [False, True])
def test_what_passes_never_fails_for_knowing_less(*, allow_partial: bool) -> None:
    read = [s for s in STATES if Necessity.UNKNOWN not in s and Support.UNKNOWN not in s and s[1:] != (True, None)]
    passed = 0
    for count in range(4):
        for states in combinations_with_replacement(read, count):
            if verdict_on(spans(states), allow_partial=allow_partial).outcome != "pass":
                continue
            passed += 1
            for less in product(*(list(blanked(one)) for one in spans(states))):
                assert verdict_on(less, allow_partial=allow_partial).outcome in ("pass", "unknown")
    assert passed > 50


def test_an_unread_necessity_with_passing_support_passes() -> None:
    assert verdict_on([span((Necessity.UNKNOWN, True, Support.FULL))], allow_partial=False).outcome == "pass"


def test_a_response_without_spans_passes() -> None:
    assert verdict_on([], allow_partial=False).outcome == "pass"
