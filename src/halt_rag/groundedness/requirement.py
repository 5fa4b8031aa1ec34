"""The requirement that a response is grounded in documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from halt_rag.contracts.functions import EvidenceFinder
from halt_rag.contracts.judges.base import Judge
from halt_rag.contracts.strict_json import shown
from halt_rag.errors import InputError
from halt_rag.groundedness.engines import Judgment, Panel, StageError, Verifier, by_judge, by_verifier
from halt_rag.groundedness.material import Documents, Material, Message, Response, read_documents, read_response
from halt_rag.groundedness.result import Stage, UndeterminedError, ValidationResult
from halt_rag.groundedness.verdict import JudgedSpan, Support, verdict_on

_SHOWN_SPANS = 5  # So many are quoted in an error; the result has them all.


class GroundednessRequirement:
    """Requires that the documents support everything in a response that needs support.

    The verdict is made of spans of the response, by the table in :mod:`halt_rag.groundedness.verdict`. Who judges them
    is the engine: by default the verifier, which needs no language model and no network; or a judge, which is asked
    in three stages (citations; which spans need one; how well those are supported).

    Whatever keeps the check from a verdict is returned as an errored result, and never as a verdict.

    Example:
        >>> requirement = GroundednessRequirement(["The dam was built in 1967."])
        >>> requirement.check("The dam was built in 1967.").status
        'pass'
    """

    def __init__(
        self,
        documents: Documents | None = None,
        allow_partial_support: bool = False,
        *,
        max_new_tokens: int = 500,
        description: str | None = None,
        judge: Judge | None = None,
        citations: EvidenceFinder | None = None,
        verifier: Verifier | None = None,
    ) -> None:
        """Sets up; nothing is loaded or asked yet.

        Args:
            documents: What responses must be grounded in, where ``check`` is not given others.
            allow_partial_support: Whether support for a part of a span is enough.
            max_new_tokens: The most tokens of each answer of the judge. An answer that is cut off decides nothing
                about the spans that it does not reach, so long responses need more.
            description: What is required, in words for a model; a blank one is the default.
            judge: A language model to ask, see :mod:`halt_rag.contracts.judges`; default: none, the verifier judges.
            citations: What finds citations for the judge; default: the judge.
            verifier: The verifier to use; default: ``HaltRagVerifier()``.

        Raises:
            InputError: If ``max_new_tokens`` is not positive, there is a judge and a verifier, or ``citations``
                without a judge.
        """
        if max_new_tokens < 1:
            raise InputError(f"max_new_tokens must be at least 1, not {max_new_tokens}.")
        if judge is not None and verifier is not None:
            raise InputError("Either a judge or a verifier judges, not both.", hint="Leave one of them out.")
        if judge is None and citations is not None:
            raise InputError("citations is for a judge, and there is none.", hint="The verifier finds its evidence.")
        self.documents = list(documents) if isinstance(documents, Iterator) else documents
        self.allow_partial_support = allow_partial_support
        self.max_new_tokens = max_new_tokens
        how = "supported, at least in part," if allow_partial_support else "fully supported"
        default = f"Every statement of the response must be {how} by the documents."
        self.description = (description or "").strip() or default
        self._judge = judge
        self._citations = citations
        self._given_verifier = verifier

    @cached_property
    def verifier(self) -> Verifier:
        """The verifier; not used where there is a judge."""
        if self._given_verifier is not None:
            return self._given_verifier
        from halt_rag.verify.verifier import HaltRagVerifier

        return HaltRagVerifier()

    def check(
        self,
        response: Response,
        documents: Documents | None = None,
        history: Sequence[Message | str] | None = None,
    ) -> ValidationResult:
        """Checks a response.

        Args:
            response: The text; or a message; or a conversation that ends with the assistant's message or with the
                text. A message is a mapping or an object with ``role`` and ``content``.
            documents: What it must be grounded in; default: the requirement's own documents.
            history: The conversation before; what the user said last goes to the engine as the question.

        Returns:
            A pass or a fail, or an errored result: ``reason`` is None then, ``error`` what was caught (an
            ``InputError`` in the stage ``setup``, what the engine raised in its stages, an ``UndeterminedError`` in
            the stage ``verdict``), and the spans are empty unless some were judged. A blank response passes, as there
            is nothing in it to support. Raises nothing that an engine raises.
        """
        try:
            material = self._material(response, documents, history)
        except InputError as error:
            return _errored("setup", error)
        if not material.response.strip():
            return ValidationResult(True, "Empty response: there is nothing in it that needs support.")
        try:
            judgment = self._judged(material)
        except StageError as stopped:
            return _errored(stopped.stage, stopped.error)
        return result_of(judgment, allow_partial=self.allow_partial_support)

    def _material(
        self, response: Response, documents: Documents | None, history: Sequence[Message | str] | None
    ) -> Material:
        text, question = read_response(response, history)
        read = read_documents(self.documents if documents is None else documents)
        for role, engine in (("judge", self._judge), ("finder of citations", self._citations)):
            if engine is not None and not callable(engine):
                raise InputError(
                    f"The {role} of type {type(engine).__name__} cannot be asked: it is not callable, and no adapter "
                    "makes it so."
                )
        return Material(text, read, question)

    def _judged(self, material: Material) -> Judgment:
        if self._judge is None:
            return by_verifier(self.verifier, material)
        return by_judge(Panel(self._judge, self._citations, self.max_new_tokens), material)


def result_of(judgment: Judgment, *, allow_partial: bool) -> ValidationResult:
    """The result of a check from what an engine found out."""
    verdict = verdict_on(judgment.spans, allow_partial=allow_partial)
    if verdict.outcome == "unknown":
        return ValidationResult(
            False, error=UndeterminedError(_what_is_unknown(verdict.unknown)), unknown=verdict.unknown, stage="verdict"
        )
    if verdict.outcome == "pass":
        return ValidationResult(True, "The documents support all that needs support.", score=judgment.score)
    return ValidationResult(
        False, _what_fails(verdict.failing), score=judgment.score, failing=verdict.failing, unknown=verdict.unknown
    )


def _errored(stage: Stage, error: Exception) -> ValidationResult:
    return ValidationResult(False, error=error, stage=stage)


def _what_fails(spans: Sequence[JudgedSpan]) -> str:
    """Names the failing spans, by their own text and in words of ours: no engine's words get to a model."""
    lines = [f'- "{" ".join(span.text.split())}": {_why(span)}' for span in spans]
    return "\n".join(["The documents do not support these parts of the response:", *lines])


def _why(span: JudgedSpan) -> str:
    if span.contradicted:
        return "the documents contradict it."
    if span.support is Support.PARTIAL:
        return "they support only a part of it."
    return "nothing in them supports it."


def _what_is_unknown(spans: Sequence[JudgedSpan]) -> str:
    """Names the spans that could not be judged, and says why; for the operator."""
    told = [f"{shown(span.text)} ({span.note or 'it was not judged'})" for span in spans[:_SHOWN_SPANS]]
    more = len(spans) - len(told)
    what = "1 span could" if len(spans) == 1 else f"{len(spans)} spans could"
    return f"{what} not be judged: {'; '.join(told)}{f'; and {more} more' if more else ''}."
