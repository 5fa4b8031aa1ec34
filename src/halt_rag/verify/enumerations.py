"""Statements that list things, taken apart: "The kit includes a cable, a case and a charger" says three things."""

from __future__ import annotations

import re

from halt_rag.text.spans import Span, trimmed
from halt_rag.verify.english import DETERMINERS, PREPOSITIONS, base_forms, finite_forms, first_verb, plain

_AND = re.compile(r",?\s+(?:and|as\s+well\s+as)\s+")
_COMMA = re.compile(r",\s+")
#: A list with one of these cannot be taken apart: its members hold together, or one of them does.
_HELD_TOGETHER = re.compile(
    r"""\b(?:or|nor|between|both|together|respectively|each|either|neither|not|no|never|n['’]t|if|unless|whether|that|because
      |although|average|total|sum|among|mix(?:ed|ture)?|combin\w+|equal\w*|same|differ\w*)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE_MEMBERS = PREPOSITIONS | {"of", "including", "include", "as"}
#: Words of a member at most, and how many members are a list whatever their form.
_LONGEST, _MANY = 8, 3
#: The longest sentence that is taken apart, in code points.
_LONGEST_SENTENCE = 600


def members(text: str) -> tuple[str, list[Span]] | None:
    """What a list is said of, and where its members are; None where a sentence holds no list that can be taken apart.

    Args:
        text: A sentence without a compound predicate.

    Returns:
        The words before the list, and the members in order; the words with each of the members are a statement.
    """
    text = text.rstrip(" .!?")
    joints = list(_AND.finditer(text))
    if not joints or len(text) > _LONGEST_SENTENCE or _HELD_TOGETHER.search(text):
        return None
    last = joints[-1]
    begin = _list_start(text, last.start())
    if begin is None:
        return None
    spans, at = [], begin
    for comma in _COMMA.finditer(text, begin, last.start()):
        spans.append(Span(at, comma.start()))
        at = comma.end()
    spans += [Span(at, last.start()), Span(last.end(), len(text))]
    spans = [trimmed(text, span) for span in spans]
    return (text[:begin].strip(), spans) if _is_list([span.of(text) for span in spans]) else None


def _list_start(text: str, end: int) -> int | None:
    """Where the first member begins: after the last verb or preposition before the first comma."""
    verb = first_verb(text[:end].split())
    if verb is None:
        return None
    words = [(m.start(), m.end(), m[0]) for m in re.finditer(r"\S+", text[:end])]
    start = words[verb][1]
    comma = text.find(",", start, end)
    limit = comma if comma >= 0 else end
    for begin, stop, word in words[verb:]:
        if begin >= limit:
            break
        lower = plain(word)
        if word[0].islower() and (lower in _BEFORE_MEMBERS or lower in finite_forms()):
            start = stop
    begin = start + len(text[start:]) - len(text[start:].lstrip())
    return begin if begin < limit else None


def _is_list(parts: list[str]) -> bool:
    """Whether the parts look like members of one list: short, without verbs, and two of them of one form."""
    for part in parts[:-1]:
        words = part.split()
        if not words or len(words) > _LONGEST or any(w[0].islower() and plain(w) in _verbs() for w in words):
            return False
    tail = parts[-1].split()
    if not tail or len(tail) > 2 * _LONGEST or first_verb(["x", *tail]) is not None:
        return False
    return len(parts) >= _MANY or _form(parts[0]) == _form(parts[1]) != ""


def _verbs() -> frozenset[str]:
    return frozenset(v for v in finite_forms() if v not in base_forms())


def _form(part: str) -> str:
    first = part.split()[0]
    if plain(first) in DETERMINERS:
        return "determined"
    if first[0].isdigit():
        return "number"
    return "name" if first[0].isupper() else "word" if len(part.split()) <= 2 else ""
