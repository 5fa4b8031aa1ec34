"""Words that make a number approximate or a limit."""

from __future__ import annotations

import re

from halt_rag.text.quantities.model import Bound

_WORDS: dict[Bound, str] = {
    "about": "about|around|approximately|approx\\.?|roughly|nearly|almost|some|circa|ca\\.?|c\\.|"
    "an estimated|estimated|"
    "close to|just under|just over|~|≈|etwa|rund|ungefähr|knapp|fast|zirka|annähernd|schätzungsweise|gut|environ|"
    "près de|presque|quelque|à peu près|alrededor de|aproximadamente|unos|unas|casi|cerca de|約|大约|约",
    "more than": "more than|over|above|exceeding|exceeds|exceed|exceeded|greater than|in excess of|"
    "upwards of|higher than|"
    "longer than|older than|>|mehr als|über|plus de|supérieur à|más de|superior a|超过|以上",
    "at least": "at least|no less than|no fewer than|not less than|not fewer than|a minimum of|minimum of|"
    "minimum|at minimum|"
    "from|≥|>=|mindestens|wenigstens|ab|au moins|minimum de|al menos|por lo menos|como mínimo|un mínimo de|至少",
    "less than": "less than|under|below|fewer than|lower than|shorter than|younger than|<|weniger als|unter|moins de|"
    "inférieur à|menos de|inferior a",
    "at most": "at most|up to|no more than|not more than|not exceed|not to exceed|not exceeding|maximum of|"
    "a maximum of|"
    "maximum|max\\.?|within|≤|<=|höchstens|maximal|bis zu|innerhalb von|jusqu['’]à|au plus|maximum de|dans les|hasta|"
    "como máximo|a lo sumo|un máximo de|最多",
}  # fmt: skip
_FROM = frozenset({"from", "ab", "some", "gut", "fast"})
_BEFORE = re.compile(
    "(?<!\\w)(?:" + "|".join(f"(?P<{name.replace(' ', '_')}>{words})" for name, words in _WORDS.items())
    + ")\\s?(?:(?:a|an|the|total of|als|de|d['’])\\s)?$",
    re.IGNORECASE,
)  # fmt: skip
_AFTER = re.compile(
    r"(?P<at_least>\+(?!\w)|[\s-](?:or more|or above|or older|or greater|or later|at least|oder mehr|"
    r"und mehr|ou plus|o más)\b)"
    r"|(?P<at_most>[\s-](?:or less|or fewer|or below|or younger|at most|oder weniger|ou moins|o menos)\b)"
    r"|(?P<about>[\s-](?:or so|approximately)\b)",
    re.IGNORECASE,
)
_DATE_BEFORE = re.compile(
    r"\b(?:(after|since|later than|from|nach|seit|ab|après|depuis|dès|después de|desde)|before|until|till|by|prior to|"
    r"earlier than|vor|bis|avant|jusqu['’]en|jusqu['’]au|antes de|hasta)\s(?:(?:the|dem|le|el)\s)?$",
    re.IGNORECASE,
)
_WIDEST = 26


def bound_of(text: str, start: int, end: int, *, dated: bool) -> Bound:
    """The bound of the quantity between two places, from the words beside it.

    Args:
        text: The text.
        start: Where the quantity starts.
        end: Where it ends.
        dated: Whether it is a date or a time, which have limits of their own: "after", "before", "since", "by".
    """
    window = text[max(0, start - _WIDEST) : start]
    if dated:
        limit = _DATE_BEFORE.search(window)
        if limit:
            return "more than" if limit[1] else "less than"
    match = _BEFORE.search(window)
    if match and match.lastgroup and not (match.lastgroup == "at_least" and match["at_least"].lower() == "from"):
        return match.lastgroup.replace("_", " ")  # type: ignore[return-value] # the groups are the bounds
    after = _AFTER.match(text, end)
    if after and after.lastgroup:
        return after.lastgroup.replace("_", " ")  # type: ignore[return-value]
    return ""
