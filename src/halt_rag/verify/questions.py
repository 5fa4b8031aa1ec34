"""A short answer and its question as one statement, such as "Delhi held the fair." of "Which city held the fair?".

Only where a rule is safe: a question in one sentence, in English, of a known form. Elsewhere there is no statement, and
the answer is read after its question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from halt_rag.verify.english import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    base_forms,
    finite_forms,
    first_verb,
    past,
    plain,
    predicate_start,
    third_person,
)

_SAID_OF = r"(?:(?:that\ is|that's|it\ is|this\ is)\ )?"
_IT_IS = (
    r"(?:i|you|he|she|it|they|we|there)\ (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|must|should)"
)
_YES = re.compile(
    rf"""(?:yes|yep|yeah)(?:\ (?:indeed|of\ course|absolutely|definitely|certainly|correct|exactly))?
    |{_SAID_OF}(?:correct|true|right)|absolutely|definitely|certainly|indeed|exactly|of\ course
    |(?:yes\ )?{_IT_IS}""",
    re.VERBOSE,
)
_NO = re.compile(
    rf"""no|nope|not\ at\ all|of\ course\ not|never|{_SAID_OF}(?:incorrect|false|wrong|not\ (?:true|correct))
    |(?:certainly|absolutely|definitely)\ not
    |(?:no\ )?(?:{_IT_IS}(?:\ not|n't)|(?:i|you|he|she|it|they|we)\ (?:cannot|can't|won't))""",
    re.VERBOSE,
)
_DO = frozenset("do does did".split())
_BE = frozenset("is are was were".split())
_HAVE = frozenset("has have had".split())
_MODALS = frozenset("can could will would shall should may might must".split())
_WH = frozenset("who whom what which".split())
_AFTER_VERB = PREPOSITIONS | {"of", "as", "to", "for"}
_YEAR = re.compile(r"(?:(?:early|late|mid)[ -])?\d{3,4}s?(?: (?:AD|BC|BCE|CE))?")
_MONTH = re.compile(r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b")
_DAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b")
_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\.?|o'clock)|\d{1,2}:\d\d|noon|midnight", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|million)\b", re.IGNORECASE
)
_COUNT = re.compile(
    r"""(?:(?:about|around|over|more\ than|at\ least|up\ to|nearly|almost|approximately)\ )?
      (?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)
      (?:\ (?:hundred|thousand|million|billion))*""",
    re.IGNORECASE | re.VERBOSE,
)
_MEASURES = frozenset("long old tall high deep wide thick".split())
#: More than one sentence, or more than one question.
_NOT_SIMPLE = re.compile(
    r"(?<=[a-z]{3})[.:]\s+\S|[!?;]\s+\S|[\w,] and (?:who|what|when|where|which|why|how)\b", re.IGNORECASE
)
#: "As of May 2019, how many ...": what stands before the question.
_OPENING = re.compile(r"(?:As of|In|On|At|By|During|After|Before|According to)\b[^,?]{1,60},\s+(?=\w)")
_EDGES = ' \t\n*_`"“”'
_ANSWER_IS = re.compile(r"^the (?:correct )?answer is:?\s+", re.IGNORECASE)
#: What is said to be the answer, whatever else the question says of it.
_ATTRIBUTE = re.compile(
    r"""(?:the|his|her|its|their|[\w.\ -]{1,40}['’]s?)\ (?:[\w-]+\ ){0,3}?
      (?:name|names|title|reason|amount|goal|aim|purpose|outcome|result|location|capital|role|country|city|profession|year|date
        |cost|price|fee|length|height|age|size|number|population|percentage|cause|event|term|issue|response|relationship
        |occupation|nationality|position|first|last|only|largest|smallest|oldest|highest|main|primary|total|maximum|minimum)\b""",
    re.VERBOSE,
)
#: "No." after a question that has one of these may mean either ("Has it never closed?").
NEGATIVES = frozenset("not never no none nobody nothing nowhere neither nor".split())
#: What "not" after the subject does not deny: "All members did not vote" is not what "No." says.
QUANTIFIERS = frozenset(
    """all any anybody anyone anything both each either every everybody everyone everything few half just many most much
    only several some somebody someone something""".split()
)
#: Auxiliaries in a question that expects "yes"; "yes" and "no" say the same as after the question without "not".
_CONTRACTED = re.compile(
    r"(?P<rest>is|are|was|were|do|does|did|has|have|had|could|would|should|must|ca|wo)n['’]t", re.I
)
_SHORTENED = {"ca": "can", "wo": "will"}
_TAG = re.compile(rf"(?P<said>[^,]+),\s+(?P<verb>{_CONTRACTED.pattern})\ (?:he|she|it|they|we|there|you)", re.I)
#: Words that say "yes" or "no" and nothing of whether the question is right.
_YES_OR_NO_ITSELF = re.compile(r"\W*(?:yes|yep|yeah|no|nope)\b", re.IGNORECASE)
#: The longest question that is rewritten, in words.
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question after its question words: "did Ida Brandt not open" -> did; Ida Brandt; open; denied."""

    auxiliary: str
    subject: str
    rest: list[str]
    denied: bool = False

    def before_answer(self, *, negated: bool = False) -> str | None:
        """The statement up to where the answer or the end stands; None where it cannot be formed."""
        rest = list(self.rest)
        auxiliary, negated = self.auxiliary, negated or self.denied
        if auxiliary in _DO and not negated:
            verb = plain(rest[0])
            rest[0] = past(verb) if auxiliary == "did" else third_person(verb) if auxiliary == "does" else verb
            return " ".join([self.subject, *rest])
        if negated and self.subject == "There":
            words = rest[1:] if rest and plain(rest[0]) in {"a", "an", "any"} else rest
            return " ".join([self.subject, auxiliary, "no", *words])
        verb = ("cannot" if auxiliary == "can" else f"{auxiliary} not") if negated else auxiliary
        return " ".join([self.subject, verb, *rest])


def says_yes_or_no(answer: str) -> bool | None:
    """True for "Yes.", "Correct.", "Absolutely."; False for "No.", "Not at all."; None for anything else."""
    words = " ".join(re.findall(r"[\w']+", answer.lower().replace("’", "'")))
    if _YES.fullmatch(words):
        return True
    return False if _NO.fullmatch(words) else None


def asks_yes_or_no(question: str) -> bool:
    """Whether an English question opens like one that "yes" or "no" answers, and asks for no favour."""
    words = question.split()
    opens = plain(words[0]) if words else ""
    favour = opens in {"can", "could", "would", "will"} and len(words) > 1 and plain(words[1]) == "you"
    return opens in AUXILIARIES and "?" in question and not favour


def statement_of(question: str, answer: str) -> str | None:
    """What a short answer says, as a sentence that can be checked alone; None where no rule is sure."""
    words = question.strip().rstrip("?？ ").split()
    answer = _ANSWER_IS.sub("", answer.strip(_EDGES)).rstrip(".! ").strip(_EDGES)
    if not 2 <= len(words) <= _LONGEST or not answer or "\n" in answer:
        return None
    if _NOT_SIMPLE.search(question):
        return None
    if plain(words[0]) in AUXILIARIES:
        return _yes_no(words, answer)
    if (tagged := _tagged(question, answer)) is not None:
        return tagged
    if says_yes_or_no(answer) is not None or _is_sentence(answer):
        return None
    opening = _OPENING.match(question.strip())
    if opening:
        rest = statement_of(_capital(question.strip()[opening.end() :]), answer)
        return f"{opening[0]}{rest}" if rest else None
    made = _fronted(words, answer) or _when_where(words, answer) or _how(words, answer) or _who_what(words, answer)
    return _sentence(made) if made else None


def _yes_no(words: list[str], answer: str) -> str | None:
    yes = says_yes_or_no(answer)
    if yes is None or "or" in map(plain, words):
        return None
    contracted = _CONTRACTED.fullmatch(plain(words[0]))
    if contracted:
        words = [_positive(contracted), *words[1:]]
    if yes:  # "Was it ever closed?", "Is there any fee?"
        words = [word for word in words if plain(word) not in {"ever", "any"}]
    asked = _asked(words)
    if asked is None or ((contracted or asked.denied) and not _YES_OR_NO_ITSELF.match(answer)):
        return None
    return _affirmed(asked) if yes and not asked.denied else None if yes else _denied(asked)


def _tagged(question: str, answer: str) -> str | None:
    """Answers "Berlin is the capital, isn't it?"."""
    tag = _TAG.fullmatch(question.strip().rstrip("?？ "))
    yes = says_yes_or_no(answer)
    if tag is None or yes is None:
        return None
    words, verb = tag["said"].split(), _positive(tag)
    place = next((i for i, word in enumerate(words) if plain(word) == verb), 0)
    if not place:
        return None
    asked = _Asked(verb, " ".join(words[:place]), words[place + 1 :])
    return _affirmed(asked) if yes else _denied(asked)


def _positive(contracted: re.Match[str]) -> str:
    verb = contracted["rest"].lower()
    return _SHORTENED.get(verb, verb)


def _affirmed(asked: _Asked) -> str | None:
    made = asked.before_answer() if asked.rest or asked.subject == "There" else None
    return _sentence(made) if made else None


def _denied(asked: _Asked) -> str | None:
    """What "no" says; None where "not" would not deny the whole."""
    words = [plain(word) for word in asked.subject.split()]
    if words[0] in QUANTIFIERS or not {"and", "ever"}.isdisjoint(words):
        return None
    if not NEGATIVES.isdisjoint([*words, *map(plain, asked.rest)]):
        return None
    made = asked.before_answer(negated=True) if asked.rest or asked.subject == "There" else None
    return _sentence(made) if made else None


def _asked(words: list[str], *, needs_predicate: bool = True) -> _Asked | None:
    """Takes "did Ida Brandt open the bridge" apart."""
    auxiliary = plain(words[0]) if words else ""
    if auxiliary not in _DO | _BE | _HAVE | _MODALS or len(words) < 2:
        return None
    after = words[1:]
    place = predicate_start(after, bare_verb=auxiliary in _DO | _MODALS)
    if place is None:
        if needs_predicate or auxiliary not in _BE:
            return None
        place = len(after)
    subject, rest = after[:place], after[place:]
    denied = "not" in {plain(word) for word in (*subject[-1:], *rest[:1])}
    if denied:
        subject, rest = (subject[:-1], rest) if plain(subject[-1]) == "not" else (subject, rest[1:])
        if not subject or (rest and plain(rest[0]) == "only"):
            return None
    return _Asked(auxiliary, _capital(" ".join(subject)), rest, denied)


def _fronted(words: list[str], answer: str) -> str | None:
    """Answers "In which city was she born?"."""
    preposition = plain(words[0])
    if preposition not in _AFTER_VERB or plain(words[1]) not in {"which", "what", "whom"}:
        return None
    place = next((i for i, word in enumerate(words[2:8], 2) if plain(word) in _DO | _BE | _HAVE | _MODALS), None)
    asked = _asked(words[place:]) if place is not None else None
    made = asked.before_answer() if asked else None
    if made is None:
        return None
    return f"{made} {_small(answer)}" if _opens_with_preposition(answer) else f"{made} {preposition} {_small(answer)}"


def _when_where(words: list[str], answer: str) -> str | None:
    what = plain(words[0])
    if what not in {"when", "where"}:
        return None
    asked = _asked(words[1:], needs_predicate=False)
    made = asked.before_answer() if asked else None
    if made is None or asked is None:
        return None
    if what == "where":
        link = "" if _opens_with_preposition(answer) else "in "
    elif not asked.rest:
        link = ""
    else:
        found = _time_link(answer)
        if found is None:
            return None
        link = found
    return f"{made} {link}{_small(answer)}"


def _time_link(answer: str) -> str | None:
    """The preposition that a time needs; empty where it has one, None where that is not sure."""
    if _opens_with_preposition(answer):
        return ""
    if _YEAR.fullmatch(answer):
        return "in "
    if _CLOCK.match(answer):
        return "at "
    if _DAY.match(answer) or (re.search(r"\b[A-Z][a-z]+ \d{1,2}\b(?!\d)|^\d{1,2}(?:st|nd|rd|th)? [A-Z]", answer)):
        return "on "
    return "in " if _MONTH.match(answer) else None


def _how(words: list[str], answer: str) -> str | None:
    if plain(words[0]) != "how" or len(words) < 4:
        return None
    kind = plain(words[1])
    if kind == "many":
        return _who_what(words[1:], answer)
    asked = _asked(words[2:], needs_predicate=False)
    if asked is None or not _NUMBER.search(answer):
        return None
    if kind in _MEASURES and asked.auxiliary in _BE and not asked.rest:
        unit = "" if re.search(rf"\b{kind}$", answer) or (kind == "old" and "year" not in answer) else f" {kind}"
        return f"{asked.subject} {asked.auxiliary} {answer}{unit}"
    if kind == "much" and asked.auxiliary in _DO and [plain(w) for w in asked.rest] in (["cost"], ["pay"], ["weigh"]):
        return f"{asked.before_answer()} {_small(answer)}"
    if kind == "long" and asked.auxiliary in _DO and [plain(w) for w in asked.rest] in (["take"], ["last"]):
        return f"{asked.before_answer()} {_small(answer)}"
    return None


def _who_what(words: list[str], answer: str) -> str | None:
    """Answers "Who opened the bridge?", "What is the capital of France?", "(How) many people live there?"."""
    what = plain(words[0])
    if what not in _WH and what != "many":
        return None
    verb = 1 if what in {"who", "whom"} else _verb_of_phrase(words)
    if verb is None or len(words) < verb + 2:
        return None
    noun = " ".join(words[1:verb])
    if " of " in f" {noun} " or (what == "what" and noun and _attributes(words[verb:])):
        return None
    if what == "many" and _COUNT.fullmatch(answer):
        answer = f"{answer} {noun}"
    auxiliary, rest = plain(words[verb]), words[verb + 1 :]
    answered = f"{answer} {' '.join(words[verb:])}"
    if auxiliary not in _DO | _BE | _HAVE | _MODALS:
        return answered if auxiliary in finite_forms() | base_forms() else None
    if auxiliary in _BE and what == "many" and plain(rest[0]) == "there":
        return " ".join(["There", auxiliary, _small(answer), *rest[1:]])
    if auxiliary in _BE and not noun and _ATTRIBUTE.match(" ".join(rest)):
        whole = plain(rest[-1]) not in _AFTER_VERB or "that" in rest or "which" in rest
        return f"{' '.join(rest)} {auxiliary} {_small(answer)}" if whole else None
    if auxiliary in _BE and _is_predicate(rest):
        return answered
    asked = _asked(words[verb:])
    if asked is not None and asked.rest and not _is_noun_phrase(asked.rest):
        return _object(asked, answer, noun)
    if auxiliary in _BE and not noun:
        return f"{' '.join(rest)} {auxiliary} {_small(answer)}" if asked is None else None
    return answered if asked is None and auxiliary not in _DO else None


def _attributes(words: list[str]) -> bool:
    """Whether "what colour" is followed by "is the sky": the answer is said of it, not the other way round."""
    return plain(words[0]) in _BE and len(words) > 1 and _is_noun_phrase(words[1:]) and _asked(words) is None


def _verb_of_phrase(words: list[str]) -> int | None:
    """Where the verb is after "which tall building", "what"."""
    if plain(words[0]) == "what" and plain(words[1]) in finite_forms():
        return 1
    return first_verb(words[:9])


def _is_noun_phrase(rest: list[str]) -> bool:
    return plain(rest[0]) in DETERMINERS


def _is_predicate(rest: list[str]) -> bool:
    """Whether what follows "who was" is no noun phrase but "elected in 1990", "in charge", "responsible for it"."""
    return not _is_noun_phrase(rest) and predicate_start(["x", *rest], bare_verb=False) == 1


def _object(asked: _Asked, answer: str, noun: str) -> str | None:
    """Answers "What did she invent in 1867?": after the verb, or after the preposition that asks for it."""
    before = asked.before_answer()
    if before is None or plain(asked.rest[0]) == "do":
        return None
    words, count = before.split(), len(asked.rest) - 1
    rest = [plain(word) for word in asked.rest[1:]]
    kind = plain(noun.split()[-1]) if noun else ""
    if kind in {"year", "month", "day", "date", "century", "decade"}:
        asked_for = bool(rest) and rest[-1] in {"in", "on", "at"}
        link = _time_link(answer)
        if asked_for:
            return None if _opens_with_preposition(answer) else f"{before} {answer}"
        return None if link is None else f"{before} {link}{_small(answer)}"
    if not rest or rest[-1] in _AFTER_VERB:
        return f"{before} {_small(answer)}" if rest or asked.auxiliary in _DO | _HAVE | _MODALS else None
    if rest[0] not in _AFTER_VERB or asked.auxiliary in _BE:
        return None
    place = len(words) - count + (1 if len(rest) > 1 and rest[1] in _AFTER_VERB else 0)
    return " ".join([*words[:place], _small(answer), *words[place:]])


def _is_sentence(answer: str) -> bool:
    words = answer.split()
    verb = first_verb(words)
    return verb is not None and (
        plain(words[verb]) in AUXILIARIES or plain(words[0]) in {"he", "she", "it", "they", "the"}
    )


def _opens_with_preposition(answer: str) -> bool:
    return plain(answer.split()[0]) in PREPOSITIONS | {"of", "as", "because", "every", "between"}


def _small(answer: str) -> str:
    """An answer in the middle of a sentence."""
    first = answer.split()[0]
    small = "The A An In On At By To From For Since Until During After Before".split()
    return answer[0].lower() + answer[1:] if first in small else answer


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return _capital(text.strip()) + "."
