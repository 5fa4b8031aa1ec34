"""Span records: the contract's records for sentences with a verdict, and the others apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag import BackendError, HaltRagVerifier, InputError, Passage
from halt_rag.contracts.hallucination_detection import CONTRACT
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.spans import explanation, flag_hallucinated_content
from tests.verify.support import task_model, texts

SOURCE = "The dam was built in 1967. It holds 40 million litres."


def verifier(backend: FakeNLI | None = None, **options: object) -> HaltRagVerifier:
    backend = backend or FakeNLI()
    return HaltRagVerifier(backend=backend, artifact=task_model(backend), **options)  # type: ignore[arg-type]


@given(texts, st.lists(texts, min_size=1, max_size=3), st.none() | texts)
def test_records_keep_the_contract_and_with_the_others_are_all_sentences(
    response: str, documents: list[str], context: str | None
) -> None:
    one = verifier()
    found = flag_hallucinated_content(response, documents, context, verifier=one)
    assert CONTRACT.accept(found.records) == {"items": found.records}
    assert found.verification == one.verify(documents, response, context)
    places = sorted((r["response_begin"], r["response_end"]) for r in [*found.records, *found.undetermined])
    assert places == [(c.start, c.end) for c in found.verification.claims]
    for record in [*found.records, *found.undetermined]:
        assert response[record["response_begin"] : record["response_end"]] == record["response_text"]
        assert record["explanation"]


def test_each_label_is_explained_by_its_evidence() -> None:
    response = (
        "Hello! The dam was built in 1967. The dam was not built in 1967. Bread is baked by 7 Romans in Geneva. "
        "The dam was built in 1967 and bread is baked in Geneva."
    )
    found = flag_hallucinated_content(response, [Passage("dam.txt", SOURCE)], verifier=verifier())
    assert [(r["faithfulness"], r["explanation"]) for r in found.records] == [
        ("NA", "There is nothing to check."),
        ("faithful", 'Supported by passage dam.txt: "The dam was built in 1967.".'),
        ("unfaithful", 'Contradicted by passage dam.txt: "The dam was built in 1967.".'),
        (
            "unfaithful",
            'No passage supports it; the nearest is passage dam.txt: "The dam was built in 1967.". '
            'That lacks "7", "Romans", "Geneva", "Bread", "baked".',
        ),
        (
            "partial",
            'Supported: "The dam was built in 1967". Not supported: "bread is baked in Geneva.". '
            'No passage supports it; the nearest is passage dam.txt: "The dam was built in 1967.". '
            'That lacks "Geneva", "bread", "baked".',
        ),
    ]
    assert found.undetermined == []


def test_what_is_undetermined_is_apart_with_its_reason() -> None:
    backend = FakeNLI({(SOURCE, "The dam is old and wet and grey."): (0.8, 0.1, 0.1)})
    found = flag_hallucinated_content(
        "The dam was built in 1967. The dam is old and wet and grey.", SOURCE, verifier=verifier(backend)
    )
    assert [r["faithfulness"] for r in found.records] == ["faithful"]
    (open_,) = found.undetermined
    assert (open_["reason"], open_["response_text"]) == ("uncertain", "The dam is old and wet and grey.")
    assert "faithfulness" not in open_
    assert open_["explanation"].startswith("The model is too near its threshold to decide.")
    few = flag_hallucinated_content("The dam is new.", ["Bread.", "Fish."], verifier=verifier(max_pairs=1))
    assert (few.records, [r["reason"] for r in few.undetermined]) == ([], ["not_read"])


def test_both_sides_of_a_conflict_and_both_of_two_passages_are_named() -> None:
    conflict = verifier().verify([SOURCE, "The dam was never built in 1967."], "The dam was built in 1967.")
    assert explanation(conflict.claims[0]) == (
        'Supported by passage 1: "The dam was built in 1967.". '
        'Contradicted by passage 2: "The dam was never built in 1967.". The passages are in conflict.'
    )
    passages = ["Anna Keller designed the Tovel dam.", "Anna Keller was born in Chur in 1931."]
    both = verifier().verify(passages, "Anna Keller designed the Tovel dam and she was born in Chur in 1931.")
    if both.claims[0].evidence[0].together:
        assert explanation(both.claims[0]).count("Supported together by passage") == 2


def test_a_blank_response_has_no_sentences_and_asks_nothing() -> None:
    backend = FakeNLI()
    found = flag_hallucinated_content(" \n", SOURCE, verifier=verifier(backend))
    assert (found.records, found.undetermined, found.verification) == ([], [], None)
    assert backend.calls == []


def test_a_failure_is_no_record() -> None:
    backend = FakeNLI()
    backend.failure = BackendError("The model is away.", backend="fake")
    with pytest.raises(BackendError):
        flag_hallucinated_content("The dam is old.", SOURCE, verifier=verifier(backend))
    for response, documents in ((None, SOURCE), ("It rained.", []), ("It rained.", "")):
        with pytest.raises(InputError):
            flag_hallucinated_content(response, documents, verifier=verifier())  # type: ignore[arg-type]


def test_long_quotes_are_shortened() -> None:
    source = "The dam was built in 1967 " + "by many people " * 40 + "."
    found = flag_hallucinated_content("The dam was built in 1967.", source, verifier=verifier())
    assert len(found.records[0]["explanation"]) < 300
    assert "…" in found.records[0]["explanation"]


@pytest.mark.usefixtures("shipped_model")
def test_the_shipped_model_is_the_default() -> None:
    found = flag_hallucinated_content("The dam was built in 1958.", SOURCE, "When was the dam built?")
    assert [r["faithfulness"] for r in found.records] == ["unfaithful"]
