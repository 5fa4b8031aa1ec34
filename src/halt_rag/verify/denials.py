"""What a sentence says that calls a statement false: "It is false that the dam is old" says that it is not old.

Only where "not" in the statement denies the whole of it and its verb is sure; elsewhere the sentence is read as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from halt_rag.verify.english import (
    AUXILIARIES,
    base_forms,
    finite_forms,
    first_verb,
    past,
    past_forms,
    plain,
    third_person,
)
from halt_rag.verify.questions import NEGATIVES, QUANTIFIERS

_FALSE = r"(?:not\ true|untrue|false|not\ the\ case|incorrect|not\ correct|a\ myth|a\ misconception)"
_DENIES = re.compile(
    rf"""(?:(?:it\ (?:is|was)|it['’]s)\ (?:simply\ |just\ |also\ )?{_FALSE}
        |it\ (?:is|was)n['’]t\ (?:simply\ |just\ )?(?:true|correct|the\ case))\ that\ (?P<that>[^,;:()?]{{1,300}})
    |that\ (?P<myth>[^,;:()?]{{1,300}})\ is\ (?:simply\ |just\ )?a\ (?:myth|misconception)""",
    re.IGNORECASE | re.VERBOSE,
)
#: With these "not" would deny a part only, or it is not sure which verb is the main one.
_MORE = frozenset(
    """and or but because since if unless although while when that which who whose whom so only even until till already
    still yet just rather also too some somebody someone something somewhere""".split()
)
#: A subject that begins so is not denied as a whole: "A member was not ill" is not what denies "A member was ill".
_NOT_DEFINITE = frozenset(
    """a an another little more less fewer at about around over under nearly almost exactly roughly approximately up
    between hardly no one two three four five six seven eight nine ten eleven twelve dozens hundreds thousands
    millions""".split()
)
#: "Must not" and "may not" are not what "it is false that she must" says.
_PLAIN_AUXILIARIES = frozenset("is are was were has have had can could will would".split())
_HAVE, _BE = frozenset("have has had".split()), frozenset("is are was were".split())
#: What stands between a subject and its verb without "-ly".
_ADVERBS = frozenset("always often seldom never ever sometimes now then later once twice soon almost thus".split())


def without_denial(sentence: str) -> str | None:
    """The statement that a sentence makes which calls another one false; None where no rule is sure.

    Args:
        sentence: A sentence, such as "It is not true that Ida opened the dam."

    Returns:
        A sentence, such as "Ida did not open the dam."
    """
    found = _DENIES.fullmatch(sentence.strip().rstrip(".! "))
    words = (found["that"] or found["myth"]).split() if found else []
    small = {plain(word) for word in words}
    place = first_verb(words)
    if place is None or not small.isdisjoint(_MORE | NEGATIVES) or not _is_definite(words[:place]):
        return None
    said, after = plain(words[place]), [plain(word) for word in words[place + 1 :]]
    if said in _HAVE | _BE and not _is_auxiliary(said, after):
        return None
    if said not in AUXILIARIES and any(map(_may_be_verb, after)):
        return None
    verb = _denied(said)
    made = " ".join([*words[:place], verb, *words[place + 1 :]]) if verb else ""
    return f"{made[0].upper()}{made[1:]}." if made else None


def _is_definite(subject: Sequence[str]) -> bool:
    """Whether the words before a verb are one subject, of which it can be denied, and nothing else."""
    first, last = plain(subject[0]), plain(subject[-1])
    return not (
        first in QUANTIFIERS | _NOT_DEFINITE
        or first[0].isdigit()
        or last in _ADVERBS
        or last.endswith("ly")
        or any("'" in plain(word) for word in subject)  # "Ida's ill", "he must've left"
    )


def _is_auxiliary(verb: str, after: Sequence[str]) -> bool:
    """Whether "has" goes with a participle, which "not" can stand before, and "is" with no "to" for "must"."""
    following = after[0] if after else ""
    if verb in _BE:
        return following != "to"
    return following == "been" or following in past_forms() or following.endswith("ed")


def _may_be_verb(word: str) -> bool:
    return word in finite_forms() or word.endswith("ed")


def _denied(verb: str) -> str | None:
    """A finite verb with "not"."""
    if verb in _PLAIN_AUXILIARIES:
        return "cannot" if verb == "can" else f"{verb} not"
    return _with_do().get(verb) if verb not in AUXILIARIES else None


@cache
def _with_do() -> dict[str, str]:
    """For "opened" "did not open"; forms that are a base too, such as "cut", are left out."""
    bases = base_forms()
    every = {past(base): f"did not {base}" for base in bases} | {third_person(b): f"does not {b}" for b in bases}
    return {form: denied for form, denied in every.items() if form not in bases}
