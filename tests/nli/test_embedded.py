from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.scores import Pair
from tests.nli.contract import PAIRS, BackendContract
from tests.nli.tiny import VOCABULARY, tiny_onnx, write_model

SHORT = [Pair("a dog", "dog"), Pair("no", "yes"), Pair("a b c d e f g", "h")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny", max_tokens=120)


@pytest.fixture(scope="module")
def backend(folder: Path) -> EmbeddedNLI:
    return EmbeddedNLI(folder, threads=3)


class TestContract(BackendContract):
    pass


def test_the_model_says_who_it_is(folder: Path) -> None:
    backend = EmbeddedNLI(folder)
    card = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    assert (backend.name, backend.model_id, backend.revision) == ("embedded", "tiny", card["sha256"][:12])
    assert (backend.tokenizer.max_tokens, backend.tokenizer.pair_overhead) == (120, 4)


def test_scores_are_the_softmax_of_the_logits(folder: Path) -> None:
    import onnxruntime

    backend = EmbeddedNLI(folder)
    ids = np.array(backend.tokenizer.pair_ids([PAIRS[0]]), np.int64)
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    (logits,) = session.run(["logits"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
    powers = np.exp(logits[0].astype(np.float64))
    assert backend.score(PAIRS).probabilities[0] == pytest.approx(powers / powers.sum(), abs=1e-6)


def test_columns_follow_names_not_positions(folder: Path, tmp_path: Path) -> None:
    other = write_model(tmp_path, labels=("contradiction", "entailment", "neutral"), max_tokens=120)
    own, moved = (EmbeddedNLI(path).score(PAIRS).probabilities for path in (folder, other))
    # The first output is entailment in one model and contradiction in the other, and so on.
    assert np.array_equal(moved, own[:, [1, 2, 0]])


def test_threads_do_not_change_scores(folder: Path) -> None:
    one, four = (EmbeddedNLI(folder, threads=threads).score(PAIRS).probabilities for threads in (1, 4))
    assert np.array_equal(one, four)


def test_threads_must_be_positive() -> None:
    with pytest.raises(InputError, match="at least 1"):
        EmbeddedNLI(threads=0)


def test_first_use_from_many_threads(folder: Path) -> None:
    backend = EmbeddedNLI(folder)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: backend.score(PAIRS).probabilities, range(16)))
    assert all(np.array_equal(answer, answers[0]) for answer in answers)


def test_markup_in_texts_is_content(folder: Path) -> None:
    tokenizer = EmbeddedNLI(folder).tokenizer
    special = VOCABULARY["</s>"]
    (plain,), (spelled,) = (tokenizer.pair_ids([Pair(text, "b")]) for text in ("a", "a</s></s>b"))
    assert plain == [VOCABULARY["<s>"], VOCABULARY["a"], special, special, VOCABULARY["b"], special]
    assert spelled.count(special) == 3


def test_nothing_is_cut_off(folder: Path) -> None:
    tokenizer = EmbeddedNLI(folder).tokenizer
    # The file asks for a truncation to 8 tokens and for padding.
    assert tokenizer.count("a " * 50) == 50
    assert len(tokenizer.pair_ids([Pair("a", "b")])[0]) == 6


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("👍🏽 ñb", ["👍🏽", "ñ", "b"]),
        ("e\u0301a", ["e", "a"]),  # the accent is stripped, and belongs to no token
        ("\x00a\ud800\x00b", ["a", "b"]),
        ("İb", ["İ", "b"]),  # two code points when lower-cased
    ],
)
def test_offsets_are_those_of_the_text_as_given(folder: Path, text: str, spans: list[str]) -> None:
    assert [text[start:end] for start, end in EmbeddedNLI(folder).tokenizer.offsets(text)] == spans


def test_constructing_reads_nothing(tmp_path: Path) -> None:
    backend = EmbeddedNLI(tmp_path / "later")
    with pytest.raises(ConfigurationError, match=r"no NLI model in .*later"):
        backend.score(SHORT)
    write_model(tmp_path / "later")
    assert len(backend.score(SHORT)) == 3


@pytest.mark.parametrize(
    ("card", "shown"),
    [
        ({"sha256": "0" * 64}, "SHA-256"),
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}, "LABEL_1"),
        ({"id2label": {"0": "entailment", "1": "not_entailment"}}, "not_entailment"),
        ({"id2label": {"0": None, "1": 1, "2": "neutral"}}, "None"),
        ({"id2label": None}, "id2label"),
        ({"max_tokens": "many"}, "max_tokens"),
    ],
)
def test_a_card_that_does_not_fit(tmp_path: Path, card: dict[str, Any], shown: str) -> None:
    with pytest.raises(ConfigurationError, match=shown):
        EmbeddedNLI(write_model(tmp_path, **card)).score(SHORT)


@pytest.mark.parametrize("name", ["model.json", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"3", b"\xff\xfe\x00", b"{"])
def test_damaged_descriptions(tmp_path: Path, name: str, content: bytes) -> None:
    write_model(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=name):
        EmbeddedNLI(tmp_path).score(SHORT)


@pytest.mark.parametrize("name", ["model.json", "tokenizer.json", "model.onnx"])
def test_missing_files(tmp_path: Path, name: str) -> None:
    write_model(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(ConfigurationError, match=name):
        EmbeddedNLI(tmp_path).score(SHORT)


def test_one_changed_byte_is_noticed(tmp_path: Path) -> None:
    model = bytearray((write_model(tmp_path) / "model.onnx").read_bytes())
    model[len(model) // 2] ^= 1
    (tmp_path / "model.onnx").write_bytes(model)
    with pytest.raises(ConfigurationError, match=r"SHA-256.*reinstall"):
        EmbeddedNLI(tmp_path).score(SHORT)


@pytest.mark.parametrize(
    ("model", "shown"),
    [(b"not a model", "cannot load"), (tiny_onnx()[:200], "cannot load"), (tiny_onnx(inputs=("ids", "mask")), "ids")],
    ids=["garbage", "half", "other inputs"],
)
def test_files_that_are_no_such_model(tmp_path: Path, model: bytes, shown: str) -> None:
    with pytest.raises(ConfigurationError, match=shown):
        EmbeddedNLI(write_model(tmp_path, onnx=model)).score(SHORT)


@pytest.mark.parametrize(
    ("model", "shown"),
    [
        (tiny_onnx(head=np.full((8, 3), np.nan)), "not finite"),
        (tiny_onnx(head=np.full((8, 3), np.inf)), "not finite"),
        (tiny_onnx(head=np.ones((8, 2))), "shape"),
        (tiny_onnx(words=5), "failed"),
    ],
    ids=["nan", "infinite", "two outputs", "unknown word"],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_unusable_answers_are_errors(tmp_path: Path, model: bytes, shown: str, threads: int) -> None:
    backend = EmbeddedNLI(write_model(tmp_path, onnx=model), threads=threads)
    with pytest.raises(BackendError, match=shown) as caught:
        backend.score(SHORT)
    assert caught.value.backend == "embedded"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_it_works_after_a_fork(folder: Path) -> None:
    program = f"""
import multiprocessing
from pathlib import Path
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.scores import Pair
backend = EmbeddedNLI(Path({str(folder)!r}), threads=2)
def sums(_):
    return float(backend.score([Pair("a dog", "dog"), Pair("no", "yes")]).entailment.sum())
here = sums(0)
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(sums, range(4)) == [here] * 4
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
