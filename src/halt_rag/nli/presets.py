"""Well-known models: what their outputs mean, their licence and size. Checked against what a model says itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from halt_rag.errors import UnknownNameError
from halt_rag.nli.checkpoint import Reading, kept_reading
from halt_rag.nli.labels import NOT_ENTAILED

_ENC = ("entailment", "neutral", "contradiction")
_CNE = ("contradiction", "neutral", "entailment")
_CEN = ("contradiction", "entailment", "neutral")
_GRADER = (NOT_ENTAILED, "entailment")
#: The question that FactCG models were trained with, word for word: another wording is another model. From FactCG
#: (Lei et al., arXiv:2501.17144; github.com/derenlei/FactCG, MIT, Copyright (c) 2025 derenlei).
_FACTCG = (
    '{premise}\n\nChoose your answer: based on the paragraph above can we conclude that "{hypothesis}"?'
    "\n\nOPTIONS:\n- Yes\n- No\nI think the answer is "
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A model that is known beforehand.

    Attributes:
        name: Short name.
        model_id: Its repository on the Hugging Face hub.
        reading: What its outputs mean, its length and the form of its input.
        parameters: Millions of parameters, rounded.
        licence: SPDX identifier, from memory: the model card decides.
        about: What it is, in a few words.
    """

    name: str
    model_id: str
    reading: Reading
    parameters: int
    licence: str
    about: str

    @property
    def megabytes(self) -> int:
        """About the size of its weights in float32."""
        return self.parameters * 4


PRESETS = (
    Preset(
        "roberta-large-mnli", "FacebookAI/roberta-large-mnli", Reading(_CNE, 512), 355, "MIT",
        "the first model of the HALT-RAG ensemble; MNLI",
    ),
    Preset(
        "deberta-large-wanli", "MoritzLaurer/DeBERTa-v3-large-mnli-fever-anli-ling-wanli", Reading(_ENC, 512), 435,
        "MIT", "the second model of the ensemble, for the one without an NLI head; five NLI sets",
    ),
    Preset(
        "deberta-base-anli", "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", Reading(_ENC, 512), 184, "MIT",
        "smaller; MNLI, FEVER-NLI and ANLI",
    ),
    Preset(
        "nli-deberta-base", "cross-encoder/nli-deberta-v3-base", Reading(_CEN, 512), 184, "Apache-2.0",
        "a sentence-transformers CrossEncoder; SNLI and MNLI",
    ),
    Preset(
        "modernbert-large-nli", "tasksource/ModernBERT-large-nli", Reading(_ENC), 396, "Apache-2.0",
        "ModernBERT, long inputs; many NLI sets",
    ),
    Preset(
        "factcg", "yaxili96/FactCG-DeBERTa-v3-Large", Reading(_GRADER, 2048, _FACTCG), 435, "MIT",
        "grader: support or not, whole documents",
    ),
    Preset(
        "minicheck-roberta", "lytang/MiniCheck-RoBERTa-Large", Reading(_GRADER, 512, "{premise}{sep}{hypothesis}"), 355,
        "MIT", "grader: support or not",
    ),
    Preset(
        "minicheck-deberta", "lytang/MiniCheck-DeBERTa-v3-Large",
        Reading(_GRADER, 2048, "{premise}{sep}{hypothesis}"), 435, "MIT", "grader: support or not, whole documents",
    ),
)  # fmt: skip


def find_preset(name: str) -> Preset | None:
    """The preset with this short name or of this repository, if there is one."""
    wanted = name.lower()
    return next((preset for preset in PRESETS if wanted in {preset.name, preset.model_id.lower()}), None)


def preset(name: str) -> Preset:
    """The preset with this name.

    Raises:
        UnknownNameError: If there is none; lists the known.
    """
    if (found := find_preset(name)) is None:
        raise UnknownNameError("preset", name, [preset.name for preset in PRESETS])
    return found


def reading_of(name: str) -> Reading:
    """What is known about a model: what was kept in its folder, else what its preset says, else nothing.

    Raises:
        ConfigurationError: If what was kept cannot be read.
    """
    folder = Path(name)
    if (kept := kept_reading(folder)) is not None:
        return kept
    found = find_preset(name) or (find_preset(folder.name) if folder.is_dir() else None)
    return found.reading if found else Reading()


def repository_of(name: str) -> str:
    """The repository that a short name stands for; other names stand for themselves."""
    found = find_preset(name)
    return found.model_id if found else name
