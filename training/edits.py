"""Edited twins: a supported claim and a minimally changed copy that its source no longer supports.

Crowd-written NLI seldom turns on one digit or one name, so a small model trained on it alone does not
look at them. Each edit changes one such detail, and the unedited claim stays in the mix beside it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Edit = Callable[[str, str, random.Random], str | None]

_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-])")
_DATE_WORDS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
)
_NAME = re.compile(rf"\b(?!(?:{_DATE_WORDS})\b)[A-Z][a-z]{{2,}}(?: (?!(?:{_DATE_WORDS})\b)[A-Z][a-z]+){{0,2}}")
#: What makes a name a part of a longer one.
_JOINED_BEFORE = re.compile(r"(?:\b[A-Z][\w.'’-]*(?: (?:of|for|the|de|von|van|al))?|[\"“]|\W-|--) ?$")
_JOINED_AFTER = re.compile(r"(?: (?:of|for|and the|de|von|van|in the) [A-Z]| [A-Z(\d]|['’\"”-]|\.[a-z])")
#: A gap with a word in small letters, beside "and" and "or", is more than the next item of a list.
_SAYS_SOMETHING = re.compile(r"(?<![\w])(?!(?:and|or)\b)[a-z]{2,}")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|will|did|does|do|could|would|should|must)\b(?! not\b)", re.I
)
_NOT = re.compile(r" (?:not|never)\b")

# fmt: off
_OPPOSITES = {
    "more": "less", "less": "more", "before": "after", "after": "before", "first": "last", "last": "first",
    "increased": "decreased", "decreased": "increased", "rose": "fell", "fell": "rose", "highest": "lowest",
    "largest": "smallest", "smallest": "largest", "higher": "lower", "lower": "higher", "won": "lost",
    "lost": "won", "north": "south", "south": "north", "east": "west", "west": "east", "northern": "southern",
    "southern": "northern", "eastern": "western", "western": "eastern", "male": "female", "female": "male",
    "began": "ended", "ended": "began", "opened": "closed", "closed": "opened", "older": "younger",
    "younger": "older", "father": "mother", "mother": "father", "son": "daughter", "daughter": "son",
    "brother": "sister", "sister": "brother", "husband": "wife", "wife": "husband", "bought": "sold",
    "sold": "bought", "accepted": "rejected", "rejected": "accepted", "always": "never", "never": "always",
    "all": "none of the", "early": "late", "late": "early", "best": "worst", "worst": "best",
    "most": "few", "million": "billion", "billion": "million", "oldest": "newest", "newest": "oldest",
    "inside": "outside", "outside": "inside", "above": "below", "below": "above", "minimum": "maximum",
    "maximum": "minimum", "left": "right", "good": "bad", "bad": "good", "boy": "girl", "girl": "boy",
    "may": "must", "some": "all", "many": "no", "January": "June", "February": "October", "March": "May",
    "April": "August", "July": "November", "September": "March", "October": "April", "December": "July",
    "Monday": "Thursday", "Tuesday": "Friday", "Wednesday": "Sunday", "Saturday": "Tuesday",
    "days": "weeks", "weeks": "months", "months": "years", "hours": "minutes", "minutes": "hours",
    "kilometres": "metres", "km": "m", "two": "three", "three": "five", "four": "six", "five": "eight",
    "six": "nine", "seven": "four", "one": "two",
}
# fmt: on
_OPPOSITE_WORD = re.compile(r"\b(" + "|".join(sorted(_OPPOSITES, key=len, reverse=True)) + r")\b")


def _replace(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def edit_number(claim: str, source: str, rng: random.Random) -> str | None:
    """Replaces one number by another that the source does not contain."""
    found = list(_NUMBER.finditer(claim))
    if not found:
        return None
    match = rng.choice(found)
    old = match.group()
    plain = old.replace(",", "")
    for _ in range(8):
        if re.fullmatch(r"1[5-9]\d\d|20\d\d", plain):
            new = str(int(plain) + rng.choice([-30, -12, -10, -5, -3, -2, -1, 1, 2, 3, 5, 10, 11, 20]))
        elif "." in plain:
            new = f"{float(plain) * rng.choice([0.1, 0.5, 0.8, 1.3, 2, 10]):.{len(plain.split('.')[1])}f}"
        else:
            value = int(plain)
            shifted = rng.choice(
                [value + 1, value + rng.randint(2, 9), value * 2, value * 10, max(0, value - rng.randint(1, 9))]
            )
            new = f"{shifted:,}" if "," in old else str(shifted)
        if new != old and not re.search(rf"(?<!\d){re.escape(new)}(?!\d)", source) and new not in claim:
            return _replace(claim, match, new)
    return None


def _whole_names(text: str) -> list[re.Match[str]]:
    """Names of two or three words that are no part of a longer one ("Home for Peculiar Children", "Group of Seven")."""
    return [
        m
        for m in _NAME.finditer(text)
        if " " in m.group()
        and not _JOINED_BEFORE.search(text, max(0, m.start() - 24), m.start())
        and not _JOINED_AFTER.match(text, m.end())
    ]


def _listed(source: str, one: str, other: str) -> bool:
    """Whether two names stand in one list, so that what holds of one may hold of the other."""
    places = [(m.start(), m.end()) for name in (one, other) for m in re.finditer(re.escape(name), source)]
    gaps = (source[a[1] : b[0]] for a in places for b in places if a[1] <= b[0])
    return any(not _SAYS_SOMETHING.search(gap) for gap in gaps)


def edit_name(claim: str, source: str, rng: random.Random) -> str | None:
    """Replaces a whole name of the claim, which the source has too, by another whole name of the source."""
    names = [m for m in _whole_names(claim) if m.group() in source]
    if not names:
        return None
    match = rng.choice(names)
    others = sorted(
        {
            m.group().removeprefix("The ")
            for m in _whole_names(source)
            if m.group() not in claim
            and not (set(m.group().split()) & set(claim.split()))
            and not _listed(source, m.group(), match.group())
        }
    )
    return _replace(claim, match, rng.choice(others)) if others else None


def edit_roles(claim: str, source: str, rng: random.Random) -> str | None:  # noqa: ARG001
    """Exchanges two names of the claim, unless they are merely listed together."""
    found = [m for m in _NAME.finditer(claim) if m.group() in source and (m.start() > 0 or " " in m.group())]
    if len(found) < 2:
        return None
    first, second = found[0], found[1]
    between = claim[first.end() : second.start()]
    if (
        first.group() == second.group()
        or re.search(r"\b(and|or|with|both|like|as|from)\b|^\W*,", between)
        or len(between) < 4
    ):
        return None
    return claim[: first.start()] + second.group() + between + first.group() + claim[second.end() :]


def edit_negation(claim: str, source: str, rng: random.Random) -> str | None:  # noqa: ARG001
    """Adds or removes a negation."""
    negated = _NOT.search(claim)
    if negated and negated.group() == " not":
        return _replace(claim, negated, "")
    match = _AUXILIARY.search(claim)
    if match is None or negated or re.search(r"\b(no|none|nobody|nothing|n't)\b", claim):
        return None
    return _replace(claim, match, match.group() + " not")


def edit_opposite(claim: str, source: str, rng: random.Random) -> str | None:
    """Replaces a word of quantity, order, time, role or direction by one that excludes it."""
    found = [m for m in _OPPOSITE_WORD.finditer(claim) if re.search(rf"\b{m.group()}\b", source)]
    if not found:
        return None
    match = rng.choice(found)
    new = _OPPOSITES[match.group()]
    return None if re.search(rf"\b{new}\b", source) and rng.random() < 0.5 else _replace(claim, match, new)


EDITS: dict[str, Edit] = {
    "number": edit_number,
    "name": edit_name,
    "roles": edit_roles,
    "negation": edit_negation,
    "opposite": edit_opposite,
}
#: How often each edit is tried first; negations are kept rare, or "not" alone would give the label away.
WEIGHTS = {"number": 4, "name": 3, "roles": 2, "negation": 1, "opposite": 2}


def edited_twin(claim: str, source: str, rng: random.Random) -> tuple[str, str] | None:
    """Returns (kind, edited claim), or None where no edit applies."""
    kinds = sorted(EDITS, key=lambda kind: rng.random() ** (1 / WEIGHTS[kind]), reverse=True)
    for kind in kinds:
        edited = EDITS[kind](claim, source, rng)
        if edited is not None and edited != claim:
            return kind, edited
    return None
