"""Which sentences hold nothing to check (NA).

A sentence is NA by one of these rules, tried in order:

1. no letter and no digit in it (an ellipsis, a row of dashes, emoji);
2. a question;
3. "yes" or "no" alone, where no question is known;
4. a Markdown heading without a number;
5. nothing but greetings, thanks, apologies, offers and acknowledgements; before the next rules they are taken off;
6. a lead-in ("Here is a summary ...:");
7. the question restated ("The question is why ...", "Regarding your question about ...:");
8. a refusal that asserts nothing else ("The documents do not say when it opened.").

The rules are narrow, because what is NA passes unchecked: "Sure, it opened in May." is a claim, and so are "Great
Britain left." and "It does not contain lead.".
"""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE | re.VERBOSE
_MARKS = re.compile(r"[\W_]*")
_STARTS = re.compile(r"[\W_]*(?:(?:and|but|so|or)\s+)?", re.IGNORECASE)
_SORRY = r"(?:sorry|apologies|(?:i|we)\ apologi[sz]e|(?:i['’]m|i\ am|we['’]re|we\ are)\ (?:very\ |so\ )?sorry)"
_ASKS = r"(?:about|if|whether|who|what|when|where|which|why|how)"
_TEXTS = r"(?:documents?|passages?|sources?|contexts?|texts?|leaflets?|articles?|excerpts?|manuals?|reports?)"
_END = r"(?=\s*[,;:!.…–—]|\s*$)"

#: Said alone, or to someone by name ("Dear Ms Smith,").
_GREETING = rf"""(?:hello|hi|hey|dear|greetings|welcome(?:\ back)?|good\ (?:morning|afternoon|evening|day)|hallo
    |guten\ (?:tag|morgen|abend)|liebe[rs]?|bonjour|salut|hola|buenos\ d[ií]as|ciao|olá)
    (?:,?\ (?:again|there|all|everyone|everybody|team|sir|madam|customer|user|reader))?
    (?:(?:\ (?-i:[^\W\d_a-z])[\w.'’-]{{0,30}}){{1,3}}(?=\s*[,!])|{_END})"""
#: Said alone.
_INTERJECTION = rf"""(?:(?:many\ )?thanks|thank\ you|(?:so|very)\ much|a\ lot|you['’]re\ (?:very\ )?welcome
    |no\ (?:problem|worries)|my\ pleasure|{_SORRY}|my\ apologies|unfortunately|ok|okay|alright|all\ right|right
    |sure(?:\ thing)?|certainly|of\ course|absolutely|definitely|understood|got\ it|great|perfect|cheers|please
    |(?:best|kind|warm)\ regards|(?:yours\ )?sincerely|take\ care|good\ luck|see\ you
    |(?:that['’]s\ an?\ )?(?:good|great|excellent|interesting)\ question|vielen\ dank|danke(?:\ sch[öo]n)?
    |gern(?:e|\ geschehen)|natürlich|merci(?:\ beaucoup)?|de\ rien|bien\ sûr|(?:muchas\ )?gracias|de\ nada|claro|grazie
    |prego|obrigad[oa]){_END}"""
#: About the conversation, up to the next comma.
_OFFER = rf"""(?:(?:thanks|thank\ you)(?:\ \w{{1,15}}){{0,2}}\ for|(?:thanks|thank\ you)\ to\ you
    |{_SORRY}\ (?:to\ hear|for|about|if)|(?:please\ |just\ )?(?:let\ (?:me|us)\ know|(?:do\ not|don['’]t)\ hesitate
        |feel\ free\ to\ (?:ask|reach|contact|let|share|write|get|send|tell|message))
    |(?:(?:i|we)\ )?hope\ (?:this|that|it)\ (?:helps?|answers?|clarifies|clears|was|is|makes)|(?:i\ )?hope\ you
    |(?:(?:i['’]m|i\ am|we['’]re|we\ are|i['’]d\ be|i\ would\ be)\ )?
        (?:(?:more\ than\ |always\ )?(?:happy|glad|here)|pleased)\ to\ (?:help|assist|answer|explain|clarify|look|hear)
    |(?:if|should)\ you\ (?:have|need|want)\ (?:\w{{1,15}}\ ){{0,2}}(?:questions?|help|assistance|clarification|concerns
        |anything\ else|further\ information|more\ (?:details|information))
    |is\ there\ anything|anything\ else|(?:vielen\ dank|danke)\ für|merci\ (?:pour|de)|gracias\ por
    |have\ an?\ (?:nice|great|good|lovely|wonderful)\ (?:day|one|evening|weekend|week|time))\b[^,;:!\d]{{0,120}}+"""
_COURTESY = re.compile(rf"(?:{_GREETING}|{_INTERJECTION}|{_OFFER})\s*(?:[,;:!.…–—]+\s*|$)", _FLAGS)

