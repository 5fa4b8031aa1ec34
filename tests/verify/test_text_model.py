"""A text model as a file: what it says, what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from halt_rag.errors import ArtifactMismatchError, ConfigurationError
from halt_rag.nli.scores import NLIBackend
from halt_rag.verify.artifact import Cuts, LinearHead
from halt_rag.verify.checking import FIRST
from halt_rag.verify.text_head import TextReader, load_model, load_text_model
from halt_rag.verify.text_model import Curve, ModelRef, Pipeline, Platt, TextModel, TextSettings

PIPELINE = Pipeline(
    schema_name="paper",
    schema_version=1,
    models=[ModelRef(name="fake", model_id="fake", revision="r1")],
    reading=TextSettings(),
    claims=None,
)


def paper_pipeline(backend: NLIBackend) -> Pipeline:
    """That of a text model with the paper's features and the shipped way of reading."""
    return TextReader("paper", TextSettings(), backends={"fake": backend}, claims=None).pipeline


def text_model(pipeline: Pipeline = PIPELINE, **changed: Any) -> TextModel:
    content: dict[str, Any] = {
        "task": "qa",
        "pipeline": pipeline,
        "pipeline_fingerprint": pipeline.fingerprint,
        "head": LinearHead(features=["fake_entailment_max"], mean=[0.5], scale=[0.5], coef=[-2.0], intercept=0.0),
        "calibrator": Platt(slope=1.5, intercept=0.25),
        "cuts": Cuts(threshold=0.5, supported_below=0.4, hallucinated_from=0.6),
        "fitted_on": {"rows": 4},
    }
    return TextModel(**(content | changed))


def test_it_survives_its_file(tmp_path: Path) -> None:
    model = text_model()
    file = tmp_path / "qa.json"
    file.write_text(model.model_dump_json(), encoding="utf-8")
    again = load_text_model(file)
    assert again == model == load_model(file)
    assert again.id == model.id
    assert model.id.startswith("qa-")
    assert again.probability({"fake_entailment_max": 0.9}) == model.probability({"fake_entailment_max": 0.9}) < 0.5


def test_loading_needs_no_learning_library(tmp_path: Path) -> None:
    file = tmp_path / "qa.json"
    file.write_text(text_model().model_dump_json(), encoding="utf-8")
    code = (
        "import sys; from pathlib import Path; from halt_rag.verify.text_head import load_text_model\n"
        f"load_text_model(Path({str(file)!r})).probability({{'fake_entailment_max': 0.3}})\n"
        "assert not {'sklearn', 'scipy', 'pyarrow', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_another_pipeline_is_refused_and_the_difference_named() -> None:
    other = PIPELINE.model_copy(update={"models": [ModelRef(name="fake", model_id="fake", revision="r2")]})
    assert other.fingerprint != PIPELINE.fingerprint
    text_model().check_fits(PIPELINE)
    with pytest.raises(ArtifactMismatchError, match=r"models: fitted on .*'r1'.* running .*'r2'") as error:
        text_model().check_fits(other)
    assert "reading:" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pipeline_fingerprint": "0" * 16}, "pipeline_fingerprint"),
        ({"pipeline": {**PIPELINE.model_dump(), "schema_version": 99}}, "pipeline_fingerprint|version 99"),
        ({"head": {"features": ["no"], "mean": [0], "scale": [1], "coef": [1], "intercept": 0}}, "not in the schema"),
        ({"extra": 1}, "extra"),
        ({"calibrator": {"method": "isotonic", "scores": [0, 1], "probabilities": [0.9, 0.1]}}, "must rise"),
        ({"calibrator": {"method": "platt", "slope": -1, "intercept": 0}}, "greater than or equal to 0"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    file = tmp_path / "qa.json"
    file.write_text(json.dumps(json.loads(text_model().model_dump_json()) | change), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=said):
        load_text_model(file)


def test_a_model_of_an_older_schema_is_refused(tmp_path: Path) -> None:
    """Its claims were read in all windows; its settings do not say in how many."""
    pipeline = PIPELINE.model_dump() | {"schema_name": "extended", "schema_version": 1}
    pipeline["reading"].pop("claim_windows")
    file = tmp_path / "qa.json"
    file.write_text(json.dumps(json.loads(text_model().model_dump_json()) | {"pipeline": pipeline}), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="the feature schema is version 1; this code has 3"):
        load_text_model(file)


def test_no_more_windows_count_than_are_always_read() -> None:
    assert TextSettings(claim_windows=FIRST).claim_windows == FIRST
    with pytest.raises(ValidationError):
        TextSettings(claim_windows=FIRST + 1)


@pytest.mark.parametrize("content", ["", "[]", "{}", "not json"])
def test_what_is_no_model_at_all(tmp_path: Path, content: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"x\.json"):
        load_model(file)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_model(tmp_path / "missing.json")


def test_a_curve_goes_through_its_points_and_stays_level_beyond() -> None:
    curve = Curve(method="isotonic", scores=[-1, 0, 2], probabilities=[0.1, 0.4, 0.8])
    assert [curve.probability(s) for s in (-9, -1, -0.5, 0, 1, 2, 9)] == pytest.approx(
        [0.1, 0.1, 0.25, 0.4, 0.6, 0.8, 0.8]
    )


def test_a_curve_of_one_point_is_level() -> None:
    assert Curve(method="venn_abers", scores=[0], probabilities=[0.3]).probability(5) == 0.3


def test_scores_have_no_bounds_but_probabilities_do() -> None:
    with pytest.raises(ValidationError):
        Platt(slope=float("inf"), intercept=0)
    assert 0 < Platt(slope=1, intercept=0).probability(-1e9) < 1e-12
