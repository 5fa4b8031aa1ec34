"""The claims of a generated text: its sentences, each checkable or with nothing to check (NA).

A sentence is NA by one of these rules, tried in order:

1. no letter and no digit in it (an ellipsis, a row of dashes, emoji);
2. a question;
3. a greeting, thanks, an apology, an offer, an acknowledgement or a lead-in ("Here is a summary ...:");
4. the question restated ("The question is why ...", "Regarding your question about ...:");
5. a refusal that asserts nothing else ("The documents do not say when it opened.");
6. a Markdown heading without a number.

"Yes" and "No" are claims only together with the question that they answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from halt_rag.text.sentences import split_sentences
from halt_rag.text.spans import Span, trimmed

#: An answer of at most this many words is read together with its question.
SHORT_ANSWER_WORDS = 8

_GREETING = re.compile(
    r"""(?: hello|hi|hey|dear|greetings|good\ (?:morning|afternoon|evening|day)|welcome|thanks|thank\ you|many\ thanks
    | you['’]re\ welcome|no\ problem|my\ pleasure|sorry|i['’]m\ sorry|i\ am\ sorry|apologies|(?:i|we)\ apologi[sz]e
    | ok|okay|sure|certainly|of\ course|absolutely|great|good\ question|understood|got\ it|right
    | let\ (?:me|us)\ know|feel\ free|please\ (?:let\ (?:me|us)\ know|feel\ free|do\ not\ hesitate|don['’]t\ hesitate)
    | (?:i|we)\ hope|hope\ (?:this|that)|(?:(?:i['’]m|i\ am|we\ are|we['’]re)\ )?(?:happy|glad)\ to\ help
    | (?:best|kind)\ regards|sincerely|have\ a\ (?:nice|great|good)|if\ you\ (?:have|need)\ any|is\ there\ anything
    | anything\ else|hallo|guten\ (?:tag|morgen|abend)|vielen\ dank|danke|gerne|bonjour|merci|salut|hola|gracias
    | buenos\ d[ií]as|ciao|grazie|olá|obrigad[oa] )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ALONE = re.compile(
    r"(yes|no|yep|nope|ja|nein|oui|non|s[ií]|是|不是|はい|いいえ)|(?:ok|okay|right|sure)", re.IGNORECASE
)
_LEAD_IN = re.compile(r"(?:here(?:['’]?s| is| are)|(?:below|the following) (?:is|are))\b", re.IGNORECASE)
_RESTATED = re.compile(
    r"""(?:the\ question\ (?:is|was|asks)|your\ question\ (?:is|was)|you\ (?:asked|ask|want(?:ed)?\ to\ know)
    | (?:regarding|concerning|as\ for|with\ regard\ to|to\ answer|in\ (?:answer|response)\ to)\ your\ question)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_REFUSAL = re.compile(
    r"""\b(?:documents?|passages?|sources?|contexts?|texts?|leaflets?|articles?|excerpts?|information|materials?|manuals?
      |pages?|reports?|records?|it|they)(?:\ \w+){0,3}\ (?:do(?:es)?\ not|don['’]t|doesn['’]t|did\ not|didn['’]t)
      (?:\ \w+){0,2}\ (?:say|state|mention|specify|contain|provide|include|give|tell|indicate|address|cover|explain
      |answer)
    | \bi\ (?:do\ not|don['’]t)\ (?:know|have)|\b(?:i['’]m|i\ am)\ not\ (?:sure|able)
    | \b(?:i|we)\ (?:cannot|can['’]t|could\ not|couldn['’]t|am\ unable\ to|are\ unable\ to)
      \ (?:find|answer|tell|determine|say|provide)
    | \bthere\ is\ (?:no|not\ enough)\ (?:information|mention|answer)
    | \bno\ (?:information|mention|answer)\ (?:is|was|about|on)
    | \b(?:is|are|was|were)\ not\ (?:mentioned|stated|specified|given|provided)\b
    | \b(?:dokumente?|quellen?|texte?)\ (?:\w+\ ){1,3}nicht\b|\bne\ (?:mentionne|précise|dit)\w*\ pas
    | \bno\ (?:menciona|indica|dice)\w*""",
    re.IGNORECASE | re.VERBOSE,
)
_ASSERTS_MORE = re.compile(
    r"[;:]|\b(?:but|however|although|though|while|whereas|yet|except|only that|aber|mais|pero)\b", re.IGNORECASE
)
_WORD = re.compile(r"\w+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim before it is checked.

    Attributes:
        span: Where it is in the generated text, without surrounding white space.
        hypothesis: What a model is asked about; None where there is nothing to check.
        with_question: Whether the hypothesis begins with the question.
    """

    span: Span
    hypothesis: str | None
    with_question: bool = False


def is_na(sentence: str, question: str | None) -> bool:
    """Whether a sentence holds nothing to check, by the rules above."""
    if not _LETTER_OR_DIGIT.search(sentence):
        return True
    words = len(_WORD.findall(sentence))
    if sentence.rstrip("\"'”’»)*_ ").endswith(("?", "？", "؟")):
        return True
    alone = _ALONE.fullmatch(sentence.strip(" .,!。！"))
    if alone:
        return question is None or alone.group(1) is None
    has_digit = any(c.isdigit() for c in sentence)
    if not has_digit and words <= 14 and _GREETING.match(sentence):
        return True
    if _LEAD_IN.match(sentence) and words <= 12 and (sentence.endswith(":") or not has_digit):
        return True
    if _RESTATED.match(sentence):
        return True
    if sentence.startswith("#") and not has_digit:
        return True
    return bool(_REFUSAL.search(sentence)) and not _ASSERTS_MORE.search(sentence) and words <= 30


def claims_of(generated: str, question: str | None) -> list[ClaimText]:
    """Every sentence of a generated text, in order; together they hold all that is not white space."""
    claims = []
    for sentence in split_sentences(generated):
        span = trimmed(generated, sentence)
        text = span.of(generated)
        if not text:
            continue
        if is_na(text, question):
            claims.append(ClaimText(span, None))
        elif question and len(_WORD.findall(text)) <= SHORT_ANSWER_WORDS and len(generated.strip()) == len(text):
            claims.append(ClaimText(span, f"{question.strip()} {text}", with_question=True))
        else:
            claims.append(ClaimText(span, text))
    return claims


_CLAUSE = re.compile(
    r"[,;]\s+(?:and|but|while|whereas|which|who|und|aber|et|mais|y|pero)\s+|;\s+|\s+and\s+|,\s+", re.IGNORECASE
)


def clauses_of(text: str) -> list[str]:
    """The clauses of a sentence that are long enough to be checked alone; fewer than two where it is not compound."""
    parts, last = [], 0
    for match in _CLAUSE.finditer(text):
        if len(_WORD.findall(text[last : match.start()])) >= 4 and len(_WORD.findall(text[match.end() :])) >= 3:
            parts.append(text[last : match.start()].strip())
            last = match.end()
    parts.append(text[last:].strip())
    return parts
