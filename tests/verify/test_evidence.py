"""The sentence that decided a claim."""

from __future__ import annotations

import numpy as np
import pytest

from halt_rag import HaltRagVerifier
from halt_rag.nli.fake import FakeNLI, WhitespaceTokenizer
from halt_rag.nli.scores import NLIScores
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.evidence import Search, found, holds_in_part, plan_search
from halt_rag.verify.lexical import lexemes
from halt_rag.verify.reading import Sources, read_sources
from halt_rag.verify.result import EvidenceKind
from halt_rag.verify.sources import Passage
from tests.verify.support import SMALL, task_model

PASSAGE = "  Bread is baked. The dam is old. Fish is sold.  "


def sources(text: str = PASSAGE) -> Sources:
    return read_sources([Passage("p", text)], WhitespaceTokenizer(), PipelineSettings())


def search(kind: EvidenceKind = "supports", *, text: str = "The dam is old.", source: str = PASSAGE) -> Search:
    return plan_search(kind, 0, 0.9, claim=lexemes(text), text=text, hypothesis=text, sources=sources(source))


def scores(*entailments: float, column: int = 0) -> NLIScores:
    rows = np.zeros((len(entailments), 3), dtype=np.float32)
    rows[:, column] = entailments
    return NLIScores(rows)


def test_each_sentence_is_asked() -> None:
    planned = search()
    assert [pair.premise for pair in planned.pairs] == ["Bread is baked.", "The dam is old.", "Fish is sold."]
    assert [s.of(PASSAGE) for s in planned.sentences] == [pair.premise for pair in planned.pairs]


def test_the_best_sentence_is_the_evidence() -> None:
    evidence = found(search(), scores(0.1, 0.8, 0.2), sources())
    assert evidence.text == "The dam is old."
    assert evidence.score == pytest.approx(0.8)
    assert PASSAGE[evidence.start : evidence.end] == evidence.text


def test_the_window_is_where_no_sentence_stands_alone_or_none_was_scored() -> None:
    for answer in (scores(0.1, 0.3, 0.2), None):
        evidence = found(search(), answer, sources())
        assert evidence.text == PASSAGE.strip()
        assert evidence.score == 0.9


def test_a_contradiction_is_read_from_its_own_column() -> None:
    evidence = found(search("contradicts"), scores(0.1, 0.2, 0.8, column=2), sources())
    assert evidence.text == "Fish is sold."


def test_the_nearest_sentence_is_shown_however_little_it_supports() -> None:
    assert found(search("nearest"), scores(0.0, 0.02, 0.01), sources()).text == "The dam is old."


def test_of_many_sentences_those_nearest_by_words_are_asked_in_order() -> None:
    many = " ".join(f"Bread {i} is baked." for i in range(20)) + " The dam is old. Bread is old."
    premises = [pair.premise for pair in search(source=many).pairs]
    assert len(premises) == 8
    assert premises[-2:] == ["The dam is old.", "Bread is old."]


def test_one_sentence_needs_no_search() -> None:
    assert search(source="The dam is old.").pairs == []


def test_clauses_are_asked_only_where_a_claim_fails() -> None:
    text = "The dam is very old and bread is baked."
    assert search(text=text).clauses == []
    failed = search("nearest", text=text)
    assert failed.clauses == ["The dam is very old", "bread is baked."]
    assert [pair.hypothesis for pair in failed.pairs[3:]] == failed.clauses
    assert {pair.premise for pair in failed.pairs[3:]} == {PASSAGE}


@pytest.mark.parametrize(
    ("clauses", "partly"), [((0.9, 0.1), True), ((0.9, 0.9), False), ((0.1, 0.1), False), ((0.6, 0.1), False)]
)
def test_a_claim_holds_in_part_where_one_clause_does_and_another_does_not(
    clauses: tuple[float, float], partly: bool
) -> None:
    failed = search("nearest", text="The dam is very old and bread is baked.")
    assert holds_in_part(failed, scores(0.9, 0.0, 0.0, *clauses)) is partly


def test_the_deciding_sentence_is_found_in_a_later_window() -> None:
    passage = "Bread is baked every morning at six. " * 5 + "The dam is very old. " + "Fish is sold here at noon. " * 5
    one = HaltRagVerifier(backend=FakeNLI(), artifact=task_model(pipeline=SMALL))
    result = one.verify(["Wine.", passage], "The dam is very old.")
    assert result.receipt.windows > 3
    (evidence,) = result.claims[0].evidence
    assert evidence.text == "The dam is very old."
    assert evidence.start == passage.index("The dam")


def test_offsets_hold_after_characters_of_several_code_units() -> None:
    source = "🙂🙂 Ünïcödé é. 水坝很旧。The dam is old."
    (claim,) = HaltRagVerifier(backend=FakeNLI()).verify(source, "The dam is old.").claims
    assert claim.evidence[0].text == "The dam is old."
    assert source[claim.evidence[0].start :] == "The dam is old."
