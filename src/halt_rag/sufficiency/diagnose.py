"""Splits wrong answers by whether the context held the answer: the two halves have opposite fixes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from halt_rag.contracts import Judge
from halt_rag.errors import InputError
from halt_rag.sufficiency.autorater import check_sufficiency
from halt_rag.sufficiency.grading import Grade, abstains, grade
from halt_rag.sufficiency.result import Sufficiency
from halt_rag.verify.result import Record, Verification
from halt_rag.verify.verifier import HaltRagVerifier

Kind = Literal[
    "right",
    "right_from_elsewhere",
    "rightly_abstained",
    "retrieval_failure",
    "contradicted",
    "baseless",
    "mis_extracted",
    "over_abstained",
    "undetermined",
]

MEANING: dict[Kind, str] = {
    "right": "right, and the context suffices",
    "right_from_elsewhere": "right, though the context does not suffice: luck, or the model's own knowledge",
    "rightly_abstained": "declined, and the context does not suffice",
    "retrieval_failure": "wrong, and the context does not hold the answer",
    "contradicted": "wrong against the context: the context says otherwise",
    "baseless": "wrong against the context: nothing in the context says so",
    "mis_extracted": "wrong, though the context says it: another thing was picked out",
    "over_abstained": "declined, though the context suffices",
    "undetermined": "wrong or declined, and whether the context suffices is not known",
}
GENERATION: tuple[Kind, ...] = ("contradicted", "baseless", "mis_extracted", "over_abstained")
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that a pipeline answered.

    Attributes:
        question: The question.
        context: The passages that were retrieved.
        answer: What the pipeline answered; empty counts as declining.
        gold: The right answers, if known.
        correct: Whether the answer is right, if somebody has said so; overrides the comparison with ``gold``.
        id: A name for the row.
    """

    question: str
    context: str | Sequence[str]
    answer: str
    gold: tuple[str, ...] = ()
    correct: bool | None = None
    id: str = ""


class Diagnosis(Record):
    """What became of one question."""

    id: str
    question: str
    answer: str
    kind: Kind = Field(description="See MEANING.")
    sufficiency: Sufficiency


class Share(Record):
    """How often something happened, with its 95% Wilson interval."""

    count: int = Field(ge=0)
    of: int = Field(ge=0)
    low: float | None = Field(description="Null where there is nothing to count in.")
    high: float | None


class DiagnosisReport(Record):
    """The split over a set of questions."""

    schema_version: str = "1.0"
    rows: int = Field(ge=0)
    kinds: dict[str, int] = Field(description="How many rows of each kind.")
    retrieval: Share = Field(description="Retrieval failures among the failures that could be placed.")
    generation: Share = Field(description="Generation failures among them.")
    fix_first: Literal["retrieval", "generation", "undecided", "nothing"]
    advice: str
    examples: dict[str, list[Diagnosis]] = Field(description="The first rows of each kind of failure.")
    notes: list[str] = Field(description="What this split rests on.")


def read_row(row: object, number: int) -> Answered:
    """Reads ``{question, context, answer, gold?, correct?, id?}``.

    Raises:
        InputError: If a part is missing or of the wrong kind; names the row.
    """
    if not isinstance(row, Mapping):
        raise InputError(f"Row {number} is no object.")
    context, gold = row.get("context"), row.get("gold")
    passages = context if isinstance(context, list) else [context]
    golds = [] if gold is None else gold if isinstance(gold, list) else [gold]
    parts = {"question": [row.get("question")], "answer": [row.get("answer") or ""], "context": passages, "gold": golds}
    for name, values in parts.items():
        if not all(isinstance(value, str) for value in values):
            raise InputError(f"Row {number}: {name!r} is a string{' or a list of strings' if len(name) != 8 else ''}.")
    if not isinstance(row.get("correct"), bool | None):
        raise InputError(f"Row {number}: 'correct' is true or false.")
    return Answered(
        str(row["question"]),
        [str(one) for one in passages],
        str(row.get("answer") or ""),
        tuple(str(one) for one in golds),
        row.get("correct"),
        str(row.get("id", number)),
    )


def diagnose_one(row: Answered, *, verifier: HaltRagVerifier, judge: Judge | None = None) -> Diagnosis:
    """Places one question.

    Without ``gold`` and ``correct``, an answer counts as wrong where the context does not support it.

    Raises:
        InputError: If the question or the context is empty.
        BackendError: If a model cannot be asked.
    """
    known = row.gold[0] if row.gold and judge is None else None
    sufficiency = check_sufficiency(row.question, row.context, answer=known, judge=judge, verifier=verifier)
    declined = abstains(row.answer, row.question)
    support = None if declined else verifier.verify(row.context, row.answer, row.question)
    kind = place(_grade(row, declined, support), sufficiency, support)
    return Diagnosis(id=row.id, question=row.question, answer=row.answer, kind=kind, sufficiency=sufficiency)


