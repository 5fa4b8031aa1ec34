"""Extraction: the features of the steps that the verifier takes, and nothing scored twice, even after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from halt_rag.errors import InputError
from halt_rag.learn.extract import Extractor, estimate, spread
from halt_rag.learn.halueval import read_examples
from halt_rag.learn.rows import LabelledRow
from halt_rag.learn.table import read_table
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.verify.asking import run_together
from halt_rag.verify.session import Session
from halt_rag.verify.sources import as_passages
from halt_rag.verify.text_features import feature_names
from halt_rag.verify.text_model import TextSettings
from halt_rag.verify.tiers import ReadingMode
from halt_rag.verify.verifier import HaltRagVerifier
from tests.learn.halueval_small import write_data


def rows(folder: Path, records: int = 40) -> list[LabelledRow]:
    return read_examples("qa", write_data(folder, records=records))


CLAIMS = [f"Dam {7 * n} of part 2 was built in {1900 + 6 * n} by Bo Berg." for n in range(3)]


def dams(claims: int, passages: int) -> LabelledRow:
    """Long passages, some ten windows each; one says what the claims say, of which the first only is true."""
    names, rest = ("Ann Lee", "Bo Berg", "Cy Dale")[:passages], "of grey stone and brown earth " * 20
    return LabelledRow(
        source=[
            " ".join(f"Dam {n} of part {part} was built in {1900 + n} by {name} {rest}." for n in range(15))
            for part, name in enumerate(names, 1)
        ],
        generated=" ".join(CLAIMS[:claims]),
        label="supported",
        question="Who built the dams?",
    )


DAMS = [
    dams(3, 3),
    dams(1, 1),
    dams(2, 2),
    LabelledRow(source="A dam.", generated="Hello!", label="supported"),
]


def at_run_time(made: Extractor, row: LabelledRow, reading: ReadingMode = "auto") -> dict[str, float]:
    """The features of a text whose claims were all checked, as ``verify`` does it."""
    (backend,) = made.backends.values()
    verifier = HaltRagVerifier(backend=backend, task="general", locate_evidence=False, reading=reading)
    session = Session(verifier.tiers, as_passages(row.source), row.question, max_pairs=10_000, locate=False)
    steps = session.check(session.claims_of(row.generated), row.generated)
    (found,) = run_together([steps], lambda ask: backend.score(ask.pairs))
    sources = [passage.text for passage in as_passages(row.source)]
    reading_of = made.reader.read(sources, row.generated, row.question)
    scores = {name: backend.score(reading_of.pairs[name]).probabilities for name in made.backends}
    figures = made.reader.figures([c for c, _ in found], session.sources, row.question)
    return made.reader.features(reading_of, scores, figures)


@pytest.mark.parametrize(("windows", "reading"), [(1, "indexed"), (2, "exhaustive"), (16, "indexed")])
def test_features_are_those_of_the_verifier(tmp_path: Path, windows: int, reading: ReadingMode) -> None:
    """What a text model is fitted on is what it is given at run time, whatever else was read there."""
    examples = [*rows(tmp_path, 3), *DAMS]
    settings = TextSettings(hypothesis="question_answer", claim_windows=windows)
    made = Extractor("extended", settings, backends={"fake": FakeNLI()})
    table = made.table("qa", examples)
    assert table.names == feature_names("extended", ["fake"])
    for i, row in enumerate(examples):
        assert list(at_run_time(made, row, reading).values()) == table.values[i].tolist()


@pytest.mark.parametrize("windows", [1, 3])
def test_a_claim_is_asked_about_its_nearest_windows_only(windows: int) -> None:
    backend = FakeNLI()
    made = Extractor("extended", TextSettings(claim_windows=windows), backends={"fake": backend})
    row = dams(3, 3)
    made.table("qa", [row])
    claims = [pair for call in backend.calls for pair in call if pair.hypothesis != row.generated]
    assert Counter(pair.hypothesis for pair in claims) == dict.fromkeys(CLAIMS, windows)
    assert any("Dam 0 of part 2" in pair.premise for pair in claims if pair.hypothesis == CLAIMS[0])


def test_a_window_more_can_change_a_claims_figure() -> None:
    """Both passages hold all words; the first, which comes first among equals, denies the claim."""
    claim = "The grey dam near the town was built by Ann Lee in 1967."
    row = LabelledRow(source=[f"Never say so. {claim}", claim], generated=claim, label="supported")
    one, two = (
        Extractor("extended", TextSettings(claim_windows=n), backends={"fake": FakeNLI()}).table("qa", [row])
        for n in (1, 2)
    )
    mean = one.names.index("claim_p_mean")
    assert one.values[0, mean] == pytest.approx(0.99)
    assert two.values[0, mean] == pytest.approx(0.04)
    assert one.pipeline.fingerprint != two.pipeline.fingerprint


def test_the_paper_schema_asks_for_whole_texts_only(tmp_path: Path) -> None:
    backend = FakeNLI()
    examples = rows(tmp_path)
    table = Extractor("paper", TextSettings(), backends={"fake": backend}).table("qa", examples)
    assert table.values.shape == (80, 11)
    assert sum(len(call) for call in backend.calls) == 80
    assert table.hallucinated.tolist() == [False, True] * 40


def test_two_models_give_17_features(tmp_path: Path) -> None:
    made = Extractor("paper", TextSettings(), backends={"a": FakeNLI(), "b": FakeNLI()})
    assert made.table("qa", rows(tmp_path, 3)).values.shape == (6, 17)


def test_batches_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = rows(tmp_path, 9)
    tables = []
    for size in (1, 7, 100):
        monkeypatch.setattr("halt_rag.learn.extract._AT_ONCE", size)
        tables.append(Extractor("extended", TextSettings(), backends={"fake": FakeNLI()}).table("qa", examples))
    assert tables[0].sha256 == tables[1].sha256 == tables[2].sha256


def test_an_example_that_cannot_be_read_is_named() -> None:
    made = Extractor("paper", TextSettings(), backends={"fake": FakeNLI()})
    with pytest.raises(InputError, match="no examples"):
        made.table("qa", [])
    odd = LabelledRow(id="odd", source="\u2003x", generated="y", label="supported")
    assert len(made.table("qa", [odd])) == 1


def test_an_estimate_asks_for_little_and_is_near(tmp_path: Path) -> None:
    examples, backend = rows(tmp_path, 110), FakeNLI()
    made = Extractor(
        "extended", TextSettings(), backends={"fake": CachedNLI(backend, SQLiteScoreStore(tmp_path / "c"))}
    )
    cost = estimate(made, examples)
    asked = {pair for call in backend.calls for pair in call}
    assert len(asked) < 150
    made.table("qa", examples)
    scored = {pair for call in backend.calls for pair in call}
    assert cost.pairs["fake"] == pytest.approx(len(scored), rel=0.3)
    assert cost.seconds is not None
    assert "220 examples: about" in cost.text()
    assert "up to 0 hosted calls" in cost.text()


def test_an_estimate_is_from_examples_of_all_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One example in ten is 50 times as long as the others; a draw from them all would often miss these."""
    monkeypatch.setattr("halt_rag.learn.extract._COUNTED", 10)
    long = " ".join(f"Stone {n} is of no use to the dam on the river Oder" for n in range(400))
    examples = [
        row.model_copy(update={"source": f"{row.source} {long}"}) if i % 10 == 3 else row
        for i, row in enumerate(rows(tmp_path, 50))
    ]
    backend = FakeNLI()
    made = Extractor("paper", TextSettings(), backends={"fake": backend})
    cost = estimate(made, examples)
    backend.calls.clear()
    made.table("qa", examples)
    assert cost.pairs["fake"] == pytest.approx(len({pair for call in backend.calls for pair in call}), rel=0.05)
    for seed in range(5):
        assert sum(len(row.source) > 10_000 for row in spread(examples, 10, Random(seed))) == 1
    assert len({row.id for row in spread(examples[:3], 10, Random(0))}) == 3, "few examples are all taken"


