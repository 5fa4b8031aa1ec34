"""The bodies of requests and answers, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from halt_rag.errors import InputError
from halt_rag.policies import MESSAGE, Failure
from halt_rag.service.settings import Settings
from halt_rag.verify.result import SCHEMA_VERSION, Verification
from halt_rag.verify.sources import Passage, as_passages, checked
from halt_rag.verify.verifier import Item

#: Tasks that a request may name. Where no calibration ships for one, the service's own is used.
TASKS = ("general", "qa", "dialogue", "summarization")
Task = Literal["general", "qa", "dialogue", "summarization"]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PassageBody(_Body):
    """A retrieved text with its name."""

    id: str = Field(description="Your name for it; evidence refers to it.")
    text: str = Field(description="The text.")


# Of a long list of the wrong kind, one fault is told: a million would take seconds, in the event loop.
Texts = Annotated[list[str], Field(fail_fast=True)]
Passages = Annotated[list[PassageBody], Field(fail_fast=True)]


class TextBody(_Body):
    """A text and its sources."""

    source: str | Texts | Passages = Field(description="What the text must be faithful to.")
    generated: str = Field(description="The text to check.")
    question: str | None = Field(default=None, description="The question that the text answers.")

    def item(self, settings: Settings) -> Item:
        """The text, if the service takes it.

        Raises:
            InputError: If it is empty, too long, or no valid Unicode.
        """
        given = self.source
        if not isinstance(given, str):
            at_most(len(given), settings.max_passages, "passages", "The source")
        source = (
            given if isinstance(given, str) else [p if isinstance(p, str) else Passage(p.id, p.text) for p in given]
        )
        passages = as_passages(source)  # type: ignore[arg-type] # a list is of one kind
        at_most(sum(len(p.text) for p in passages), settings.max_source_characters, "characters", "The source")
        at_most(len(self.generated), settings.max_generated_characters, "characters", "The generated text")
        at_most(len(self.question or ""), settings.max_question_characters, "characters", "The question")
        checked("The generated text", self.generated)
        checked("The question", self.question or "")
        if not self.generated.strip():
            raise InputError("The generated text is empty.", hint="There is nothing to verify.")
        return Item(passages, self.generated, self.question)


class VerifyBody(TextBody):
    """A text to verify."""

    task: Task | None = Field(
        default=None,
        description="What the text is. Chooses the calibration; 'model.artifact' of the answer says which was used.",
    )


class BatchBody(_Body):
    """Texts to verify."""

    task: Task | None = Field(default=None, description="What the texts are, as for one.")
    items: Annotated[list[TextBody], Field(fail_fast=True)] = Field(min_length=1, description="The texts.")


class FailedBody(_Body):
    """A text that could not be verified; it has no decision."""

    status: Literal["error"] = "error"
    error: Failure


class BatchAnswer(_Body):
    """A result for each text, in order."""

    schema_version: str = SCHEMA_VERSION
    results: list[Verification | FailedBody]


class GuardBody(VerifyBody):
    """A text to verify, and what to do with it."""

    policy: Literal["annotate", "raise", "filter", "abstain_message"] = Field(
        default="annotate", description="What to do with a text that fails; 'raise' answers with status 422."
    )
    on_error: Literal["open", "closed"] = Field(
        default="closed", description="Whether a text that could not be verified is passed on."
    )
    fail_on: Literal["hallucinated", "abstain"] | None = Field(default=None, description="Which texts fail.")
    message: str = Field(default=MESSAGE, description="What takes the place of a text.")


class ContractBody(_Body):
    """An output to check."""

    output: Any = Field(description="What the model sent: its text, unparsed, or JSON.")


class OffenceAnswer(_Body):
    """One place where an output breaks its contract."""

    record: int | None = Field(description="Position in the array; null for an object or the whole.")
    field: str = Field(description="The field, or '(output)'.")
    reason: str = Field(description="What is wrong.")


class ContractAnswer(_Body):
    """What a contract says about an output."""

    schema_version: str = SCHEMA_VERSION
    status: Literal["ok"] = "ok"
    contract: str
    valid: bool
    offences: list[OffenceAnswer]


class SourceBody(_Body):
    """A document that quotes are checked against."""

    id: str = Field(description="The name by which evidence refers to it.")
    text: str = Field(description="The document.")
    content_type: Literal["text", "markdown", "html"] = Field(default="text", description="What it is.")


class EvidenceBody(_Body):
    """A record to validate against its typed contract and its sources."""

    contract: dict[str, Any] = Field(description="The contract: name, fields, and perhaps description and locale.")
    record: Any = Field(description="What the model sent: its text, unparsed, or JSON.")
    sources: str | Annotated[list[SourceBody], Field(fail_fast=True)] = Field(
        description="The documents; the first is meant where evidence names none."
    )
    apply_relocations: bool = Field(default=False, description="Correct ranges whose quote is at one other place.")


class EvidenceAnswer(_Body):
    """The report on a record, as ``halt-rag validate --format json`` has it."""

    schema_version: str = SCHEMA_VERSION
    status: Literal["ok"] = "ok"
    offences: int = Field(ge=0, description="Parts that are invalid.")
    report: dict[str, Any]


class GroundednessBody(_Body):
    """A response to check against documents."""

    response: str = Field(description="The response.")
    documents: str | Texts | Passages = Field(description="What it must be grounded in.")
    question: str | None = Field(default=None, description="What the user said last before it.")
    allow_partial_support: bool = Field(default=False, description="Whether support for a part of a span is enough.")


class SpanAnswer(_Body):
    """A judged span of the response."""

    start: int
    end: int
    text: str
    support: str = Field(description="'full', 'partial', 'none' or 'unknown'.")
    contradicted: bool


class GroundednessAnswer(_Body):
    """Pass, fail, or no verdict."""

    schema_version: str = SCHEMA_VERSION
    status: Literal["pass", "fail", "undetermined"]
    reason: str | None = Field(description="Why, for a model; null where there is no verdict.")
    score: float | None = Field(description="Probability that the response is grounded, where there is one.")
    failing: list[SpanAnswer]
    unknown: list[SpanAnswer]


class ScanBody(_Body):
    """A document to scan."""

    path: str = Field(default="document.md", min_length=1, max_length=500, description="Its name; the ending counts.")
    text: str = Field(description="The document.")
    files: Annotated[list[Annotated[str, Field(max_length=500)]], Field(fail_fast=True)] | None = Field(
        default=None, max_length=20_000, description="The files that it may refer to; without them, paths and links "
        "are not checked.",
    )  # fmt: skip


def at_most(number: int, most: int, of: str, what: str) -> None:
    """Refuses more than the service takes.

    Raises:
        InputError: With both numbers.
    """
    if number > most:
        raise InputError(f"{what} has {number} {of}; this service takes at most {most}.", hint="Send less at once.")
