"""Many texts: in threads, with failures as data; and one text beside an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence

import pytest

from halt_rag import BackendError, HaltRagVerifier, InputError, Verification
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.verify.result import Failed
from halt_rag.verify.verifier import Item
from tests.verify.support import task_model

SOURCE = "The dam was built in 1967."
GOOD, BAD = "The dam was built in 1967.", "Bread is baked in Rome."


def verifier(backend: FakeNLI | None = None, **options: object) -> HaltRagVerifier:
    return HaltRagVerifier(backend=backend or FakeNLI(), artifact=task_model(), **options)  # type: ignore[arg-type]


class _Choosy(FakeNLI):
    """Cannot be asked about one text."""

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        if any("Rome" in pair.hypothesis for pair in pairs):
            self.calls.append(tuple(pairs))
            raise BackendError("Rome is away.", backend="fake", retryable=True)
        return super().score(pairs)


ITEMS = [Item(SOURCE, GOOD), Item(SOURCE, " "), Item(SOURCE, BAD), Item("", GOOD), Item(SOURCE, "The dam is new.")]


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("at_once", [1, 2, 32])
def test_what_fails_is_data_and_the_others_go_on(workers: int, at_once: int) -> None:
    one = verifier(_Choosy())
    results = list(one.verify_many(ITEMS, at_once=at_once, workers=workers, on_error="return"))
    kinds = ["ok" if isinstance(r, Verification) else r.error.code for r in results]
    assert kinds == ["ok", "INPUT", "BACKEND", "INPUT", "ok"]
    failed = [r for r in results if isinstance(r, Failed)]
    assert [(f.position, f.error.retryable, f.status) for f in failed] == [
        (1, False, "error"),
        (2, True, "error"),
        (3, False, "error"),
    ]
    assert results[0] == verifier().verify(SOURCE, GOOD)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_first_failure_is_raised_after_the_results_before_it(workers: int) -> None:
    stream = verifier(_Choosy()).verify_many(ITEMS, at_once=1, workers=workers)
    assert next(stream).decision == "supported"
    with pytest.raises(InputError, match="generated text is empty"):
        next(stream)


@pytest.mark.parametrize("workers", [2, 5])
def test_threads_change_no_result_and_no_order(workers: int) -> None:
    items = [Item(SOURCE, f"The dam {i} was built in 1967. {GOOD}") for i in range(20)]
    one = verifier()
    assert list(one.verify_many(items, at_once=3, workers=workers)) == list(one.verify_many(items))


def test_texts_are_verified_in_several_threads_and_read_as_they_are_needed() -> None:
    both = threading.Barrier(2, timeout=20)

    class Meeting(FakeNLI):
        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            if len(self.calls) < 2:
                both.wait()  # Fails unless two threads are here at once.
            return super().score(pairs)

    drawn = 0

    def items() -> Iterator[Item]:
        nonlocal drawn
        for _ in range(20):
            drawn += 1
            yield Item(SOURCE, GOOD)

    stream = verifier(Meeting(), locate_evidence=False).verify_many(items(), at_once=1, workers=2)
    assert next(stream).decision == "supported"
    assert drawn <= 3
    stream.close()  # type: ignore[attr-defined]
    assert drawn <= 3


def test_workers_are_positive() -> None:
    with pytest.raises(InputError, match="workers must be at least 1"):
        next(verifier().verify_many([], workers=0))


def test_a_bug_is_no_failed_row() -> None:
    class Broken(FakeNLI):
        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(verifier(Broken()).verify_many(ITEMS[:1], on_error="return"))


# Beside an event loop


def test_averify_gives_what_verify_gives_without_holding_the_loop() -> None:
    entered, go_on = threading.Event(), threading.Event()

    class Slow(FakeNLI):
        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            entered.set()
            assert go_on.wait(20)
            return super().score(pairs)

    async def main() -> Verification:
        task = asyncio.create_task(verifier(Slow()).averify(SOURCE, f"{GOOD} {BAD}"))
        while not entered.is_set():
            await asyncio.sleep(0.001)  # The loop runs while the model is busy.
        go_on.set()
        return await task

    assert asyncio.run(main()) == verifier().verify(SOURCE, f"{GOOD} {BAD}")


def test_averify_raises_what_verify_raises() -> None:
    with pytest.raises(InputError, match="generated text is empty"):
        asyncio.run(verifier().averify(SOURCE, ""))


def test_a_cancelled_verification_stops_scoring() -> None:
    entered, go_on, left = threading.Event(), threading.Event(), threading.Event()

    class Slow(FakeNLI):
        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            entered.set()
            assert go_on.wait(20)
            try:
                return super().score(pairs)
            finally:
                left.set()

    backend = Slow()

    async def main() -> None:
        passages = [f"Bread {i} is baked." for i in range(48)]
        task = asyncio.create_task(verifier(backend, locate_evidence=False).averify(passages, f"{GOOD} {BAD} {GOOD}"))
        while not entered.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def cancelled_then_released() -> None:
        await main()
        go_on.set()

    asyncio.run(cancelled_then_released())  # Ends when the thread has.
    assert left.is_set()
    assert [len(call) for call in backend.calls] == [64], "144 pairs were to be scored"
