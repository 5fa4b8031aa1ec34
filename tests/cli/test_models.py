"""``halt-rag models``: list, info, pull and convert."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from halt_rag.cli.app import app
from halt_rag.nli.checkpoint import kept_reading
from halt_rag.nli.onnx_folder import OnnxNLI
from halt_rag.nli.presets import PRESETS
from halt_rag.nli.scores import Pair
from tests.nli.checkpoints import write_checkpoint
from tests.nli.servers import ModelServer, Reply, serving
from tests.nli.test_onnx_folder import export


def models(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["models", *arguments])


@pytest.mark.usefixtures("shipped_model")
def test_the_list_says_size_licence_and_where(tmp_path: Path) -> None:
    (tmp_path / "factcg").mkdir()
    (tmp_path / "factcg" / "model.safetensors").touch()
    result = models("list", "--folder", str(tmp_path))
    lines = {line.split()[0]: line for line in result.output.splitlines()}
    assert result.exit_code == 0
    assert {preset.name for preset in PRESETS} < set(lines)
    assert "offline" in lines["factcg"]
    assert "support" in lines["factcg"]
    assert "MIT" in lines["roberta-large-mnli"]
    assert "download" in lines["roberta-large-mnli"]
    assert any("offline" in line and "package carries" in line for line in lines.values())
    rows = json.loads(models("list", "--format", "json").output)
    assert all(row["megabytes"] > 0 and row["licence"] and len(row["labels"]) in (2, 3) for row in rows)


def test_presets_have_names_of_their_own() -> None:
    names = [name for preset in PRESETS for name in (preset.name, preset.model_id.lower())]
    assert len(set(names)) == len(names)


def test_info_on_a_preset() -> None:
    found = json.loads(models("info", "factcg", "--format", "json").output)
    assert found["labels"] == ["not entailed", "entailment"]
    assert "{premise}" in found["template"]
    assert "template" in models("info", "yaxili96/FactCG-DeBERTa-v3-Large").output
    unknown = models("info", "factgc")
    assert unknown.exit_code == 2
    assert "Did you mean 'factcg'" in unknown.output


@pytest.mark.usefixtures("shipped_model")
def test_info_on_the_embedded_model() -> None:
    assert "Apache-2.0" in models("info", "embedded").output


def test_info_on_a_folder(tmp_path: Path) -> None:
    found = json.loads(models("info", str(export(tmp_path / "mine")), "--format", "json").output)
    assert (found["name"], found["three_way"], found["max_tokens"], found["offline"]) == ("mine", True, 120, True)
    assert models("info", str(tmp_path)).exit_code == 2


COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(ModelServer):
    """As much of the Hugging Face hub as a download needs."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def answer(self, path: str, body: Any) -> Any:
        path = path.partition("?")[0]
        if path.startswith("/api/models/") and "missing" not in path:
            files = {f.name: f.stat().st_size for f in self.folder.iterdir()} | {"model.bin": 9, "modeling_own.py": 9}
            if "/tree/" in path:
                return [{"type": "file", "path": name, "oid": "0" * 40, "size": n} for name, n in files.items()]
            listed = [{"rfilename": name} for name in files]
            return {"id": "x", "sha": COMMIT, "siblings": listed, "private": False, "tags": [], "downloads": 0}
        file = self.folder / path.rpartition("/")[2]
        if "/resolve/" not in path or not file.is_file():
            return Reply(404, {"error": "Repository not found"}, {"X-Error-Code": "RepoNotFound"})
        content = file.read_bytes()
        etag = hashlib.sha256(content).hexdigest()
        return Reply(raw=content, headers={"X-Repo-Commit": COMMIT, "ETag": f'"{etag}"'})


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    pytest.importorskip("huggingface_hub")
    source = write_checkpoint(tmp_path / "source")
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    with serving(Hub(source)) as server:
        assert isinstance(server, Hub)
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        yield server


def test_pull_takes_what_is_needed_and_nothing_that_can_run(hub: Hub, tmp_path: Path) -> None:
    result = models("pull", "some/model", "--to", str(tmp_path / "here"))
    assert result.exit_code == 0, result.output
    assert COMMIT in result.output
    names = {file.name for file in (tmp_path / "here").iterdir() if file.is_file()}
    assert names == {"config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors", "halt-rag.json"}
    models("pull", "some/model", "--to", str(tmp_path / "words"), "--tokenizer-only")
    assert not (tmp_path / "words" / "model.safetensors").exists()


def test_pull_checks_the_labels_of_a_preset(hub: Hub, tmp_path: Path) -> None:
    result = models("pull", "roberta-large-mnli", "--to", str(tmp_path / "here"))
    assert result.exit_code == 2
    assert "stated to be contradiction" in result.output


def test_pull_of_what_is_no_name(tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    result = models("pull", "no name!", "--to", str(tmp_path / "here"))
    assert result.exit_code == 2
    assert "'no name!' is no name of a repository" in result.output


def test_pull_of_what_is_not_there(hub: Hub, tmp_path: Path) -> None:
    result = models("pull", "some/missing", "--to", str(tmp_path / "here"))
    assert result.exit_code == 3
    assert "status 404" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("quantize", [True, False])
def test_convert_makes_a_folder_that_scores_alike(tmp_path: Path, *, quantize: bool) -> None:
    pytest.importorskip("onnxscript")
    source = write_checkpoint(tmp_path / "source", labels=("contradiction", "entailment", "neutral"), max_tokens=2000,
                              positions=2002)  # fmt: skip
    target = tmp_path / "made"
    tolerance = ["--tolerance", "0.5"] if quantize else []
    result = models(
        "convert", str(source), "--to", str(target), "--quantize" if quantize else "--no-quantize", *tolerance
    )
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1] == "PASS"
    assert {file.name for file in target.iterdir()} == {
        "config.json", "tokenizer.json", "tokenizer_config.json", "model.onnx", "halt-rag.json",
    }  # fmt: skip
    backend = OnnxNLI(target)
    assert backend.description.outputs.code == "120"
    assert len(backend.score([Pair("a", "b")])) == 1
    assert kept_reading(target) is not None
    again = models("convert", str(source), "--to", str(target))
    assert again.exit_code == 2
    assert "not empty" in again.output
