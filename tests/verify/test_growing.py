"""The claims of a text that grows: those of the whole text, each read once, and little read again."""

from __future__ import annotations

import pytest

from halt_rag.text.spans import Span
from halt_rag.verify.claims import ClaimText, claims_of
from halt_rag.verify.growing import GrowingClaims

_SENTENCES = [f"The lamp of harbour {n} holds {n} litres of oil, e.g. for Dr. Keller." for n in range(120)]
_QUOTED = [f'He said "It was wet. It was dry." on day {n} (a Monday. It rained.).' for n in range(90)]
_ROWS = [f"| harbour {n} | {n} litres of oil |" for n in range(150)]
_NAMES = ("Anna", "Ben", "Anna Keller")
TEXTS = {
    "paragraphs": "\n\n".join(" ".join(_SENTENCES[n : n + 5]) for n in range(0, 120, 5)),
    "one paragraph": " ".join(_SENTENCES),
    "Windows line ends": "\r\n\r\n".join(_SENTENCES),
    "lines": "\n".join(_SENTENCES),
    "lines without a mark at their end": "A line that is longer than all the others, which it makes short ones: yes\n"
    + "\n".join(f"Name of harbour{'s' * (n % 9)}: Port {n}" for n in range(150)),
    "quotations": " ".join(_QUOTED),
    "an open quotation": f'An inch is 1". {" ".join(_SENTENCES)}',
    "a list": "The kit includes:\n" + "\n".join(f"- {one}" for one in _SENTENCES),
    "a table": "\n".join(["Some lamps:\n", "| name | oil |", "|---|---|", *_ROWS, "", *_SENTENCES[:3]]),
    "a table without outer bars": "name | oil\n--- | ---\n" + "\n".join(row[2:-2] for row in _ROWS),
    "code": "\n".join(["```text", "| a | b |", "|---|---|", *_ROWS, "```", *_SENTENCES[:3]]),
    "an open block of code": "\n\n".join(["~~~", *_SENTENCES[:90], "| a | b |\n|---|---|\n| c | d |", *_SENTENCES[:9]]),
    "a dialogue": "\n".join(f"{_NAMES[n % 3]}: {one} It is old." for n, one in enumerate(_SENTENCES[:80])),
    "emoji": " ".join(one.replace(".", "! 🙂🏽 ", 1) for one in _SENTENCES),
    "Cyrillic": " ".join(f"Маяк номер {n} построен в 19{n:02} году. Он был очень старый." for n in range(60)),
}
#: The splitter of sentences is given so many code points at once.
_PIECE = 2048


@pytest.mark.parametrize("kind", TEXTS)
def test_little_is_read_again_however_long_the_text_is(kind: str) -> None:
    text, fitted, longest = TEXTS[kind], 0, 0

    def fit(claims: list[ClaimText], _: str) -> list[ClaimText]:
        nonlocal fitted
        fitted += len(claims)
        return claims

    growing, claims = GrowingClaims(None, fit), list[ClaimText]()
    for end in range(0, len(text), 40):
        first, claims[first:] = growing.read(text[:end], lambda span, end=end: span.end + 20 < end)  # type: ignore[misc]
        longest = max(longest, end - growing.place.start)
    assert claims == claims_of(text, None)[: len(claims)]
    assert len(claims) >= 80
    assert longest < 1.2 * _PIECE
    # With a quotation mark, what follows it may be read otherwise until the next one comes.
    assert '"' in text or fitted <= 1.1 * len(claims) + 3


def test_a_second_speaker_makes_turns_of_what_was_settled() -> None:
    paragraphs = ["Note: The dam is old. It is grey.", *_SENTENCES[:9], "Anna: The dam is new. It is red. "]
    text = "\n\n".join(paragraphs)
    growing = GrowingClaims(None, lambda claims, _: claims)
    before, claims = growing.read(text[:-40], _ended)
    assert (before, claims[1].hypothesis) == (0, "It is grey.")
    assert growing.settled > 5
    again, claims = growing.read(text, _ended)
    assert (again, claims) == (0, claims_of(text, None)[: len(claims)])
    assert claims[1].hypothesis == "Note: It is grey."


def _ended(span: Span) -> bool:
    return True
