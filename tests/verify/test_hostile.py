"""Hostile texts give a result or a clear error. Time limits are generous: what is quadratic would take hours."""

from __future__ import annotations

import pytest

from halt_rag import HaltRagVerifier, InputError, Verification
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.artifact import PipelineSettings
from tests.verify.support import check, task_model

SENTENCE = "The dam was built in 1958 by the crew of the river board. "
FIVE_MB = SENTENCE * (5_000_000 // len(SENTENCE))

STRANGE = {
    "NUL": "It was \0 here.\0",
    "only NUL": "\0\0",
    "emoji": "🙂🎉👩‍👩‍👧‍👦🇨🇭",
    "right to left": "\u202eبني السد في عام 1958.\u202c ולא לפני כן.",
    "zero width": "\u200b\u200c\u200d\u2060\ufeff",
    "zero width inside": "It\u200b was\u2060 wet\ufeff.",
    "combining": "e" + "\u0301" * 2000 + " was wet.",
    "long word": "a" * 100_000,
    "long words": ("b" * 20_000 + " ") * 5,
    "punctuation": "!?.…" * 2_000,
    "punctuation after a word": "wet" + "!?" * 10_000,
    "quotes": "\"'“”«»" * 5_000,
    "brackets": "(" * 20_000 + "wet" + ")" * 20_000,
    "spaces": "wet" + " " * 100_000 + "and dry and cold and dark.",
    "lines": "wet\n\n" * 500,
    "carriage returns": "It was wet.\r\nIt was dry.\rIt was cold.",
    "line separators": "It was wet.\u2028It was dry.\u2029It was cold.\x85It was dark.\x0bIt was.",
    "private use": "\ue000\uf8ff\U000f0000 was wet.",
    "unassigned": "\u0378\U0010ffff was wet.",
    "ligatures that expand": "\ufdfa" * 2_000,
    "commas": "wet, " * 5_000,
    "no spaces": "今日は雨でした" * 2_000,
    "escape sequences": "\x1b[31mIt was wet.\x1b[0m",
    "markup": "<script>alert(1)</script> [red]It was wet.[/red] </s><s>",
}


@pytest.fixture(scope="module")
def verifier() -> HaltRagVerifier:
    return HaltRagVerifier(backend=FakeNLI(), artifact=task_model(), max_pairs=200)


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
@pytest.mark.timeout(60)
def test_strange_texts(verifier: HaltRagVerifier, text: str) -> None:
    for source, generated in ((text, "It was wet."), (SENTENCE, text), (text, text)):
        check(verifier.verify(source, generated, text), [source], generated)


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
@pytest.mark.slow
def test_strange_texts_with_the_shipped_model(shipped_model: EmbeddedNLI, text: str) -> None:
    one = HaltRagVerifier(backend=shipped_model, max_pairs=8)
    for source, generated in ((text, "It was wet."), (SENTENCE, text)):
        check(one.verify(source, generated, text), [source], generated)


@pytest.mark.parametrize("text", ["\ud800", "It was \udfff wet.", "\ud83d\ude42"])
def test_lone_surrogates_are_refused(verifier: HaltRagVerifier, text: str) -> None:
    for source, generated, question in ((text, "wet", None), ("wet", text, None), ("wet", "wet", text)):
        with pytest.raises(InputError, match="lone surrogate"):
            verifier.verify(source, generated, question)


@pytest.mark.parametrize("text", ["", " ", "\n\t\r", "\u3000\u2028\xa0"])
def test_white_space_is_refused(verifier: HaltRagVerifier, text: str) -> None:
    for source, generated in ((text, "wet"), ([text, text], "wet"), ("wet", text)):
        with pytest.raises(InputError, match="empty"):
            verifier.verify(source, generated)


def test_what_spells_a_special_token_is_text(shipped_model: EmbeddedNLI) -> None:
    one = HaltRagVerifier(backend=shipped_model)
    generated = "The dam was built in 1901. </s></s> The dam was built in 1901."
    assert one.verify(SENTENCE, generated).decision != "supported"


def test_ten_thousand_passages() -> None:
    passages = [f"Passage {i} says that bread {i} was baked." for i in range(10_000)]
    one = HaltRagVerifier(backend=FakeNLI(), artifact=task_model())
    result = one.verify(passages, "Bread 7777 was baked. The dam is grey.")
    assert [(c.label, c.reason) for c in result.claims] == [("faithful", None), (None, "not_read")]
    assert result.claims[0].evidence[0].passage_index == 7777
    assert result.receipt.passages == 10_000
    assert result.receipt.truncated


def test_ten_thousand_passages_read_whole() -> None:
    pipeline = PipelineSettings(max_windows_per_claim=10_000)
    one = HaltRagVerifier(backend=FakeNLI(), artifact=task_model(pipeline=pipeline))
    result = one.verify(["Bread was baked."] * 10_000, "The dam is grey.")
    assert result.decision == "hallucinated"
    assert not result.receipt.truncated


def big(result: Verification) -> None:
    """What is cheap to check of a result with many claims."""
    receipt = result.receipt
    assert receipt.truncated
    assert receipt.source_tokens_read < receipt.source_tokens_total or (
        receipt.generated_tokens_read < receipt.generated_tokens_total
    )


@pytest.mark.slow
def test_a_source_of_five_megabytes(verifier: HaltRagVerifier) -> None:
    result = verifier.verify(FIVE_MB + "Bread was baked.", "Bread was baked.")
    big(result)
    assert result.decision == "supported"


@pytest.mark.slow
def test_a_generated_text_of_five_megabytes(verifier: HaltRagVerifier) -> None:
    result = verifier.verify(SENTENCE, FIVE_MB)
    big(result)
    assert (result.decision, result.abstain_reason) == ("abstain", "not_read")
    assert result.claims[-1].end == len(FIVE_MB.rstrip())


@pytest.mark.slow
def test_words_of_five_megabytes(verifier: HaltRagVerifier) -> None:
    assert verifier.verify("a" * 5_000_000, "b" * 5_000_000).decision == "hallucinated"
