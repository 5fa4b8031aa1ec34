"""The backend ``local`` with the encoder family, depth and tokenizer of the embedded model, in a saved random state.

The weights of the embedded model exist as an int8 graph only, with a head that transformers does not have; so the
checkpoint has that architecture with one of transformers' heads, is narrower, and keeps random weights.
"""

from __future__ import annotations

import json

import pytest

from halt_rag.nli.embedded import MODEL_FOLDER, EmbeddedNLI
from halt_rag.nli.local import LocalNLI
from tests.nli.checkpoints import write_checkpoint
from tests.nli.contract import PAIRS, BackendContract

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory, shipped_model: EmbeddedNLI) -> LocalNLI:
    words = json.loads((MODEL_FOLDER / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    folder = write_checkpoint(
        tmp_path_factory.mktemp("models") / "like-embedded", "mpnet", max_tokens=512, positions=514,
        tokenizer=MODEL_FOLDER / "tokenizer.json", vocab_size=len(words) + 16, num_hidden_layers=6, hidden_size=24,
        initializer_range=0.4,
    )  # fmt: skip
    return LocalNLI(folder, device="cpu")


class TestContract(BackendContract):
    pass


def test_it_reads_as_the_embedded_model_does(backend: LocalNLI, shipped_model: EmbeddedNLI) -> None:
    assert backend.tokenizer.pair_ids(PAIRS) == shipped_model.tokenizer.pair_ids(PAIRS)
    assert backend.tokenizer.max_tokens == shipped_model.tokenizer.max_tokens
