"""The parts of a compound sentence, each a statement that stands alone.

"Acme was founded in 1990 and employs 300 people" has the clauses "Acme was founded in 1990" and "Acme employs 300
people"; "The kit includes a cable and a case" says two things as well. A sentence entails each of its parts, so that
one that fails makes the sentence fail. Where a part would lose what it depends on (a condition, a denial, who said it),
the sentence is left whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from halt_rag.text.spans import Span, trimmed
from halt_rag.verify.english import (
    AUXILIARIES,
    PREPOSITIONS,
    base_forms,
    finite_forms,
    first_verb,
    plain,
    plain_verbs,
    words_of,
)
from halt_rag.verify.enumerations import members

#: A clause has at least this many words.
_SHORTEST = 3
#: A verb is looked for among this many words.
_FAR = 16
#: The longest sentence that is divided, in code points, and how far behind a joint is looked.
_LONGEST, _AHEAD = 2000, 400
_JOINT = re.compile(r"(?:[,;]\s+|\s)(?:and|but|while|whereas)\s+(?:(?:then|also|later|now)\s+)?|;\s+", re.IGNORECASE)
#: What a clause may depend on that stands before the joint: a condition, a speaker, a word about both clauses.
_DEPENDS = re.compile(
    r"""\b(?:if|unless|whether|when|whenever|until|because|since|although|though|that|what|neither|either|nor|both|between
      |according|says?|said|saying|claims?|claimed|argues?|argued|believes?|believed|thinks?|thought|denie[sd]
      |deny|suggests?|suggested|alleged|allegedly|respectively)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_RELATIVE = re.compile(r",\s+(?:which|who)\s+")
