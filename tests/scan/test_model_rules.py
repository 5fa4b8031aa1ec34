from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from halt_rag.errors import BackendError
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.scan import scan

TEXT = (
    "The scheduler restarts workers after every failure.\n\nSomething else stands here.\n\n"
    "The scheduler never restarts workers after every failure.\n"
)


class _Down(FakeNLI):
    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        raise BackendError("no answer", backend="fake")


def test_contradictions_need_a_model(tmp_path: Path) -> None:
    assert scan(root=tmp_path, texts={"p.md": TEXT}).detections == []
    ((_, found),) = scan(root=tmp_path, texts={"p.md": TEXT}, backend=FakeNLI()).detections
    assert (found.type, found.severity, found.location.line) == ("contradiction", "medium", 5)
    assert found.evidence.expected.endswith("The scheduler restarts workers after every failure.")


def test_statements_beyond_the_source(tmp_path: Path) -> None:
    source = "The router was tested in one lab. It has two ports."
    text = "The router was tested in one lab.\n\nThe router is used all over the world.\n"
    report = scan(root=tmp_path, texts={"p.md": text}, backend=FakeNLI(), source=source)
    assert [(d.type, d.claim) for _, d in report.detections] == [
        ("scope_creep", "The router is used all over the world.")
    ]
    assert report.results.verified == 1


def test_a_model_that_cannot_be_asked_is_no_verdict(tmp_path: Path) -> None:
    with pytest.raises(BackendError):
        scan(root=tmp_path, texts={"p.md": TEXT}, backend=_Down())
