"""Output contracts: what models claim about texts, checked value by value before anyone acts on it."""

from __future__ import annotations

from halt_rag.contracts.base import Contract, Offence
from halt_rag.contracts.errors import (
    OutputShapeError,
    ProseAroundJSONError,
    RefusalError,
    SentenceIndexRangeError,
    SentenceIndexTypeError,
    TruncatedOutputError,
)
from halt_rag.contracts.functions import (
    EvidenceFinder,
    FoundEvidence,
    check_answerability,
    find_citations,
    find_context_attributions,
    flag_hallucinated_content,
)
from halt_rag.contracts.judges import Judge, OllamaJudge, OpenAICompatibleJudge, Patience, TransformersJudge
from halt_rag.contracts.pipelines import (
    decode_answerability,
    decode_attributions,
    decode_citations,
    decode_hallucinations,
)
from halt_rag.contracts.registry import CONTRACTS, get_contract
from halt_rag.contracts.sentence_index import Document, Numbering, Place, Sentence, SentenceIndex, Turn

__all__ = [
    "CONTRACTS",
    "Contract",
    "Document",
    "EvidenceFinder",
    "FoundEvidence",
    "Judge",
    "Numbering",
    "Offence",
    "OllamaJudge",
    "OpenAICompatibleJudge",
    "OutputShapeError",
    "Patience",
    "Place",
    "ProseAroundJSONError",
    "RefusalError",
    "Sentence",
    "SentenceIndex",
    "SentenceIndexRangeError",
    "SentenceIndexTypeError",
    "TransformersJudge",
    "TruncatedOutputError",
    "Turn",
    "check_answerability",
    "decode_answerability",
    "decode_attributions",
    "decode_citations",
    "decode_hallucinations",
    "find_citations",
    "find_context_attributions",
    "flag_hallucinated_content",
    "get_contract",
]
