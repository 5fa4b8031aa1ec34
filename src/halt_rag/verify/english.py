"""As much English grammar as claims need: verb forms, and where the subject of a sentence ends.

There is no parser. Whatever these rules do not recognise is left as it is, so that a statement is never rebuilt wrongly
for want of a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

#: Verbs, and what does the work of one, that open a question and carry "not".
AUXILIARIES = frozenset(
    """is are was were am be been do does did has have had can could will would shall should may might must cannot isn't
    aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't
    mustn't""".split()
)
_REGULAR = """accept achieve acquire act add adopt affect agree aim air allow announce appear apply appoint approve
    argue arrest arrive ask assign assume attack attend attract award ban base believe belong borrow broadcast call
    cancel carry cause celebrate change charge charter claim close collapse collect combine command commission compare
    compete complete compose conclude conduct confirm connect consider consist construct consume contain continue
    control convert cool cost cover create cross damage debut decide declare decline decrease defeat define deliver
    demand deny depend derive describe design destroy detect determine develop direct discover discuss dismiss display
    divide donate earn elect eliminate employ enable encourage end enjoy ensure enter establish evolve examine exceed
    exist expand expect experience expire explain explore export extend face fail feature finance finish follow force
    form found fund gain generate graduate grant handle happen hire host house identify import improve include
    incorporate increase infect influence inherit inspire install intend introduce invade invent invest invite involve
    issue join jump kill lack last launch lie limit link list live load locate look lower maintain manage manufacture
    march mark marry measure mention merge migrate move name need note observe obtain occupy occur offer open operate
    oppose order organise organize orbit originate own paint participate pass peak perform permit place plan plant play
    point possess post prefer prepare present preserve prevent process produce prohibit promise promote propose protect
    prove provide publish purchase pursue qualify quantify raise rank reach receive recommend record recover reduce
    refer reflect refuse regulate reject relate release rely remain remove rename renovate repair replace report
    represent require rescue reside resign resist respond restore restrict result retain retire return reveal reverse
    rule sail sample save score secure seem select separate serve settle share sign soar solve specify spread star start
    state stay stop store stretch study succeed suffer suggest supply support surpass survive target tend test threaten
    total trade train transfer translate travel treat try turn unite use value vary visit vote want warn watch weigh
    work""".split()
_IRREGULAR = {
    "arise": "arose arisen", "bear": "bore born", "beat": "beat beaten", "become": "became become",
    "begin": "began begun", "bind": "bound bound", "bring": "brought brought", "build": "built built",
    "buy": "bought bought", "catch": "caught caught", "choose": "chose chosen", "come": "came come",
    "cut": "cut cut", "deal": "dealt dealt", "die": "died died", "draw": "drew drawn", "drink": "drank drunk",
    "drive": "drove driven", "eat": "ate eaten", "fall": "fell fallen", "feed": "fed fed", "feel": "felt felt",
    "fight": "fought fought", "find": "found found", "fly": "flew flown", "get": "got got", "give": "gave given",
    "go": "went gone", "grow": "grew grown", "hear": "heard heard", "hold": "held held", "keep": "kept kept",
    "know": "knew known", "lead": "led led", "learn": "learned learned", "leave": "left left", "lend": "lent lent",
    "let": "let let", "lose": "lost lost", "make": "made made", "mean": "meant meant", "meet": "met met",
    "pay": "paid paid", "put": "put put", "read": "read read", "ride": "rode ridden", "rise": "rose risen",
    "run": "ran run", "say": "said said", "see": "saw seen", "seek": "sought sought", "sell": "sold sold",
    "send": "sent sent", "set": "set set", "show": "showed shown", "sink": "sank sunk", "sing": "sang sung",
    "sit": "sat sat", "sleep": "slept slept", "speak": "spoke spoken", "spend": "spent spent", "stand": "stood stood",
    "steal": "stole stolen", "swim": "swam swum", "take": "took taken", "teach": "taught taught", "tell": "told told",
    "think": "thought thought", "throw": "threw thrown", "wear": "wore worn", "win": "won won",
    "undergo": "underwent undergone", "hit": "hit hit", "understand": "understood understood",
    "write": "wrote written", "have": "had had", "do": "did done",
}  # fmt: skip
#: Verbs that are no nouns.
_VERBS_ONLY = frozenset(
    """become begin belong build buy choose come consist contain continue depend employ enable exist expire give go grow
    have include keep know lead lie live lose make occur own pay produce provide publish receive remain represent
    require retain sell serve speak stand take teach undergo wear win write""".split()
)
_DOUBLED = frozenset("ban stop plan commit prefer refer admit permit transfer".split())
#: Adjectives that say something of a subject, at the place where a participle could stand.
_PREDICATIVES = frozenset(
    """able absent active alive allowed also always available aware banned been being capital closed compulsory
    currently dead due eligible equal ever exempt first free full good higher illegal included known larger legal less
    liable likely located longer lower mandatory missing more necessary never not officially older open optional
    originally part possible present previously ready required responsible safe smaller still subject sufficient
    taller the true unable under usually valid waterproof younger""".split()
)
DETERMINERS = frozenset("a an the this that these those his her its their our my your some any no each every".split())
PREPOSITIONS = frozenset(
    """about above across after against along among around at before behind below beneath beside between beyond by
    despite down during for from in inside into near off on onto out outside over past per since through throughout to
    toward towards under until up upon via with within without""".split()
)
_PLURALS = frozenset("people children men women police they we you".split())
_PRONOUNS = frozenset("he she it they we i you there who".split())
#: Small words inside names.
_IN_NAMES = frozenset("of and the de la van von der den di da del for".split())
_ARTICLE_NOUN_ADJECTIVE = 3


