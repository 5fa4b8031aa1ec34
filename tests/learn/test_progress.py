"""How far a run is, as lines in a log."""

from __future__ import annotations

import threading

import pytest

from halt_rag.learn.progress import Lines


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_lines_come_while_nothing_gets_done() -> None:
    """A batch can take longer than anyone wants to wait for a sign of life."""
    lines: list[str] = []
    three = threading.Event()

    def write(line: str) -> None:
        lines.append(line)
        if len(lines) == 3:
            three.set()

    with Lines("qa", write, every=0.001) as progress:
        assert three.wait(60)
        progress(5, 10)
    assert lines[0].startswith("qa: 0.0 min")
    assert lines[-1].startswith("qa: 5 of 10 examples"), "the last line is written at the end"


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_it_ends_with_the_run(error: type[BaseException]) -> None:
    lines: list[str] = []
    with pytest.raises(error), Lines("qa", lines.append, every=0.001):
        raise error
    said = len(lines)
    assert not any(thread.name == "halt-rag-progress" for thread in threading.enumerate())
    assert len(lines) == said


def test_what_is_left_is_at_the_latest_pace() -> None:
    clock = Clock()
    progress = Lines("qa", print, clock=clock)
    assert progress.line() == "qa: 0.0 min, no example done yet"
    clock.now = 60
    progress(1_000, 2_000)
    assert progress.line() == "qa: 1,000 of 2,000 examples in 1.0 min, 1.0 min left"
    for second in range(61, 1_000):  # The first thousand came from a cache; these do not.
        clock.now = second
        progress(1_000 + (second - 60) // 10, 2_000)
    assert 140 < float(progress.line().split(", ")[-1].split()[0]) < 160
    clock.now += 3_600
    assert float(progress.line().split(", ")[-1].split()[0]) > 1_000, "a run that stands still is not soon done"


def test_nothing_more_to_do() -> None:
    clock = Clock()
    progress = Lines("qa", print, clock=clock)
    clock.now = 120
    progress(7, 7)
    assert progress.line() == "qa: 7 of 7 examples in 2.0 min, 0.0 min left"
