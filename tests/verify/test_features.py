"""Features are finite, named, and never hold a further passage against a claim."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.verify.features import CLAIM_FEATURES, claim_features, logit
from halt_rag.verify.lexical import Lexemes, lexemes, union
from halt_rag.verify.quantities import compare
from tests.verify.support import SIGNED, plain_texts, texts

probabilities = st.floats(0, 1)


def features(claim: str, windows: list[str], entailments: list[float]) -> dict[str, float]:
    parts: list[Lexemes] = [lexemes(window) for window in windows]
    return claim_features(lexemes(claim), parts, entailment=max(entailments), known=union(parts), with_question=False)


@given(texts, st.lists(texts, min_size=1, max_size=3), probabilities, st.booleans())
def test_names_and_values(claim: str, windows: list[str], entailment: float, with_question: bool) -> None:
    parts = [lexemes(window) for window in windows]
    found = claim_features(
        lexemes(claim), parts, entailment=entailment, known=union(parts), with_question=with_question
    )
    assert tuple(found) == CLAIM_FEATURES
    assert all(math.isfinite(value) for value in found.values())


@given(plain_texts, st.lists(st.tuples(plain_texts, probabilities), min_size=2, max_size=4))
def test_a_further_window_never_makes_a_claim_look_less_supported(claim: str, windows: list[tuple[str, float]]) -> None:
    all_texts, entailments = [w for w, _ in windows], [p for _, p in windows]
    before, after = features(claim, all_texts[:-1], entailments[:-1]), features(claim, all_texts, entailments)
    assert all(sign * after[name] <= sign * before[name] for name, sign in SIGNED.items() if name != "claim_words")


_AMOUNTS = st.sampled_from(
    ["The dam is 40 m high.", "It cost 3 million euros in 1967.", "It holds 5 litres.", "A dam of 41 m cost 2 million."]
)


@given(st.lists(_AMOUNTS, min_size=1, max_size=3), _AMOUNTS, _AMOUNTS)
def test_a_further_passage_never_makes_quantities_look_less_supported(
    passages: list[str], further: str, claim: str
) -> None:
    before, after = (
        claim_features(
            lexemes(claim), [], entailment=0.5, known=lexemes(""), with_question=False, quantities=compare(claim, some)
        )
        for some in (passages, [*passages, further])
    )
    assert after["quantities_unsupported"] <= before["quantities_unsupported"]
    assert after["quantities_supported"] >= before["quantities_supported"]


def test_known_values() -> None:
    found = features("Anna opened 7 dams in Rome", ["In 1958 Anna opened dams"], [0.5])
    assert found["nli_support"] == 0
    assert found["word_recall"] == pytest.approx(3 / 5)
    assert found["missing_words"] == pytest.approx(math.sqrt(2))
    assert found["missing_numbers"] == 1
    assert found["missing_names"] == 1
    assert found["claim_words"] == pytest.approx(math.log(6))


@given(probabilities, probabilities)
def test_logit_is_monotone_and_finite(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert -7 < logit(low) <= logit(high) < 7
    assert logit(0.5) == 0
