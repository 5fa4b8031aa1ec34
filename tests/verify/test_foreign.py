"""What a model is not competent in stays undetermined, with the reason, unless it stands in a source word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from halt_rag import HaltRagVerifier
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from tests.verify.test_text_model import paper_pipeline, text_model


class EnglishOnly(FakeNLI):
    """A backend that declares one language."""

    languages = ("en",)


GERMAN = "Das Museum ist montags geschlossen. Der Eintritt kostet fünf Euro."
ENGLISH = "The museum is closed on Mondays. The entry fee is five euros."


@pytest.mark.parametrize(
    ("source", "generated", "label", "reason"),
    [
        (GERMAN, "Am Montag hat das Museum nicht geöffnet.", None, "language"),
        (ENGLISH, "Am Montag hat das Museum nicht geöffnet.", None, "language"),
        (GERMAN, "The museum is not open on Mondays.", None, "language"),
        (GERMAN, "Das Museum ist montags geschlossen.", "faithful", None),
        ([GERMAN, ENGLISH], "The museum is closed on Mondays.", "faithful", None),
        (ENGLISH, "The museum is closed on Mondays.", "faithful", None),
    ],
)
def test_a_model_is_asked_only_about_its_languages(
    source: str | list[str], generated: str, label: str | None, reason: str | None
) -> None:
    result = HaltRagVerifier(backend=EnglishOnly()).verify(source, generated)
    assert (result.claims[0].label, result.claims[0].reason) == (label, reason)
    if reason:
        assert (result.decision, result.abstain_reason) == ("abstain", "language")
        assert result.receipt.truncated


@pytest.mark.parametrize(
    ("source", "generated", "why"),
    [
        (GERMAN, "The museum is not open on Mondays.", "language"),
        (GERMAN, "Das Museum ist montags geschlossen.", "language"),
        ([GERMAN, ENGLISH], "The museum is closed on Mondays.", "language"),
        (ENGLISH, "The museum is closed on Mondays.", None),
    ],
)
def test_a_text_model_reads_everything_or_leaves_the_text_open(
    source: str | list[str], generated: str, why: str | None
) -> None:
    """It weighs a text and its sources as a whole, also where a claim alone could be decided."""
    backend = EnglishOnly()
    pipeline = paper_pipeline(backend)
    result = HaltRagVerifier(backend=backend, task="qa", artifact=text_model(pipeline)).verify(source, generated)
    assert result.abstain_reason == why
    assert (result.decision == "abstain") == (result.calibrated_prob is None) == result.receipt.truncated == bool(why)


def test_a_backend_that_declares_no_languages_is_asked_about_all() -> None:
    result = HaltRagVerifier(backend=FakeNLI()).verify(GERMAN, "Am Montag hat das Museum nicht geöffnet.")
    assert result.claims[0].reason != "language"


def test_the_shipped_model_declares_its_language() -> None:
    assert EmbeddedNLI().languages == ("en",)


def test_a_cache_declares_the_languages_of_its_backend(tmp_path: Path) -> None:
    assert CachedNLI(EnglishOnly(), SQLiteScoreStore(tmp_path / "scores.sqlite")).languages == ("en",)
