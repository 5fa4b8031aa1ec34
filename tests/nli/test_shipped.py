"""The models that ship: the one that the package carries, and the larger one of packages/halt-rag-base."""

from __future__ import annotations

from pathlib import Path

import pytest

from halt_rag.nli.embedded import MODEL_FOLDER, EmbeddedNLI
from halt_rag.nli.scores import Pair
from halt_rag.verify.artifact import load
from halt_rag.verify.text_head import load_model
from tests.nli.contract import BackendContract

BASE = Path(__file__).parents[2] / "packages" / "halt-rag-base" / "src" / "halt_rag_base"
#: The folders of the model and of its task models.
TIERS = {"fast": (MODEL_FOLDER, MODEL_FOLDER.parent / "tasks"), "base": (BASE / "model", BASE / "tasks")}

PREMISE = "The council met in Geneva on 3 May and approved the budget of 40 million francs."


@pytest.fixture(scope="module", params=TIERS)
def tier(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if not (TIERS[name][0] / "model.onnx").exists():
        pytest.skip(f"there is no model of the tier {name} in this tree: export one first")
    return name


@pytest.fixture(scope="module")
def backend(tier: str) -> EmbeddedNLI:
    return EmbeddedNLI(TIERS[tier][0])


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


def test_the_card_says_languages_and_licence(backend: EmbeddedNLI) -> None:
    assert backend.languages
    assert backend.card.licence


def test_task_models_are_fitted_on_it(tier: str, backend: EmbeddedNLI) -> None:
    home = TIERS[tier][1] / backend.model_id
    load(home / "general.json").check_fits(backend.model_id, backend.revision)
    for file in home.iterdir():
        load_model(file)
