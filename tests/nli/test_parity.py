"""The parity gate passes what is right and catches each way of asking a model wrongly."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.checkpoint import Reading
from halt_rag.nli.embedded import MODEL_FOLDER, EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.parity import Parity, check_parity, pairs_digest
from halt_rag.nli.parity_pairs import GATE_PAIRS
from halt_rag.nli.parity_record import ParityError, has_passed, record_parity, require_parity
from halt_rag.nli.plain_reference import PlainReference, onnx_reference
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.nli.tokenizer import ModelTokenizer


@pytest.fixture(scope="module")
def reference(shipped_model: EmbeddedNLI) -> PlainReference:
    return onnx_reference(MODEL_FOLDER, MODEL_FOLDER / "model.onnx", shipped_model.tokenizer, reading=Reading())


@pytest.fixture(scope="module")
def expected(reference: PlainReference) -> dict[Pair, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """What the shipped model says of the pairs, also swapped and joined; scored once for all tests."""
    pairs = [pair for _, pair in GATE_PAIRS]
    others = [
        *(swapped(pair) for pair in pairs),
        *(joined(pair) for pair in pairs),
        *(shortened(pair) for pair in pairs),
    ]
    wanted = list(dict.fromkeys([*pairs, *others]))
    return dict(zip(wanted, reference.score(wanted).probabilities, strict=True))


def swapped(pair: Pair) -> Pair:
    return Pair(pair.hypothesis, pair.premise)


def joined(pair: Pair) -> Pair:
    return Pair(f"{pair.premise}</s></s>{pair.hypothesis}", "")


def shortened(pair: Pair) -> Pair:
    return Pair(" ".join(pair.premise.split()[:100]), pair.hypothesis)


Rows = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class Asked:
    """A backend that answers from a table, in one of the wrong ways."""

    name, model_id, revision = "asked", "model", "1"

    def __init__(
        self,
        table: dict[Pair, Rows],
        tokenizer: ModelTokenizer,
        *,
        change: Callable[[Pair], Pair] = lambda pair: pair,
        then: Callable[[Rows], Rows] = lambda rows: rows,
        refuses: bool = True,
        long: Callable[[], Exception] | None = None,
    ) -> None:
        self.table, self.tokenizer, self.change, self.then = table, tokenizer, change, then
        self.refuses, self.long = refuses, long

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        known = all(self.change(pair) in self.table for pair in pairs)
        if not known and self.refuses:
            self.tokenizer.check(pairs)
        if self.long is not None and any(len(pair.premise) > 1_000 for pair in pairs):
            raise self.long()
        blank = np.array([1, 0, 0], np.float32)
        rows = np.array([self.table.get(self.change(pair), blank) for pair in pairs]).reshape(-1, 3)
        return NLIScores(self.then(rows))


def sigmoid(rows: Rows) -> Rows:
    """What a sigmoid makes of the logits behind a softmax, made to add up to 1."""
    odds = 1 / (1 + np.exp(-np.log(np.maximum(rows, 1e-9)) - 1))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)


def refused() -> Exception:
    return BackendError("Status 413.", backend="asked", status_code=413)


FAULTS = {
    "swapped texts": ({"change": swapped}, "are swapped"),
    "joined texts": ({"change": joined}, "joined"),
    "labels in another order": ({"then": lambda rows: rows[:, [2, 1, 0]]}, "wrong order.*contradiction for entailment"),
    "labels rotated": ({"then": lambda rows: rows[:, [1, 2, 0]]}, "wrong order"),
    "sigmoid": ({"then": sigmoid}, "no softmax"),
    "truncation of long texts": ({"change": shortened}, "long pairs differ"),
    "no truncation, and failure": ({"long": refused}, "cannot score the pairs.*413"),
    "first of a batch only": ({"then": lambda rows: np.repeat(rows[:1], len(rows), axis=0)}, "scores of the first"),
    "answers of a batch in another order": ({"then": lambda rows: rows[::-1]}, "another order.*depends on what"),
    "too long is cut": ({"refuses": False}, "is not refused"),
}


@pytest.mark.parametrize(("options", "cause"), FAULTS.values(), ids=list(FAULTS))
def test_every_fault_is_caught_and_named(
    expected: dict[Pair, Rows],
    reference: PlainReference,
    shipped_model: EmbeddedNLI,
    options: dict[str, Any],
    cause: str,
) -> None:
    table = FakeTable(expected, reference)
    parity = check_parity(Asked(expected, shipped_model.tokenizer, **options), table)
    assert not parity.passed
    assert re.search(cause, " ".join(parity.failures)), parity.failures


class FakeTable:
    """The reference, from the table where it can."""

    name, revision = "reference", "as given"

    def __init__(self, table: dict[Pair, Rows], reference: PlainReference) -> None:
        self.table, self.tokenizer, self.model_id = table, reference.tokenizer, reference.model_id

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        return NLIScores(np.array([self.table[pair] for pair in pairs], np.float32))


def test_a_right_backend_passes(
    expected: dict[Pair, Rows], reference: PlainReference, shipped_model: EmbeddedNLI
) -> None:
    table = FakeTable(expected, reference)
    noisy = Asked(expected, shipped_model.tokenizer, then=lambda rows: rows + np.float32(0.004))
    parity = check_parity(noisy, table)
    assert parity.passed, parity.failures
    assert parity.max_difference == pytest.approx(0.004, abs=1e-5)
    assert not check_parity(noisy, table, tolerance=0.001).passed


def test_the_shipped_model_passes(
    expected: dict[Pair, Rows], reference: PlainReference, shipped_model: EmbeddedNLI
) -> None:
    # The dynamic ranges of the int8 model see one pair at a time in both.
    parity = check_parity(shipped_model, FakeTable(expected, reference), tolerance=0.001)
    assert parity.passed, parity.failures


def test_a_passing_outage_is_an_error_not_a_failure(
    expected: dict[Pair, Rows], reference: PlainReference, shipped_model: EmbeddedNLI
) -> None:
    away = Asked(expected, shipped_model.tokenizer, long=lambda: BackendError("Away.", backend="asked", retryable=True))
    with pytest.raises(BackendError, match="Away"):
        check_parity(away, FakeTable(expected, reference))


def test_the_pairs_cover_what_they_are_for() -> None:
    kinds = [kind for kind, _ in GATE_PAIRS]
    assert len(GATE_PAIRS) == 20
    assert {kind: kinds.count(kind) >= 3 for kind in ("order", "negation", "unicode", "long")} == dict.fromkeys(
        ("order", "negation", "unicode", "long"), True
    )
    assert len({pair for _, pair in GATE_PAIRS}) == 20


def test_long_pairs_fit_usual_models(shipped_model: EmbeddedNLI) -> None:
    lengths = [len(ids) for ids in shipped_model.tokenizer.pair_ids([pair for _, pair in GATE_PAIRS])]
    assert 256 < max(lengths) <= 420


@pytest.fixture
def passed() -> Parity:
    return Parity("tei", "example/nli", "abc-012-512", "reference m 1", 0.02, (), 0.001, ())


class Named(FakeNLI):
    name, model_id = "tei", "example/nli"
    revision = "abc-012-512"


def test_a_large_run_needs_a_pass(passed: Parity, tmp_path: Path) -> None:
    file, backend = tmp_path / "folder" / "parity.json", CachedNLI(Named(), SQLiteScoreStore(tmp_path / "scores"))
    with pytest.raises(ParityError, match=r"1000 pairs with tei example/nli abc-012-512.*halt-rag doctor"):
        require_parity(backend, file, pairs=1_000)
    require_parity(backend, file, pairs=999)
    require_parity(backend, file, pairs=10**6, override=True)
    require_parity(FakeNLI(), file, pairs=10**6)
    record_parity(passed, file)
    require_parity(backend, file, pairs=10**6)


@pytest.mark.parametrize("change", [{"backend": "hosted"}, {"model_id": "other"}, {"revision": "def"}])
def test_a_pass_is_for_one_backend_model_and_revision(passed: Parity, tmp_path: Path, change: dict[str, Any]) -> None:
    record_parity(dataclasses.replace(passed, **change), tmp_path / "parity.json")
    assert not has_passed(Named(), tmp_path / "parity.json")


def test_a_later_failure_takes_the_pass_away(passed: Parity, tmp_path: Path) -> None:
    file = tmp_path / "parity.json"
    record_parity(passed, file)
    record_parity(dataclasses.replace(passed, model_id="other"), file)
    assert has_passed(Named(), file)
    record_parity(dataclasses.replace(passed, failures=("Swapped.",)), file)
    assert not has_passed(Named(), file)
    assert len(json.loads(file.read_text(encoding="utf-8"))["passes"]) == 1


def test_a_pass_with_other_pairs_is_none(passed: Parity, tmp_path: Path) -> None:
    file = tmp_path / "parity.json"
    record_parity(passed, file)
    file.write_text(file.read_text(encoding="utf-8").replace(pairs_digest(), "0" * 12), encoding="utf-8")
    assert not has_passed(Named(), file)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema_version": 1, "passes": []}', '{"schema_version": 2}'])
def test_damaged_records(tmp_path: Path, content: str) -> None:
    (tmp_path / "parity.json").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"parity\.json"):
        has_passed(Named(), tmp_path / "parity.json")


def test_the_gate_needs_room_in_the_reference(shipped_model: EmbeddedNLI) -> None:
    with pytest.raises(InputError):
        check_parity(shipped_model, FakeNLI(max_tokens=20))
