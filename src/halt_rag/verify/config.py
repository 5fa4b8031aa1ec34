"""One file of settings for a task: what is read, how it is scored, fitted and cut. This model is the schema.

The four files that ship (``halt_rag/configs``) are the defaults of ``load_config``; unknown keys are refused.
"""

from __future__ import annotations

import difflib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from halt_rag.errors import ConfigurationError, UnknownNameError
from halt_rag.verify.text_features import ABLATIONS, Schema
from halt_rag.verify.text_model import TextSettings

Task = Literal["qa", "dialogue", "summarization", "general"]
TASKS: tuple[Task, ...] = get_args(Task)


class _Section(BaseModel):
    # Strict: YAML's "yes" is no number of records.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=True)


class NLIModel(_Section):
    """One NLI model."""

    name: str = Field(
        pattern=r"^[a-z][a-z0-9_]*$", description="What its features are called by: NAME_entailment_max, ..."
    )
    backend: str = Field(
        description="embedded, embedded:TIER, hosted:MODEL, local:MODEL, onnx:FOLDER, tei:URL, fake, or a plug-in."
    )
    options: dict[str, Any] = Field(default_factory=dict, description="Keyword arguments of the backend.")


class InferenceConfig(_Section):
    """Which NLI models score."""

    preset: Literal["embedded", "embedded:fast", "embedded:base", "ensemble"] = Field(
        default="embedded",
        description="embedded: the model that ships, offline, or a tier of it. ensemble: roberta_model_id and "
        "deberta_model_id.",
    )
    backend: Literal["hosted", "local"] = Field(
        default="hosted", description="Where the models of the ensemble run: the hosted API, or transformers here."
    )
    roberta_model_id: str = Field(default="FacebookAI/roberta-large-mnli", description="First model of the ensemble.")
    deberta_model_id: str = Field(
        default="MoritzLaurer/DeBERTa-v3-large-mnli-fever-anli-ling-wanli", description="Second model of the ensemble."
    )
    pair_format: Literal["pair", "zero_shot"] = Field(
        default="pair",
        description="How hosted models are asked. zero_shot is for those that refuse pairs: only entailment against "
        "contradiction is known then, and the rest is split evenly, which is an approximation.",
    )
    models: list[NLIModel] | None = Field(default=None, min_length=1, description="Models instead of a preset.")

    @model_validator(mode="after")
    def _names_differ(self) -> InferenceConfig:
        names = [m.name for m in self.nli_models()]
        if len(set(names)) != len(names):
            raise ValueError("two models have the same name")
        return self

    def nli_models(self) -> list[NLIModel]:
        """The models, in the order of their features; claims are checked with the first."""
        if self.models is not None:
            return self.models
        if self.preset != "ensemble":
            return [NLIModel(name="embedded", backend=self.preset)]
        options = {"form": "zero-shot"} if self.pair_format == "zero_shot" and self.backend == "hosted" else {}
        return [
            NLIModel(name="roberta", backend=f"{self.backend}:{self.roberta_model_id}", options=options),
            NLIModel(name="deberta", backend=f"{self.backend}:{self.deberta_model_id}", options=options),
        ]


class DataConfig(_Section):
    """Which labelled data is read."""

    limit: int = Field(
        default=500, ge=0, description="Records to read, drawn with the seed; two examples each. 0: all."
    )
    seed: int = Field(default=0, ge=0, description="Draws the records and deals out the folds.")
    hypothesis: Literal["answer", "question_answer"] = Field(
        default="answer", description="What the models are asked about: the text, or the question followed by it."
    )
    premise: Literal["source", "source_question"] = Field(
        default="source",
        description="What they are given: the source, or the source followed by the question (for a dialogue: its "
        "history, which a response may rely on).",
    )


class WindowsConfig(_Section):
    """How much a model reads at once, in tokens of its own tokenizer."""

    window_tokens: int = Field(
        default=320, ge=16, description="Tokens of a window of the source; windows do not overlap."
    )
    hypothesis_tokens: int = Field(default=160, ge=16, description="The hypothesis is cut off after so many tokens.")
    claim_windows: int = Field(
        default=2,
        ge=1,
        le=16,
        description="A claim's figure comes from so many windows, the nearest to it by words; in the extended schema.",
    )


class FeaturesConfig(_Section):
    """Which features describe a text."""

    schema_name: Schema = Field(
        default="extended",
        alias="schema",
        description="paper: pooled NLI probabilities and five lexical features. extended: claims and novelty, too.",
    )
    without: list[str] = Field(
        default_factory=list, description=f"Features to leave out, by name or kind: {', '.join(ABLATIONS)}."
    )


class TrainConfig(_Section):
    """How the classifier is fitted."""

    classifier: Literal["logistic_regression", "linear_svc"] = Field(default="logistic_regression")
    c: float = Field(default=1.0, gt=0, alias="C", description="Inverse strength of regularisation.")
    class_weight: Literal["balanced"] | None = Field(default="balanced")
    folds: int = Field(default=5, ge=2, description="Folds, stratified and grouped by record and source.")


