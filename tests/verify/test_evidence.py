"""The sentence that decided a claim."""

from __future__ import annotations

import numpy as np
import pytest

from halt_rag import HaltRagVerifier
from halt_rag.nli.fake import FakeNLI, WhitespaceTokenizer
from halt_rag.nli.scores import NLIScores
from halt_rag.verify.artifact import PipelineSettings
from halt_rag.verify.evidence import Search, contradicting, found, plan_search
from halt_rag.verify.lexical import lexemes
from halt_rag.verify.reading import Sources, read_sources
from halt_rag.verify.result import Evidence, EvidenceKind, Missing
from halt_rag.verify.sources import Passage
from tests.verify.support import SMALL, task_model

PASSAGE = "  Bread is baked. The dam is old. Fish is sold.  "


def sources(text: str = PASSAGE) -> Sources:
    return read_sources([Passage("p", text)], WhitespaceTokenizer(), PipelineSettings())


def search(kind: EvidenceKind = "supports", *, text: str = "The dam is old.", source: str = PASSAGE) -> Search:
    return plan_search(kind, 0, 0.9, claim=lexemes(text), hypothesis=text, sources=sources(source))


def look(planned: Search, answer: NLIScores | None) -> Evidence:
    return found(planned, answer, sources(), claim="The dam is old and 40 m high, says Anna.")


def scores(*entailments: float, column: int = 0) -> NLIScores:
    rows = np.zeros((len(entailments), 3), dtype=np.float32)
    rows[:, column] = entailments
    return NLIScores(rows)


def test_each_sentence_is_asked() -> None:
    planned = search()
    assert [pair.premise for pair in planned.pairs] == ["Bread is baked.", "The dam is old.", "Fish is sold."]
    assert [s.of(PASSAGE) for s in planned.sentences] == [pair.premise for pair in planned.pairs]


def test_the_best_sentence_is_the_evidence() -> None:
    evidence = look(search(), scores(0.1, 0.8, 0.2))
    assert evidence.text == "The dam is old."
    assert evidence.score == pytest.approx(0.8)
    assert PASSAGE[evidence.start : evidence.end] == evidence.text


def test_the_window_is_where_no_sentence_stands_alone_or_none_was_scored() -> None:
    for answer in (scores(0.1, 0.3, 0.2), None):
        evidence = look(search(), answer)
        assert evidence.text == PASSAGE.strip()
        assert evidence.score == 0.9


def test_a_contradiction_is_read_from_its_own_column() -> None:
    evidence = look(search("contradicts"), scores(0.1, 0.2, 0.8, column=2))
    assert evidence.text == "Fish is sold."


def test_the_nearest_sentence_is_that_with_most_words_and_says_what_it_lacks() -> None:
    planned = search("nearest")
    assert [pair.premise for pair in planned.pairs] == ["The dam is old."]
    evidence = look(planned, scores(0.02))
    assert evidence.text == "The dam is old."
    assert evidence.score == pytest.approx(0.02)
    assert evidence.missing == Missing(words=["m", "high", "says"], quantities=["40"], names=["Anna"])


def test_only_the_nearest_sentence_lacks_something() -> None:
    assert look(search(), scores(0.1, 0.8, 0.2)).missing is None


def test_a_window_of_the_passage_beside_is_not_a_contradiction() -> None:
    both = read_sources(
        [Passage("a", "The dam is old."), Passage("b", "Bread.")], WhitespaceTokenizer(), PipelineSettings()
    )
    p = scores(0.9, 0.99, column=2).probabilities
    claim = lexemes("The dam is new.")
    assert contradicting(claim, [0, 1], p, both) == 0, "the other is about something else"
    assert contradicting(claim, [0, 1], p, both, beside=0) is None
    assert contradicting(claim, [0, 1], p, both, least=0.95) is None


def test_of_many_sentences_those_nearest_by_words_are_asked_in_order() -> None:
    many = " ".join(f"Bread {i} is baked." for i in range(20)) + " The dam is old. Bread is old."
    premises = [pair.premise for pair in search(source=many).pairs]
    assert len(premises) == 8
    assert premises[-2:] == ["The dam is old.", "Bread is old."]


def test_one_sentence_needs_no_search() -> None:
    assert search(source="The dam is old.").pairs == []


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
