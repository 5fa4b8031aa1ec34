"""Judges: language models that answer a prompt with JSON. Anything callable as :class:`Judge` is one."""

from __future__ import annotations

from halt_rag.contracts.judges.base import Judge
from halt_rag.contracts.judges.http import Patience
from halt_rag.contracts.judges.ollama import OllamaJudge
from halt_rag.contracts.judges.openai_compatible import OpenAICompatibleJudge
from halt_rag.contracts.judges.transformers_judge import TransformersJudge

__all__ = ["Judge", "OllamaJudge", "OpenAICompatibleJudge", "Patience", "TransformersJudge"]
