"""A text model at work: what is read, what is cut off, and the verdict on a verification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from halt_rag.errors import ArtifactMismatchError, ConfigurationError, UnknownNameError
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify import artifact
from halt_rag.verify.text_head import TextHead, TextReader, shipped_text_model, text_head_for
from halt_rag.verify.text_model import Pipeline, TextSettings
from halt_rag.verify.verifier import HaltRagVerifier
from tests.verify.test_text_model import paper_pipeline, text_model

SOURCE = "The dam was built in 1967. It is old."


def reader(max_tokens: int = 512, **settings: Any) -> TextReader:
    return TextReader(
        "paper", TextSettings.model_validate(settings), backends={"fake": FakeNLI(max_tokens=max_tokens)}, claims=None
    )


def head_for(backend: FakeNLI) -> TextHead:
    pipeline = paper_pipeline(backend)
    return TextHead(text_model(pipeline), [backend], None)


def test_every_window_meets_the_hypothesis() -> None:
    found = reader(window_tokens=16).read(["one two three. " * 20, "short"], "It is so.", None)
    windows = [pair.premise for pair in found.pairs["fake"]]
    assert "".join(windows) == "one two three. " * 20 + "short", "windows do not overlap, and leave nothing out"
    assert all(len(w.split()) <= 16 for w in windows)
    assert {pair.hypothesis for pair in found.pairs["fake"]} == {"It is so."}
    assert not found.truncated


@pytest.mark.parametrize(
    ("settings", "generated", "question", "hypothesis", "truncated"),
    [
        ({}, " In 1967. ", "When?", "In 1967.", False),
        ({"hypothesis": "question_answer"}, "In 1967.", " When? ", "When? In 1967.", False),
        ({"hypothesis": "question_answer"}, "In 1967.", None, "In 1967.", False),
        ({"hypothesis_tokens": 16}, "w " * 20, None, " ".join(["w"] * 16), True),
        ({"hypothesis_tokens": 16, "hypothesis": "question_answer"}, "w " * 10, "q " * 10, " ".join(["w"] * 10), False),
    ],
)
def test_hypotheses(
    settings: dict[str, Any], generated: str, question: str | None, hypothesis: str, truncated: bool
) -> None:
    found = reader(**settings).read([SOURCE], generated, question)
    assert (found.pairs["fake"][0].hypothesis, found.truncated) == (hypothesis, truncated)


def test_a_history_can_be_part_of_the_premise() -> None:
    found = reader(premise="source_question").read(["Known."], "Yes.", "Asked before.")
    assert [p.premise for p in found.pairs["fake"]] == ["Known.\nAsked before."]


def test_what_does_not_fit_the_model_is_refused() -> None:
    reader(max_tokens=320 + 160 + 3)
    with pytest.raises(ConfigurationError, match="need 483, but fake reads 482"):
        reader(max_tokens=482)


@pytest.mark.parametrize(
    ("generated", "decision"), [("The dam was built in 1967.", "supported"), ("Bread is baked.", "hallucinated")]
)
def test_the_verdict_on_the_text_is_the_text_models(generated: str, decision: str) -> None:
    backend = FakeNLI()
    result = HaltRagVerifier(backend=backend, task=None, locate_evidence=False).verify(SOURCE, generated)
    head = head_for(backend)
    reading = head.read([SOURCE], generated, None)
    final = head.applied(result, reading, backend.score(head.pairs(reading)))
    assert final.decision == decision
    assert (final.model.artifact, final.model.calibrated) == (head.model.id, True)
    assert final.claims == result.claims
    assert final.threshold == 0.5
    assert final.receipt.pairs_scored == result.receipt.pairs_scored + 1
    assert next(iter(final.feature_breakdown)) == "fake_entailment_max"
    assert final.calibrated_prob == pytest.approx(head.model.probability(final.feature_breakdown))
    assert type(final).from_json(final.to_json()) == final


def test_a_text_with_nothing_to_check_stays_accepted() -> None:
    backend = FakeNLI()
    result = HaltRagVerifier(backend=backend, task=None).verify(SOURCE, "Hello!")
    head = head_for(backend)
    reading = head.read([SOURCE], "Hello!", None)
    assert head.applied(result, reading, backend.score(head.pairs(reading))) == result
    assert result.decision == "supported"


def test_a_text_that_was_cut_off_is_not_called_supported() -> None:
    backend = FakeNLI()
    generated = "The dam was built in 1967. " * 40
    result = HaltRagVerifier(backend=backend, task=None, locate_evidence=False).verify(SOURCE, generated)
    head = head_for(backend)
    reading = head.read([SOURCE], generated, None)
    final = head.applied(result, reading, backend.score(head.pairs(reading)))
    assert (final.decision, final.abstain_reason, final.receipt.truncated) == ("abstain", "not_read", True)


def test_a_source_that_cannot_be_read_gives_no_verdict() -> None:
    backend = FakeNLI()
    head = head_for(backend)
    result = HaltRagVerifier(backend=backend, task=None, locate_evidence=False).verify(SOURCE, "It is old.")
    reading = head.read([" "], "It is old.", None)
    assert head.pairs(reading) == []
    final = head.applied(result, reading, None)
    assert (final.decision, final.calibrated_prob) == ("abstain", None)


def test_another_model_is_refused() -> None:
    with pytest.raises(ArtifactMismatchError, match="models: fitted on"):
        TextHead(text_model(), [FakeNLI()], None)
    with pytest.raises(ConfigurationError, match="needs 1 NLI models"):
        TextHead(text_model(), [FakeNLI(), FakeNLI()], None)


def test_two_models_are_both_asked() -> None:
    first, second = FakeNLI(), FakeNLI()
    made = TextReader("paper", TextSettings(), backends={"a": first, "b": second}, claims=None)
    pipeline: Pipeline = made.pipeline
    model = text_model(
        pipeline,
        head={"features": ["b_entailment_max"], "mean": [0], "scale": [1], "coef": [-5], "intercept": 2.5},
    )
    head = TextHead(model, [first, second], None)
    result = HaltRagVerifier(backend=first, task=None, locate_evidence=False).verify(SOURCE, "It is old.")
    reading = head.read([SOURCE], "It is old.", None)
    final = head.applied(result, reading, first.score(head.pairs(reading)))
    assert len(second.calls) == 1
    assert final.feature_breakdown["b_entailment_max"] == pytest.approx(0.96)
    assert final.receipt.pairs_scored == result.receipt.pairs_scored + 2


def test_which_text_model() -> None:
    backend = FakeNLI()
    assert text_head_for("general", None, [backend], None) is None
    assert text_head_for("qa", None, [backend], None) is None, "nothing ships for this NLI model: uncalibrated"
    with pytest.raises(UnknownNameError, match="general"):
        shipped_text_model("poetry", "halt-rag-nli-fast-2")


def test_a_task_that_ships_for_the_other_tier_only_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "general.json").write_text("{}", encoding="utf-8")
    folders = artifact.task_folders() | {"larger": tmp_path}
    monkeypatch.setattr(artifact, "task_folders", lambda: folders)
    with pytest.raises(ConfigurationError, match=r"'qa' ships for larger.*ships for halt-rag-nli-fast-2: --tier fast"):
        shipped_text_model("qa", "larger")
