from __future__ import annotations

import pytest

from halt_rag.errors import BackendError, InputError
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import Pair
from tests.nli.contract import BackendContract


@pytest.fixture(scope="module")
def backend() -> FakeNLI:
    return FakeNLI()


class TestContract(BackendContract):
    pass


@pytest.mark.parametrize(
    ("premise", "hypothesis", "column"),
    [
        ("The dog sleeps in the sun.", "The dog sleeps.", 0),
        ("The dog does not bark.", "The dog does bark.", 2),
        ("The dog sleeps.", "The dog never sleeps.", 2),
        ("The dog does not bark.", "The dog does not bark.", 0),
        ("The dog sleeps.", "The cat sleeps.", 1),
        ("", "The cat sleeps.", 1),
    ],
)
def test_the_rule(premise: str, hypothesis: str, column: int) -> None:
    (row,) = FakeNLI().score([Pair(premise, hypothesis)]).probabilities
    assert row.argmax() == column


def test_answers_come_before_the_rule() -> None:
    backend = FakeNLI({("a", "a"): (0.0, 0.25, 0.75)})
    assert backend.score([Pair("a", "a"), Pair("b", "b")]).contradiction.tolist() == pytest.approx([0.75, 0.01])


def test_calls_are_recorded_also_when_they_fail() -> None:
    backend = FakeNLI()
    backend.failure = BackendError("Out of order.", backend="fake", retryable=True)
    with pytest.raises(BackendError, match="Out of order"):
        backend.score([Pair("a", "b")])
    backend.failure = None
    backend.score([])
    assert backend.calls == [(Pair("a", "b"),), ()]


@pytest.mark.parametrize(
    "answer", [(1.0,), (0.5, 0.5, 0.5), (1.5, -0.5, 0.0), (float("nan"), 0.5, 0.5), (0.25, 0.25, 0.25, 0.25)]
)
def test_answers_must_be_probabilities(answer: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="three probabilities"):
        FakeNLI({("a", "b"): answer})


def test_another_table_is_another_revision() -> None:
    one, same, other = (FakeNLI({("a", "b"): row}) for row in [(1, 0, 0), (1, 0, 0), (0, 1, 0)])
    assert one.revision == same.revision != other.revision