def third_person(base: str) -> str:
    """The form after "he": employ, employs."""
    if base == "have":
        return "has"
    if re.search(r"(?:s|x|z|ch|sh|o)$", base):
        return base + "es"
    return base[:-1] + "ies" if re.search(r"[^aeiou]y$", base) else base + "s"


def past(base: str) -> str:
    """The simple past: employ, employed; write, wrote."""
    if base in _IRREGULAR:
        return _IRREGULAR[base].split()[0]
    if base in {"cost", "broadcast", "spread"}:
        return base
    if base == "lie":
        return "lay"
    if base.endswith("e"):
        return base + "d"
    if base in _DOUBLED:
        return base + base[-1] + "ed"
    return base[:-1] + "ied" if re.search(r"[^aeiou]y$", base) else base + "ed"


@cache
def base_forms() -> frozenset[str]:
    """The verbs that are known."""
    return frozenset(_REGULAR) | frozenset(_IRREGULAR)


@cache
def finite_forms() -> frozenset[str]:
    """Forms that can be the verb of a statement about a third person, and are no base forms only."""
    every = base_forms()
    return AUXILIARIES | {third_person(v) for v in every} | {past(v) for v in every}


@cache
def past_forms() -> frozenset[str]:
    """The simple past and the past participle of every verb that is known."""
    return _participles() | {past(v) for v in base_forms()}


@cache
def plain_verbs() -> frozenset[str]:
    """Forms in "-s" that are verbs and no nouns: "employs", not "houses"."""
    return frozenset("is was has does".split()) | {third_person(v) for v in _VERBS_ONLY}


@cache
def _participles() -> frozenset[str]:
    return frozenset(v.split()[1] for v in _IRREGULAR.values()) | {past(v) for v in _REGULAR}


def words_of(text: str) -> list[str]:
    """The words of a text with the marks on them; joined by spaces they are the text."""
    return text.split()


def plain(word: str) -> str:
    """A word in small letters without marks."""
    return word.strip('.,;:!?"“”()[]*_').lower().replace("’", "'")


def predicate_start(words: Sequence[str], *, bare_verb: bool) -> int | None:
    """Where the subject ends, in what follows an auxiliary that opens a question.

    Args:
        words: "the museum open on Mondays", "Ida Brandt open the bridge".
        bare_verb: Whether a verb in its base form follows ("did ..."), or a participle, adjective, noun or place.

    Returns:
        How many words the subject has; None where that is not sure.
    """
    first = plain(words[0]) if words else ""
    if first in _PRONOUNS:
        return 1
    if words and words[0][0].isupper() and first not in DETERMINERS:
        named = next((i for i, word in enumerate(words) if word[0].islower() and word not in _IN_NAMES), None)
        if named is not None and bare_verb and _is_adverb(plain(words[named])):
            return None
        if named is not None:
            while named > 1 and words[named - 1] in _IN_NAMES:  # "Berlin | the capital", "Ida Brandt | of Geneva"
                named -= 1
            return named
    if len(words) == _ARTICLE_NOUN_ADJECTIVE and first in DETERMINERS and not bare_verb:
        return 2
    for place in range(1, len(words)):
        word, before = words[place], plain(words[place - 1])
        if word[0].isupper() or before in DETERMINERS or before in PREPOSITIONS or before in {"of", "and", "or"}:
            continue
        if bare_verb and plain(word) in base_forms():
            # "did the flagship store sell": one of two verbs is a noun, and which one is not sure.
            return None if _another_verb(words, place) else place
        if not bare_verb and _opens_predicate(plain(word)):
            return place
    return None


def _is_adverb(word: str) -> bool:
    """Whether a word stands before the verb: "did Ida Brandt formally open", "did Ida Brandt ever open"."""
    return word in {"also", "ever", "never", "once"} or (word.endswith("ly") and word not in base_forms())


def _opens_predicate(word: str) -> bool:
    return (
        word in _PREDICATIVES
        or word in _participles()
        or word in DETERMINERS
        or word in PREPOSITIONS
        or re.fullmatch(r"[a-z]{3,}(?:ed|ing)", word) is not None
    )


def first_verb(words: Sequence[str]) -> int | None:
    """Where the first finite verb of a statement is, after a subject of at least one word; None where it has none."""
    for place in range(1, len(words)):
        before = plain(words[place - 1])
        if before in DETERMINERS or before in PREPOSITIONS or before in {"of", "to"}:
            continue
        word = plain(words[place])
        plural = (before.endswith("s") or before in _PLURALS) and word in base_forms()
        if words[place][0].islower() and (plural or word in finite_forms()):
            return place
    return None


def _another_verb(words: Sequence[str], first: int) -> bool:
    """Whether a verb follows that nothing before it makes a noun or an infinitive."""
    for place in range(first + 1, len(words)):
        before = plain(words[place - 1])
        if words[place] in _VERBS_ONLY and before not in DETERMINERS | PREPOSITIONS | {"of", "to", "and", "or", "that"}:
            return True
    return False
