"""Functions that ask a judge and hand out its answer only after checking it.

A judge is a callable ``(prompt, schema, max_tokens) -> text``; see :mod:`halt_rag.contracts.judges`. All functions
raise what the judge raises, as it is: a model that could not be asked is no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, cast

from halt_rag.contracts import prompts
from halt_rag.contracts.base import Record
from halt_rag.contracts.judges.base import Judge
from halt_rag.contracts.pipelines import (
    citation_records,
    decode_answerability,
    decode_attributions,
    decode_citations,
    decode_hallucinations,
)
from halt_rag.contracts.sentence_index import Document, SentenceIndex, Splitter, Turn
from halt_rag.errors import InputError
from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """A span of a document that supports a span of the response.

    Attributes:
        response: The span of the response.
        document: Position of the document.
        span: The span of the document.
    """

    response: Span
    document: int
    span: Span


class EvidenceFinder(Protocol):
    """Finds the evidence for a response without a language model; a plain function will do."""

    def __call__(self, response: str, documents: Sequence[Document], /) -> Iterable[FoundEvidence]:
        """The evidence, in any order; nothing for what no document supports."""
        ...


def flag_hallucinated_content(
    response: str,
    documents: Iterable[Document | str],
    *,
    judge: Judge,
    question: str = "",
    max_tokens: int = 2048,
    split: Splitter = split_sentences,
) -> list[Record]:
    """Says of each sentence of a response whether documents support it, by a judge.

    Args:
        response: The response to check.
        documents: What it must be faithful to.
        judge: Whom to ask.
        question: The question that the response answers; may be left out.
        max_tokens: The most tokens that the judge may spend.
        split: How to divide the response into sentences.

    Returns:
        Records with ``response_begin``, ``response_end`` (half-open, in code points of the response),
        ``response_text``, ``faithfulness`` and ``explanation``. They need not cover the whole response: a judge may
        leave sentences out. A blank response has no sentences, so that nothing is asked and the list is empty.

        ``faithfulness`` is one of

        - ``faithful``: the documents support the whole sentence;
        - ``partial``: they support a part of it, and not another;
        - ``unfaithful``: they contradict it, or nothing in them supports it;
        - ``NA``: there is nothing to check in it (a greeting, a question, a refusal).

    Raises:
        AdapterSchemaMismatchError: If the judge leaves out a key, uses a label that is none of the four, gives an
            explanation that is no string, or contradicts itself about a sentence. No ``ValueError``.
        OutputShapeError: If its answer is no JSON of the wanted shape. A ``ValueError``.
        ProseAroundJSONError: If there is other text around the JSON. A ``ValueError``.
        TruncatedOutputError: If the answer is cut off. A ``ValueError``.
        SentenceIndexRangeError: If it numbers a sentence that does not exist. A ``ValueError``.
        SentenceIndexTypeError: If a number is a boolean or no integer. A ``TypeError``.
        RefusalError: If it declines.
        BackendError: If it cannot be asked.
        InputError: If a text is not a string, or ``split`` does not tile one.
    """
    index = SentenceIndex(response, documents, split=split)
    if not index.response:
        return []
    prompt, schema = prompts.hallucinations(index, question)
    return decode_hallucinations(judge(prompt, schema, max_tokens), index)


def find_citations(
    response: str,
    documents: Iterable[Document | str],
    *,
    judge: Judge | None = None,
    evidence_finder: EvidenceFinder | None = None,
    max_tokens: int = 2048,
    split: Splitter = split_sentences,
) -> list[Record]:
    """Finds the document sentences that a response rests on, by a judge or without a language model.

    Args:
        response: The response.
        documents: The documents that may be cited.
        judge: Whom to ask.
        evidence_finder: What finds the evidence instead. Exactly one of the two is needed.
        max_tokens: The most tokens that the judge may spend.
        split: How to divide the texts into sentences, for the judge.

    Returns:
        Records with ``response_begin``, ``response_end``, ``response_text``, ``citation_doc_id``, ``citation_begin``,
        ``citation_end`` and ``citation_text``, in the order of the response, then of the documents. Neighbouring
        sentences of one document are one record. What rests on nothing has no record. If the response or all
        documents are blank there is nothing to cite, so that nothing is asked and the list is empty.

    Raises:
        InputError: If not exactly one of ``judge`` and ``evidence_finder`` is given, a text is not a string, ``split``
            does not tile one, or the finder names a place that does not exist.
        AdapterSchemaMismatchError: If the judge leaves out ``r``. No ``ValueError``.
        OutputShapeError: If its answer is no JSON of the wanted shape, or ``c`` is missing or no list. A
            ``ValueError``.
        ProseAroundJSONError: If there is other text around the JSON. A ``ValueError``.
        TruncatedOutputError: If the answer is cut off. A ``ValueError``.
        SentenceIndexRangeError: If it numbers a sentence that does not exist. A ``ValueError``.
        SentenceIndexTypeError: If a number is a boolean or no integer. A ``TypeError``.
        RefusalError: If it declines.
        BackendError: If it, or the finder's model, cannot be asked.
    """
    if (judge is None) == (evidence_finder is None):
        raise InputError("Exactly one of judge and evidence_finder is needed.")
    index = SentenceIndex(response, documents, split=split)
    if not index.response or not index.context:
        return []
    if evidence_finder is not None:
        return _cited(index, evidence_finder(response, index.documents))
    prompt, schema = prompts.citations(index)
    return decode_citations(cast("Judge", judge)(prompt, schema, max_tokens), index)


def find_context_attributions(
    response: str,
    documents: Iterable[Document | str],
    *,
    judge: Judge,
    history: Iterable[Turn | str] = (),
    max_tokens: int = 2048,
    split: Splitter = split_sentences,
) -> list[Record]:
    """Finds the sentences of documents and conversation that mattered most for a response, by a judge.

    Args:
        response: The response.
        documents: The documents that it was written from.
        judge: Whom to ask.
        history: The conversation before the response, oldest turn first.
        max_tokens: The most tokens that the judge may spend.
        split: How to divide the texts into sentences.

    Returns:
        Records with ``response_begin``, ``response_end``, ``response_text``, ``attribution_doc_id``,
        ``attribution_msg_index``, ``attribution_begin``, ``attribution_end`` and ``attribution_text``, the most
        important first for each response sentence. The id is ``None`` for a turn and for a document without one, the
        index for a document. If the response, or all that it can rest on, is blank, nothing is asked and the list is
        empty.

    Raises:
        AdapterSchemaMismatchError: If the judge leaves out ``r``. No ``ValueError``.
        OutputShapeError: If its answer is no JSON of the wanted shape, or ``c`` is missing or no list. A
            ``ValueError``.
        ProseAroundJSONError: If there is other text around the JSON. A ``ValueError``.
        TruncatedOutputError: If the answer is cut off. A ``ValueError``.
        SentenceIndexRangeError: If it numbers a sentence that does not exist. A ``ValueError``.
        SentenceIndexTypeError: If a number is a boolean or no integer. A ``TypeError``.
        RefusalError: If it declines.
        BackendError: If it cannot be asked.
        InputError: If a text is not a string, or ``split`` does not tile one.
    """
    index = SentenceIndex(response, documents, history=history, split=split)
    if not index.response or not index.context:
        return []
    prompt, schema = prompts.attributions(index)
    return decode_attributions(judge(prompt, schema, max_tokens), index)


def check_answerability(
    question: str,
    documents: Iterable[Document | str],
    *,
    judge: Judge,
    max_tokens: int = 256,
) -> Literal["answerable", "unanswerable"]:
    """Says whether documents hold the answer to a question, by a judge.

    Args:
        question: The question.
        documents: What it is to be answered from.
        judge: Whom to ask.
        max_tokens: The most tokens that the judge may spend.

    Returns:
        ``answerable``: the documents hold the answer. ``unanswerable``: they do not, or only a part of it.

    Raises:
        AdapterSchemaMismatchError: If the judge gives neither of the two labels. No ``ValueError``.
        OutputShapeError: If its answer is no JSON of the wanted shape. A ``ValueError``.
        ProseAroundJSONError: If there is other text around the JSON. A ``ValueError``.
        TruncatedOutputError: If the answer is cut off. A ``ValueError``.
        RefusalError: If it declines.
        BackendError: If it cannot be asked.
        InputError: If the question is blank, or a text is not a string.
    """
    if not question.strip():
        raise InputError("The question is blank.")
    texts = [document.text if isinstance(document, Document) else document for document in documents]
    for position, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"The text of document {position} must be a str, not {type(text).__name__}.")
    prompt, schema = prompts.answerable(question, texts)
    label = decode_answerability(judge(prompt, schema, max_tokens))["answerability"]
    return cast("Literal['answerable', 'unanswerable']", label)


def _cited(index: SentenceIndex, found: Iterable[FoundEvidence]) -> list[Record]:
    """Records of what a finder found, after a look at whether the places exist."""
    evidence = list(found)
    for item in evidence:
        if not 0 <= item.document < len(index.documents):
            raise InputError(f"The evidence finder named document {item.document} of {len(index.documents)}.")
        item.response.of(index.response_text)
        item.span.of(index.documents[item.document].text)
    spans = sorted({item.response for item in evidence})
    which = {span: number for number, span in enumerate(spans)}
    cited = [(which[item.response], item.document, item.span) for item in evidence]
    return citation_records(index.response_text, index.documents, spans=spans, cited=cited)
