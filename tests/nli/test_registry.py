from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from halt_rag.errors import ConfigurationError, UnknownNameError
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.onnx_folder import OnnxNLI
from halt_rag.nli.registry import TARGETS, backend_names, find_backend


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution with three entry points."""
    (tmp_path / "nli_plugin_for_test.py").write_text(
        "from halt_rag.nli.fake import FakeNLI\nclass Mine(FakeNLI):\n    name = 'mine'\n", encoding="utf-8"
    )
    folder = tmp_path / "nli_plugin_for_test-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: nli-plugin-for-test\nVersion: 1.0\n", encoding="utf-8"
    )
    (folder / "entry_points.txt").write_text(
        "[halt_rag.nli_backends]\n"
        "mine = nli_plugin_for_test:Mine\nfake = nli_plugin_for_test:Mine\n"
        "gone = nli_plugin_for_test.gone:Mine\nrenamed = nli_plugin_for_test:Yours\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize(("name", "kind"), [("embedded", EmbeddedNLI), ("fake", FakeNLI)])
def test_own_backends(name: str, kind: type) -> None:
    backend = find_backend(name)()
    assert type(backend) is kind
    assert name in backend_names()
    assert backend.name == name


def test_backends_that_need_a_target_are_found_with_it(tmp_path: Path) -> None:
    backend = find_backend(f"onnx:{tmp_path}")(threads=1)
    assert isinstance(backend, OnnxNLI)
    assert find_backend("onnx") is OnnxNLI
    assert {"hosted", "local", "onnx", "tei"} == set(TARGETS) <= set(backend_names())
    for name in ("embedded:x", "onnx:", ":x"):
        with pytest.raises(UnknownNameError):
            find_backend(name)


@pytest.mark.usefixtures("plugins")
def test_plugins_are_found_by_entry_point() -> None:
    assert "mine" in backend_names()
    assert find_backend("mine")().name == "mine"


@pytest.mark.usefixtures("plugins")
def test_plugins_do_not_replace_own_backends() -> None:
    assert find_backend("fake") is FakeNLI


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize("name", ["gone", "renamed"])
def test_broken_plugins_are_named(name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"'{name}' .nli_plugin_for_test"):
        find_backend(name)


def test_unknown_names_are_refused_with_the_known() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'embedded'") as caught:
        find_backend("embeded")
    assert {"embedded", "fake"} <= set(caught.value.known)


def test_looking_up_loads_nothing_heavy() -> None:
    program = (
        "import sys; from halt_rag.nli.registry import find_backend;"
        "find_backend('embedded')(); find_backend('fake')();"
        "find_backend('onnx:folder')(); import halt_rag.nli.hosted, halt_rag.nli.tei, halt_rag.nli.local;"
        "import halt_rag.nli.parity_record, halt_rag.nli.plain_reference, halt_rag.nli.convert, halt_rag.nli.pull;"
        "import halt_rag.nli.cache, halt_rag.nli.sqlite_store, halt_rag.nli.redis_store;"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'redis', 'torch', 'transformers', 'httpx', 'aiolimiter'};"
        "print(heavy & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