def test_an_estimate_after_an_interruption_is_of_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run before has scored, for its estimate too, takes no time again."""
    monkeypatch.setattr("halt_rag.learn.extract._TIMED", 20)
    examples = rows(tmp_path, 100)

    class Ticking(FakeNLI):
        """A pair takes a second."""

        seconds = 0.0

        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            self.seconds += len(pairs)
            return super().score(pairs)

    backend = Ticking()
    monkeypatch.setattr("halt_rag.learn.extract.time.perf_counter", lambda: backend.seconds)
    made = Extractor("paper", TextSettings(), backends={"fake": CachedNLI(backend, SQLiteScoreStore(tmp_path / "c"))})
    fresh = estimate(made, examples).seconds
    assert fresh == pytest.approx(200, rel=0.2)
    made.table("qa", examples[:150])
    again = estimate(made, examples).seconds
    assert again is not None
    assert again < 110
    made.table("qa", examples)
    assert estimate(made, examples).seconds == 0


def test_before_paid_calls_nothing_is_asked(tmp_path: Path) -> None:
    backend = FakeNLI()
    backend.name = "hosted"
    cost = estimate(Extractor("extended", TextSettings(), backends={"fake": backend}), rows(tmp_path, 5))
    assert backend.calls == []
    assert cost.hosted == ["fake"]
    assert cost.seconds is None
    assert "The time depends on the service" in cost.text()


SLOW = """
    import sys, time
    from pathlib import Path
    from halt_rag.learn.extract import Extractor
    from halt_rag.learn.halueval import read_examples
    from halt_rag.learn.progress import Lines
    from halt_rag.learn.table import write_table
    from halt_rag.nli.cache import CachedNLI
    from halt_rag.nli.fake import FakeNLI
    from halt_rag.nli.sqlite_store import SQLiteScoreStore
    from halt_rag.verify.text_model import TextSettings

    class Slow(FakeNLI):
        def score(self, pairs):
            time.sleep(0.1)
            scores = super().score(pairs)
            with open(sys.argv[2], "a") as log:
                log.writelines(f"{pair.premise}|{pair.hypothesis}\\n" for pair in pairs)
            return scores

    folder = Path(sys.argv[1])
    backend = CachedNLI(Slow(), SQLiteScoreStore(folder / "scores.sqlite"))
    examples = read_examples("qa", folder / "qa_data.json")
    made = Extractor("extended", TextSettings(), backends={"fake": backend})
    with Lines("qa", lambda line: print(line, flush=True), every=0.02) as progress:
        table = made.table("qa", examples, progress)
    write_table(table, folder / "f.parquet")
