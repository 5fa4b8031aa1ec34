"""Whether an answer is right, a refusal, or wrong, given what is known of the right answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from halt_rag.text.sentences import split_sentences
from halt_rag.verify.na import is_na

Grade = Literal["right", "wrong", "abstained"]

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_ARTICLES = frozenset({"a", "an", "the"})
_NEGATIONS = frozenset({"no", "not", "never", "none", "neither", "nor", "without", "cannot"})
_REFUSAL = re.compile(
    r"^\W*(?:n/?a|none|unknown|unanswerable|not (?:found|stated|mentioned|given|specified)|no answer"
    r"|i (?:do not|don['’]t) know|(?:i )?(?:cannot|can['’]t|could not) (?:answer|tell|find|determine)\b.*)\W*$",
    re.IGNORECASE | re.DOTALL,
)


def words(text: str) -> list[str]:
    """The words and numbers of a text as answers are compared: lower case, without articles and marks."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return [word.replace(",", "") for word in _WORD.findall(plain) if word not in _ARTICLES]


def abstains(answer: str, question: str) -> bool:
    """Whether an answer declines to answer: it is empty, or all of it is a refusal."""
    if not answer.strip() or _REFUSAL.match(answer):
        return True
    sentences = [span.of(answer).strip() for span in split_sentences(answer)]
    return all(is_na(sentence, question) for sentence in sentences if sentence)


def grade(question: str, answer: str, gold: Sequence[str]) -> Grade:
    """Compares an answer with the right ones.

    It is right if it has the words of one of them in a row, and no negation that this one lacks. That misses
    paraphrases; rows whose grade is known otherwise should carry it.
    """
    if abstains(answer, question):
        return "abstained"
    given = words(answer)
    for one in gold:
        wanted = words(one)
        negated = _NEGATIONS & set(given) > _NEGATIONS & set(wanted)
        if wanted and not negated and _in_a_row(wanted, given):
            return "right"
    return "wrong"


def contains_gold(context: str, gold: Sequence[str]) -> bool:
    """Whether a context has the words of a right answer in a row: the baseline for sufficiency."""
    there = words(context)
    return any(_in_a_row(wanted, there) for wanted in map(words, gold) if wanted)


def _in_a_row(wanted: list[str], given: list[str]) -> bool:
    return f" {' '.join(wanted)} " in f" {' '.join(given)} "