def _grade(row: Answered, declined: bool, support: Verification | None) -> Grade | None:
    if declined:
        return "abstained"
    if row.correct is not None:
        return "right" if row.correct else "wrong"
    if row.gold:
        return grade(row.question, row.answer, row.gold)
    if support is None or support.decision == "abstain":
        return None
    return "right" if support.decision == "supported" else "wrong"


def place(graded: Grade | None, sufficiency: Sufficiency, support: Verification | None) -> Kind:
    """The kind that a grade, the context's sufficiency and the answer's support in it amount to.

    Args:
        graded: The grade; None if it is not known.
        sufficiency: Whether the context suffices.
        support: What the verifier says of the answer; None for a refusal.
    """
    verdict = sufficiency.verdict
    if graded == "right":
        return "right_from_elsewhere" if verdict == "insufficient" else "right"
    if graded is None or verdict == "undetermined":
        return "undetermined"
    if graded == "abstained":
        return "over_abstained" if verdict == "sufficient" else "rightly_abstained"
    if verdict == "insufficient":
        return "retrieval_failure"
    if support is None or support.decision == "abstain":
        return "undetermined"
    if support.decision == "supported":
        return "mis_extracted"
    return "contradicted" if any(claim.reason == "contradicted" for claim in support.claims) else "baseless"


def diagnose(
    rows: Iterable[Answered], *, verifier: HaltRagVerifier | None = None, judge: Judge | None = None
) -> DiagnosisReport:
    """Splits the failures of a pipeline into those of retrieval and those of generation.

    Args:
        rows: The questions with their contexts and answers.
        verifier: The verifier; default: the one that ships with the package.
        judge: A language model that decides on sufficiency in place of the verifier.
    """
    used = verifier if verifier is not None else HaltRagVerifier()
    given = list(rows)
    return summarize(
        [diagnose_one(row, verifier=used, judge=judge) for row in given],
        with_gold=all(row.gold or row.correct is not None for row in given),
    )


def summarize(found: Sequence[Diagnosis], *, with_gold: bool) -> DiagnosisReport:
    """Counts, intervals, examples and what to fix first."""
    kinds = {kind: sum(one.kind == kind for one in found) for kind in MEANING}
    generation = sum(kinds[kind] for kind in GENERATION)
    retrieval = kinds["retrieval_failure"]
    first, advice = _advice(retrieval, generation, kinds)
    failing: tuple[Kind, ...] = ("retrieval_failure", *GENERATION, "undetermined")
    return DiagnosisReport(
        rows=len(found),
        kinds=dict(kinds),
        retrieval=share(retrieval, retrieval + generation),
        generation=share(generation, retrieval + generation),
        fix_first=first,
        advice=advice,
        examples={kind: [one for one in found if one.kind == kind][:_EXAMPLES] for kind in failing if kinds[kind]},
        notes=_notes(found, kinds, with_gold=with_gold),
    )


def share(count: int, whole: int) -> Share:
    """A share with its 95% interval (Wilson, 1927)."""
    if not whole:
        return Share(count=count, of=whole, low=None, high=None)
    z, p = 1.959964, count / whole
    middle = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole) * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    return Share(count=count, of=whole, low=max(0.0, middle - half), high=min(1.0, middle + half))


def _advice(
    retrieval: int, generation: int, kinds: Mapping[Kind, int]
) -> tuple[Literal["retrieval", "generation", "undecided", "nothing"], str]:
    if not retrieval + generation:
        open_rows = kinds["undetermined"]
        if open_rows:
            return "undecided", f"None of the {open_rows} failures could be placed; give gold answers or a judge."
        return "nothing", "No answer is wrong."
    part = share(retrieval, retrieval + generation)
    if part.low is not None and part.low > 0.5:
        return "retrieval", "Most failures lack the answer in the context: mend retrieval; no prompt or schema can."
    if part.high is not None and part.high < 0.5:
        worst = max(GENERATION, key=lambda kind: kinds[kind])
        return "generation", f"Most failures had the answer in the context, most often {worst}: {_FIX[worst]}"
    return "undecided", (
        f"Too few failures to say which half is larger: {retrieval} of retrieval, {generation} of generation."
    )


_FIX: dict[Kind, str] = {
    "contradicted": "verify answers before they are sent, and demand verbatim evidence.",
    "baseless": "verify answers before they are sent, and demand verbatim evidence.",
    "mis_extracted": "use a typed contract with evidence spans, and sharpen what is asked for.",
    "over_abstained": "loosen the instruction to decline; the model's own not-found flag is no gate.",
}


def _notes(found: Sequence[Diagnosis], kinds: Mapping[Kind, int], *, with_gold: bool) -> list[str]:
    engines = sorted({one.sufficiency.engine for one in found})
    notes = [f"Sufficiency was decided by: {', '.join(engines) or 'nothing'}."]
    if "search" in engines:
        notes.append(
            "Searching offline tells other topics from the right one, less well whether an answer is there; "
            "give gold answers or a judge."
        )
    if not with_gold:
        notes.append("Rows without gold count as wrong where the context does not support the answer.")
    if kinds["undetermined"]:
        notes.append(f"{kinds['undetermined']} rows are undetermined and in neither half.")
    return notes