"""


def test_killed_in_the_middle_it_goes_on_and_scores_nothing_twice(tmp_path: Path) -> None:
    examples = rows(tmp_path, 150)
    script = tmp_path / "slow.py"
    script.write_text(textwrap.dedent(SLOW), encoding="utf-8")
    logs = [tmp_path / "first.log", tmp_path / "second.log"]
    shown = tmp_path / "first.out"
    with shown.open("w", encoding="utf-8") as out:
        running = subprocess.Popen([sys.executable, str(script), str(tmp_path), str(logs[0])], stdout=out)
    while not logs[0].exists() or logs[0].stat().st_size < 12_000:
        assert running.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert not (tmp_path / "f.parquet").exists(), "no half a file"
    assert "of 300 examples in" in shown.read_text(encoding="utf-8"), "how far it was can be seen while it runs"
    subprocess.run([sys.executable, str(script), str(tmp_path), str(logs[1])], check=True, stdout=subprocess.DEVNULL)
    first, second = (Counter(log.read_text(encoding="utf-8").splitlines()) for log in logs)
    assert max(second.values()) == 1
    again = sum((first & second).values())
    assert again <= 64 < sum(first.values()), "at most the one call that the kill cut off"
    table = read_table(tmp_path / "f.parquet")
    whole = Extractor("extended", TextSettings(), backends={"fake": FakeNLI()}).table("qa", examples)
    assert table.sha256 == whole.sha256
    assert not list(tmp_path.glob(".f.parquet*"))
    assert np.isfinite(table.values).all()
