"""What a sentence needs of the sentence before it: whom "it" and "she" stand for.

A sentence whose subject is a pronoun says nothing that can be checked alone. Where the sentence before has a subject
that the pronoun can stand for, it takes its place: "The dam opened in May. It holds 40 million litres." is checked as
"The dam holds 40 million litres."
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halt_rag.verify.english import AUXILIARIES, first_verb, plain, predicate_start, words_of

_PRONOUN = re.compile(
    r"""(?P<opening>[\W_]*
      (?:(?:However|Also|Additionally|Furthermore|Moreover|Later|Then|Today|Currently|Overall|Finally),?\s+
        |(?:In|On|At|By|After|Since|Until|During)\s[^,.]{1,40},\s+
        |(?:And|But|So)\s+)?)
    (?P<pronoun>[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Ii]ts|[Tt]heir|[Hh]er)\b(?!['’])(?=\s+\w)""",
    re.VERBOSE,
)
#: "It" that stands for nothing: "It is important to rest", "It was in 1931 that the bridge opened".
_EXPLETIVE = re.compile(
    r"""(?:is|was|has\ been|seems|appears|remains|became)\b[^.]{1,80}\b(?:that|to|who|whether|if)\b
    |(?:is|was)\s+\w+ing\b|(?:rains|rained|snows|snowed|takes|took)\b""",
    re.VERBOSE,
)
_OPENING = re.compile(r"(?:In|On|At|By|After|During|Since|From|Until|Before)\b[^,]{1,60},\s+")
_JOINED = re.compile(r"[,;:()|*_`]|\b(?:and|or|that|who|which)\b")
_WH = frozenset("who whom what which when where why how whose".split())
_DETERMINERS = frozenset("the a an this".split())
_POSSESSIVE = frozenset("his its their her".split())
_NO_ANTECEDENT = frozenset(
    "he she it they this that these those there i we you who which what his her its their".split()
)
#: A subject of more words is not taken over.
_LONGEST = 8


def antecedent_of(sentence: str) -> str | None:
    """The subject of a sentence, for pronouns in the next; None where it has none of its own."""
    text = sentence.lstrip("\"'“‘«([ ")
    opening = _OPENING.match(text)
    words = words_of(text[opening.end() :] if opening else text)[: 2 * _LONGEST]
    verb = first_verb(words)
    if verb is None or verb > _LONGEST or plain(words[0]) in _NO_ANTECEDENT:
        return None
    return _named(words[:verb])


def asked_about(question: str) -> str | None:
    """The subject of a question in English, for pronouns in its answer; None where it is not sure."""
    words = words_of(question.rstrip("?？ "))[: 4 * _LONGEST]
    if not words:
        return None
    start = 0
    if plain(words[0]) in _WH:
        start = next((i for i, word in enumerate(words[:5]) if plain(word) in AUXILIARIES), len(words))
    if start >= len(words) - 1 or plain(words[start]) not in AUXILIARIES:
        return None
    after = words[start + 1 :]
    if plain(after[0]) in _NO_ANTECEDENT:
        return None
    end = predicate_start(
        after, bare_verb=plain(words[start]) not in {"is", "are", "was", "were", "has", "have", "had"}
    )
    return _named(after[:end]) if end else None


def _named(words: Sequence[str]) -> str | None:
    """The words as a subject, if they are a name or begin like a noun phrase."""
    subject = " ".join(words)
    if len(words) > _LONGEST or _JOINED.search(subject):
        return None
    proper = all(word[0].isupper() or word[0].isdigit() for word in words)
    return subject[0].upper() + subject[1:] if proper or plain(words[0]) in _DETERMINERS else None


def resolved(sentence: str, antecedent: str) -> str | None:
    """The sentence with its leading pronoun replaced; None where it has none that the subject can stand for."""
    found = _PRONOUN.match(sentence)
    if found is None:
        return None
    pronoun, rest = found["pronoun"].lower(), sentence[found.end() :].lstrip()
    if not _fits(pronoun, antecedent) or (pronoun == "it" and _EXPLETIVE.match(rest)):
        return None
    if pronoun in _POSSESSIVE:
        owner = antecedent + ("'" if antecedent.endswith("s") else "'s")
        return f"{found['opening']}{owner} {rest}"
    return f"{found['opening']}{antecedent} {rest}"


def _fits(pronoun: str, antecedent: str) -> bool:
    words = antecedent.split()
    common = plain(words[0]) in _DETERMINERS
    plural = plain(words[-1]).endswith("s") and not plain(words[-1]).endswith("ss")
    if pronoun in {"he", "she", "his", "her"}:
        return not common and len(words) > 1
    if pronoun in {"they", "their"}:
        return common and plural
    # A name of several words may be a person's: "Marie Curie won. It was her second prize."
    return (common or len(words) == 1) and not plural
