"""The text model of a task: from the features of a whole text to a calibrated probability; one JSON file.

It is loaded with no machine learning library. The claims of a text keep the labels of the general task model.
"""

from __future__ import annotations

import hashlib
import json
import math
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from halt_rag.errors import ArtifactMismatchError
from halt_rag.verify.artifact import Cuts, LinearHead
from halt_rag.verify.text_features import VERSIONS, Schema, feature_names


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class TextSettings(_Part):
    """How a whole text is read; see ``config.Config`` for the meaning of each."""

    window_tokens: int = Field(default=320, ge=16)
    hypothesis_tokens: int = Field(default=160, ge=16)
    claim_windows: int = Field(default=2, ge=1, le=16)
    hypothesis: Literal["answer", "question_answer"] = "answer"
    premise: Literal["source", "source_question"] = "source"


class ModelRef(_Part):
    """An NLI model that a text model was fitted on."""

    name: str = Field(description="What its features are called by.")
    model_id: str
    revision: str


class Pipeline(_Part):
    """All that the features of a text depend on, beside the text. Features of different pipelines do not mix."""

    schema_name: Schema
    schema_version: int
    models: list[ModelRef] = Field(min_length=1)
    reading: TextSettings
    claims: str | None = Field(description="Id of the task model that weighs the claims; null: none, or not read.")

    @property
    def fingerprint(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of all fields."""
        content = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


class Platt(_Part):
    """p = sigmoid(slope * score + intercept)."""

    method: Literal["platt"] = "platt"
    slope: float = Field(ge=0)
    intercept: float

    def probability(self, score: float) -> float:
        """P(hallucinated) of a score."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.slope * score + self.intercept))))


class Curve(_Part):
    """A rising curve through points, straight between them and level beyond."""

    method: Literal["isotonic", "venn_abers"]
    scores: list[float] = Field(min_length=1)
    probabilities: list[float]

    @model_validator(mode="after")
    def _rises(self) -> Curve:
        p = self.probabilities
        if len(p) != len(self.scores):
            raise ValueError("scores and probabilities must have the same length")
        if sorted(self.scores) != self.scores or sorted(p) != p or p[0] < 0 or p[-1] > 1:
            raise ValueError("scores and probabilities must rise, probabilities within 0 to 1")
        return self

    def probability(self, score: float) -> float:
        """P(hallucinated) of a score."""
        right = bisect_right(self.scores, score)
        if right == 0:
            return self.probabilities[0]
        if right == len(self.scores):
            return self.probabilities[-1]
        (s0, s1), (p0, p1) = self.scores[right - 1 : right + 1], self.probabilities[right - 1 : right + 1]
        return p0 + (p1 - p0) * (score - s0) / (s1 - s0)


Calibrator = Platt | Curve


class KeptFloor(_Part):
    """A floor for precision, as it was tested."""

    precision: float = Field(description="The floor.")
    confidence: float = Field(description="How sure it is that precision on data like the tested is at least that.")
    attained: bool = Field(description="False where no threshold passed; the threshold is then as without a floor.")
    tested_rows: int = Field(ge=0, description="Rows that the test used, one of each group.")
    called: int = Field(ge=0, description="How many of them are called hallucinated at the threshold.")
    right: int = Field(ge=0, description="How many of these are.")


class TextModel(_Part):
    """Everything between the features of a text and its verdict, for one task and one pipeline."""

    kind: Literal["text"] = "text"
    format_version: Literal[1] = 1
    task: str
    pipeline: Pipeline
    pipeline_fingerprint: str
    head: LinearHead = Field(description="The score is its logit: for linear_svc, the signed margin.")
    calibrator: Calibrator = Field(discriminator="method")
    cuts: Cuts
    floor: KeptFloor | None = None
    fitted_on: dict[str, Any] = Field(description="Data, rows, hash of the rows, classifier, metrics; for the reader.")

    @model_validator(mode="after")
    def _belongs_together(self) -> TextModel:
        version = VERSIONS[self.pipeline.schema_name]
        if self.pipeline.schema_version != version:
            raise ValueError(f"the feature schema is version {self.pipeline.schema_version}; this code has {version}")
        if self.pipeline_fingerprint != self.pipeline.fingerprint:
            raise ValueError("pipeline_fingerprint is not that of the pipeline it stands beside")
        known = feature_names(self.pipeline.schema_name, [m.name for m in self.pipeline.models])
        if unknown := set(self.head.features) - set(known):
            raise ValueError(f"head has features that are not in the schema: {sorted(unknown)}")
        return self

    @property
    def id(self) -> str:
        """Task name and the first digits of the hash of the content."""
        content = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return f"{self.task}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"

    def probability(self, features: Mapping[str, float]) -> float:
        """P(hallucinated) in [0, 1] from features by name; extra features are ignored."""
        return self.calibrator.probability(self.head.logit(features))

    def check_fits(self, running: Pipeline) -> None:
        """Refuses a pipeline that the model was not fitted on.

        Raises:
            ArtifactMismatchError: Naming what differs.
        """
        if self.pipeline == running:
            return
        own, other = self.pipeline.model_dump(mode="json"), running.model_dump(mode="json")
        differing = [f"{key}: fitted on {own[key]}, running {other[key]}" for key in own if own[key] != other[key]]
        raise ArtifactMismatchError(
            f"The task model {self.id!r} does not belong to this pipeline ({self.pipeline_fingerprint}, running "
            f"{running.fingerprint}). {'; '.join(differing)}.",
            hint="Use the task model that belongs to it, or fit one: halt-rag train.",
        )
