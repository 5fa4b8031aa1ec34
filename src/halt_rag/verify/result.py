"""What a verification returns: plain frozen records with a JSON Schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from halt_rag.errors import InputError

SCHEMA_VERSION = "1.0"

Label = Literal["faithful", "partial", "unfaithful", "NA"]
Decision = Literal["supported", "hallucinated", "abstain"]
Reason = Literal["contradicted", "unsupported", "uncertain", "not_read"]
AbstainReason = Literal["near_threshold", "not_read"]
EvidenceKind = Literal["supports", "contradicts", "nearest"]


class Record(BaseModel):
    """Base of the result records: frozen, closed, and free of NaN and infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Evidence(Record):
    """The stretch of a passage that decided a claim."""

    passage_id: str = Field(description="Id of the passage as given, or its 1-based position.")
    passage_index: int = Field(ge=0, description="0-based position of the passage; ids may repeat, this does not.")
    start: int = Field(ge=0, description="First code point of the quote in the passage.")
    end: int = Field(ge=0, description="One past the last code point.")
    text: str = Field(description="The quote, passage[start:end].")
    score: float = Field(
        ge=0,
        le=1,
        description="Raw model probability (not calibrated) that the quote entails the claim, or contradicts it "
        "where kind is 'contradicts'.",
    )
    kind: EvidenceKind = Field(
        description="'supports', 'contradicts', or 'nearest': the closest sentence to a claim that nothing supports."
    )


class Claim(Record):
    """One checkable sentence of the generated text."""

    start: int = Field(ge=0, description="First code point of the claim in the generated text.")
    end: int = Field(ge=0, description="One past the last code point.")
    text: str = Field(description="The claim, generated[start:end].")
    label: Label | None = Field(
        description="'faithful', 'partial', 'unfaithful', 'NA' (nothing to check), or null: could not be determined."
    )
    p_hallucinated: float | None = Field(
        ge=0,
        le=1,
        description="Probability that the sources do not support the claim; null where label is 'NA' or no model read "
        "the claim.",
    )
    reason: Reason | None = Field(
        description="Of 'partial' and 'unfaithful': 'contradicted' or 'unsupported'. Of null: 'uncertain' (too near "
        "the threshold) or 'not_read': support was not found and not everything could be read, or the claim holds what "
        "the model has no tokens for (an emoji, another script, a very long word) and no source that was read repeats."
    )
    evidence: list[Evidence] = Field(description="What decided the claim, best first.")


class Receipt(Record):
    """What was read to reach the verdict."""

    passages: int = Field(ge=0, description="Passages given.")
    windows: int = Field(ge=0, description="Token windows over them.")
    pairs_scored: int = Field(ge=0, description="Premise-hypothesis pairs asked for, cache hits included.")
    cache_hits: int = Field(ge=0, description="How many of them a cache answered.")
    source_tokens_total: int = Field(ge=0, description="Tokens of all passages, by the model's own tokenizer.")
    source_tokens_read: int = Field(ge=0, description="How many of them were read for at least one claim.")
    generated_tokens_total: int = Field(ge=0, description="Tokens of the generated text.")
    generated_tokens_read: int = Field(
        ge=0,
        description="How many of them are in claims that a model read or that are NA; not those of claims that hold "
        "what the model has no tokens for and no source that was read repeats.",
    )
    truncated: bool = Field(
        description="Whether any claim was not checked against everything that was given, or could not be read."
    )


class ModelInfo(Record):
    """Which model and which calibration spoke."""

    backend: str
    model_id: str
    revision: str
    artifact: str | None = Field(description="Id of the task model; null where none was used.")
    calibrated: bool = Field(description="False where the probability is only 1 - P(entailment).")


class Verification(Record):
    """The verdict on a generated text."""

    schema_version: str = SCHEMA_VERSION
    status: Literal["ok"] = "ok"
    decision: Decision = Field(description="'supported', 'hallucinated' or 'abstain'.")
    abstain_reason: AbstainReason | None = Field(
        description="Why the verifier declines: 'near_threshold', or 'not_read': something could not be read."
    )
    calibrated_prob: float | None = Field(
        ge=0, le=1, description="Probability that the text is hallucinated; null where it holds nothing to check."
    )
    threshold: float = Field(ge=0, le=1, description="The text is hallucinated from this probability on.")
    claims: list[Claim] = Field(description="The sentences of the text, in order.")
    feature_breakdown: dict[str, float] = Field(description="Features of the claim that weighs most, by name.")
    receipt: Receipt
    model: ModelInfo

    def to_json(self, *, indent: int | None = None) -> str:
        """The result as JSON text; the same from library, command line and HTTP."""
        return self.model_dump_json(indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Verification:
        """Reads what ``to_json`` wrote.

        Raises:
            InputError: If it is not such a text; names the first field that is wrong.
        """
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "text"
            raise InputError(f"This is no verification: {place}: {first['msg']}.") from error

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """JSON Schema (draft 2020-12) of the result."""
        schema = cls.model_json_schema(mode="serialization")
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
