"""The groundedness requirement: span extraction, parsers, verdict rule, results, repair text, the check itself."""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import httpx

from halt_rag.contracts import Document, FoundEvidence, Judge, OllamaJudge, OpenAICompatibleJudge, TransformersJudge
from halt_rag.groundedness.engines import Judgment
from halt_rag.groundedness.log import log_line
from halt_rag.groundedness.parse import Reading, parse_necessity, parse_support
from halt_rag.groundedness.repair import Checked, repair_text
from halt_rag.groundedness.requirement import GroundednessRequirement, result_of
from halt_rag.groundedness.result import ValidationResult
from halt_rag.groundedness.spans import cut
from halt_rag.groundedness.verdict import JudgedSpan, Necessity, Support
from halt_rag.text.spans import Span
from tests.case_areas import Case, Check

Input = dict[str, Any]
_RAISES = re.compile(r"(?:raise )?(\w+)\((.*)\)", re.DOTALL)


def _exception(text: str) -> Exception:
    """The built-in exception that ``ValueError('x')`` spells."""
    match = _RAISES.fullmatch(text)
    assert match, text
    kind = getattr(builtins, match[1])
    error = kind(*ast.literal_eval(f"({match[2]},)")) if match[2] else kind()
    assert isinstance(error, Exception)
    return error


def _result(given: Input) -> ValidationResult:
    error = given.get("error")
    passed: bool = given["passed"] if "passed" in given else given["result"]
    return ValidationResult(passed, given.get("reason"), None if error is None else _exception(error))


def _answers(output: object) -> str:
    """What a judge does with an output of a case: raise it, or return it."""
    if isinstance(output, str) and output.startswith("raise "):
        raise _exception(output)
    return output  # type: ignore[return-value]


