"""Policies: what is passed on, what is raised, what the outcome says; and texts that stay readable."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag import BackendError, HallucinationError, HaltRagError, HaltRagVerifier, InputError, UnknownNameError
from halt_rag.nli.fake import FakeNLI
from halt_rag.policies import MESSAGE, POLICIES, Failure, Guard, Outcome, without
from halt_rag.verify.result import Claim, Verification

SOURCE = "The dam was built in 1967. The lake is deep."
GOOD = "The dam was built in 1967."
BAD = "It is painted red."
UNSURE = {(premise, "It is old."): (0.5, 0.5, 0.0) for premise in (SOURCE, GOOD, "The lake is deep.")}
DOWN = BackendError("The model is gone.", backend="fake", retryable=True)


class Down(FakeNLI):
    def __init__(self) -> None:
        super().__init__()
        self.failure = DOWN


def guard(policy: Any = "annotate", **options: Any) -> Guard:
    return Guard(HaltRagVerifier(backend=FakeNLI(UNSURE)), policy, **options)


def undecided() -> Verification:
    """A verification that abstains: the verifier could not tell of its second claim."""
    result = guard().verifier.verify(SOURCE, f"{GOOD} {BAD}")
    first, second = result.claims
    unclear = second.model_copy(update={"label": None, "reason": "not_read"})
    return result.model_copy(update={"decision": "abstain", "abstain_reason": "not_read", "claims": [first, unclear]})


@pytest.mark.parametrize(
    ("policy", "applied", "text"),
    [
        ("annotate", "passed", f"{GOOD} {BAD}"),
        ("filter", "filtered", GOOD),
        ("abstain_message", "replaced", MESSAGE),
        (lambda result, text: f"[{result.decision}] {text}", "custom", f"[hallucinated] {GOOD} {BAD}"),
    ],
    ids=["annotate", "filter", "abstain_message", "callable"],
)
def test_what_happens_to_a_text_that_fails(policy: Any, applied: str, text: str) -> None:
    outcome = guard(policy).check(SOURCE, f"{GOOD} {BAD}")
    assert (outcome.applied, outcome.text) == (applied, text)
    assert outcome.policy == (policy if isinstance(policy, str) else "custom")
    assert outcome.verification == guard().verifier.verify(SOURCE, f"{GOOD} {BAD}")
    assert outcome.error is None
    assert [claim.text for claim in outcome.dropped] == ([BAD] if policy == "filter" else [])


def test_raise_raises_with_the_result_and_without_texts() -> None:
    with pytest.raises(HallucinationError) as caught:
        guard("raise").check(SOURCE, f"{GOOD} {BAD}")
    assert isinstance(caught.value.result, Verification)
    assert caught.value.result.decision == "hallucinated"
    assert "1 of 2 claims" in str(caught.value)
    assert BAD not in str(caught.value)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("fail_on", ["hallucinated", "abstain", None])
def test_a_text_that_holds_passes_whatever_the_policy(policy: Any, fail_on: Any) -> None:
    outcome = guard(policy, fail_on=fail_on).check(SOURCE, f"Hello! {GOOD}")
    assert (outcome.applied, outcome.text, outcome.dropped) == ("passed", f"Hello! {GOOD}", [])


@pytest.mark.parametrize(
    ("policy", "fail_on", "expected"),
    [
        ("annotate", None, "passed"),
        ("annotate", "abstain", "passed"),
        ("filter", None, "passed"),
        ("filter", "abstain", "filtered"),
        ("abstain_message", None, "replaced"),
        ("abstain_message", "hallucinated", "passed"),
        ("raise", None, "passed"),
        ("raise", "abstain", HallucinationError),
    ],
)
def test_what_happens_where_the_verifier_abstains(policy: Any, fail_on: Any, expected: Any) -> None:
    one = guard(policy, fail_on=fail_on)
    if isinstance(expected, type):
        with pytest.raises(expected, match="Of 1 of 2 claims it could not be told"):
            one.settle(f"{GOOD} {BAD}", undecided())
    else:
        assert one.settle(f"{GOOD} {BAD}", undecided()).applied == expected


@pytest.mark.parametrize("policy", [*POLICIES, lambda result, text: text])
@pytest.mark.parametrize("on_error", ["open", "closed"])
def test_a_verifier_that_fails_gives_no_verdict(policy: Any, on_error: Any) -> None:
    one = Guard(HaltRagVerifier(backend=Down()), policy, on_error)
    if policy == "raise" and on_error == "closed":
        with pytest.raises(BackendError, match="gone"):
            one.check(SOURCE, GOOD)
        return
    outcome = one.check(SOURCE, GOOD)
    assert outcome.applied == f"error_{on_error}"
    assert outcome.text == (GOOD if on_error == "open" else MESSAGE)
    assert outcome.verification is None
    assert outcome.error == Failure(code="BACKEND", message="The model is gone.", hint="", retryable=True)
    assert '"decision"' not in outcome.to_json()


def test_input_that_cannot_be_verified_is_a_failure_too() -> None:
    outcome = guard("annotate").check("", GOOD)
    assert (outcome.applied, outcome.text) == ("error_closed", MESSAGE)
    assert outcome.error is not None
    assert outcome.error.code == "INPUT"


def test_errors_of_the_program_are_not_relabelled() -> None:
    def broken(result: Verification, text: str) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        guard(broken, on_error="open").check(SOURCE, BAD)


def test_async_is_the_same() -> None:
    one = guard("filter")
    assert asyncio.run(one.acheck(SOURCE, f"{GOOD} {BAD}")) == one.check(SOURCE, f"{GOOD} {BAD}")


def test_the_question_is_passed_on() -> None:
    whole = guard().check("The dam was built in 1967.", "1967.", "When was the dam built?")
    assert whole.verification == guard().verifier.verify(
        "The dam was built in 1967.", "1967.", "When was the dam built?"
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"policy": "filtre"}, UnknownNameError, "Did you mean 'filter'"),
        ({"on_error": "opne"}, UnknownNameError, "Did you mean 'open'"),
        ({"fail_on": "never"}, UnknownNameError, "Known: abstain, hallucinated"),
        ({"message": " "}, InputError, "message is blank"),
    ],
)
def test_settings_are_checked_at_once(options: dict[str, Any], error: type[HaltRagError], message: str) -> None:
    with pytest.raises(error, match=message):
        guard(**options)


def test_an_outcome_survives_json() -> None:
    outcome = guard("filter").check(SOURCE, f"{GOOD} {BAD}")
    assert Outcome.model_validate_json(outcome.to_json()) == outcome


# What is left of a text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{BAD} {GOOD}", GOOD),
        (f"{GOOD} {BAD} {GOOD}", f"{GOOD} {GOOD}"),
        (f"- {GOOD}\n- {BAD}\n- {GOOD}\n", f"- {GOOD}\n- {GOOD}\n"),
        (f"- {BAD} {GOOD}\n- {GOOD}", f"- {GOOD}\n- {GOOD}"),
        (f"- {BAD}\n  {GOOD}\n- {GOOD}", f"- {GOOD}\n- {GOOD}"),
        (f"1. {GOOD}\n2. {BAD}\n", f"1. {GOOD}\n"),
        (f"> {BAD}\n\n{GOOD}", GOOD),
        (f"{GOOD}\n\n{BAD}\n\n{GOOD}", f"{GOOD}\n\n{GOOD}"),
        (f"{GOOD}\r\n\r\n{BAD}\r\n\r\n{GOOD}\r\n", f"{GOOD}\r\n\r\n{GOOD}\r\n"),
        (
            "| dam | built |\n|---|---|\n| cow | moo |\n| lake | deep |\n",
            "| dam | built |\n|---|---|\n| lake | deep |\n",
        ),
        (f"{GOOD}\n\n```python\nbuilt\nmoo = 1\n```\n\n{GOOD}\n", f"{GOOD}\n\n{GOOD}\n"),
        (f"A. Smith is tall. {GOOD}", GOOD),
    ],
)
def test_a_filtered_text_is_readable(text: str, left: str) -> None:
    outcome = guard("filter").settle(text, judged(text))
    assert outcome.text == left
    assert outcome.applied == "filtered"
    assert not [word for word in BAD_WORDS if word in outcome.text]


BAD_WORDS = ("red", "moo", "tall", "红")


def judged(text: str) -> Verification:
    """A verification of a text in which the claims with a bad word are unfaithful, and the others faithful."""
    result = guard().verifier.verify(SOURCE, text)
    claims = [
        claim
        if claim.label == "NA"
        else claim.model_copy(
            update={"label": "unfaithful" if any(word in claim.text for word in BAD_WORDS) else "faithful"}
        )
        for claim in result.claims
    ]
    return result.model_copy(update={"claims": claims, "decision": "hallucinated"})


def test_a_rule_goes_with_the_header_of_its_table() -> None:
    header = "| cow | moo |"
    assert (
        without(f"{header}\n|---|---|\n| dam | built |\n", [claim_at(0, header, "unfaithful")]) == "| dam | built |\n"
    )


def test_a_text_that_fails_without_a_sentence_to_blame_does_not_pass() -> None:
    result = guard().verifier.verify(SOURCE, GOOD).model_copy(update={"decision": "hallucinated"})
    assert guard("filter").settle(GOOD, result).applied == "replaced"


def test_where_nothing_checked_is_left_the_message_stands() -> None:
    outcome = guard("filter").check(SOURCE, f"Hello! {BAD}")
    assert (outcome.applied, outcome.text) == ("replaced", MESSAGE)
    assert [claim.text for claim in outcome.dropped] == [BAD]


def test_sentences_without_spaces_between_them_get_none() -> None:
    text = "大坝很大。它是红色的。湖很深。"
    outcome = guard("filter").settle(text, judged(text))
    assert outcome.text == "大坝很大。湖很深。"


def claim_at(start: int, text: str, label: Any) -> Claim:
    return Claim(
        start=start, end=start + len(text), text=text, label=label, p_hallucinated=None, reason=None, evidence=[]
    )


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from([" ", "\n", "\n\n", "\n- ", "\r\n"])), min_size=1, max_size=12)
)
def test_what_is_dropped_goes_and_the_rest_stays(parts: list[tuple[bool, str]]) -> None:
    text, dropped, kept = "", [], []
    for number, (drop, gap) in enumerate(parts):
        sentence = f"Sentence number {number:02d}."
        if drop:
            dropped.append(claim_at(len(text), sentence, "unfaithful"))
        else:
            kept.append(sentence)
        text += sentence + gap
    left = without(text, dropped)
    places = [left.find(sentence) for sentence in kept]
    assert -1 not in places
    assert places == sorted(places)
    assert not any(claim.text in left for claim in dropped)
    assert not dropped or len(left) < len(text)
    assert without(text, []).rstrip() == text.rstrip()
    assert "\n- \n" not in left
    assert "  " not in left.replace("\n", "x")


def test_filtering_takes_linear_time() -> None:
    sentences = [f"Sentence number {n}." for n in range(4000)]
    text = " ".join(sentences)
    starts, at = [], 0
    for sentence in sentences:
        starts.append(at)
        at += len(sentence) + 1
    dropped = [claim_at(s, t, "unfaithful") for s, t in zip(starts[::2], sentences[::2], strict=True)]
    left = without(text, dropped)
    assert left == " ".join(sentences[1::2])


@pytest.mark.parametrize("returned", [None, 5, b"text"])
def test_a_callable_must_return_a_text(returned: object) -> None:
    guard = Guard(HaltRagVerifier(backend=FakeNLI()), policy=lambda _, __: returned)  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match=f"a str, not {type(returned).__name__}"):
        guard.check("It rained.", "It rained.")
