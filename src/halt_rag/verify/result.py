"""What a verification returns: plain frozen records with a JSON Schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from halt_rag.errors import BackendError, HaltRagError, InputError

SCHEMA_VERSION = "1.0"

Label = Literal["faithful", "partial", "unfaithful", "NA"]
Decision = Literal["supported", "hallucinated", "abstain"]
Reason = Literal["contradicted", "unsupported", "uncertain", "not_read", "language"]
AbstainReason = Literal["near_threshold", "not_read", "language", "disagreement"]
EvidenceKind = Literal["supports", "contradicts", "nearest"]
Reading = Literal["exhaustive", "indexed"]
QuantityStatus = Literal["matched", "converted", "derived", "contradicted", "absent"]


class Record(BaseModel):
    """Base of the result records: frozen, closed, and free of NaN and infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Missing(Record):
    """What of a claim a quote does not hold, as it is written in the claim (in NFKC), in the claim's order."""

    words: list[str] = Field(description="Words that are not very common ones.")
    quantities: list[str] = Field(description="Numbers, in digits or in words.")
    names: list[str] = Field(description="Capitalised words inside the sentence.")


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
    together: bool = Field(
        default=False,
        description="Whether the quote supports the claim only with the other quote for which this is true, from "
        "another passage; the score is that of the two together.",
    )
    missing: Missing | None = Field(
        default=None, description="What of the claim is not in the quote; only where kind is 'nearest'."
    )


class Part(Record):
    """A clause of a claim that was checked by itself."""

    start: int | None = Field(
        ge=0, description="First code point in the generated text; null where the part is not written like that there."
    )
    end: int | None = Field(ge=0, description="One past the last code point, or null.")
    text: str = Field(
        description="The part: generated[start:end] where these are given, otherwise what it says with its subject."
    )
    label: Literal["faithful", "unfaithful"] | None = Field(
        description="'faithful', 'unfaithful', or null: the model is not sure enough."
    )
    score: float = Field(ge=0, le=1, description="Raw probability (not calibrated) that a window entails the part.")


class SourceQuote(Record):
    """A place in a passage."""

    passage_id: str = Field(description="Id of the passage as given, or its 1-based position.")
    passage_index: int = Field(ge=0, description="0-based position of the passage.")
    start: int = Field(ge=0, description="First code point of the quote in the passage.")
    end: int = Field(ge=0, description="One past the last code point.")
    text: str = Field(description="The quote, passage[start:end].")


class QuantityCheck(Record):
    """What the sources say about a quantity of a claim. It explains; the label is the model's."""

    start: int = Field(ge=0, description="First code point of the quantity in the generated text.")
    end: int = Field(ge=0, description="One past the last code point.")
    text: str = Field(description="The quantity, generated[start:end].")
    status: QuantityStatus = Field(
        description="'matched': a source states it in the same form. 'converted': in another form, unit or precision. "
        "'derived': it follows from numbers of a source by one step of arithmetic. 'contradicted': a source gives "
        "another value for it. 'absent': neither."
    )
    detail: str = Field(description="What was compared, for 'derived' the arithmetic; may be empty.")
    sources: list[SourceQuote] = Field(description="The places that were compared with it.")


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
        "the model has no tokens for (an emoji, another script, a very long word) and no source that was read repeats; "
        "or 'language': support was not found, and the claim or a source is in a language the model does not declare."
    )
    evidence: list[Evidence] = Field(
        description="What decided the claim, best first; of a conflict, both sides; of support by two passages "
        "together, both."
    )
    conflict: bool = Field(
        default=False,
        description="Whether one passage supports the claim and another one contradicts it. The label is as if the "
        "second were not there.",
    )
    parts: list[Part] = Field(
        default_factory=list,
        description="The clauses of a claim that does not hold, where it has several and they were checked. 'partial' "
        "means that at least one is faithful and one is unfaithful.",
    )
    quantities: list[QuantityCheck] = Field(
        default_factory=list, description="Its numbers, amounts, dates and other quantities, in order."
    )
    tier: int = Field(default=0, ge=0, description="Which model decided: 0 the first, 1 the next of the cascade ...")


class Receipt(Record):
    """What was read to reach the verdict."""

    passages: int = Field(ge=0, description="Passages given.")
    windows: int = Field(ge=0, description="Token windows over them.")
    reading: Reading = Field(
        default="exhaustive",
        description="'exhaustive': each claim was read against every window, as far as the limits allow. 'indexed': "
        "against the windows that an index of their words chose.",
    )
    windows_read: int = Field(default=0, ge=0, description="How many of the windows were read for at least one claim.")
    pairs_scored: int = Field(
        ge=0, description="Premise-hypothesis pairs asked for, of all models together, cache hits included."
    )
    pairs_by_tier: list[int] = Field(
        default_factory=list, description="The same for each model: the first, then those of the cascade."
    )
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
        description="Why the verifier declines: 'near_threshold'; 'not_read' or 'language': something could not be "
        "read, or not by this model; 'disagreement': the task's model of whole texts and the claims disagree."
    )
    calibrated_prob: float | None = Field(
        ge=0,
        le=1,
        description="Probability that the text is hallucinated; null where it holds nothing to check, or nothing that "
        "the model can read.",
    )
    threshold: float = Field(
        ge=0,
        le=1,
        description="The text is hallucinated from this probability on; with a cascade, that of the model which "
        "decided the claim that weighs most.",
    )
    claims: list[Claim] = Field(description="The sentences of the text, in order.")
    feature_breakdown: dict[str, float] = Field(description="Features of the claim that weighs most, by name.")
    receipt: Receipt
    model: ModelInfo
    cascade: list[ModelInfo] = Field(
        default_factory=list, description="The models after the first, which are asked where it does not decide."
    )

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


class ErrorInfo(Record):
    """An error as data."""

    code: str = Field(description="Stable identifier, see halt_rag.errors.")
    message: str
    hint: str = Field(description="What the reader can do about it; may be empty.")
    retryable: bool = Field(description="Whether the same call may succeed later.")


class Failed(Record):
    """A text of a batch that could not be verified. It has no decision: a failure is never a verdict."""

    schema_version: str = SCHEMA_VERSION
    status: Literal["error"] = "error"
    position: int = Field(ge=0, description="0-based position of the text in the batch.")
    error: ErrorInfo

    @classmethod
    def of(cls, error: HaltRagError, position: int) -> Failed:
        """The record of an error."""
        retryable = isinstance(error, BackendError) and error.retryable
        info = ErrorInfo(code=error.code, message=str(error), hint=error.hint, retryable=retryable)
        return cls(position=position, error=info)
