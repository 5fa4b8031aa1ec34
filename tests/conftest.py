"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

from halt_rag.nli import embedded

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("tests", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("tests")


@pytest.fixture(scope="session")
def shipped_model() -> embedded.EmbeddedNLI:
    """The model that the package carries; without it, the test is skipped."""
    if not (embedded.MODEL_FOLDER / "model.onnx").exists():
        pytest.skip(f"there is no model in {embedded.MODEL_FOLDER.name}: export one first")
    return embedded.EmbeddedNLI()
