"""Extraction: the features of the steps that the verifier takes, and nothing scored twice, even after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from halt_rag.errors import InputError
from halt_rag.learn.extract import Extractor, estimate
from halt_rag.learn.halueval import read_examples
from halt_rag.learn.rows import LabelledRow
from halt_rag.learn.table import read_table
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.verify.text_features import feature_names
from halt_rag.verify.text_head import claim_figures_of
from halt_rag.verify.text_model import TextSettings
from halt_rag.verify.verifier import HaltRagVerifier
from tests.learn.halueval_small import write_data


def rows(folder: Path, records: int = 40) -> list[LabelledRow]:
    return read_examples("qa", write_data(folder, records=records))


def test_features_are_those_of_the_verifier(tmp_path: Path) -> None:
    """What a text model is fitted on is what it is given at run time."""
    examples, backend = rows(tmp_path), FakeNLI()
    settings = TextSettings(hypothesis="question_answer")
    made = Extractor("extended", settings, backends={"fake": backend})
    table = made.table("qa", examples)
    assert table.names == feature_names("extended", ["fake"])
    verifier = HaltRagVerifier(backend=backend, task="general", locate_evidence=False)
    for i in (0, 1, 37):
        row = examples[i]
        assert isinstance(row.source, str)
        result = verifier.verify(row.source, row.generated, row.question)
        reading = made.reader.read([row.source], row.generated, row.question)
        features = made.reader.features(
            reading, {"fake": backend.score(reading.pairs["fake"]).probabilities}, claim_figures_of(result)
        )
        assert list(features.values()) == table.values[i].tolist()


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
    examples, backend = rows(tmp_path, 300), FakeNLI()
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
    assert "600 examples: about" in cost.text()
    assert "up to 0 hosted calls" in cost.text()


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
    from halt_rag.learn.table import write_table
    from halt_rag.nli.cache import CachedNLI
    from halt_rag.nli.fake import FakeNLI
    from halt_rag.nli.sqlite_store import SQLiteScoreStore
    from halt_rag.verify.text_model import TextSettings

    class Slow(FakeNLI):
        def score(self, pairs):
            time.sleep(0.02)
            scores = super().score(pairs)
            with open(sys.argv[2], "a") as log:
                log.writelines(f"{pair.premise}|{pair.hypothesis}\\n" for pair in pairs)
            return scores

    folder = Path(sys.argv[1])
    backend = CachedNLI(Slow(), SQLiteScoreStore(folder / "scores.sqlite"))
    examples = read_examples("qa", folder / "qa_data.json")
    table = Extractor("extended", TextSettings(), backends={"fake": backend}).table("qa", examples)
    write_table(table, folder / "f.parquet")
"""


def test_killed_in_the_middle_it_goes_on_and_scores_nothing_twice(tmp_path: Path) -> None:
    examples = rows(tmp_path, 400)
    script = tmp_path / "slow.py"
    script.write_text(textwrap.dedent(SLOW), encoding="utf-8")
    logs = [tmp_path / "first.log", tmp_path / "second.log"]
    running = subprocess.Popen([sys.executable, str(script), str(tmp_path), str(logs[0])])
    while not logs[0].exists() or logs[0].stat().st_size < 20_000:
        assert running.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert not (tmp_path / "f.parquet").exists(), "no half a file"
    subprocess.run([sys.executable, str(script), str(tmp_path), str(logs[1])], check=True)
    first, second = (Counter(log.read_text(encoding="utf-8").splitlines()) for log in logs)
    assert max(second.values()) == 1
    again = sum((first & second).values())
    assert again <= 256, "at most the one call that the kill cut off"
    table = read_table(tmp_path / "f.parquet")
    whole = Extractor("extended", TextSettings(), backends={"fake": FakeNLI()}).table("qa", examples)
    assert table.sha256 == whole.sha256
    assert not list(tmp_path.glob(".f.parquet*"))
    assert np.isfinite(table.values).all()
