"""Output contracts, sentence numbers and decode pipelines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from halt_rag.contracts import (
    Document,
    Numbering,
    SentenceIndex,
    Turn,
    decode_attributions,
    decode_citations,
    decode_hallucinations,
    get_contract,
)
from halt_rag.text.sentences import tile
from halt_rag.text.spans import Span
from tests.case_areas import Case, Check, by_outcome

_PIPELINES = {
    "citations": decode_citations,
    "context-attribution": decode_attributions,
    "hallucination_detection": decode_hallucinations,
}


class _Given:
    """Texts whose sentences are given; ``split`` hands them out."""

    def __init__(self) -> None:
        self.sentences: dict[str, Sequence[str]] = {}

    def text(self, sentences: Sequence[str], joiner: str = " ") -> str:
        return self.of(joiner.join(sentences), sentences)

    def of(self, text: str, sentences: Sequence[str]) -> str:
        self.sentences[text] = sentences
        return text

    def split(self, text: str) -> list[Span]:
        return tile(text, self.sentences[text])


def _index(given: dict[str, Any], response: Sequence[str], joiner: str = " ") -> SentenceIndex:
    texts = _Given()
    return SentenceIndex(
        texts.text(response, joiner),
        [Document(texts.text(d["sentences"], joiner), d.get("doc_id")) for d in given.get("documents", ())],
        history=[Turn(texts.text(t["sentences"], joiner), t.get("role", "")) for t in given.get("history", ())],
        split=texts.split,
    )


def _contract(given: dict[str, Any]) -> object:
    return get_contract(given["contract"]).parse(given["raw"])


def _decode(given: dict[str, Any]) -> object:
    source = given["source"]
    kinds = [source["kind"]] if isinstance(source["kind"], str) else source["kind"]
    index = _index(source, source.get("sentences", ()), source.get("joiner", " "))
    sentence = (index.response if kinds == ["last_message"] else index.context).decode(given["index"])
    value: dict[str, object] = {"begin": sentence.span.start, "end": sentence.span.end, "text": sentence.text}
    if "documents" in kinds:
        value["doc_id"] = sentence.place.doc_id
    if "history" in kinds:
        value["message_index"] = sentence.place.position if sentence.place.kind == "turn" else None
    return value


def _pipeline(given: dict[str, Any]) -> object:
    raw = given["model_output"] if isinstance(given["model_output"], str) else json.dumps(given["model_output"])
    return _PIPELINES[given["pipeline"]](raw, _index(given, given["response_sentences"]))


def _schema(case: Case) -> Check:
    counts = case["input"]
    given = {"documents": [{"sentences": ["X."] * counts["context_sentence_count"]}]}
    bounds = _index(given, ["X."] * counts["response_sentence_count"]).bounds_schema()
    actual = {**bounds, "c_items": bounds["c"]["items"]}
    return Check(_holds(case["expected"], actual), actual)


def _holds(expected: object, actual: object) -> bool:
    """Whether all that is expected is there; more may be."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        return all(key in actual and _holds(value, actual[key]) for key, value in expected.items())
    return expected == actual


def _offsets(case: Case) -> Check:
    given = case["input"]
    texts = _Given()
    actual: dict[str, Any]
    if "tags" in given:
        history = [texts.text(sentences) for sentences in given.get("history", ())]
        documents = [texts.text(sentences) for sentences in given.get("documents", ())]
        response = texts.text(given["response_sentences"])
        index = SentenceIndex(response, documents, history=history, split=texts.split)
        tags = given["tags"]
        actual = {
            "response": index.response.tagged(tags["last_message"])[0],
            "documents": index.context.tagged(tags["documents"])[: len(documents)],
            "history": index.context.tagged(tags["history"])[len(documents) :],
        }
        return Check(_holds(case["expected"], actual), actual)
    before = given.get("first_index", 0)
    earlier = [texts.of("X.", ["X."])] * before
    if "documents" in given:
        documents = [texts.of(text, given["sentences"][i]) for i, text in enumerate(given["documents"])]
        numbers = SentenceIndex("", [*earlier, *documents], split=texts.split).context
        actual = {"tagged": numbers.tagged(given["tag"])[before:], "next_index": len(numbers)}
        return Check(_holds(case["expected"], actual), actual)
    text = texts.of(given["text"], given["sentences"])
    numbers = SentenceIndex("", [*earlier, text], split=texts.split).context
    return _tiling(case["expected"], text, numbers, before, given["tag"])


def _tiling(expected: dict[str, Any], text: str, numbers: Numbering, before: int, tag: str) -> Check:
    sentences = list(numbers)[before:]
    spans = [{"begin": s.span.start, "end": s.span.end, "text": s.text} for s in sentences]
    actual = {"spans": spans, "tagged": numbers.tagged(tag)[before], "next_index": len(numbers)}
    wanted = {key: expected[key] for key in actual if expected.get(key) is not None}
    edges = [0, *(s.span.end for s in sentences)]
    invariants = all(s.span.of(text) == s.text for s in sentences) and all(
        s.span.start == edge for s, edge in zip(sentences, edges, strict=False)
    )
    return Check(invariants and _holds(wanted, actual), actual)


RUNNERS = {
    "contract": by_outcome(_contract),
    "decode-sentences": by_outcome(_decode),
    "decode-schema": _schema,
    "pipeline": by_outcome(_pipeline),
    "sentence-offset": _offsets,
}
