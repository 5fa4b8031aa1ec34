"""Settings: the files that ship, what is refused and how it is said."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from halt_rag.errors import ConfigurationError, UnknownNameError
from halt_rag.verify.config import TASKS, Config, load_config, shipped_config
from halt_rag.verify.configured import backends_of, verifier_options

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("task", TASKS)
def test_the_files_that_ship(task: str) -> None:
    config = shipped_config(task)
    assert config.task == task
    assert config.data.limit == 500
    assert config.abstention.coverage == (0.98 if task == "qa" else 0.9)
    assert config.train.classifier == ("linear_svc" if task == "qa" else "logistic_regression")
    shipped = (files("halt_rag") / "configs" / f"{task}.yaml").read_text(encoding="utf-8")
    assert (ROOT / "configs" / f"{task}.yaml").read_text(encoding="utf-8") == shipped, "both copies are the same"


def write(folder: Path, text: str) -> Path:
    file = folder / "own.yaml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("task", TASKS)
def test_what_a_file_leaves_out_is_as_in_the_one_that_ships(tmp_path: Path, task: str) -> None:
    shipped = shipped_config(task)
    assert load_config(write(tmp_path, f"task: {task}")) == shipped
    own = load_config(write(tmp_path, f"task: {task}\ndata: {{limit: 7}}\nfeatures: {{schema: paper}}"))
    changed = shipped.model_dump() | {
        "data": shipped.data.model_dump() | {"limit": 7},
        "features": shipped.features.model_dump() | {"schema_name": "paper"},
    }
    assert own.model_dump() == changed
    assert load_config(write(tmp_path, f"task: {task}\nthreshold:\n  # guarantee: ...\n")) == shipped


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("task: qa\ntresholds: {}", "tresholds is no setting. Did you mean 'threshold'?"),
        (
            "task: qa\ndata: {limits: 3}",
            "data.limits is no setting. Did you mean 'limit'? Known here: hypothesis, limit",
        ),
        ("task: qa\nfeatures: {schemas: paper}", "features.schemas is no setting. Did you mean 'schema'?"),
        ("task: qa\nthreshold: {guarantee: {precison: 0.8}}", "Did you mean 'precision'?"),
        ("task: qa\ninference: {models: [{name: a, backend: fake, optins: {}}]}", "Did you mean 'options'?"),
        ("task: qa\ndata: {limit: -1}", "data.limit: Input should be greater than or equal to 0"),
        ("task: qa\nthreshold: {min_precision: 1.5}", "threshold.min_precision"),
        ("task: poetry", "task: Input should be 'qa'"),
        ("- qa", "must hold keys and values"),
        ("task: [", "is not YAML"),
        ("task: !!python/object/apply:os.system ['true']", "is not YAML"),
        ("task: qa\ninference: {models: [{name: a, backend: fake}, {name: a, backend: fake}]}", "the same name"),
        ("data: {limit: 3}", "task: Field required"),
        ("task: qa\ndata: {limit: yes}", "data.limit: Input should be a valid integer"),
        ("task: qa\nthreshold: {min_precision: 0.9}\nthreshold: {}", "the key 'threshold' stands twice"),
        ("task: qa\nmodel: 2024-13-45", "is not YAML"),
        ("task: qa\nx: " + "[" * 3000, "is not YAML"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        load_config(write(tmp_path, text))
    assert said in str(error.value)


def test_files_and_tasks_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_config(tmp_path / "no.yaml")
    with pytest.raises(UnknownNameError, match="Did you mean 'qa'"):
        shipped_config("qaa")


def test_presets() -> None:
    assert [m.name for m in Config(task="qa").inference.nli_models()] == ["embedded"]
    ensemble = Config.model_validate({"task": "qa", "inference": {"preset": "ensemble", "backend": "local"}})
    models = ensemble.inference.nli_models()
    assert [m.name for m in models] == ["roberta", "deberta"]
    assert models[0].backend == "local:FacebookAI/roberta-large-mnli"
    zero = {"task": "qa", "inference": {"preset": "ensemble", "pair_format": "zero_shot"}}
    assert Config.model_validate(zero).inference.nli_models()[1].options == {"form": "zero-shot"}


def test_the_hosted_ensemble_can_be_made() -> None:
    """No call is made, and no token is read."""
    pytest.importorskip("httpx")
    made = backends_of(Config.model_validate({"task": "qa", "inference": {"preset": "ensemble"}}))
    assert [b.name for b in made.values()] == ["hosted", "hosted"]
    assert made["roberta"].model_id == "FacebookAI/roberta-large-mnli"


def test_backends_of_own_models() -> None:
    content = {
        "task": "qa",
        "inference": {"models": [{"name": "f", "backend": "fake", "options": {"max_tokens": 600}}]},
    }
    backend = backends_of(Config.model_validate(content))["f"]
    assert (backend.name, backend.tokenizer.max_tokens) == ("fake", 600)
    content["inference"]["models"][0]["options"] = {"no_such": 1}  # type: ignore[index]
    with pytest.raises(ConfigurationError, match="'fake' cannot be made"):
        backends_of(Config.model_validate(content))


def test_a_verifier_from_a_file(tmp_path: Path) -> None:
    options = verifier_options(write(tmp_path, "task: general\ninference: {models: [{name: f, backend: fake}]}"))
    assert (options["task"], options["artifact"], options["more_backends"]) == ("general", None, [])
    with pytest.raises(ConfigurationError, match=r"nowhere\.json"):
        verifier_options(
            write(tmp_path, "task: qa\nmodel: nowhere.json\ninference: {models: [{name: f, backend: fake}]}")
        )