_END = re.compile(r"[\s.!?]*$")
#: What begins an object, and so shows that a form in "-s" before it is a verb: "houses a collection".
_OBJECT = frozenset(
    "a an the its his her their all both one two three four five six seven ten more up no not over about each".split()
)
_PRONOUNS = frozenset("he she it they this these its his her their we i you".split())
_NAME_END = re.compile(r"(?:(?:[A-ZÀ-Þ][\w.'’-]*|(?<=\w )(?:of|de|van|the))\s+){0,5}[A-ZÀ-Þ][\w.'’-]*$")
_PHRASE_END = re.compile(r"\b(?:the|a|an)\s+(?:[\w'’-]+\s+){0,2}[\w'’-]+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a sentence.

    Attributes:
        span: Where its words are in the sentence; None where they are not in one piece.
        statement: What it says, with the subject that it shares.
    """

    span: Span | None
    statement: str


def split_clauses(text: str) -> list[Clause]:
    """The statements that a sentence joins, in order; the sentence alone where it is not compound.

    English only; other sentences are divided at semicolons. Linear in the length of the text.
    """
    if len(text) > _LONGEST:
        return [Clause(trimmed(text, Span(0, len(text))), text.strip())]
    clauses = [c for part in _with_relative_clauses(trimmed(text, Span(0, len(text))), text) for c in part]
    return clauses if len(clauses) > 1 else [Clause(trimmed(text, Span(0, len(text))), text.strip())]


def clauses_of(text: str) -> list[str]:
    """The statements of ``split_clauses``."""
    return [clause.statement for clause in split_clauses(text)]


def _with_relative_clauses(whole: Span, text: str) -> Iterator[list[Clause]]:
    """The clauses without the first relative clause set off by commas, and that clause as a statement."""
    found = _RELATIVE.search(text)
    relative = _relative(found, text) if found and not _DEPENDS.search(text, 0, found.start()) else None
    if found is None or relative is None:
        yield _coordinated(whole.of(text), whole.start)
        return
    end = relative.span.end if relative.span else whole.end
    rest = text[end:].lstrip(" ,")
    if rest.strip(" .!?"):
        main = _coordinated(f"{text[: found.start()].strip()} {rest}", 0)
        yield [Clause(None, clause.statement) for clause in main]
    else:
        yield _coordinated(text[whole.start : found.start()], whole.start)
    yield [relative]


def _relative(found: re.Match[str], text: str) -> Clause | None:
    """What ", which ..." says of what stands before it; None where either is not sure."""
    head = text[: found.start()].strip()
    end = _relative_end(text, found.end())
    inside, rest = text[found.end() : end].strip(), text[end:].strip(" ,.!?")
    words = inside.split()
    subject = _antecedent(head)
    if subject is None or len(words) < _SHORTEST - 1 or plain(words[0]) not in finite_forms():
        return None
    main = f"{head} {rest}".split()
    if len(main) < _SHORTEST or first_verb(main[: 2 * _FAR]) is None:
        return None
    return Clause(trimmed(text, Span(found.end(), end)), _ended(f"{subject} {inside}"))


def _relative_end(text: str, start: int) -> int:
    """Where a relative clause that begins at a place ends: at the comma before the verb of the sentence, or its end."""
    for comma in re.finditer(r",\s+", text[start:]):
        following = text[start + comma.end() :].split(None, 1)
        if following and plain(following[0]) in finite_forms():
            return start + comma.start()
    return len(text)


def _antecedent(head: str) -> str | None:
    """What a relative clause after these words is about."""
    words = words_of(head)[: 2 * _FAR]
    if not words:
        return None
    if first_verb(words) is None:
        return head if len(words) <= 8 and plain(words[0]) not in PREPOSITIONS else None
    name = _NAME_END.search(head[-200:]) or _PHRASE_END.search(head[-200:])
    return name[0] if name else None


def _coordinated(text: str, place: int) -> list[Clause]:
    """The clauses of a text that has no relative clauses; ``place`` is where it begins in the sentence."""
    clauses: list[Clause] = []
    start, subject = 0, ""

    def take(end: int) -> None:
        span = trimmed(text, Span(start, end))
        words = f"{subject} {span.of(text)}" if subject and start else span.of(text)
        clauses.append(Clause(span.shift(place), _ended(words)))

    for joint in _JOINT.finditer(text):
        before, after = text[start : joint.start()], text[joint.end() : joint.end() + _AHEAD]
        apart = ";" in joint[0]
        if len(before.split()) < _SHORTEST - 1 or (_DEPENDS.search(before) and not apart):
            continue
        shared = "" if apart else subject or _subject(before)
        if apart or _stands_alone(after, strict=joint[0][0] not in ",;"):
            take(joint.start())
            start, subject = joint.end(), ""
        elif shared and _is_predicate(after, shared):
            take(joint.start())
            start, subject = joint.end(), shared
    take(len(text))
    if len(clauses) == 1 and (found := members(text)):
        said, parts = found
        return [Clause(part.shift(place), _ended(f"{said} {part.of(text)}")) for part in parts]
    if all(len(clause.statement.split()) >= _SHORTEST for clause in clauses):
        return clauses
    return [Clause(trimmed(text, Span(0, len(text))).shift(place), _ended(text.strip()))]


def _subject(clause: str) -> str:
    """The words before the verb of a clause, its opening adverbial left out; empty where they are not found."""
    opening = re.match(r"(?:In|On|At|By|After|During|Since|From|Until|Before)\b[^,]{1,60},\s+", clause)
    words = words_of(clause[opening.end() :] if opening else clause)[:_FAR]
    verb = first_verb(words)
    if verb is None or plain(words[0]) in PREPOSITIONS:
        return ""
    subject = " ".join(words[:verb])
    return "" if "," in subject else subject[0].upper() + subject[1:]


def _is_predicate(after: str, subject: str) -> bool:
    """Whether a verb and what belongs to it stand here, whose subject stands before."""
    words = after.split(None, 2)
    if len(words) < 2 or not words[0].islower():
        return False
    first, second = plain(words[0]), words[1]
    if first in base_forms() and first not in finite_forms():
        return subject.endswith("s") and second.lower() in _OBJECT
    if first not in finite_forms():
        return False
    known = not first.endswith("s") or first in plain_verbs()
    return known or plain(second) in _OBJECT or second[0].isupper() or second[0].isdigit()


def _stands_alone(after: str, *, strict: bool) -> bool:
    """Whether a clause with a subject of its own begins here."""
    end = re.search(r"[,;]", after)
    words = words_of(after[: end.start()] if end else after)[:_FAR]
    verb = first_verb(words)
    if verb is None or len(words) < _SHORTEST or _DEPENDS.search(" ".join(words[:verb])):
        return False
    # "the man and the woman accused of theft": without a comma, a past form may be a participle.
    return not strict or plain(words[verb]) in AUXILIARIES or plain(words[0]) in _PRONOUNS


def _ended(clause: str) -> str:
    clause = _END.sub("", clause).rstrip(",;")
    return f"{clause[0].upper()}{clause[1:]}." if clause else clause
