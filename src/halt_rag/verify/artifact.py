"""The task model: a calibrated head and thresholds, one JSON file, loaded with no machine learning library."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from halt_rag.errors import ArtifactMismatchError, ConfigurationError, UnknownNameError
from halt_rag.nli.model_folders import base_package
from halt_rag.verify.decide import Thresholds
from halt_rag.verify.features import CLAIM_FEATURES

_SHIPPED = "models/tasks"
M = TypeVar("M", bound=BaseModel)


class PipelineSettings(BaseModel):
    """How texts are cut before a model reads them. A task model fits one set of settings only."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    window_tokens: int = Field(default=192, ge=16, description="Most tokens of a passage that are read at once.")
    overlap_tokens: int = Field(default=48, ge=0, description="Tokens of whole sentences repeated in the next window.")
    claim_tokens: int = Field(default=128, ge=16, description="A longer sentence is cut into several claims.")
    max_windows_per_claim: int = Field(
        default=128, ge=1, description="At most this many windows, the nearest by words, are read for one claim."
    )


class LinearHead(BaseModel):
    """A logistic model over named features, standardised: p = sigmoid(intercept + sum coef * (x - mean) / scale)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    features: list[str]
    mean: list[float]
    scale: list[float]
    coef: list[float]
    intercept: float

    @model_validator(mode="after")
    def _same_length(self) -> LinearHead:
        if len({len(self.features), len(self.mean), len(self.scale), len(self.coef)}) != 1:
            raise ValueError("features, mean, scale and coef must have the same length")
        if any(s <= 0 for s in self.scale):
            raise ValueError("every scale must be positive")
        return self

    def probability(self, features: dict[str, float]) -> float:
        """P(hallucinated) in [0, 1] from features by name; extra features are ignored."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.logit(features)))))

    def logit(self, features: Mapping[str, float]) -> float:
        """The weighted sum before the sigmoid; higher is more hallucinated, without bounds.

        Raises:
            ConfigurationError: If it is no finite number; a sigmoid would make a verdict of it.
        """
        found = self.intercept + sum(
            c * (features[name] - m) / s
            for name, m, s, c in zip(self.features, self.mean, self.scale, self.coef, strict=True)
        )
        if not math.isfinite(found):
            raise ConfigurationError("The task model gives no finite score: its coefficients or a feature are no use.")
        return found


class Cuts(BaseModel):
    """Thresholds as they are stored; see ``decide.Thresholds``."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    threshold: float = Field(ge=0, le=1)
    supported_below: float = Field(ge=0, le=1)
    hallucinated_from: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _in_order(self) -> Cuts:
        self.thresholds()
        return self

    def thresholds(self) -> Thresholds:
        """The thresholds, checked for order."""
        return Thresholds(self.threshold, self.supported_below, self.hallucinated_from)


class TaskModel(BaseModel):
    """Everything between raw scores and a verdict, for one task and one NLI model."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    schema_version: int = Field(default=1, ge=1, le=1)
    task: str
    model_id: str = Field(description="The NLI model whose scores the head was fitted on.")
    revision: str
    pipeline: PipelineSettings
    claim_head: LinearHead
    cuts: Cuts
    fitted_on: dict[str, Any] = Field(description="Data sets, rows, hash of the rows, metrics; for the reader.")

    @model_validator(mode="after")
    def _known_features(self) -> TaskModel:
        if unknown := set(self.claim_head.features) - set(CLAIM_FEATURES):
            raise ValueError(f"claim_head has features that this version does not compute: {sorted(unknown)}")
        return self

    @property
    def id(self) -> str:
        """Task name and the first digits of the hash of the content."""
        content = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return f"{self.task}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"

    def check_fits(self, model_id: str, revision: str) -> None:
        """Refuses a model that the heads were not fitted on.

        Raises:
            ArtifactMismatchError: Naming both.
        """
        if (self.model_id, self.revision) != (model_id, revision):
            raise ArtifactMismatchError(
                f"The task model {self.id!r} was fitted on {self.model_id} {self.revision}, "
                f"but {model_id} {revision} runs.",
                hint="Use the task model that belongs to it, or fit one.",
            )


def load(source: Traversable | Path) -> TaskModel:
    """Reads a task model.

    Raises:
        ConfigurationError: If it cannot be read or has the wrong shape.
    """
    return read_as(TaskModel, source, "task model")


def read_as(kind: type[M], source: Traversable | Path, name: str) -> M:
    """Reads an artifact of a kind; its name is for the error.

    Raises:
        ConfigurationError: If it cannot be read or has the wrong shape.
    """
    try:
        return kind.model_validate_json(source.read_bytes())
    except OSError as error:
        raise ConfigurationError(f"The task model {source} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise ConfigurationError(f"{source} is no {name}: {place}: {first['msg']}.") from error


def task_folders() -> dict[str, Traversable]:
    """The folders of the task models that ship, here and in halt-rag-base, by the NLI model that they belong to."""
    base = base_package()
    # This package's last: another one adds to them and replaces none.
    homes: list[Traversable] = [base / "tasks"] if base is not None else []
    homes.append(files("halt_rag") / _SHIPPED)
    return {folder.name: folder for home in homes if home.is_dir() for folder in home.iterdir() if folder.is_dir()}


def known_models() -> list[str]:
    """The NLI models for which task models ship."""
    return sorted(task_folders())


def shipped(task: str, model_id: str) -> TaskModel:
    """The task model that ships for a task and an NLI model.

    Raises:
        UnknownNameError: If there is none; lists those there are.
    """
    folder = task_folders().get(model_id)
    names = [] if folder is None else [f.name for f in folder.iterdir()]
    known = [name.removesuffix(".json") for name in names if name.endswith(".json")]
    if folder is None or task not in known:
        raise UnknownNameError("task", task, known)
    return load(folder / f"{task}.json")
