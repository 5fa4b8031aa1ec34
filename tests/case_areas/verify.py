"""End-to-end verification with the shipped model: a decision, and a label for each claim."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from halt_rag import Claim, HaltRagVerifier, Passage, Verification
from halt_rag.text.spans import Span
from halt_rag.verify.verifier import Item
from tests.case_areas import Case, Check


def item(given: dict[str, Any]) -> Item:
    """What a case gives to verify."""
    source = given["source"]
    passages = source if isinstance(source, str) else [Passage(p["id"], p["text"]) for p in source]
    return Item(passages, given["generated"], given.get("question"))


def expected_spans(case: Case) -> list[Span]:
    """Where the expected claims are: exact substrings of the generated text, in order."""
    spans, place = [], 0
    for claim in case["expected"]["claims"]:
        start = case["input"]["generated"].index(claim["text"], place)
        place = start + len(claim["text"])
        spans.append(Span(start, place))
    return spans


def covering(span: Span, claims: Sequence[Claim]) -> Claim:
    """The claim that shares most with a span, the first of several."""
    return max(claims, key=lambda claim: min(claim.end, span.end) - max(claim.start, span.start))


def labels(case: Case, result: Verification) -> list[str | None]:
    """The label that each expected claim got."""
    return [covering(span, result.claims).label for span in expected_spans(case)]


@cache
def _verifier() -> HaltRagVerifier:
    return HaltRagVerifier()


def _verify(case: Case) -> Check:
    given = item(case["input"])
    result = _verifier().verify(given.source, given.generated, given.question)
    found = labels(case, result)
    wanted = [claim["label"] for claim in case["expected"]["claims"]]
    passed = result.decision == case["expected"]["decision"] and found == wanted
    return Check(passed, {"decision": result.decision, "labels": found, "calibrated_prob": result.calibrated_prob})


RUNNERS = {"verify": _verify}