_YES_NO = re.compile(r"yes|no|yep|nope|ja|nein|oui|non|s[ií]|是|是的|不是|はい|いいえ", re.IGNORECASE)
_HEADING = re.compile(r"\#{1,6}[ \t]")
_LEAD_IN = re.compile(r"(?:here(?:['’]?s|\ is|\ are)|(?:below|the\ following)\ (?:is|are))\b", _FLAGS)
_ANNOUNCED = re.compile(
    r"\b(?:summar(?:y|ies)|answers?|list|overview|breakdown|explanations?|details|information|steps|points|facts"
    r"|findings|highlights|outline|translation|recap|rundown|version|what|how)\b",
    re.IGNORECASE,
)
_RESTATED = re.compile(
    rf"(?:(?:the|your)\ question\ (?:is|was|asks)|you\ (?:asked|ask|want(?:ed)?\ to\ know)(?:\ me)?)\ {_ASKS}\b", _FLAGS
)
_REGARDING = re.compile(
    r"(?:regarding|concerning|as (?:for|to)|with regard to|to answer|in (?:answer|response) to) your question\b",
    re.IGNORECASE,
)
#: What makes a lead-in or a restated question go on to a statement.
_CONTINUES = re.compile(r"[,;:–—]\s*\w|\banswer\ is\b|\band\ (?:it|he|she|they|the)\b", _FLAGS)
_COLON = re.compile(r"[^:.!?]{0,200}:\s+(?=\S)")
_REFUSAL = re.compile(
    rf"""\b{_TEXTS}(?:\ \w+){{0,3}}\ (?:do(?:es)?\ not|don['’]t|doesn['’]t|did\ not|didn['’]t)(?:\ \w+){{0,2}}
      \ (?:say|state|mention|specify|contain|provide|include|give|tell|indicate|address|cover|explain|answer)\b
    |\b(?:information|materials?|pages?|records?|it|they)(?:\ \w+){{0,2}}\ (?:do(?:es)?\ not|don['’]t|doesn['’]t)
      \ (?:\w+\ )?(?:say|state|mention|specify)\b
    |\bi\ (?:do\ not|don['’]t)\ (?:know|have)\b|\b(?:i['’]m|i\ am)\ not\ (?:sure|able)\b
    |\b(?:i|we)\ (?:cannot|can['’]t|could\ not|couldn['’]t|am\ unable\ to|are\ unable\ to)
      \ (?:find|answer|tell|determine|say|provide)\b
    |\bthere\ is\ (?:no|not\ enough)\ (?:information|mention|answer)\b
    |\bno\ (?:information|mention)\ (?:is|was|about|on|regarding)\b
    |\b(?:is|are|was|were)\ not\ (?:\w+\ )?(?:mentioned|stated|specified)[.!]*$
    |\b(?:is|are|was|were)\ not\ (?:\w+\ )?(?:mentioned|stated|specified|given|provided|included|covered|described)
      \ (?:anywhere\ )?(?:in|by)\ (?:the|this|these|any|your|our)\ (?:\w+\ ){{0,2}}{_TEXTS}\b
    |\b(?:dokumente?|quellen?|texte?|unterlagen)\ (?:sag|nenn|erwähn|enth[aä]lt|geb|gibt|beantwort)\w*
      \ (?:\w+\ ){{0,3}}nicht\b
    |\bne\ (?:mentionne|précise|dit|disent)\w*\ pas\b|\bno\ (?:menciona|indica|dice)\w*""",
    _FLAGS,
)
_ASSERTS_MORE = re.compile(
    r"""[;:]|\b(?:but|however|although|though|while|whereas|yet|except|because|only\ that|aber|mais|pero)\b
    |,\s*(?:which|whose|so|as|since|who\ (?:is|was|are|were|has|had)
        |and\ (?!(?:who|whom|what|when|where|which|why|how|whether)\b))\b""",
    _FLAGS,
)
_WORD = re.compile(r"\w+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def is_na(sentence: str, question: str | None) -> bool:
    """Whether a sentence holds nothing to check, by the rules above.

    Args:
        sentence: A sentence without white space around it.
        question: The question that its text answers, if known.
    """
    if not _LETTER_OR_DIGIT.search(sentence) or sentence.rstrip("\"'”’»)*_ ").endswith(("?", "？", "؟")):
        return True
    if is_yes_or_no(sentence):
        return question is None
    has_digit = any(c.isdigit() for c in sentence)
    if _HEADING.match(sentence) and not has_digit:
        return True
    rest = _without_courtesies(sentence)
    if not rest:
        return True
    words = len(_WORD.findall(rest))
    if _LEAD_IN.match(rest) and words <= 12:
        return rest.endswith(":") or bool(_ANNOUNCED.search(rest) and not has_digit and not _CONTINUES.search(rest))
    if _REGARDING.match(rest):
        return rest.endswith((":", ","))
    if _RESTATED.match(rest):
        return not _CONTINUES.search(rest)
    return bool(_REFUSAL.search(rest)) and not _ASSERTS_MORE.search(rest) and words <= 30


def is_yes_or_no(sentence: str) -> bool:
    """Whether a sentence is "yes" or "no" and nothing else."""
    return _YES_NO.fullmatch(sentence.strip(" .,!*_。！")) is not None


def lead_in_end(sentence: str) -> int:
    """Where the statement begins after a lead-in or a restated question and a colon; 0 where there is none."""
    opening = _LEAD_IN.match(sentence) or _RESTATED.match(sentence) or _REGARDING.match(sentence)
    colon = _COLON.match(sentence, opening.end()) if opening else None
    return colon.end() if colon else 0


def _without_courtesies(sentence: str) -> str:
    """What is left of a sentence when phrases that only address the reader are taken off its start."""
    begin = _begin(sentence, 0)
    while courtesy := _COURTESY.match(sentence, begin):
        begin = _begin(sentence, courtesy.end())
    return sentence[begin:]


def _begin(sentence: str, place: int) -> int:
    """Where words begin again, the "but" after an apology left out."""
    mark = _STARTS.match(sentence, place) if place else _MARKS.match(sentence)
    return mark.end() if mark else place
