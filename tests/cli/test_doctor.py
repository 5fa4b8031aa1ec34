"""``halt-rag doctor`` and the script around it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from halt_rag.cli.app import app
from halt_rag.cli.backends import open_backend, parity_file
from halt_rag.errors import ConfigurationError
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from tests.nli.servers import ModelServer, Reply, by, serving
from tests.nli.test_onnx_folder import export

pytest.importorskip("httpx")


def doctor(*arguments: str, tmp_path: Path) -> Result:
    return CliRunner().invoke(app, ["doctor", "--record", str(tmp_path / "parity.json"), *arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(tmp_path_factory.mktemp("models") / "exported", max_position_embeddings=2002)


@pytest.fixture
def server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A TEI server of the same model."""
    monkeypatch.setenv("NO_PROXY", "*")
    server = ModelServer(by(open_backend(f"onnx:{folder}")))
    server.info = {"max_input_length": 2000, "max_client_batch_size": 32}
    with serving(server):
        yield server


def test_a_folder_passes_and_is_recorded(folder: Path, tmp_path: Path) -> None:
    result = doctor("--backend", f"onnx:{folder}", tmp_path=tmp_path)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] == "PASS"
    assert "order      5 pairs, largest difference 0.0000" in result.output
    (entry,) = json.loads((tmp_path / "parity.json").read_text(encoding="utf-8"))["passes"].values()
    assert (entry["backend"], entry["model_id"]) == ("onnx", "exported")


def tei(server: ModelServer, folder: Path, *more: str) -> list[str]:
    return ["--backend", f"tei:{server.url}", "--reference", f"onnx:{folder}", "--tokenizer", str(folder), *more]


def test_a_server_of_the_same_model_passes(server: ModelServer, folder: Path, tmp_path: Path) -> None:
    result = doctor(*tei(server, folder), tmp_path=tmp_path)
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "PASS")


def test_a_hosted_model_behind_another_address(server: ModelServer, folder: Path, tmp_path: Path) -> None:
    more = ["--reference", f"onnx:{folder}", "--tokenizer", str(folder), "--url", f"{server.url}/models"]
    result = doctor("--backend", "hosted:some/model", *more, tmp_path=tmp_path)
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "PASS")
    assert server.seen[0].path == "/models/some/model"
    refused = doctor("--backend", f"tei:{server.url}", *more, tmp_path=tmp_path)
    assert refused.exit_code == 2
    assert "--url belongs to the backend hosted" in refused.output


def test_a_server_with_swapped_texts_does_not(server: ModelServer, folder: Path, tmp_path: Path) -> None:
    right = server.score
    server.score = lambda premise, hypothesis: right(hypothesis, premise)
    result = doctor(*tei(server, folder, "--format", "json"), tmp_path=tmp_path)
    found = json.loads(result.output)
    assert result.exit_code == 1
    assert (found["passed"], len(found["rows"])) == (False, 20)
    assert "swapped" in found["failures"][0]
    assert json.loads((tmp_path / "parity.json").read_text(encoding="utf-8"))["passes"] == {}


@pytest.mark.parametrize(
    ("names", "shown"),
    [(("entailment", "contradiction", "neutral"), "wrong order"), (("LABEL_0", "LABEL_1", "LABEL_2"), "LABEL_0")],
)
def test_a_server_with_other_labels_does_not(
    server: ModelServer, folder: Path, tmp_path: Path, names: tuple[str, ...], shown: str
) -> None:
    server.names = names
    result = doctor(*tei(server, folder), tmp_path=tmp_path)
    assert result.exit_code in (1, 2)
    assert shown in result.output


def test_a_server_with_sigmoids_does_not(server: ModelServer, folder: Path, tmp_path: Path) -> None:
    server.change = lambda items: [item | {"score": min(1.0, item["score"] + 0.4)} for item in items]
    result = doctor(*tei(server, folder), tmp_path=tmp_path)
    assert result.exit_code == 1
    assert "sigmoid" in result.output


def test_a_server_that_answers_only_the_first_does_not(server: ModelServer, folder: Path, tmp_path: Path) -> None:
    right = server.answer
    server.answer = lambda path, body: right(path, body)[:1] if path == "/predict" else right(path, body)  # type: ignore[method-assign]
    result = doctor(*tei(server, folder), tmp_path=tmp_path)
    assert result.exit_code == 1
    assert "1 result(s) for 20 pair(s)" in result.output


def test_a_server_that_refuses_is_no_verdict(server: ModelServer, folder: Path, tmp_path: Path) -> None:
    server.fault = lambda _: Reply(401, {"error": "no"})
    result = doctor(*tei(server, folder), tmp_path=tmp_path)
    assert result.exit_code == 3
    assert "HF_TOKEN" in result.output
    assert not (tmp_path / "parity.json").exists()


def test_tokens_come_from_the_environment_or_a_file(
    server: ModelServer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "from-environment")
    doctor(*tei(server, folder), tmp_path=tmp_path)
    assert server.seen[0].headers["authorization"] == "Bearer from-environment"
    (tmp_path / "token").write_text("from-file\n", encoding="utf-8")
    server.seen.clear()
    doctor(*tei(server, folder, "--token-file", str(tmp_path / "token")), tmp_path=tmp_path)
    assert server.seen[0].headers["authorization"] == "Bearer from-file"


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--backend", "hosted"], "name of a model"),
        (["--backend", "onnx:nowhere"], "no ONNX model"),
        (["--backend", "fake"], "Give --reference"),
        (["--backend", "embeded"], "Did you mean 'embedded'"),
        (["--backend", "fake", "--reference", "magic:1"], "is no reference"),
        (["--backend", "fake", "--ca-file", "x"], "belong to the backends"),
    ],
)
def test_what_cannot_be_checked(arguments: list[str], shown: str, tmp_path: Path) -> None:
    result = doctor(*arguments, tmp_path=tmp_path)
    assert result.exit_code == 2
    assert shown in result.output


@pytest.mark.usefixtures("shipped_model")
def test_the_embedded_model_is_checked_by_default(tmp_path: Path) -> None:
    result = doctor(tmp_path=tmp_path)
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "PASS")


def test_backends_by_name(folder: Path) -> None:
    assert isinstance(open_backend("embedded"), EmbeddedNLI)
    assert isinstance(open_backend("fake"), FakeNLI)
    assert open_backend("hosted:factcg").model_id == "yaxili96/FactCG-DeBERTa-v3-Large"
    with pytest.raises(ConfigurationError, match="tei:"):
        open_backend("tei")
    assert parity_file().name == "parity.json"


def test_the_script_runs_the_gate_for_each_backend(folder: Path, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "scripts/verify_nli_backend.py", f"onnx:{folder}", "fake"]
    done = subprocess.run(
        [*command, "--record", str(tmp_path / "parity.json")], cwd=root, capture_output=True, text=True, check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "== onnx" in done.stdout
    assert "PASS" in done.stdout
    assert "Give --reference" in done.stdout
