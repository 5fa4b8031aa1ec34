"""Runs the rules over a document. Here, and only here, a crash of a rule becomes a finding about the rule."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from halt_rag.errors import BackendError, MissingExtraError
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity
from halt_rag.scan.rules import CRASHED, RULES
from halt_rag.scan.suppressions import Suppressions, suppressions_of
from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from halt_rag.scan.document import Document
    from halt_rag.scan.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Finding:
    """An outcome with the rule that it is from, and what silences it."""

    rule: Rule
    outcome: Outcome
    suppressed_by: str | None = None

    @property
    def type(self) -> DetectionType:
        """The detection type."""
        return self.outcome.type or self.rule.type

    @property
    def severity(self) -> Severity:
        """The severity."""
        return self.outcome.severity or self.rule.severity


@dataclass(slots=True)
class Findings:
    """What the rules say about one document.

    Attributes:
        items: Findings in order of place.
        warnings: About suppressions and rules that could not run: line, column, message.
        crashed: Rules that failed: code, error.
    """

    items: list[Finding] = field(default_factory=list)
    warnings: list[tuple[int, int, str]] = field(default_factory=list)
    crashed: list[tuple[str, str]] = field(default_factory=list)

    def having(self, status: str, *, suppressed: bool = False) -> list[Finding]:
        """The findings of a status."""
        return [
            item
            for item in self.items
            if item.outcome.status == status and (item.suppressed_by is not None) == suppressed
        ]


def examine(document: Document, known: Knowledge, rules: Iterable[Rule] = RULES) -> Findings:
    """Runs rules over a document, in their order; places that one has claimed are closed to later ones.

    Args:
        document: The document.
        known: What may be known.
        rules: The rules.
    """
    found = Findings()
    taken = _Taken()
    for rule in rules:
        for outcome in _outcomes(rule, document, known, found):
            if taken.has(outcome.span):
                continue
            if outcome.hides:
                taken.add(outcome.span)
            found.items.append(Finding(rule, outcome))
    found.items.sort(key=lambda item: (item.outcome.span, item.rule.code))
    silence = suppressions_of(document)
    found.items = [_silenced(item, silence, document) for item in found.items]
    found.warnings += silence.warnings + list(silence.unused())
    return found


def _outcomes(rule: Rule, document: Document, known: Knowledge, found: Findings) -> Iterator[Outcome]:
    try:
        yield from rule.run(document, known)
    except MissingExtraError as error:
        found.warnings.append((1, 1, f"{rule.code} {rule.name} did not run: {error}"))
    except BackendError:
        raise
    except Exception as error:  # noqa: BLE001 - one broken rule must not take the others down; it is reported as such
        found.crashed.append((rule.code, f"{type(error).__name__}: {error}"))
        found.warnings.append((1, 1, f"{CRASHED} {rule.code} {rule.name} failed with {type(error).__name__}: {error}"))


def _silenced(item: Finding, silence: Suppressions, document: Document) -> Finding:
    if item.outcome.status != "detected":
        return item
    line, _ = document.lines.position(item.outcome.span.start)
    by = silence.find(line, (item.type.value, item.rule.code, item.rule.name))
    return replace(item, suppressed_by=by.reason) if by else item


class _Taken:
    """Places that are claimed: disjoint spans, in order."""

    def __init__(self) -> None:
        self._spans: list[Span] = []

    def has(self, span: Span) -> bool:
        at = bisect_right(self._spans, Span(span.end, span.end))
        return any(other.overlaps(span) for other in self._spans[max(0, at - 2) : at])

    def add(self, span: Span) -> None:
        insort(self._spans, span)
