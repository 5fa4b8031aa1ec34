"""Texts that are safe on a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag import HaltRagVerifier
from halt_rag.cli.render import plain_result, shown
from halt_rag.nli.fake import FakeNLI
from tests.verify.support import any_texts

JOINERS = "\u200c\u200d"


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain Ω 水 🙂\n\t", "plain Ω 水 🙂\n\t"),
        ("a\r\nb", "a\nb"),
        ("a\rb", "a�b"),
        ("\x1b[31m\x00\x7f\x9b", "�[31m���"),
        ("\u202e\u2066\ufeff\u200b\xad", "�����"),
        ("👩\u200d👧 می\u200cخواهم", "👩\u200d👧 می\u200cخواهم"),
    ],
)
def test_shown(text: str, safe: str) -> None:
    assert shown(text) == safe


@given(st.text())
def test_nothing_that_controls_is_shown(text: str) -> None:
    assert not [c for c in shown(text) if unicodedata.category(c) in {"Cc", "Cf"} and c not in "\n\t" + JOINERS]


@given(any_texts, any_texts)
def test_any_result_can_be_printed(source: str, generated: str) -> None:
    printed = plain_result(HaltRagVerifier(backend=FakeNLI()).verify(source, generated), generated)
    assert "\x1b" not in printed
    assert printed.split("  ", 1)[0] in {"supported", "hallucinated", "abstain"}
