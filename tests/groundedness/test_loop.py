"""The loop: when it goes on, what the generator is told, and what is kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from halt_rag.errors import BackendError, InputError, UnknownNameError
from halt_rag.groundedness.loop import Feedback, Validated, agenerate_validated, generate_validated
from halt_rag.groundedness.requirement import GroundednessRequirement
from halt_rag.groundedness.result import ValidationResult
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.verifier import HaltRagVerifier

PASS, FAIL = ValidationResult(True), ValidationResult(False, "too long")
OUTAGE = ValidationResult(False, error=BackendError("CANARY", backend="b", retryable=True))

Run = Callable[..., Validated]


def synchronous(generate: Callable[[Feedback | None], Any], *args: Any, **kwargs: Any) -> Validated:
    return generate_validated(generate, *args, **kwargs)


def asynchronous(generate: Callable[[Feedback | None], Any], *args: Any, **kwargs: Any) -> Validated:
    async def agenerate(feedback: Feedback | None) -> Any:
        await asyncio.sleep(0)
        return generate(feedback)

    return asyncio.run(agenerate_validated(agenerate, *args, **kwargs))


@pytest.fixture(params=[synchronous, asynchronous])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


@dataclass
class Scripted:
    """A requirement with a result for each attempt."""

    results: Sequence[ValidationResult]
    description: str = "be brief"
    checked: list[str] = field(default_factory=list)

    def check(self, response: str, /) -> ValidationResult:
        self.checked.append(response)
        return self.results[len(self.checked) - 1]


@dataclass
class Generator:
    """Says R0, R1 ... and keeps what it was told."""

    told: list[Feedback | None] = field(default_factory=list)

    def __call__(self, feedback: Feedback | None) -> str:
        self.told.append(feedback)
        return f"R{len(self.told) - 1}"


@pytest.mark.parametrize(
    ("results", "repair_errors", "stopped_by", "statuses"),
    [
        ([PASS], False, "pass", ["pass"]),
        ([FAIL, PASS], False, "pass", ["fail", "pass"]),
        ([FAIL, FAIL, FAIL], False, "attempts", ["fail"] * 3),
        ([OUTAGE], False, "error", ["error"]),
        ([FAIL, OUTAGE], False, "error", ["fail", "error"]),
        ([OUTAGE, OUTAGE, OUTAGE], True, "attempts", ["error"] * 3),
        ([OUTAGE, PASS], True, "pass", ["error", "pass"]),
    ],
)
def test_when_it_stops(
    run: Run, results: list[ValidationResult], stopped_by: str, statuses: list[str], *, repair_errors: bool
) -> None:
    generator, requirement = Generator(), Scripted(results)
    done = run(generator, [requirement], repair_errors=repair_errors)
    assert done.stopped_by == stopped_by
    assert [attempt.status for attempt in done.attempts] == statuses
    assert [attempt.response for attempt in done.attempts] == requirement.checked
    assert [attempt.checked[0].result for attempt in done.attempts] == results
    assert done.response == f"R{len(results) - 1}"
    assert bool(done) is done.passed is (stopped_by == "pass")


def test_an_outage_costs_no_generation_even_beside_a_fail(run: Run) -> None:
    generator = Generator()
    done = run(generator, [Scripted([FAIL]), Scripted([OUTAGE])])
    assert (done.stopped_by, done.attempts[0].status, len(generator.told)) == ("error", "fail", 1)


@pytest.mark.parametrize("strategy", ["template", "model-friendly"])
def test_the_generator_is_told_what_to_mend_now(run: Run, strategy: str) -> None:
    generator = Generator()
    other = Scripted([PASS, ValidationResult(False, "rude"), PASS], "be kind")
    run(generator, [Scripted([FAIL, PASS, PASS]), other], strategy=strategy)
    first, second, third = generator.told
    assert first is None
    assert second is not None
    assert third is not None
    assert "too long" in second.text
    assert "rude" in third.text
    assert "too long" not in third.text
    assert third.messages == ({"role": "user", "content": third.text},)


def test_multi_turn_keeps_the_conversation(run: Run) -> None:
    generator = Generator()
    run(generator, [Scripted([FAIL, FAIL, PASS])], strategy="multi-turn")
    _, second, third = generator.told
    assert second is not None
    assert third is not None
    assert [(m["role"], m["content"]) for m in third.messages] == [
        ("assistant", "R0"),
        ("user", second.text),
        ("assistant", "R1"),
        ("user", third.text),
    ]
    assert second.messages == third.messages[:2]


@pytest.mark.parametrize("strategy", ["template", "multi-turn", "model-friendly"])
def test_no_word_of_an_error_gets_to_the_generator(run: Run, strategy: str) -> None:
    generator = Generator()
    run(generator, [Scripted([OUTAGE, OUTAGE, OUTAGE])], strategy=strategy, repair_errors=True)
    assert "be brief" in repr(generator.told[-1])
    assert "CANARY" not in repr(generator.told)


def test_what_cannot_run_is_refused_before_anything_is_generated(run: Run) -> None:
    generator = Generator()
    with pytest.raises(InputError, match="max_attempts"):
        run(generator, [Scripted([])], max_attempts=0)
    with pytest.raises(InputError, match="no requirement"):
        run(generator, [])
    with pytest.raises(InputError, match="no description"):
        run(generator, [Scripted([], " ")])
    with pytest.raises(UnknownNameError):
        run(generator, [Scripted([])], strategy="shout")
    assert generator.told == []


def test_a_response_that_is_no_text_is_refused(run: Run) -> None:
    with pytest.raises(InputError, match="NoneType"):
        run(lambda _: None, [Scripted([])])


def test_what_the_generator_raises_is_passed_on(run: Run) -> None:
    def fail(_: Feedback | None) -> str:
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        run(fail, [Scripted([])])


def test_asynchronous_checks_run_side_by_side_and_off_the_event_loop() -> None:
    both = threading.Barrier(2, timeout=10)

    class Waiting:
        description = "wait"

        def check(self, response: str, /) -> ValidationResult:
            both.wait()  # Passes only if the other check is running.
            return PASS

    assert asynchronous(Generator(), [Waiting(), Waiting()]).passed


def test_a_response_is_mended_with_the_verifier(run: Run) -> None:
    requirement = GroundednessRequirement(["The dam was built in 1967."], verifier=HaltRagVerifier(backend=FakeNLI()))
    said = ["The dam was not built in 1967.", "The dam was built in 1967."]
    generator: list[Feedback | None] = []

    def generate(feedback: Feedback | None) -> str:
        generator.append(feedback)
        return said[len(generator) - 1]

    done = run(generate, [requirement])
    assert (done.passed, done.response) == (True, said[1])
    assert '"The dam was not built in 1967.": the documents contradict it.' in str(generator[1])
