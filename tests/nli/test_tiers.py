"""Which embedded model is asked: the one in the package, or the larger one where it is installed."""

from __future__ import annotations

import importlib
import shutil
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from halt_rag import HaltRagVerifier
from halt_rag.errors import ConfigurationError, InputError, MissingExtraError, UnknownNameError
from halt_rag.nli.embedded import MODEL_FOLDER, EmbeddedNLI
from halt_rag.nli.model_folders import tier_folder, tiers_here
from halt_rag.nli.registry import backend_names, find_backend, is_embedded
from halt_rag.nli.scores import NLIBackend
from halt_rag.verify import artifact
from halt_rag.verify.config import Config
from halt_rag.verify.configured import backends_of

ROOT = Path(__file__).parents[2]
no_base = pytest.mark.skipif(find_spec("halt_rag_base") is not None, reason="halt-rag-base is installed")


@no_base
def test_without_the_larger_model_the_one_in_the_package_is_asked() -> None:
    assert tier_folder() == tier_folder("fast") == MODEL_FOLDER
    assert tiers_here() == ["fast"]


@no_base
@pytest.mark.parametrize(
    "make", [lambda: EmbeddedNLI(tier="base"), lambda: find_backend("embedded:base")()], ids=["class", "name"]
)
def test_asking_for_the_larger_one_names_the_command_that_installs_it(make: Callable[[], NLIBackend]) -> None:
    with pytest.raises(MissingExtraError, match=r'pip install "halt-rag\[base\]"'):
        make()


def test_where_the_larger_one_is_installed_it_is_asked_unless_told_otherwise(base_package: Path) -> None:
    assert tier_folder() == tier_folder("base") == base_package / "model"
    assert tier_folder("fast") == MODEL_FOLDER
    assert tiers_here() == ["fast", "base"]
    assert EmbeddedNLI().model_id == EmbeddedNLI(tier="base").model_id == "tiny"
    assert HaltRagVerifier().backend.model_id == "tiny"


@no_base
def test_a_folder_of_that_name_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "halt_rag_base" / "model").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    assert tier_folder() == MODEL_FOLDER


def test_a_package_that_has_lost_its_model_is_an_error_and_not_passed_over(base_package: Path) -> None:
    shutil.rmtree(base_package / "model")
    with pytest.raises(ConfigurationError, match=r"no NLI model in .*halt_rag_base.*Reinstall"):
        EmbeddedNLI().model_id  # noqa: B018


def test_a_tier_that_does_not_exist_is_an_error_with_those_that_do() -> None:
    with pytest.raises(UnknownNameError, match=r"'bass'.*'base'"):
        tier_folder("bass")
    with pytest.raises(UnknownNameError, match="Did you mean 'embedded:base'"):
        find_backend("embedded:bass")


def test_a_folder_and_a_tier_are_one_too_many(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="tier 'fast'"):
        EmbeddedNLI(tmp_path, tier="fast")


def test_tiers_have_names_as_backends(base_package: Path) -> None:
    assert {"embedded", "embedded:fast", "embedded:base"} <= set(backend_names())
    assert find_backend("embedded:base")(threads=1).model_id == "tiny"
    assert find_backend("embedded:fast")().name == "embedded"
    assert [is_embedded(name) for name in ("embedded", "embedded:fast", "fake", "onnx:embedded")] == [
        True, True, False, False,
    ]  # fmt: skip


@pytest.mark.usefixtures("shipped_model")
def test_a_file_of_settings_can_name_a_tier(base_package: Path) -> None:
    def models(preset: str) -> dict[str, str]:
        config = Config.model_validate({"task": "general", "inference": {"preset": preset}})
        return {name: backend.model_id for name, backend in backends_of(config, threads=1).items()}

    fast = EmbeddedNLI(MODEL_FOLDER).model_id
    assert models("embedded") == models("embedded:base") == {"embedded": "tiny"}
    assert models("embedded:fast") == {"embedded": fast}


@pytest.mark.usefixtures("shipped_model")
def test_task_models_of_the_larger_one_are_found_and_replace_none(base_package: Path) -> None:
    fast = EmbeddedNLI(MODEL_FOLDER).model_id
    own = artifact.shipped("general", fast)
    tasks = base_package / "tasks"
    for model_id, model in {"tiny": own.model_copy(update={"model_id": "tiny"}), fast: own}.items():
        (tasks / model_id).mkdir(parents=True)
        content = model.model_copy(update={"revision": "other"}).model_dump_json()
        (tasks / model_id / "general.json").write_text(content, encoding="utf-8")
    assert {"tiny", fast} <= set(artifact.known_models())
    assert artifact.shipped("general", "tiny").model_id == "tiny"
    assert artifact.shipped("general", fast) == own


def test_both_packages_have_one_version_and_need_each_other_in_it() -> None:
    folder = ROOT / "packages" / "halt-rag-base"
    main, base = (tomllib.loads((home / "pyproject.toml").read_text(encoding="utf-8")) for home in (ROOT, folder))
    version = main["project"]["version"]
    assert base["project"]["version"] == version
    assert base["project"]["dependencies"] == [f"halt-rag=={version}"]
    assert main["project"]["optional-dependencies"]["base"] == [f"halt-rag-base=={version}"]
    assert base["project"]["requires-python"] == main["project"]["requires-python"]
