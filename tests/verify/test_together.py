"""Support by two passages together: only where neither does alone, and never against a claim."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag import HaltRagVerifier
from halt_rag.nli.fake import FakeNLI, WhitespaceTokenizer
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.lexical import lexemes
from halt_rag.verify.reading import Sources, read_sources
from halt_rag.verify.sources import Passage
from halt_rag.verify.together import MOST, MOST_SUPPORT, joints, stretch
from tests.verify.support import SMALL, check, task_model

A = "Anna Keller designed the Tovel dam."
B = "Anna Keller was born in Chur in 1931."
CLAIM = "Anna Keller who designed the Tovel dam was born in Chur in 1931."
#: The fake compares words; "who" is in neither passage.
SAID = CLAIM.replace("who ", "")


def verifier(**options: object) -> HaltRagVerifier:
    return HaltRagVerifier(backend=FakeNLI(), artifact=task_model(), **options)  # type: ignore[arg-type]


def read(*passages: str, settings: PipelineSettings | None = None) -> Sources:
    named = [Passage(str(i), p) for i, p in enumerate(passages)]
    return read_sources(named, WhitespaceTokenizer(), settings or PipelineSettings())


def tried(*passages: str, claim: str = SAID, entailment: float = 0.1, budget: int = 100) -> list[str]:
    sources = read(*passages)
    windows = range(len(sources.windows))
    found = joints(
        lexemes(claim),
        windows,
        [entailment] * len(windows),
        sources,
        tokenizer=WhitespaceTokenizer(),
        budget=budget,
    )
    return [joint.premise for joint in found]


def test_two_passages_that_each_say_a_part_support_the_whole() -> None:
    passages = ["Bread is baked.", A, B]
    result = verifier().verify(passages, SAID)
    check(result, passages, SAID)
    (claim,) = result.claims
    assert claim.label == "faithful"
    assert [(e.passage_index, e.text, e.kind, e.together) for e in claim.evidence] == [
        (1, A, "supports", True),
        (2, B, "supports", True),
    ]
    for alone in ([A], [B], ["Bread is baked.", A]):
        assert verifier().verify(alone, SAID).claims[0].label != "faithful"


def test_the_two_sentences_are_found_within_their_passages() -> None:
    passages = [f"Bread is baked. {A} Fish is sold.", f"Wine is red. {B}"]
    (claim,) = verifier().verify(passages, SAID).claims
    assert [e.text for e in claim.evidence] == [A, B]
    (claim,) = verifier(locate_evidence=False).verify(passages, SAID).claims
    assert [e.text for e in claim.evidence] == passages, "what was read, where nothing was searched"


def test_two_windows_of_one_passage_are_not_two_passages() -> None:
    settings = SMALL.model_copy(update={"overlap_tokens": 0})
    one = HaltRagVerifier(backend=FakeNLI(), artifact=task_model(pipeline=settings))
    passage = f"{A} {'Bread is baked every day. ' * 4}{B}"
    assert one.verify(passage, SAID).claims[0].label != "faithful"


def test_pairs_are_tried_only_where_they_can_help() -> None:
    assert tried(A, B) == [f"{A} {B}"]
    assert tried(A, B, entailment=0.6) == [], "each entails it alone"
    assert tried(A, "Anna Keller was born.") == [], "together they lack much"
    assert tried(A, f"{A} {B}") == [], "one adds nothing to the other"
    assert tried(A, B, claim="Keller was born.") == [], "too short to be made of two"


def test_the_order_of_the_passages_changes_nothing() -> None:
    passages = [A, B, "Bread is baked.", "Chur is in Grisons."]
    premises = {tuple(tried(*some)) for some in permutations(passages)}
    assert len(premises) == 1


def test_long_windows_are_shortened_to_what_is_around_the_nearest_sentence() -> None:
    passages = [f"{'Bread is baked. ' * 20}{A}{' Fish is sold.' * 20}", B]
    (premise,) = tried(*passages, budget=40)
    assert A in premise
    assert B in premise
    assert len(premise.split()) <= 40
    assert tried(*passages, budget=8) == [], "no two sentences fit"


@given(st.integers(6, 30))
def test_a_stretch_holds_the_nearest_sentence_and_fits(budget: int) -> None:
    text = "One two three. Four five. Anna Keller designed the Tovel dam. Six. Seven eight nine ten."
    span = stretch(text, lexemes(A), WhitespaceTokenizer(), budget)
    assert A in span.of(text)
    assert len(span.of(text).split()) <= budget


def test_pairs_for_a_claim_are_limited() -> None:
    passages = [f"Anna Keller designed the Tovel dam {i}." for i in range(6)]
    passages += [f"Anna Keller was born in Chur in 1931 {i}." for i in range(6)]
    assert len(tried(*passages)) == MOST


@pytest.mark.parametrize("further", [A, B, SAID, "Anna Keller was never born.", "Tovel dam, Chur, 1931.", "Bread."])
def test_a_further_passage_never_makes_it_worse(further: str) -> None:
    before, after = verifier().verify([A, B], SAID), verifier().verify([A, B, further], SAID)
    assert (after.calibrated_prob or 0) <= (before.calibrated_prob or 0)
    assert after.claims[0].label == "faithful"


def test_two_together_count_for_less_than_one_alone() -> None:
    together = verifier().verify([A, B], SAID)
    alone = verifier().verify([f"{A} {B}"], SAID)
    assert alone.feature_breakdown["nli_support"] > together.feature_breakdown["nli_support"]
    assert 0.5 < MOST_SUPPORT < 0.96


def test_where_the_limit_is_used_up_no_pair_is_tried() -> None:
    generated = f"{SAID} {SAID.replace('1931', '1931 there')}"
    backend = FakeNLI()
    one = HaltRagVerifier(backend=backend, artifact=task_model(), max_pairs=4)
    check(one.verify([A, B], generated), [A, B], generated)
    assert all(len(call) <= 4 for call in backend.calls)
