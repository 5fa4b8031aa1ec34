"""Strings, members of an enumeration, booleans and versions: matched as whole words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.contracts.evidence.markup import folded
from halt_rag.contracts.evidence.values.verdict import ValueRules, Verdict
from halt_rag.contracts.strict_json import shown
from halt_rag.text.folds import SOFT_BREAK

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]")
_CHECKS = 8
_SIGNS = "+-−–"
_TRUE = frozenset({"yes", "true", "on", "enabled", "active", "y", "✓", "✔", "☑", "✅"})
_FALSE = frozenset({"no", "false", "off", "disabled", "inactive", "n", "✗", "✘", "☒", "❌"})
_ANSWER = re.compile(
    r"(?:^|[:=|,;\t(\n>])[ \t]{0,9}[\"'`*]{0,3}([^\W\d_]{1,10}|[✓✔☑✅✗✘☒❌])[\"'`*]{0,3}[ \t]{0,9}(?=$|[|,;.)\n\t}<])"
)
_VERSION = re.compile(r"(?<![\w.])[vV]?(\d++(?:\.\d++)*+(?:[-+.]?[A-Za-z0-9]++)*+)(?!\w)")
_BLANKS = re.compile(r"[\s_-]+")
_NEGATION = re.compile(r"(?<!\w)(?:not|non|never|no longer)[\s-]+$", re.IGNORECASE)


def occurs(needle: str, text: str) -> bool:
    """Whether a string stands in a text as whole words and whole numbers, its sign included."""
    budget = _CHECKS * (len(text) + len(needle))  # Only a text made to overlap itself takes more.
    at = text.find(needle)
    while at >= 0 and budget > 0:
        if not _continues(text, at, needle) and not _goes_on(text, at + len(needle), needle):
            return True
        budget -= len(needle)
        at = text.find(needle, at + 1)
    return False


def _word(char: str) -> bool:
    return (char.isalnum() or char == "_") and not _UNSPACED.match(char)


def _continues(text: str, at: int, needle: str) -> bool:
    """Whether the text before ``at`` belongs to the same word or number as the needle's start."""
    before, first = text[max(0, at - 1) : at], needle[0]
    if not before:
        return False
    if _word(before) and (_word(first) or (first in _SIGNS and needle[1:2].isdecimal())):
        return True
    if not first.isdecimal():
        return False
    earlier = text[max(0, at - 2) : at - 1] if at > 1 else ""
    if before in ".,":
        return earlier.isdecimal()
    return before in _SIGNS and not (earlier.isalnum() or earlier in (")", "%"))


def _goes_on(text: str, end: int, needle: str) -> bool:
    after, last = text[end : end + 1], needle[-1]
    if not after:
        return False
    if _word(after) and _word(last):
        return True
    return last.isdecimal() and after in ".,'’" and text[end + 1 : end + 2].isdecimal()


def check_string(value: object, quote: str, rules: ValueRules) -> Verdict:
    """A string, verbatim up to the folds of the field."""
    if not isinstance(value, str) or not value.strip():
        return Verdict("VALUE_UNPARSEABLE", "it is no string with something in it")
    if occurs(value.strip(), quote):
        return Verdict()
    if not rules.folds:
        return Verdict("VALUE_NOT_IN_QUOTE")
    wanted, text = folded(value, rules.folds).text.strip(), folded(quote, rules.folds).text
    # A hyphen at a line's end may belong to the word or not; both readings are the quote's own text.
    ways = [text, text.replace(SOFT_BREAK, "-"), text.replace(SOFT_BREAK, "")]
    return Verdict() if wanted and any(occurs(wanted, way) for way in ways) else Verdict("VALUE_NOT_IN_QUOTE")


def check_enum(value: object, quote: str, rules: ValueRules) -> Verdict:
    """A member of the enumeration, compared without case; blanks, hyphens and underscores are one; longest wins.

    A member right after an English negation, as in "not approved", is denied, not stated.
    """
    if not isinstance(value, str) or value not in rules.enum:
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is none of {', '.join(rules.enum)}")
    denied = {
        _NEGATION.search(quote, max(0, at - 12), at) is not None
        for at, one in _members(quote, rules.enum)
        if one == value
    }
    if denied == {True}:
        return Verdict("VALUE_CONTRADICTS_QUOTE", "the quote denies it")
    return Verdict() if denied else Verdict("VALUE_NOT_IN_QUOTE")


def _members(quote: str, members: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    longest = sorted(members, key=len, reverse=True)
    parts = [r"[\s_-]+".join(map(re.escape, _BLANKS.split(member.strip()))) for member in longest]
    pattern = "|".join(f"({part})" for part in parts)
    for match in re.compile(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", re.IGNORECASE).finditer(quote):
        yield match.start(), longest[(match.lastindex or 1) - 1]


def check_boolean(value: object, quote: str, _rules: ValueRules) -> Verdict:
    """True or false, where the quote answers literally: ``Auto-renew: No``. Anything else is an inference."""
    if not isinstance(value, bool):
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is neither true nor false")
    answers = {match[1].lower() for match in _ANSWER.finditer(quote)}
    said = {outcome for outcome, words in ((True, _TRUE), (False, _FALSE)) if answers & words}
    if not said:
        return Verdict("VALUE_NOT_DERIVABLE", "the quote gives no literal yes or no")
    if len(said) > 1:
        return Verdict("VALUE_AMBIGUOUS", "the quote says both")
    return Verdict() if value in said else Verdict("VALUE_CONTRADICTS_QUOTE", f"the quote says {not value}")


def check_version(value: object, quote: str, _rules: ValueRules) -> Verdict:
    """A version, part by part as written: 1.1 is neither 1.10 nor 1.1.0; a leading ``v`` does not count."""
    wanted = _VERSION.fullmatch(value.strip()) if isinstance(value, str) else None
    if wanted is None:
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no version")
    found = {match[1].lower() for match in _VERSION.finditer(quote)}
    return Verdict() if wanted[1].lower() in found else Verdict("VALUE_NOT_IN_QUOTE")
