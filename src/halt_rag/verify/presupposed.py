"""What a refusal takes for granted: "The source does not say when Anna died of cancer" says that she did.

The rule is small and errs towards a claim, because what is no claim passes unchecked. It looks at the clause after the
question word of a refusal, and there at what follows its verb:

1. "whether" and "if" take nothing for granted, nor does "how to pay for it", which has no verb of its own;
2. without a question, a clause of "when", "where", "why" or "how" is a claim if its verb has an argument with a word of
   its own ("died of cancer", "rejected the proposal"); "when it opened" and "why the bridge was closed" have none;
   "who", "what", "which", "how many" and the like ask for an argument, and "who built the dam" takes for granted
   no more than that somebody did;
3. with a question, only words that the question lacks count, after any question word; after "who", "what" and so on
   only in a phrase with a preposition ("who built the dam in the gorge").

What stands before the verb is not looked at, so that a subject may be named in other words than in the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from halt_rag.text.quantities.context import stem
from halt_rag.verify.english import AUXILIARIES, DETERMINERS, PREPOSITIONS, first_verb, plain

_CLAUSE = re.compile(
    r"""\b(?P<asks>who|whom|whose|what|when|where|which|why|whether|if
        |how(?:\ (?:many|much|old|tall|high|big|large|far))?)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ADJUNCTS = frozenset("when where why how".split())
_OPEN = frozenset("whether if".split())
#: Words that add nothing to what is said, and those for the sources themselves.
_EMPTY = DETERMINERS | PREPOSITIONS | AUXILIARIES | frozenset(
    """of as to and or not there then that them him me us you they he she it i we who when where why how what which if
    whether place so exactly actually first up out again yet also ever never been being else more most such very own
    document documents passage passages source sources context text texts article excerpt report leaflet manual provided
    given information""".split()
)  # fmt: skip
_LINKS = PREPOSITIONS | {"of", "as"}


def presupposes(refusal: str, question: str) -> bool:
    """Whether a refusal takes for granted what may be wrong.

    Args:
        refusal: A sentence that says that the sources do not tell, in English.
        question: The question that it answers; empty where there is none.
    """
    clause = _CLAUSE.search(refusal)
    asks = clause["asks"].lower() if clause else "if"
    if clause is None or asks in _OPEN or (asks not in _ADJUNCTS and not question):
        return False
    words = [asks.split()[0], *refusal[clause.end() :].split()]
    verb = _content_verb(words)
    if verb is None:
        return False
    asked = {stem(plain(word)) for word in question.split()}
    return any(stem(word) not in asked for word in _arguments(words[verb + 1 :], linked=asks not in _ADJUNCTS))


def _content_verb(words: Sequence[str]) -> int | None:
    """Where the verb is that says what happens: "was | closed", "died"."""
    place = first_verb(words)
    if place is None:
        return next((i for i in range(2, len(words)) if _looks_like_a_verb(plain(words[i - 1]), words[i])), None)
    while place + 1 < len(words) and (plain(words[place]) in AUXILIARIES or _is_adverb(plain(words[place]))):
        if plain(words[place + 1]) in DETERMINERS | PREPOSITIONS:
            break
        place += 1
    return place


def _looks_like_a_verb(before: str, word: str) -> bool:
    """Whether a word that is no known verb has the form of one: "embezzled"; after a singular, "cures"."""
    if re.fullmatch(r"[a-z]{2,}ed", plain(word)):
        return True
    apart = before in DETERMINERS | PREPOSITIONS | {"of", "to", "and", "or"}
    return not apart and not before.endswith("s") and re.fullmatch(r"[a-z]{2,}[a-rt-z]s", word) is not None


def _arguments(words: Sequence[str], *, linked: bool) -> Iterator[str]:
    """The words that say something in what follows a verb; with ``linked`` only those after a preposition."""
    seen = not linked
    for before, word in zip(["", *map(plain, words)], map(plain, words), strict=False):
        seen = seen or word in _LINKS
        if seen and word and word not in _EMPTY and not _is_adverb(word) and before != "to":
            yield word


def _is_adverb(word: str) -> bool:
    return word in {"not", "ever", "also", "been", "being", "never"} or (len(word) > 4 and word.endswith("ly"))