class CalibrationConfig(_Section):
    """How scores become probabilities; always cross-fitted where it is measured."""

    method: Literal["auto", "isotonic", "platt", "venn_abers"] = Field(
        default="auto",
        description="auto: isotonic from 2,000 examples on; below, Platt or Venn-Abers, whichever has the lower "
        "cross-fitted log loss.",
    )


class Guarantee(_Section):
    """A floor for precision that holds on new data."""

    precision: float = Field(gt=0, lt=1, description="The least precision of the texts called hallucinated.")
    confidence: float = Field(default=0.90, gt=0, lt=1, description="How sure it must be that the floor is kept.")
    test_share: float = Field(
        default=0.5, gt=0, lt=1, description="Share of the groups that nothing is fitted on and the floor is tested on."
    )


class ThresholdConfig(_Section):
    """Where a text counts as hallucinated."""

    min_precision: float = Field(
        default=0.70, ge=0, le=1, description="F1 is maximised among thresholds that reach it."
    )
    guarantee: Guarantee | None = Field(default=None, description="Replaces min_precision by a tested floor.")


class AbstentionConfig(_Section):
    """When the verifier declines."""

    coverage: float = Field(
        default=0.90, gt=0, le=1, description="Share of texts to decide on, the most certain first."
    )


class Config(_Section):
    """All settings of a task."""

    task: Task
    model: str | None = Field(
        default=None, description="Path of a task model, relative to this file; default: the one that ships."
    )
    inference: InferenceConfig = InferenceConfig()
    data: DataConfig = DataConfig()
    windows: WindowsConfig = WindowsConfig()
    features: FeaturesConfig = FeaturesConfig()
    train: TrainConfig = TrainConfig()
    calibration: CalibrationConfig = CalibrationConfig()
    threshold: ThresholdConfig = ThresholdConfig()
    abstention: AbstentionConfig = AbstentionConfig()

    def text_settings(self) -> TextSettings:
        """What of this decides how a text is read."""
        return TextSettings(**self.windows.model_dump(), hypothesis=self.data.hypothesis, premise=self.data.premise)


def load_config(source: Path | Traversable) -> Config:
    """Reads a file of settings; what it leaves out is as in the file that ships for its task.

    Raises:
        ConfigurationError: If it cannot be read, is not YAML, or has an unknown key (the nearest known one is named)
            or a value that is not allowed; names the place.
    """
    content = _content(source)
    if content.get("task") in TASKS:
        content = _merged(_content(_shipped(content["task"])), content)
    try:
        return Config.model_validate(content)
    except ValidationError as error:
        # A key that is not known explains one that is missing.
        first = min(error.errors(), key=lambda e: e["type"] != "extra_forbidden")
        place = ".".join(map(str, first["loc"])) or "file"
        if first["type"] == "extra_forbidden":
            raise ConfigurationError(f"{source}: {place} is no setting.", hint=_nearest(first["loc"])) from error
        raise ConfigurationError(f"{source}: {place}: {first['msg'].removesuffix('.')}.") from error


def _content(source: Path | Traversable) -> dict[Any, Any]:
    try:
        content = yaml.load(source.read_text(encoding="utf-8"), _Loader)  # noqa: S506 - a SafeLoader
    except OSError as error:
        raise ConfigurationError(f"{source} cannot be read: {error.strerror}.") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{source} is not YAML: {error}.") from error
    if not isinstance(content, dict):
        raise ConfigurationError(f"{source} must hold keys and values.", hint="At least one line: task: qa")
    return content


class _Loader(yaml.SafeLoader):
    """Refuses a key that stands twice: the first would be lost."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping of a node."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        if twice := next((key for i, key in enumerate(keys) if key in keys[:i]), None):
            raise yaml.constructor.ConstructorError(None, None, f"the key {twice!r} stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


def _merged(defaults: dict[Any, Any], given: dict[Any, Any]) -> dict[Any, Any]:
    """The given settings, each section completed from the defaults; one with nothing in it is the default."""
    sections = {
        key: {**defaults[key], **(value or {})}
        for key, value in given.items()
        if isinstance(value, dict | None) and isinstance(defaults.get(key), dict)
    }
    return {**defaults, **given, **sections}


def _nearest(place: tuple[int | str, ...]) -> str:
    """The settings that are known where an unknown one stands, the nearest first."""
    section: Any = Config
    for key in place[:-1]:
        found = {f.alias or name: f.annotation for name, f in section.model_fields.items()}.get(str(key))
        kinds = [found, *get_args(found)]
        kinds += [k for kind in get_args(found) for k in get_args(kind)]
        section = next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), section)
    known = sorted(f.alias or name for name, f in section.model_fields.items())
    near = difflib.get_close_matches(str(place[-1]), known, n=1)
    return f"{f'Did you mean {near[0]!r}? ' if near else ''}Known here: {', '.join(known)}."


def shipped_config(task: str) -> Config:
    """The settings that ship for a task.

    Raises:
        UnknownNameError: If there is no such task.
    """
    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS)
    return load_config(_shipped(task))


def _shipped(task: str) -> Traversable:
    return files("halt_rag") / "configs" / f"{task}.yaml"
