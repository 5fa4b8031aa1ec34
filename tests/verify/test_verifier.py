"""The main path: what holds for every verification, and what decides some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halt_rag import BackendError, ConfigurationError, HaltRagVerifier, InputError, Passage, Verification
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI, WhitespaceTokenizer
from halt_rag.nli.scores import NLIBackend, NLIScores, Pair
from halt_rag.text.spans import Span
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.verifier import Item
from tests.verify.support import SMALL, check, plain_texts, task_model, texts

SOURCE = "The dam was built in 1967. It holds 40 million litres. Anna Keller designed it."


def verifier(**options: object) -> HaltRagVerifier:
    """With a task model for the fake backend."""
    return HaltRagVerifier(backend=FakeNLI(), artifact=task_model(), **options)  # type: ignore[arg-type]


VERIFIERS = {
    "calibrated": verifier(),
    "uncalibrated": HaltRagVerifier(backend=FakeNLI()),
    "small windows": HaltRagVerifier(backend=FakeNLI(), artifact=task_model(pipeline=SMALL)),
    "no search": verifier(locate_evidence=False),
    "few pairs": HaltRagVerifier(backend=FakeNLI(), artifact=task_model(pipeline=SMALL), max_pairs=3),
}
kinds = st.sampled_from(sorted(VERIFIERS))
sources = st.lists(texts, min_size=1, max_size=4)


@given(kinds, sources, texts, st.none() | texts)
@settings(max_examples=100)
def test_what_holds_for_every_verification(
    kind: str, passages: list[str], generated: str, question: str | None
) -> None:
    check(VERIFIERS[kind].verify(passages, generated, question), passages, generated)


# Adding a passage


def never_worse(before: Verification, after: Verification) -> None:
    for old, new in zip(before.claims, after.claims, strict=True):
        assert (old.start, old.end) == (new.start, new.end)
        if old.p_hallucinated is not None:
            assert new.p_hallucinated is not None
            assert new.p_hallucinated <= old.p_hallucinated
        assert old.label != "faithful" or new.label == "faithful"
    assert before.calibrated_prob is None or (after.calibrated_prob or 0) <= before.calibrated_prob


@given(st.sampled_from(["calibrated", "uncalibrated", "small windows"]), sources, texts, plain_texts)
def test_a_further_passage_never_lowers_support(kind: str, passages: list[str], further: str, generated: str) -> None:
    one = VERIFIERS[kind]
    never_worse(one.verify(passages, generated), one.verify([*passages, further], generated))


def test_a_further_passage_never_lowers_support_with_the_shipped_model(shipped_model: EmbeddedNLI) -> None:
    one = HaltRagVerifier(backend=shipped_model)
    generated = "The dam was built in 1967. It holds 67 million litres. It is in Norway."
    passages = [
        SOURCE,
        "Bread is baked every morning.",
        "The dam was never built.",
        "Norway has many dams.",
        "\0 \u200b",
    ]
    results = [one.verify(passages[:n], generated) for n in range(1, len(passages) + 1)]
    for before, after in pairwise(results):
        never_worse(before, after)


def test_evidence_is_not_outvoted_by_passages_without_any() -> None:
    passages = [f"Bread number {i} is baked every morning." for i in range(60)]
    result = verifier().verify([*passages[:30], SOURCE, *passages[30:]], "The dam was built in 1967.")
    assert result.decision == "supported"
    assert result.claims[0].evidence[0].passage_index == 30


# Order, batches, repetition


def essence(result: Verification) -> list[tuple[str, float | None, str | None]]:
    return [(c.text, c.p_hallucinated, c.label) for c in result.claims]


@given(sources, plain_texts, st.randoms(use_true_random=False))
def test_the_order_of_passages_changes_no_verdict(passages: list[str], generated: str, random: object) -> None:
    shuffled = list(passages)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = verifier().verify(passages, generated), verifier().verify(shuffled, generated)
    assert essence(one) == essence(other)
    assert (one.decision, one.calibrated_prob) == (other.decision, other.calibrated_prob)


@given(st.lists(st.tuples(sources, texts, st.none() | texts), max_size=6), st.integers(1, 7))
@settings(max_examples=30)
def test_many_are_verified_as_one_by_one(items: list[tuple[list[str], str, str | None]], at_once: int) -> None:
    together = list(verifier().verify_many([Item(*item) for item in items], at_once=at_once))
    assert together == [verifier().verify(*item) for item in items]


@pytest.mark.parametrize("at_once", [1, 2, 32])
def test_many_are_verified_as_one_by_one_by_the_shipped_model(shipped_model: EmbeddedNLI, at_once: int) -> None:
    one = HaltRagVerifier(backend=shipped_model)
    items = [
        Item(SOURCE, "The dam was built in 1958."),
        Item([SOURCE, "Bread is baked."], "Hello! The dam holds 40 million litres. Anna designed it."),
        Item(SOURCE, "1967.", "When was it built?"),
    ]
    results = list(one.verify_many(items, at_once=at_once))
    assert results == [one.verify(item.source, item.generated, item.question) for item in items]
    for item, result in zip(items, results, strict=True):
        check(result, [item.source] if isinstance(item.source, str) else item.source, item.generated)


def test_many_are_read_lazily_and_scored_together() -> None:
    backend = FakeNLI()
    drawn: list[int] = []

    def items() -> Iterator[Item]:
        for i in range(10):
            drawn.append(i)
            yield Item(SOURCE, f"Dam {i} is old.")

    stream = HaltRagVerifier(backend=backend).verify_many(items(), at_once=4)
    next(stream)
    assert drawn == [0, 1, 2, 3]
    assert len(backend.calls) == 2
    assert len(backend.calls[0]) == 4


@pytest.mark.parametrize("at_once", [0, -1])
def test_at_once_is_positive(at_once: int) -> None:
    with pytest.raises(InputError, match="at_once"):
        next(verifier().verify_many([Item(SOURCE, "It is old.")], at_once=at_once))


def test_verifying_twice_gives_the_same() -> None:
    assert verifier().verify(SOURCE, "The dam is new.") == verifier().verify(SOURCE, "The dam is new.")


# Verdicts


def one_claim(
    generated: str, source: str | Sequence[str] = SOURCE, question: str | None = None
) -> tuple[str | None, str | None]:
    (claim,) = verifier().verify(source, generated, question).claims
    return claim.label, claim.reason


def test_supported_contradicted_unsupported() -> None:
    assert one_claim("The dam was built in 1967.") == ("faithful", None)
    assert one_claim("The dam was not built in 1967.") == ("unfaithful", "contradicted")
    assert one_claim("Bread is baked in Geneva.") == ("unfaithful", "unsupported")


def test_a_contradiction_is_told_from_a_lack_of_support() -> None:
    backend = FakeNLI({(SOURCE, "The dam was built in 1958."): (0.01, 0.04, 0.95)})
    result = HaltRagVerifier(backend=backend, artifact=task_model(backend)).verify(SOURCE, "The dam was built in 1958.")
    (claim,) = result.claims
    assert (result.decision, claim.label, claim.reason) == ("hallucinated", "unfaithful", "contradicted")
    assert claim.evidence[0].kind == "contradicts"


def test_a_contradiction_by_a_text_about_something_else_is_none() -> None:
    source, generated = "Bread is baked every morning.", "The dam was built in 1958."
    result = HaltRagVerifier(backend=FakeNLI({(source, generated): (0.0, 0.0, 1.0)})).verify(source, generated)
    assert result.claims[0].reason == "unsupported"


def test_a_changed_number_is_noticed_though_the_model_overlooks_it() -> None:
    generated = "It holds 999 million litres."
    fooled = FakeNLI({(SOURCE, generated): (0.9, 0.05, 0.05)})
    told = HaltRagVerifier(backend=fooled, artifact=task_model(fooled)).verify(SOURCE, generated)
    right = HaltRagVerifier(backend=fooled, artifact=task_model(fooled)).verify(SOURCE.replace("40", "999"), generated)
    assert told.feature_breakdown["missing_numbers"] == 1
    assert right.feature_breakdown["missing_numbers"] == 0
    assert (told.calibrated_prob or 0) > (right.calibrated_prob or 0)


def test_one_bad_claim_makes_the_text_hallucinated_and_is_the_one_that_weighs() -> None:
    result = verifier().verify(
        SOURCE, "The dam was built in 1967. Bread is baked in Geneva. The dam holds 40 million litres."
    )
    assert [c.label for c in result.claims] == ["faithful", "unfaithful", "faithful"]
    assert result.decision == "hallucinated"
    assert result.feature_breakdown["missing_words"] > 1
    assert result.feature_breakdown["claims"] == 3


def test_a_claim_of_which_part_holds_is_partial() -> None:
    result = verifier().verify(SOURCE, "The dam was built in 1967 and bread is baked in Geneva.")
    assert [c.label for c in result.claims] == ["partial"]
    assert result.decision == "hallucinated"


def test_nothing_to_check_is_supported_without_a_probability_and_without_asking() -> None:
    backend = FakeNLI()
    result = HaltRagVerifier(backend=backend).verify(SOURCE, "Hello! The documents do not say when it opened. 🙂")
    assert result.decision == "supported"
    assert result.calibrated_prob is None
    assert result.feature_breakdown == {}
    assert {c.label for c in result.claims} == {"NA"}
    assert result.receipt.pairs_scored == 0


def test_near_the_threshold_it_abstains() -> None:
    generated = "The dam is old and wet and grey."
    answers = {(SOURCE, generated): (0.8, 0.1, 0.1)}
    backend = FakeNLI(answers)
    result = HaltRagVerifier(backend=backend, artifact=task_model(backend)).verify(SOURCE, generated)
    assert (result.decision, result.abstain_reason) == ("abstain", "near_threshold")
    assert [(c.label, c.reason) for c in result.claims] == [(None, "uncertain")]


def test_a_short_answer_is_asked_with_its_question() -> None:
    backend = FakeNLI()
    HaltRagVerifier(backend=backend).verify(SOURCE, "1967.", " When was the dam built? ")
    (pair,) = backend.calls[0]
    assert pair == Pair(SOURCE, "The dam was built in 1967.")


@pytest.mark.parametrize("question", [None, "", "  \n"])
def test_an_empty_question_is_none(question: str | None) -> None:
    backend = FakeNLI()
    HaltRagVerifier(backend=backend).verify(SOURCE, "1967.", question)
    assert backend.calls[0] == (Pair(SOURCE, "1967."),)


# Evidence


def test_evidence_is_the_deciding_sentence_in_its_passage() -> None:
    passages = [Passage("bread", "Bread is baked."), Passage("dam", "  Preface.\n" + SOURCE)]
    (claim,) = verifier().verify(passages, "It holds 40 million litres.").claims
    (evidence,) = claim.evidence
    assert (evidence.passage_id, evidence.passage_index, evidence.kind) == ("dam", 1, "supports")
    assert evidence.text == "It holds 40 million litres."


def test_without_search_evidence_is_the_window() -> None:
    (claim,) = verifier(locate_evidence=False).verify(SOURCE, "It holds 40 million litres.").claims
    assert claim.evidence[0].text == SOURCE


def test_repeated_ids_and_repeated_sentences_are_told_apart() -> None:
    passages = [Passage("x", "It rained. It rained."), Passage("x", "It snowed. It rained.")]
    result = verifier().verify(passages, "It snowed. It snowed.")
    assert [c.start for c in result.claims] == [0, 11]
    assert [(c.evidence[0].passage_index, c.evidence[0].start) for c in result.claims] == [(1, 0), (1, 0)]


# What is not read


def test_claims_beyond_the_budget_are_not_read_and_never_unfaithful() -> None:
    generated = "Bread is baked in Rome. Fish is sold in Rome. Wine is drunk in Rome."
    result = verifier(max_pairs=2).verify(SOURCE, generated)
    assert [c.label for c in result.claims] == ["unfaithful", "unfaithful", None]
    assert result.claims[2].reason == "not_read"
    assert result.claims[2].p_hallucinated is None
    assert result.claims[2].evidence == []
    assert result.decision == "hallucinated", "two claims were read whole"
    assert result.receipt.truncated
    assert result.receipt.generated_tokens_total - result.receipt.generated_tokens_read == 5


def test_a_claim_that_was_not_read_against_everything_is_not_called_hallucinated() -> None:
    result = verifier(max_pairs=2).verify(["Bread is baked.", "Fish is sold.", "Wine is drunk."], "The dam is new.")
    assert (result.decision, result.abstain_reason) == ("abstain", "not_read")
    assert [(c.label, c.reason) for c in result.claims] == [(None, "not_read")]
    assert result.claims[0].p_hallucinated is not None
    assert result.calibrated_prob is None
    assert result.receipt.source_tokens_total - result.receipt.source_tokens_read == 3


def test_support_that_was_found_counts_though_not_everything_was_read() -> None:
    result = verifier(max_pairs=1).verify(["Bread is baked.", SOURCE], "The dam was built in 1967.")
    assert [c.label for c in result.claims] == ["faithful"]
    assert result.decision == "supported"
    assert result.receipt.truncated


@given(sources, plain_texts, st.integers(1, 6))
def test_the_budget_holds(passages: list[str], generated: str, most: int) -> None:
    limited, whole = verifier(max_pairs=most), verifier()
    backend = limited.backend
    assert isinstance(backend, FakeNLI)
    result = limited.verify(passages, generated)
    assert all(len(call) <= most for call in backend.calls)
    for part, full in zip(result.claims, whole.verify(passages, generated).claims, strict=True):
        assert part.label in {full.label, None} or {part.label, full.label} == {"partial", "unfaithful"}
    check(result, passages, generated)


def test_max_pairs_is_positive() -> None:
    with pytest.raises(InputError, match="max_pairs"):
        HaltRagVerifier(max_pairs=0)


@pytest.mark.parametrize("source", ["\u200b", "\0"])
def test_a_source_without_a_token_is_not_read(source: str) -> None:
    class Blind(FakeNLI):
        class _Tokenizer:
            max_tokens, pair_overhead = 512, 3

            def offsets(self, text: str) -> list[tuple[int, int]]:
                return [(i, i + 1) for i, c in enumerate(text) if c.isalnum()]

            def count(self, text: str) -> int:
                return len(self.offsets(text))

            def unknown(self, text: str) -> list[Span]:
                return []

        tokenizer = _Tokenizer()  # type: ignore[assignment]

    result = HaltRagVerifier(backend=Blind()).verify(source, "It rained.")
    assert (result.decision, result.abstain_reason) == ("abstain", "not_read")
    check(result, [source], "It rained.")


# What the model has no tokens for


class _NoEmoji(WhitespaceTokenizer):
    def unknown(self, text: str) -> list[Span]:
        return [Span(i, i + 1) for i, c in enumerate(text) if c >= "\U0001f000"]


class _BlindToEmoji(FakeNLI):
    """To the fake, emoji are no words: it takes any two texts for equal that differ in them alone."""

    tokenizer = _NoEmoji()


def not_read(result: Verification) -> list[bool]:
    return [(c.label, c.reason, c.p_hallucinated, c.evidence) == (None, "not_read", None, []) for c in result.claims]


def test_a_claim_with_an_unknown_part_that_no_source_has_is_not_read() -> None:
    source, generated = "The dam was built in 1967. The rating is 👎.", "The dam was built in 1967. The rating is 👍."
    backend = _BlindToEmoji()
    result = HaltRagVerifier(backend=backend, artifact=task_model()).verify(source, generated)
    assert not_read(result) == [False, True]
    assert result.claims[0].label == "faithful"
    assert (result.decision, result.abstain_reason) == ("abstain", "not_read")
    assert result.receipt.truncated
    assert result.receipt.generated_tokens_total - result.receipt.generated_tokens_read == 4
    assert not any("👍" in pair.hypothesis for call in backend.calls for pair in call)
    check(result, [source], generated)


def test_an_unknown_part_counts_only_where_it_was_read() -> None:
    sources = ["The rating is high today.", "👍"]
    whole, one = (
        HaltRagVerifier(backend=_BlindToEmoji(), artifact=task_model(), max_pairs=pairs).verify(
            sources, "The rating is high 👍."
        )
        for pairs in (2, 1)
    )
    assert not_read(whole) == [False]
    assert not_read(one) == [True]


HASH = "0123456789abcdef" * 8


@pytest.mark.parametrize(
    ("source", "generated", "read"),
    [
        ("The rating is 👎.", "The rating is 👍.", False),
        ("The rating is 👍.", "The rating is 👍.", True),
        ("The ratings are 👍 and 👎.", "The ratings are 👍 and 😐.", False),
        ("The ratings are 👍 and 👎.", "The ratings are 👎 and 👍.", True),
        (
            "The team is 🏴\U000e0067\U000e0062\U000e0065 today.",
            "The team is 🏴\U000e0067\U000e0062\U000e0073 today.",
            False,
        ),
        ("กรุงเทพเป็นเมืองหลวง", "กรุงเทพเป็นเมืองหลวง", True),
        (f"The hash is {HASH}0.", f"The hash is {HASH}1.", False),
        (f"The hash is {HASH}0.", f"The hash is {HASH}.", False),
        (f"The hash is {HASH}0.", f"The hash is {HASH}0.", True),
        ("The sign is \ue000 here.", "The sign is \ue001 here.", False),
        ("The café — “Zur Post” — cost 5 € (10%).", "The cafe cost 5 €.", True),
    ],
)
def test_two_unknown_parts_are_not_the_same(
    shipped_model: EmbeddedNLI, source: str, generated: str, read: bool
) -> None:
    result = HaltRagVerifier(backend=shipped_model).verify(source, generated)
    assert not_read(result) == [not read]
    assert result.receipt.truncated != read
    assert read or (result.decision, result.abstain_reason) == ("abstain", "not_read")
    check(result, [source], generated)


def test_an_unknown_part_of_the_question_is_a_part_of_a_short_answer(shipped_model: EmbeddedNLI) -> None:
    verify = HaltRagVerifier(backend=shipped_model).verify
    assert not_read(verify("The rating is 👎.", "Yes.", "Is the rating 👍?")) == [True]
    assert not_read(verify("The rating is 👎.", "Yes.", "Is the rating 👎?")) == [False]


# Long texts


def test_a_long_sentence_is_cut_into_claims_that_fit() -> None:
    generated = "It was " + "very " * 300 + "wet."
    backend = FakeNLI()
    result = HaltRagVerifier(backend=backend).verify(SOURCE, generated)
    assert len(result.claims) == 3
    assert all(len(pair.hypothesis.split()) <= 128 for call in backend.calls for pair in call)
    check(result, [SOURCE], generated)


@pytest.mark.parametrize("words", [100, 400, 5000])
def test_a_long_question_does_not_overflow(words: int) -> None:
    question = "Why " + "oh why " * words + "?"
    result = verifier().verify(SOURCE, "In 1967.", question)
    assert len(result.claims) == 1
    check(result, [SOURCE], "In 1967.")


@given(st.integers(16, 60), st.integers(16, 60), st.integers(0, 40), st.integers(1, 8), sources, texts)
def test_no_settings_overflow_the_model(
    window: int, claim: int, overlap: int, copies: int, passages: list[str], generated: str
) -> None:
    pipeline = PipelineSettings(window_tokens=window, claim_tokens=claim, overlap_tokens=overlap)
    backend = FakeNLI(max_tokens=window + claim + 3)
    long_text = " ".join([generated] * copies)
    long_passages = [" ".join([p] * copies) for p in passages]
    one = HaltRagVerifier(backend=backend, artifact=task_model(backend, pipeline=pipeline))
    check(one.verify(long_passages, long_text, generated), long_passages, long_text)


def test_a_model_that_is_too_small_for_the_settings_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="the model reads 128"):
        HaltRagVerifier(backend=FakeNLI(max_tokens=128)).verify(SOURCE, "It is old.")


# Failures


@pytest.mark.parametrize(
    ("generated", "question", "message"),
    [
        ("", None, "generated text is empty"),
        (" \n\t\u3000", None, "generated text is empty"),
        (None, None, "generated text must be a string, not NoneType"),
        (b"It rained.", None, "generated text must be a string, not bytes"),
        ("It rained \ud800", None, "generated text holds a lone surrogate at offset 10"),
        ("It rained.", "why \udfff", "question holds a lone surrogate at offset 4"),
        ("It rained.", 7, "question must be a string, not int"),
    ],
)
def test_texts_that_cannot_be_read(generated: str, question: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        verifier().verify(SOURCE, generated, question)


def test_an_outage_is_an_error_and_never_a_verdict() -> None:
    backend = FakeNLI()
    backend.failure = BackendError("The model is away.", backend="fake", retryable=True)
    with pytest.raises(BackendError, match="away"):
        HaltRagVerifier(backend=backend).verify(SOURCE, "The dam is old.")


@pytest.mark.parametrize(
    "answer",
    [
        lambda n: np.full((n, 3), np.nan),
        lambda n: np.full((n, 3), np.inf),
        lambda n: np.full((n, 3), -0.1),
        lambda n: np.full((n, 3), 1.5),
        lambda n: np.zeros((max(0, n - 1), 3)),
        lambda n: np.zeros((n + 1, 3)),
        lambda n: np.zeros((n, 2)),
        lambda n: np.zeros(n),
    ],
    ids=["nan", "inf", "negative", "above 1", "too few", "too many", "two columns", "flat"],
)
@pytest.mark.parametrize("artifact", [None, task_model()], ids=["uncalibrated", "calibrated"])
def test_answers_that_are_no_probabilities_are_a_failure_and_never_a_verdict(answer: object, artifact: object) -> None:
    class Broken(FakeNLI):
        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            return NLIScores(answer(len(pairs)).astype(np.float32))  # type: ignore[operator]

    backend: NLIBackend = Broken()
    with pytest.raises(BackendError, match="no probabilities"):
        HaltRagVerifier(backend=backend, artifact=artifact).verify(SOURCE, "The dam is old.")  # type: ignore[arg-type]


@pytest.mark.usefixtures("shipped_model")
@pytest.mark.parametrize("true_sentences", [0, 1, 5, 40])
def test_true_sentences_beside_a_false_one_do_not_change_its_verdict(true_sentences: int) -> None:
    text = "The capital of France is Berlin. " + "The Louvre museum is in Paris. " * true_sentences
    result = HaltRagVerifier().verify("Paris is the capital of France. It hosts the Louvre museum.", text)
    alone = HaltRagVerifier().verify("Paris is the capital of France. It hosts the Louvre museum.", text[:32])
    assert result.decision == "hallucinated"
    assert result.claims[0] == alone.claims[0]
    assert result.calibrated_prob == alone.calibrated_prob
