from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models
from tokenizers.pre_tokenizers import ByteLevel, WhitespaceSplit
from tokenizers.trainers import BpeTrainer

from halt_rag.errors import BackendError, ConfigurationError, InputError
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.scores import Pair
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.nli.tokenizer import ModelTokenizer
from halt_rag.text.spans import Span
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
    assert (backend.name, backend.model_id) == ("embedded", "tiny")
    assert backend.revision == card["sha256"][:12] + "-012-120"
    assert (backend.tokenizer.max_tokens, backend.tokenizer.pair_overhead) == (120, 4)


def test_the_revision_changes_with_all_that_changes_the_use_of_the_weights(tmp_path: Path) -> None:
    weights = hashlib.sha256(tiny_onnx()).hexdigest()[:12]
    cards: dict[str, dict[str, Any]] = {
        "usual": {},
        "moved": {"labels": ("contradiction", "entailment", "neutral")},
        "shorter": {"max_tokens": 256},
        "other": {"onnx": tiny_onnx(head=np.ones((8, 3)))},
    }
    usual, moved, shorter, other = (
        EmbeddedNLI(write_model(tmp_path / name, **{"max_tokens": 512} | card)).revision for name, card in cards.items()
    )
    assert (usual, moved, shorter) == (weights, f"{weights}-120-512", f"{weights}-012-256")
    assert not other.startswith(weights)


def test_scores_of_a_model_with_other_labels_are_not_taken_from_the_cache(tmp_path: Path) -> None:
    store = SQLiteScoreStore(tmp_path / "scores.sqlite")
    own = EmbeddedNLI(write_model(tmp_path / "own"))
    moved = EmbeddedNLI(write_model(tmp_path / "moved", labels=("contradiction", "entailment", "neutral")))
    CachedNLI(own, store).score(SHORT)
    scores = CachedNLI(moved, store).score(SHORT)
    assert scores.cache_hits == 0
    assert np.array_equal(scores.probabilities, moved.score(SHORT).probabilities)


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


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("a 👍🏽 b", ["👍🏽"]),
        ("a👍 b", ["a👍"]),  # a word with one unknown character is one unknown token
        ("👍 👎", ["👍", "👎"]),
        ("x 🏴\U000e0067\u200d x", ["🏴\U000e0067\u200d"]),  # no token, but a part of the flag
        ("❤\ufe0f", ["❤\ufe0f"]),
        ("x" * 101 + " x", ["x" * 101]),
        ("x" * 100, []),
        ("a \ue000 \ufffd b", ["\ue000", "\ufffd"]),  # removed before there are tokens
        ("e\u0301 \x00\u200b\t\ufe0f \u2028", []),
        ("[UNK] </s>", []),
        ("a \ud800 b", ["\ud800"]),
    ],
)
def test_what_the_tokenizer_does_not_know(folder: Path, text: str, unknown: list[str]) -> None:
    assert [span.of(text) for span in EmbeddedNLI(folder).tokenizer.unknown(text)] == unknown


@pytest.mark.parametrize(
    "model",
    [models.WordLevel({"a": 0, "?": 1}, unk_token="?"), models.Unigram([("a", -1.0), ("?", -9.0)], unk_id=1)],  # noqa: S106
    ids=["WordLevel", "Unigram"],
)
def test_other_kinds_of_tokenizers_say_what_they_do_not_know(tmp_path: Path, model: models.Model) -> None:
    made = Tokenizer(model)
    made.pre_tokenizer = WhitespaceSplit()
    made.save(str(tmp_path / "tokenizer.json"))
    assert ModelTokenizer(tmp_path / "tokenizer.json", 512).unknown("a z a") == [Span(2, 3)]


def test_a_tokenizer_without_an_unknown_token_knows_everything(tmp_path: Path) -> None:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = ByteLevel(add_prefix_space=False)
    made.train_from_iterator(["a"], BpeTrainer(initial_alphabet=ByteLevel.alphabet(), show_progress=False))
    made.save(str(tmp_path / "tokenizer.json"))
    assert ModelTokenizer(tmp_path / "tokenizer.json", 512).unknown("a 👍 b") == []


def test_constructing_reads_nothing(tmp_path: Path) -> None:
    backend = EmbeddedNLI(tmp_path / "later")
    with pytest.raises(ConfigurationError, match=r"no NLI model in .*later"):
        backend.score(SHORT)
    write_model(tmp_path / "later")
    assert len(backend.score(SHORT)) == 3


@pytest.mark.parametrize(
    ("card", "shown"),
    [
        ({"sha256": "0" * 64}, r"model\.onnx has the SHA-256"),
        ({"tokenizer_sha256": "0" * 64}, r"tokenizer\.json has the SHA-256"),
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


@pytest.mark.parametrize("key", ["model_id", "id2label", "max_tokens", "sha256", "tokenizer_sha256"])
def test_a_card_must_have_every_key(tmp_path: Path, key: str) -> None:
    card = json.loads((write_model(tmp_path) / "model.json").read_text(encoding="utf-8"))
    del card[key]
    (tmp_path / "model.json").write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=f"KeyError.*{key}"):
        EmbeddedNLI(tmp_path).score(SHORT)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"3", b"\xff\xfe\x00", b"{"])
def test_files_that_are_no_tokenizer(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(ConfigurationError, match="cannot be used as a tokenizer"):
        ModelTokenizer(tmp_path / "tokenizer.json", 512)


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
