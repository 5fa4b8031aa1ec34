"""The model that the package carries."""

from __future__ import annotations

import pytest

from halt_rag.nli.embedded import MODEL_FOLDER, EmbeddedNLI
from halt_rag.nli.scores import Pair
from tests.nli.contract import BackendContract

pytestmark = pytest.mark.skipif(
    not (MODEL_FOLDER / "model.onnx").exists(), reason=f"there is no model in {MODEL_FOLDER.name}: export one first"
)

PREMISE = "The council met in Geneva on 3 May and approved the budget of 40 million francs."


@pytest.fixture(scope="module")
def backend() -> EmbeddedNLI:
    return EmbeddedNLI()


class TestContract(BackendContract):
    pass


@pytest.mark.parametrize(
    ("hypothesis", "column"),
    [
        ("The council met in Geneva.", 0),
        ("The budget was approved.", 0),
        ("The debate was watched by many people.", 1),
        ("The council did not approve the budget.", 2),
    ],
)
def test_plain_cases(backend: EmbeddedNLI, hypothesis: str, column: int) -> None:
    (row,) = backend.score([Pair(PREMISE, hypothesis)]).probabilities
    assert row.argmax() == column


def test_pairs_have_the_form_that_the_model_was_trained_on(backend: EmbeddedNLI) -> None:
    # <s> premise </s></s> hypothesis </s>
    (ids,) = backend.tokenizer.pair_ids([Pair("a", "b")])
    assert (ids[0], ids[2:4], ids[-1]) == (0, [2, 2], 2)
    assert (len(ids), backend.tokenizer.pair_overhead, backend.tokenizer.max_tokens) == (6, 4, 512)
