"""ROUGE-L: the same figure as the package that the field uses, and as the plain recurrence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.verify.rouge import lcs_length, rouge_l_f1, rouge_tokens

WORDS = st.lists(st.sampled_from("a b c d".split()), max_size=12)


def plain_lcs(a: list[str], b: list[str]) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        before = row[:]
        for j, y in enumerate(b, 1):
            row[j] = before[j - 1] + 1 if x == y else max(before[j], row[j - 1])
    return row[-1]


@given(WORDS, WORDS)
def test_lcs_is_that_of_the_recurrence(a: list[str], b: list[str]) -> None:
    assert lcs_length(a, b) == plain_lcs(a, b) == lcs_length(b, a)


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("The dam was built in 1967.", "The dam was built in 1958."),
        ("A, B and C -- don't!", "c b a DON T"),
        ("one", "two"),
        ("", "words"),
        ("It's 3.5% (about $1,250)", "its 3 5 about 1250"),
        ("the cat sat on the mat " * 40, "the mat sat on the cat " * 9),
    ],
)
def test_agrees_with_rouge_score(reference: str, candidate: str) -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=False)
    expected = scorer.score(reference, candidate)["rougeL"].fmeasure
    assert rouge_l_f1(rouge_tokens(reference), rouge_tokens(candidate)) == pytest.approx(expected, abs=1e-12)


@given(st.text(st.characters(codec="ascii"), max_size=60), st.text(st.characters(codec="ascii"), max_size=60))
def test_agrees_with_rouge_score_on_any_ascii(reference: str, candidate: str) -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=False)
    expected = scorer.score(reference, candidate)["rougeL"].fmeasure
    assert rouge_l_f1(rouge_tokens(reference), rouge_tokens(candidate)) == pytest.approx(expected, abs=1e-12)


def test_other_letters_are_words_too() -> None:
    assert rouge_tokens("Ærø 2024, Москва") == ["ærø", "2024", "москва"]
    assert rouge_l_f1(rouge_tokens("Москва и Киев"), rouge_tokens("Москва и Киев")) == 1.0
