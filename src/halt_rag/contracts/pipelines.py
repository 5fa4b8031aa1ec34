"""From what a function's model wrote, with sentence numbers in it, to records with offsets and texts.

The steps are the same for all: read the JSON, find each numbered sentence, build records, check them by the function's
contract. An array is expected; an object whose only key is ``items`` is accepted too, since servers that enforce
schemas want an object at the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from halt_rag.contracts import answerability, citations, context_attribution, hallucination_detection
from halt_rag.contracts.base import ArrayContract, ObjectContract, Record
from halt_rag.contracts.errors import OutputShapeError
from halt_rag.contracts.sentence_index import Document, Sentence, SentenceIndex
from halt_rag.contracts.strict_json import kind, load
from halt_rag.errors import AdapterSchemaMismatchError, InputError
from halt_rag.text.spans import Span

Cited = tuple[int, int, Span]
"""A citation before it is a record: which response span, which document, where in it."""

_PAIR_KEYS: Final = {"r": "sentence of the response"}
_HALLUCINATION_KEYS: Final = {**_PAIR_KEYS, "f": "faithfulness", "e": "explanation"}


def decode_hallucinations(raw: str, index: SentenceIndex) -> list[Record]:
    """Records of ``hallucination_detection`` from ``[{"r": 0, "f": "faithful", "e": "why"}, ...]``.

    Args:
        raw: The output: ``r`` is a sentence of the response, ``f`` its label, ``e`` the explanation.
        index: The sentences that were numbered for the model.

    Returns:
        The records that the contract keeps, in the order of the output.

    Raises:
        OutputShapeError: If the output is not a JSON array of objects (a ``ValueError``).
        SentenceIndexTypeError: If ``r`` is a boolean or no integer (a ``TypeError``).
        SentenceIndexRangeError: If the response has no such sentence (a ``ValueError``).
        AdapterSchemaMismatchError: If a key is missing, a label is none of the four, an explanation is no string, or
            two records disagree about a sentence.
    """
    contract = hallucination_detection.CONTRACT
    records = [
        {**_response_part(index.response.decode(entry["r"])), "faithfulness": entry["f"], "explanation": entry["e"]}
        for entry in _entries(contract, raw, keys=_HALLUCINATION_KEYS)
    ]
    return _accepted(contract, records)


def decode_citations(raw: str, index: SentenceIndex) -> list[Record]:
    """Records of ``citations`` from ``[{"r": 0, "c": [2, 3]}, ...]``.

    Neighbouring sentences of one document that are cited for the same response sentence become one record; a pair
    that is named twice counts once. Documents are told apart by position, whatever their ids are.

    Args:
        raw: The output: ``r`` is a sentence of the response, ``c`` the sentences of documents that it rests on.
        index: The sentences that were numbered for the model; without a conversation, which cannot be cited.

    Returns:
        The records in the order of the response, then of the documents.

    Raises:
        InputError: If the index has turns of a conversation.
        OutputShapeError: If the output is not a JSON array of objects, or ``c`` is missing or no list.
        SentenceIndexTypeError: If a sentence number is a boolean or no integer.
        SentenceIndexRangeError: If there is no such sentence.
        AdapterSchemaMismatchError: If ``r`` is missing.
    """
    if index.history:
        raise InputError("Citations are of documents only.", hint="Build the SentenceIndex without a history.")
    cited = [
        (response.index, source.place.position, source.span)
        for response, source in _pairs(citations.CONTRACT, raw, index=index)
    ]
    spans = [sentence.span for sentence in index.response]
    return citation_records(index.response_text, index.documents, spans=spans, cited=cited)


def decode_attributions(raw: str, index: SentenceIndex) -> list[Record]:
    """Records of ``context-attribution`` from ``[{"r": 0, "c": [7, 2]}, ...]``.

    One record for each pair of sentences, in the order of the output, which is that of importance; nothing is merged
    or sorted. A pair that is named twice counts once, where it stands first.

    Args:
        raw: The output: ``r`` is a sentence of the response, ``c`` sentences of documents and earlier turns.
        index: The sentences that were numbered for the model.

    Returns:
        The records.

    Raises:
        OutputShapeError: If the output is not a JSON array of objects, or ``c`` is missing or no list.
        SentenceIndexTypeError: If a sentence number is a boolean or no integer.
        SentenceIndexRangeError: If there is no such sentence.
        AdapterSchemaMismatchError: If ``r`` is missing.
    """
    records = [
        {
            **_response_part(response),
            "attribution_doc_id": source.place.doc_id,
            "attribution_msg_index": source.place.position if source.place.kind == "turn" else None,
            "attribution_begin": source.span.start,
            "attribution_end": source.span.end,
            "attribution_text": source.text,
        }
        for response, source in _pairs(context_attribution.CONTRACT, raw, index=index)
    ]
    return _accepted(context_attribution.CONTRACT, records)


def decode_answerability(raw: str) -> Record:
    """The object of ``answerability`` from ``"answerable"``, ``"unanswerable"`` or an object with that key.

    Raises:
        OutputShapeError: If the output is neither a JSON string nor a JSON object.
        AdapterSchemaMismatchError: If the label is none of the two.
    """
    contract: ObjectContract = answerability.CONTRACT
    value = load(contract.name, raw)
    record = contract.accept({"answerability": value} if isinstance(value, str) else value)
    if record["answerability"] not in answerability.LABELS:
        reason = f"answerability must be {' or '.join(answerability.LABELS)}, not {record['answerability']!r:.60}"
        raise AdapterSchemaMismatchError(contract.name, record, contract.expected_keys, reason)
    return record


def citation_records(
    response: str, documents: tuple[Document, ...], *, spans: list[Span], cited: list[Cited]
) -> list[Record]:
    """Records of ``citations``, merged where cited spans of a document touch or only white space is between them.

    Args:
        response: The response.
        documents: The documents.
        spans: The spans of the response that are cited for.
        cited: Which of those spans rests on which span of which document, in any order and with repeats.

    Returns:
        The records in the order of ``spans``, then of the documents.
    """
    merged: list[Cited] = []
    for which, position, span in sorted(cited):
        if merged and merged[-1][:2] == (which, position):
            before = merged[-1][2]
            if not documents[position].text[before.end : span.start].strip():
                merged[-1] = (which, position, Span(before.start, max(before.end, span.end)))
                continue
        merged.append((which, position, span))
    records = [
        {
            **_span_part(spans[which], spans[which].of(response)),
            "citation_doc_id": documents[position].doc_id,
            "citation_begin": span.start,
            "citation_end": span.end,
            "citation_text": span.of(documents[position].text),
        }
        for which, position, span in merged
    ]
    return _accepted(citations.CONTRACT, records)


def _accepted(contract: ArrayContract, records: list[Record]) -> list[Record]:
    items: list[Record] = contract.accept(records)["items"]
    return items


def _entries(contract: ArrayContract, raw: str, *, keys: dict[str, str]) -> Iterator[Record]:
    value = load(contract.name, raw)
    if isinstance(value, dict) and value.keys() == {"items"}:
        value = value["items"]
    if not isinstance(value, list):
        raise OutputShapeError(f"The output of {contract.name} must be a JSON array, not {kind(value)}.")
    for position, entry in enumerate(value):
        if not isinstance(entry, dict):
            reason = f"must contain only JSON objects, not {kind(entry)} (record {position})"
            raise OutputShapeError(f"The output of {contract.name} {reason}.")
        for key, meaning in keys.items():
            if key not in entry:
                reason = f"record {position}: {key} ({meaning}) is missing"
                raise AdapterSchemaMismatchError(contract.name, entry, keys, reason)
        yield entry


def _pairs(contract: ArrayContract, raw: str, *, index: SentenceIndex) -> Iterator[tuple[Sentence, Sentence]]:
    """Each pair of a response sentence and a context sentence once, in the order of the output."""
    seen: set[tuple[int, int]] = set()
    for position, entry in enumerate(_entries(contract, raw, keys=_PAIR_KEYS)):
        numbers: Any = entry.get("c")
        if not isinstance(numbers, list):
            what = f"not {kind(numbers)}" if "c" in entry else "but is missing"
            raise OutputShapeError(f"In the output of {contract.name} c must be a list, {what} (record {position}).")
        response = index.response.decode(entry["r"])
        for number in numbers:
            source = index.context.decode(number)
            if (response.index, source.index) not in seen:
                seen.add((response.index, source.index))
                yield response, source


def _span_part(span: Span, text: str) -> Record:
    return {"response_begin": span.start, "response_end": span.end, "response_text": text}


def _response_part(sentence: Sentence) -> Record:
    return _span_part(sentence.span, sentence.text)
