"""What is shown for a verdict: both sides of a conflict, and the parts of a claim that holds in part."""

from __future__ import annotations

import pytest

from halt_rag import HaltRagVerifier, Verification
from halt_rag.nli.fake import FakeNLI, WhitespaceTokenizer
from halt_rag.nli.scores import NLIScores
from halt_rag.verify.artifact import Cuts, PipelineSettings
from halt_rag.verify.parts import in_part, judged, plan_parts
from halt_rag.verify.reading import Sources, read_sources
from halt_rag.verify.result import Part
from halt_rag.verify.sources import Passage
from tests.verify.support import check, task_model

SOURCE = "The dam was built in 1967. It holds 40 million litres."
DENIED = "Bread is baked. The dam was never built in 1967."


def verify(passages: list[str], generated: str, **options: object) -> Verification:
    result = HaltRagVerifier(backend=FakeNLI(), artifact=task_model(), **options).verify(passages, generated)  # type: ignore[arg-type]
    check(result, passages, generated)
    return result


# Conflicts


def test_a_passage_that_contradicts_another_is_shown_beside_it_and_changes_no_label() -> None:
    (alone,) = verify([SOURCE], "The dam was built in 1967.").claims
    (claim,) = verify([SOURCE, DENIED], "The dam was built in 1967.").claims
    assert (claim.label, claim.conflict, alone.conflict) == ("faithful", True, False)
    assert claim.p_hallucinated == alone.p_hallucinated
    assert [(e.kind, e.passage_index, e.text) for e in claim.evidence] == [
        ("supports", 0, "The dam was built in 1967."),
        ("contradicts", 1, "The dam was never built in 1967."),
    ]


def test_the_other_side_of_a_conflict_comes_first_where_it_decided() -> None:
    denied, said = "Anna was never in Rome in May with Ben.", "Anna was in Rome in May with Ben."
    backend = FakeNLI({("It was so.", said): (0.55, 0.4, 0.05)})
    strict = task_model(backend, cuts=Cuts(threshold=0.01, supported_below=0.01, hallucinated_from=0.01))
    result = HaltRagVerifier(backend=backend, artifact=strict).verify(["It was so.", denied], said)
    (claim,) = result.claims
    assert (claim.label, claim.reason, claim.conflict) == ("unfaithful", "contradicted", True)
    assert [e.kind for e in claim.evidence] == ["contradicts", "supports"]


@pytest.mark.parametrize(
    "passages",
    [
        [f"{SOURCE} {DENIED}"],
        [SOURCE, "Bread is baked."],
        [DENIED],
        [SOURCE, "It was never built."],
    ],
    ids=["one passage", "nothing against it", "nothing for it", "about something else"],
)
def test_what_is_no_conflict(passages: list[str]) -> None:
    assert not any(c.conflict for c in verify(passages, "The dam was built in 1967.").claims)


# Parts


def test_a_claim_that_holds_in_part_names_its_parts() -> None:
    generated = "Hello! The dam was built in 1967 and bread is baked in Geneva."
    claim = verify([SOURCE], generated).claims[-1]
    assert claim.label == "partial"
    assert [(p.text, p.label) for p in claim.parts] == [
        ("The dam was built in 1967", "faithful"),
        ("bread is baked in Geneva.", "unfaithful"),
    ]
    for part in claim.parts:
        assert part.start is not None
        assert generated[part.start : part.end] == part.text


def test_each_part_may_hold_in_another_passage() -> None:
    said = "The dam was built in 1967 and bread is baked in Geneva and fish is sold in Rome."
    (claim,) = verify(["The dam was built in 1967.", "Bread is baked in Geneva."], said).claims
    assert [p.label for p in claim.parts] == ["faithful", "faithful", "unfaithful"]
    assert claim.label == "partial"


def test_partial_is_not_given_where_no_part_holds_or_none_was_checked() -> None:
    said = "The dam was built in 1967 and bread is baked in Geneva."
    (none,) = verify(["Fish is sold."], said).claims
    assert (none.label, [p.label for p in none.parts]) == ("unfaithful", ["unfaithful", "unfaithful"])
    (unchecked,) = verify([SOURCE], said, locate_evidence=False).claims
    assert (unchecked.label, unchecked.parts) == ("unfaithful", [])
    (faithful,) = verify([f"{SOURCE[:-1]} and bread is baked in Geneva."], said).claims
    assert (faithful.label, faithful.parts) == ("faithful", [])


def sources(text: str) -> Sources:
    return read_sources([Passage("p", text)], WhitespaceTokenizer(), PipelineSettings())


@pytest.mark.parametrize(
    ("scores", "labels"),
    [
        ((0.9, 0.1), ["faithful", "unfaithful"]),
        ((0.9, 0.9), ["faithful", "faithful"]),
        ((0.6, 0.1), [None, "unfaithful"]),
        ((0.71, 0.39), ["faithful", "unfaithful"]),
    ],
)
def test_a_part_has_a_label_only_where_the_model_is_sure(scores: tuple[float, float], labels: list[str]) -> None:
    import numpy as np

    read, said = sources(SOURCE), "The dam was built in 1967 and bread is baked in Geneva."
    planned = plan_parts(said, said, [0], read)
    rows = np.array([(p, 1 - p, 0) for p in scores], dtype=np.float32)
    parts = judged(planned, NLIScores(rows), read, claim=said, start=0)
    assert [p.label for p in parts] == labels
    assert in_part(parts) == ({"faithful", "unfaithful"} == set(labels))


def test_a_part_with_a_number_that_no_passage_has_does_not_hold() -> None:
    import numpy as np

    read, said = sources("The dam was built and bread is baked."), "The dam was built in 1967 and bread is baked there."
    rows = np.array([(0.95, 0.05, 0)] * 2, dtype=np.float32)
    parts = judged(plan_parts(said, said, [0], read), NLIScores(rows), read, claim=said, start=0)
    assert [p.label for p in parts] == [None, "faithful"]


def test_a_part_is_asked_with_its_subject_and_placed_by_its_words() -> None:
    planned = plan_parts(
        "It was built in 1967 and holds 40 litres of water.",
        "The dam was built in 1967 and holds 40 litres of water.",
        [0],
        sources(SOURCE),
    )
    assert all(pair.hypothesis.lower().startswith("the dam") for clause in planned for pair in clause.pairs)
    assert planned[0].span is None, "its words are not those of the text"
    assert not in_part([Part(start=None, end=None, text="x", label="faithful", score=0.9)])
