"""Lexical support: which words, numbers and names of a claim its sources hold.

Cheap, language-independent signals beside the NLI scores. Small models overlook a changed digit or name; a set
comparison does not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

#: Scripts written without spaces between words are compared by pairs of characters.
_SCRIPTS = r"\u0e00-\u0e4f\u0e5a-\u0ecf\u0eda-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)*|[{_SCRIPTS}]+|[^\W\d_{_SCRIPTS}]+")
_UNSPACED = re.compile(rf"[{_SCRIPTS}]")
_STOP = frozenset(
    "a an and are as at be been being but by can could did do does for from had has have he her hers him his i if in "
    "into is it its may might more most must no nor not of on one or our out over she should so some such than that "
    "the their them then there these they this those to under up was we were what when where which while who whom "
    "whose why will with would you your also about after all any because before both each few how just only other "
    "own same very".split()
)
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
     "hundred": "100", "dozen": "12", "first": "1", "second": "2", "third": "3", "once": "1", "twice": "2"}  # fmt: skip
_BREAK = re.compile(r"[.!?:\n]")
_THOUSANDS = re.compile(r"[.,](?=\d{3}(?:\D|$))")
_ZEROS = re.compile(r"\.0+$")
_STEM = 6
#: A beginning that leaves open who or what is spoken of, perhaps after a short phrase: "In 1958, it".
_REFERRING = re.compile(r"\W{0,3}(?:[^,.]{1,30},\s)?(?:he|she|it|they|his|her|its|their|this|these)\b", re.IGNORECASE)


def _stem(word: str) -> str:
    return word[:-1][:_STEM] if len(word) > 3 and word.endswith("s") else word[:_STEM]


def _number(token: str) -> str:
    """One form for 1,250 and 1250 and 1250.0, in the digits of any script."""
    plain = token if token.isascii() else "".join(str(unicodedata.decimal(c, c)) for c in token)
    if not plain.startswith("0"):  # 0.125 has no thousands.
        plain = _THOUSANDS.sub("", plain)
    return _ZEROS.sub("", plain.replace(",", ".")).lstrip("0") or "0"


@dataclass(frozen=True, slots=True)
class Lexemes:
    """The comparable parts of a text.

    Attributes:
        words: Stems of its content words; character pairs for scripts without spaces.
        bigrams: Neighbouring content words.
        numbers: Its numbers in one normal form, written-out small numbers included.
        names: Stems of capitalised words inside sentences.
        length: How many content words it has, repeats included.
        refers: Whether it opens with a pronoun (English), so that whom it is about is not among its names.
    """

    words: frozenset[str]
    bigrams: frozenset[tuple[str, str]]
    numbers: frozenset[str]
    names: frozenset[str]
    length: int
    refers: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of a text: as written, its words (none for a common word), its number, and whether it is a name."""

    written: str
    words: list[str]
    number: str | None
    name: bool


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of a text in NFKC."""
    end = 0
    for match in _TOKEN.finditer(text):
        token, lower = match.group(), match.group().casefold()
        if token[0].isdigit():
            yield _Token(token, [_number(token)], _number(token), name=False)
        elif _UNSPACED.match(token):
            yield _Token(token, [token[i : i + 2] for i in range(max(1, len(token) - 1))], None, name=False)
        else:
            common = lower in _STOP
            inside = token[0].isupper() and end and not _BREAK.search(text, end, match.start())
            words = [] if common else [_stem(lower)]
            yield _Token(token, words, _NUMBER_WORDS.get(lower), name=bool(inside) and not common)
        end = match.end()


def lexemes(text: str) -> Lexemes:
    """Takes a text apart; linear in its length."""
    words: list[str] = []
    numbers: set[str] = set()
    names: set[str] = set()
    text = unicodedata.normalize("NFKC", text)
    for token in _tokens(text):
        words += token.words
        if token.number is not None:
            numbers.add(token.number)
        if token.name:
            names.update(token.words)
    bigrams = frozenset(pairwise(words))
    refers = _REFERRING.match(text) is not None
    return Lexemes(frozenset(words), bigrams, frozenset(numbers), frozenset(names), len(words), refers)


def missing(text: str, source: Lexemes) -> tuple[list[str], list[str], list[str]]:
    """What of a text a source lacks, as it is written in the text (in NFKC), without repeats.

    Returns:
        Words, numbers, names, each in the order of the text; a token is in one of the three.
    """
    words: dict[str, None] = {}
    numbers: dict[str, None] = {}
    names: dict[str, None] = {}
    for token in _tokens(unicodedata.normalize("NFKC", text)):
        if token.number is not None:
            if token.number not in source.numbers:
                numbers[token.written] = None
        elif not source.words.issuperset(token.words):
            (names if token.name else words)[token.written] = None
    return list(words), list(numbers), list(names)


def union(parts: Iterable[Lexemes]) -> Lexemes:
    """What several texts hold together."""
    every = list(parts)
    return Lexemes(
        frozenset[str]().union(*(p.words for p in every)),
        frozenset[tuple[str, str]]().union(*(p.bigrams for p in every)),
        frozenset[str]().union(*(p.numbers for p in every)),
        frozenset[str]().union(*(p.names for p in every)),
        sum(p.length for p in every),
    )


def recall(claim: frozenset[Any], source: frozenset[Any]) -> float:
    """Share of the claim's items that the source holds; 1.0 where the claim has none."""
    return len(claim & source) / len(claim) if claim else 1.0
