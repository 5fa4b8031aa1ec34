from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from halt_rag.contracts import RefusalError
from halt_rag.errors import BackendError, InputError
from halt_rag.nli.fake import FakeNLI
from halt_rag.sufficiency import Sufficiency, check_sufficiency
from halt_rag.sufficiency.judged import SCHEMA
from halt_rag.sufficiency.searched import covered, entailed, nearest_sentences, probability
from halt_rag.verify.verifier import HaltRagVerifier, Passage

CONTEXT = "The mill at Ely was built in 1967. Ada Byron ran the mill.\nIt burned 40 tonnes of coal a day."


def verifier() -> HaltRagVerifier:
    return HaltRagVerifier(backend=FakeNLI(), locate_evidence=False)


def judge_saying(answer: object) -> Any:
    def judge(prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        assert CONTEXT in prompt
        assert "When was the mill built?" in prompt
        assert max_tokens > 0
        return answer if isinstance(answer, str) else json.dumps(answer)

    return judge


def asked(answer: object) -> Sufficiency:
    return check_sufficiency("When was the mill built?", CONTEXT, judge=judge_saying(answer))


def sub(answered: bool, quote: str | None) -> dict[str, Any]:
    return {"question": "When?", "answered": answered, "quote": quote}


@pytest.mark.parametrize(
    ("label", "subs", "expected", "reason"),
    [
        ("sufficient", [sub(True, "built in 1967")], "sufficient", "quote"),
        ("sufficient", [sub(True, "Ada Byron ran the mill. It burned")], "sufficient", "quote"),
        ("sufficient", [sub(True, "built in 1968")], "undetermined", "quotes are not in the context"),
        ("sufficient", [sub(True, None)], "undetermined", "quotes are not in the context"),
        ("sufficient", [sub(False, None)], "undetermined", "unanswered"),
        ("insufficient", [sub(False, None)], "insufficient", "Not in the context"),
        ("insufficient", [sub(True, "built in 1967")], "undetermined", "answers every"),
        ("sufficient", [], "undetermined", "sub-questions"),
        ("maybe", [sub(True, "built in 1967")], "undetermined", "no label"),
        ("sufficient", [{"question": "When?"}], "undetermined", "cannot be read"),
    ],
)
def test_a_judges_label_holds_only_with_its_quotes(label: str, subs: list[Any], expected: str, reason: str) -> None:
    result = asked({"sub_questions": subs, "label": label})
    assert (result.verdict, result.engine) == (expected, "judge")
    assert reason in result.reason


@pytest.mark.parametrize("answer", ["yes, it is", "", '{"label": "suff', "[]", "null"])
def test_an_unreadable_answer_is_no_label(answer: str) -> None:
    assert asked(answer).verdict == "undetermined"


def test_a_refusal_is_undetermined_and_an_outage_is_an_error() -> None:
    def refuses(prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        raise RefusalError("no")

    def fails(prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        raise BackendError("down", backend="judge")

    assert check_sufficiency("When?", CONTEXT, judge=refuses).verdict == "undetermined"
    with pytest.raises(BackendError):
        check_sufficiency("When?", CONTEXT, judge=fails)


def test_the_judges_schema_is_strict() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate({"sub_questions": [sub(True, None)], "label": "sufficient"}, SCHEMA)


def test_a_known_answer_is_checked_against_the_context() -> None:
    context = "The old mill by the river in the town of Ely was built in 1967 by two brothers."
    for year, verdict, reason in (
        ("1967", "sufficient", "supports"),
        ("1967 not", "insufficient", "contradicts"),
        ("1868", "insufficient", "does not state"),
    ):
        answer = f"The old mill by the river in the town of Ely was built in {year}."
        result = check_sufficiency("When was the mill built?", context, answer=answer, verifier=verifier())
        assert (result.verdict, result.engine) == (verdict, "answer")
        assert reason in result.reason
        assert result.p_sufficient is not None
        assert (result.p_sufficient > 0.5) == (verdict == "sufficient")


@pytest.mark.parametrize(
    ("answer", "entailed_", "verdict"),
    [
        ("1967", 0.99, "sufficient"),
        ("1967", 0.01, "undetermined"),
        ("1968", 0.99, "undetermined"),
        ("1968", 0.01, "insufficient"),
    ],
)
def test_a_short_answer_needs_its_words_and_the_verifier(answer: str, entailed_: float, verdict: str) -> None:
    question = "When was the mill built?"
    # In whatever words the verifier asks, the model gives one answer.
    asking = FakeNLI()
    check_sufficiency(question, CONTEXT, answer=answer, verifier=HaltRagVerifier(backend=asking, locate_evidence=False))
    pairs = [pair for call in asking.calls for pair in call]
    said = {(pair.premise, pair.hypothesis): (entailed_, 1 - entailed_, 0.0) for pair in pairs}
    used = HaltRagVerifier(backend=FakeNLI(said), locate_evidence=False)
    assert check_sufficiency(question, CONTEXT, answer=answer, verifier=used).verdict == verdict


def test_the_nearest_sentences_come_first() -> None:
    near = nearest_sentences("Who ran the mill?", [Passage("1", CONTEXT)])
    assert near[0] == "Ada Byron ran the mill."
    assert covered("Who ran the mill?", near) == 1
    assert covered("Who owns the brewery?", near) == 0
    assert covered("who?", near) == 0


def test_more_support_and_more_coverage_never_lower_the_probability() -> None:
    steps = [at / 10 for at in range(11)]
    for fixed in steps:
        assert sorted(probability(one, fixed) for one in steps) == [probability(one, fixed) for one in steps]
        assert sorted(probability(fixed, one) for one in steps) == [probability(fixed, one) for one in steps]


def test_the_search_reads_every_window_and_asks_the_verifiers_model() -> None:
    question = "When was the mill at Ely built?"
    hypothesis = f'The text answers the question "{question}"'
    backend = FakeNLI({(CONTEXT, hypothesis): (0.9, 0.1, 0.0)})
    assert entailed(question, [Passage("1", "Other."), Passage("2", CONTEXT)], backend) == pytest.approx(0.9)
    long = "It rained on the moor all day. " * 200
    assert entailed(question, [Passage("1", long)], backend) < 0.5
    assert sum(len(call) for call in backend.calls) > 3
    assert entailed("why " * 600, [Passage("1", CONTEXT)], backend) == 0


@pytest.mark.parametrize(
    ("question", "said", "verdict"),
    [
        ("When was the mill at Ely built?", 0.99, "sufficient"),
        ("When was the mill at Ely painted?", 0.5, "undetermined"),
        ("Who won the cup final?", 0.1, "insufficient"),
    ],
)
def test_the_search_needs_the_words_and_the_entailment(question: str, said: float, verdict: str) -> None:
    backend = FakeNLI({(CONTEXT, f'The text answers the question "{question}"'): (said, 1 - said, 0.0)})
    result = check_sufficiency(question, CONTEXT, verifier=HaltRagVerifier(backend=backend))
    assert (result.verdict, result.engine) == (verdict, "search")
    assert result.p_sufficient is not None
    assert len(result.nearest) == 3
    assert Sufficiency.model_validate_json(result.model_dump_json()) == result


@pytest.mark.parametrize(("question", "context"), [("", "x"), ("  ", "x"), ("q", ""), ("q", []), ("q", ["", " "])])
def test_nothing_to_ask_is_an_input_error(question: str, context: Any) -> None:
    with pytest.raises(InputError):
        check_sufficiency(question, context, verifier=verifier())
