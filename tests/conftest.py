"""What all tests share."""

from __future__ import annotations

import importlib
from pathlib import Path

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
    return embedded.EmbeddedNLI(tier="fast")


@pytest.fixture
def base_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package halt_rag_base with a tiny model and no task models."""
    from tests.nli.tiny import write_model

    package = tmp_path / "site" / "halt_rag_base"
    write_model(package / "model", max_tokens=2000, languages=["en", "de"], license="MIT")
    (package / "__init__.py").write_text('"""Made."""\n', encoding="utf-8")
    monkeypatch.syspath_prepend(package.parent)
    importlib.invalidate_caches()
    return package
