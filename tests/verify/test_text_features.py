"""The features of a whole text: how many, how they are called, and what they measure."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.errors import UnknownNameError
from halt_rag.verify.text_features import (
    LEXICAL,
    ClaimFigures,
    Schema,
    claim_figures,
    feature_names,
    lexical_features,
    nli_features,
    text_features,
)

SCORES = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], dtype=np.float32)


def features(
    schema: Schema, generated: str = "It was built in 1958 by Ann Lee.", **changed: object
) -> dict[str, float]:
    given: dict[str, object] = {
        "sources": ["The dam was built in 1967."],
        "generated": generated,
        "question": None,
        "nli": {"m": SCORES},
        "claims": ClaimFigures([0.2, 0.9], [0.8, 0.3], [0.1, 0.4]),
    }
    return text_features(schema, **(given | changed))  # type: ignore[arg-type]


def test_the_paper_has_17_features_with_two_models_and_11_with_one() -> None:
    two = feature_names("paper", ["roberta", "deberta"])
    assert len(two) == 17
    assert len(feature_names("paper", ["embedded"])) == 11
    assert two[:2] == ["roberta_entailment_max", "roberta_entailment_mean"]
    assert two[-5:] == list(LEXICAL)


@pytest.mark.parametrize("schema", ["paper", "extended"])
@pytest.mark.parametrize("models", [["m"], ["a", "b"]])
def test_what_is_computed_is_what_is_named(schema: Schema, models: list[str]) -> None:
    assert list(features(schema, nli=dict.fromkeys(models, SCORES))) == feature_names(schema, models)


def test_pools() -> None:
    found = nli_features("m", SCORES)
    assert found["m_entailment_max"] == pytest.approx(0.7)
    assert found["m_entailment_mean"] == pytest.approx(0.4)
    assert found["m_contradiction_max"] == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("flags", "gone"),
    [
        (["contradiction"], {"m_contradiction_max", "m_contradiction_mean"}),
        (["lexical"], set(LEXICAL)),
        (["m"], {f"m_{c}_{p}" for c in ("entailment", "neutral", "contradiction") for p in ("max", "mean")}),
        (["jaccard", "neutral"], {"jaccard", "m_neutral_max", "m_neutral_mean"}),
    ],
)
def test_ablation(flags: list[str], gone: set[str]) -> None:
    every = feature_names("extended", ["m"])
    assert feature_names("extended", ["m"], flags) == [name for name in every if name not in gone]


def test_an_unknown_ablation_is_named() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'contradiction'"):
        feature_names("extended", ["m"], ["contradictions"])
    with pytest.raises(UnknownNameError):
        feature_names("paper", ["m"], ["claims"])


def test_lexical_features_by_hand() -> None:
    found = lexical_features("a b c d", "a c x")
    assert found == {
        "source_words": 4,
        "generated_words": 3,
        "length_ratio": 0.75,
        "rouge_l_f1": pytest.approx(2 * 2 / 7),
        "jaccard": 2 / 5,
    }


def test_claims_are_pooled() -> None:
    found = claim_figures(ClaimFigures([0.2, 0.9, 0.5], [0.8, 0.25, 0.4], [0.1, 0.2, 0.75], unread=1))
    assert found["claim_p_max"] == pytest.approx(math.log(9))
    assert found["claim_p_second"] == pytest.approx(0)
    assert found["claim_p_mean"] == pytest.approx(1.6 / 3)
    assert found["claim_p_min"] == pytest.approx(math.log(0.25))
    assert found["claim_support"] == pytest.approx(math.log(1 / 3))
    assert found["claim_conflict"] == pytest.approx(math.log(3))
    assert found["claims"] == pytest.approx(math.log(4))
    assert found["claims_unread"] == pytest.approx(math.log(2))
    none = claim_figures(ClaimFigures([], [], []))
    assert none["claim_p_mean"] == 0
    lowest = math.log(0.001 / 0.999)
    assert [none[n] for n in ("claim_p_max", "claim_p_min", "claim_conflict")] == pytest.approx([lowest] * 3)
    assert none["claim_support"] == pytest.approx(-lowest)


def test_nothing_said_about_claims_is_not_taken_for_no_claims() -> None:
    assert "claim_p_max" not in features("paper", claims=None)
    with pytest.raises(ValueError, match="what the claims say"):
        features("extended", claims=None)


def test_novelty_counts_what_neither_source_nor_question_holds() -> None:
    found = features("extended")
    assert found["novel_numbers"] == 1
    assert found["novel_names"] == pytest.approx(math.sqrt(2))
    asked = features("extended", question="Did Ann Lee build it in 1958?")
    assert (asked["novel_numbers"], asked["novel_names"]) == (0, 0)
    copied = features("extended", generated="The dam was built in 1967.")
    assert [copied[n] for n in ("novel_words", "novel_word_share", "novel_trigram_share")] == [0, 0, 0]


def test_grounding_tells_sources_and_question_apart() -> None:
    sources = ["The dam of Lint was built by Ann Lee."]
    found = features(
        "extended", generated="It was Ann Lee, not Bob Ray of Lint?", sources=sources, question="Is Lint old?"
    )
    assert found["names"] == pytest.approx(math.sqrt(5))
    assert found["sourced_names"] == pytest.approx(math.sqrt(3)), "Ann, Lee, Lint"
    assert found["new_sourced_names"] == pytest.approx(math.sqrt(2)), "Lint is in the question"
    assert found["unsourced_names"] == pytest.approx(math.sqrt(2)), "Bob, Ray"
    assert found["asked_names"] == pytest.approx(1 / 5)
    assert found["questions"] == pytest.approx(math.log(2))
    assert found["source_recall"] == pytest.approx(3 / 5), "of dam, lint, built, ann, lee"
    more = features("extended", generated="It was built.", sources=sources, question="Is Lint old?")
    assert more["source_or_question_recall"] == pytest.approx(2 / 5)


@given(st.text(max_size=40), st.text(max_size=40))
def test_features_are_finite_whatever_the_text(source: str, generated: str) -> None:
    found = features("extended", generated=generated, sources=[source])
    assert all(math.isfinite(value) for value in found.values())
