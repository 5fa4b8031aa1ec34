"""Judges for tests: they answer each stage as told, and keep what they were asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Stage = Literal["citations", "necessity", "support"]
STAGES: tuple[Stage, ...] = ("citations", "necessity", "support")

RESPONSE = "The dam is 90 m high. It was built in 1967."
DOCUMENT = "The dam is 90 m high. It was built in 1967, of concrete."


def cited(*sentences: int) -> str:
    """The citations stage: each of these sentences rests on the first of the document."""
    return json.dumps({"items": [{"r": number, "c": [0]} for number in sentences]})


def needed(*values: object) -> str:
    return json.dumps({"items": [{"span_id": i, "needs_citation": value} for i, value in enumerate(values)]})


def supported(*labels: object) -> str:
    return json.dumps({"items": [{"span_id": i, "support_level": label} for i, label in enumerate(labels)]})


GOOD: dict[Stage, str] = {
    "citations": cited(0, 1),
    "necessity": needed("yes", "yes"),
    "support": supported("FULLY_SUPPORTED", "FULLY_SUPPORTED"),
}


def stage_of(schema: Mapping[str, Any]) -> Stage:
    """Which stage asks, told by the keys that it wants."""
    keys = schema["properties"]["items"]["items"]["properties"]
    return "citations" if "c" in keys else "necessity" if "needs_citation" in keys else "support"


@dataclass
class ScriptedJudge:
    """Answers each stage with a text, or does what its callable does."""

    answers: Mapping[Stage, object]
    prompts: list[str] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    caps: list[int] = field(default_factory=list)

    def __call__(self, prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        stage = stage_of(schema)
        self.prompts.append(prompt)
        self.stages.append(stage)
        self.caps.append(max_tokens)
        answer = self.answers[stage]
        return answer() if callable(answer) else answer  # type: ignore[return-value]


def raising(error: Exception) -> Callable[[], str]:
    """An answer that is an error."""

    def fail() -> str:
        raise error

    return fail