class _Judge:
    """Answers the stages of a case, which it tells apart by the keys that the schema asks for."""

    def __init__(self, given: Input) -> None:
        self.given = given
        self.calls = 0

    def __call__(self, prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        entry = schema["properties"]["items"]["items"]["properties"]
        if "c" in entry:
            return self._citations(entry["r"]["maximum"] + 1)
        self.calls += 1
        return _answers(self.given["necessity_output" if "needs_citation" in entry else "support_output"])

    def _citations(self, sentences: int) -> str:
        record = re.search(r"c=(\d+)", self.given["citations"])
        return json.dumps([{"r": sentences - 1, "c": [int(record[1])]}]) if record else self.given["citations"]


def _finder(citations: object) -> Callable[[str, Sequence[Document]], list[FoundEvidence]]:
    def find(response: str, documents: Sequence[Document], /) -> list[FoundEvidence]:
        whole = Span(0, len(documents[0].text))
        ranges: Any = _answers(citations)
        return [FoundEvidence(Span(*ends), 0, whole) for ends in ranges]

    return find


class NoAdapterSupport:
    """An engine that cannot be asked."""


def _setup(case: Case) -> Check:
    given = case["input"]
    judge = _Judge({})
    engine: Any = NoAdapterSupport() if "backend" in given else judge
    result = GroundednessRequirement(given["documents"], judge=engine).check(given["conversation"])
    return _judged(case, result, judge.calls)


def _stage(case: Case) -> Check:
    given = case["input"]
    judge = _Judge(given)
    citations = given["citations"]
    by_judge = isinstance(citations, str) and not citations.startswith("raise ")
    requirement = GroundednessRequirement(
        given["documents"],
        given.get("allow_partial_support", False),
        judge=judge,
        citations=None if by_judge else _finder(citations),
    )
    return _judged(case, requirement.check(given["response"]), judge.calls)


def _verdict(case: Case) -> Check:
    given = case["input"]
    spans = [
        JudgedSpan(
            Span(2 * place, 2 * place + 1),
            span["text"],
            cited=span["cited"],
            necessity=Necessity[span["necessity"]],
            support=None if span["support"] is None else Support[span["support"]],
        )
        for place, span in enumerate(given["spans"])
    ]
    result = result_of(Judgment(tuple(spans)), allow_partial=given["allow_partial_support"])
    return _judged(case, result, 0)


def _judged(case: Case, result: ValidationResult, calls: int) -> Check:
    """Whether a result is as expected. An expectation that is not known here fails the case."""
    reason, error = result.reason or "", str(result.error)

    def names(text: str) -> bool:
        flat = " ".join(text.split())
        return f'"{flat}"' in reason or (len(flat) > 3 and flat in reason)

    checks: dict[str, Callable[[Any], bool]] = {
        "verdict": lambda wanted: result.status == wanted,
        "as_bool": lambda wanted: result.as_bool() is wanted and bool(result) is wanted,
        "reason": lambda wanted: result.reason == wanted,
        "reason_contains": lambda wanted: all(part in reason for part in wanted),
        "reason_names": lambda wanted: all(map(names, wanted)),
        "reason_must_not_name": lambda wanted: not any(map(names, wanted)),
        "error_set": lambda wanted: (result.error is not None) is wanted,
        "error_message_contains": lambda wanted: all(part in error for part in wanted),
        "model_calls": lambda wanted: calls == wanted,
    }
    held = all(key in checks and checks[key](wanted) for key, wanted in case["expected"].items())
    return Check(held, f"{result!r}, {calls} model calls")


def _parser(parse: Callable[[str, int], Sequence[Reading[Any]]]) -> Callable[[Case], Check]:
    def run(case: Case) -> Check:
        readings = parse(case["input"]["output"], case["input"]["span_count"])
        actual = {str(place): reading.value.name for place, reading in enumerate(readings)}
        noted = all(bool(reading.note) == (reading.value.name == "UNKNOWN") for reading in readings)
        return Check(noted and actual == case["expected"], actual)

    return run


def _spans(case: Case) -> Check:
    given = case["input"]
    found = cut(given["response"], map(tuple, given["citation_ranges"]))
    actual = [{"begin": s.span.start, "end": s.span.end, "text": s.text, "cited": s.cited} for s in found]
    return Check(actual == case["expected"], actual)


def _repair(case: Case) -> Check:
    given, expected = case["input"], case["expected"]
    text = repair_text([Checked(r["description"], _result(r)) for r in given["results"]], given["strategy"])
    bullets = [line for line in text.splitlines() if line.startswith("*")]
    held = (
        ("lines" not in expected or bullets == expected["lines"])
        and all(part in text for part in expected.get("contains", ()))
        and not any(part in text for part in expected.get("must_not_contain", ()))
        and expected.keys() <= {"lines", "contains", "must_not_contain"}
    )
    return Check(held, text)


def _validation(case: Case) -> Check:
    result, expected = _result(case["input"]), dict(case["expected"])
    in_repr = expected.pop("repr_contains", ())
    actual = {"as_bool": result.as_bool(), "reason": result.reason, "error": result.error, "status": result.status}
    held = all(part in repr(result) for part in in_repr) and bool(result) is result.as_bool()
    return Check(held and expected.items() <= actual.items(), repr(result))


def _options(case: Case) -> Check:
    cap = case["input"]["max_new_tokens"]
    sent: dict[str, dict[str, Any]] = {}

    def serve(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        sent[request.url.path] = body
        reply = {"message": {"content": "[]"}, "finish_reason": "stop"}
        return httpx.Response(200, json={"choices": [reply], "done": True, **reply})

    client = httpx.Client(transport=httpx.MockTransport(serve))
    options: dict[str, Any] = {}
    judges: dict[str, Judge] = {
        "openai_compatible": OpenAICompatibleJudge("m", base_url="http://judge/v1", client=client),
        "ollama": OllamaJudge("m", base_url="http://judge", client=client),
        "hf": TransformersJudge(_Model(options), _Tokenizer()),
    }
    for judge in judges.values():
        GroundednessRequirement("The sky is blue.", judge=judge, max_new_tokens=cap).check("The sky is blue.")
    sent["hf"] = options
    found = {
        "openai_compatible": sent["/v1/chat/completions"],
        "ollama": sent["/api/chat"]["options"],
        "hf": sent["hf"],
    }
    wanted = {name: setting.split("=") for name, setting in case["expected"].items()}
    held = all(name in found and found[name].get(key) == int(value) for name, (key, value) in wanted.items())
    return Check(held, found)


class _Tokenizer:
    """As much of a tokenizer as a judge needs."""

    chat_template = "{{ messages }}"

    def apply_chat_template(self, *_: object, **__: object) -> Any:
        inputs = {"input_ids": SimpleNamespace(shape=(1, 0))}
        return type("Inputs", (dict,), {"to": lambda self, device: self})(inputs)

    def decode(self, *_: object, **__: object) -> str:
        return "[]"


class _Model:
    """As much of a model as a judge needs; records its options."""

    device = "cpu"
    generation_config = SimpleNamespace(eos_token_id=0)

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options

    def generate(self, **options: Any) -> Any:
        self.options.update(options)
        answer = type("Answer", (list,), {"tolist": lambda self: list(self)})
        return [answer([0])]


def _debug(case: Case) -> Check:
    given, expected = case["input"]["result"], case["expected"]
    line = log_line(given["description"], _result(given))
    held = (
        all(part in line for part in expected.get("log_contains", ()))
        and not any(part in line for part in expected.get("log_must_not_contain", ()))
        and expected.keys() <= {"log_contains", "log_must_not_contain"}
    )
    return Check(held, line)


RUNNERS = {
    "setup": _setup,
    "stage": _stage,
    "span-extraction": _spans,
    "parser-support": _parser(parse_support),
    "parser-necessity": _parser(parse_necessity),
    "verdict": _verdict,
    "repair-text": _repair,
    "validation-result": _validation,
    "model-options": _options,
    "debug-log": _debug,
}
