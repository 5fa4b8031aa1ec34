"""Which sentences hold nothing to check (NA).

A sentence is NA by one of these rules, tried in order:

1. no letter and no digit in it (an ellipsis, a row of dashes, emoji, the separator row of a table), or a code fence;
2. "yes", "no", "correct", "absolutely" alone, unless they answer a question that asks for that: "yes", "no" and "never"
   any question that is known, the others one that opens like "Is ...?" or "Does ...?" and asks for no favour;
3. a Markdown heading of nothing but words such as "Summary", "Answer", "Sources" (``_HEADING_WORDS``);
4. nothing but greetings, thanks, apologies, offers and acknowledgements; before the next rules they are taken off.
   After "thank you for", "I hope this helps" and the like, all words but one are of a fixed list (``_TALK``);
5. a question that opens like one; not "Did you know that ...?" and not "It opened in May, didn't it?";
6. a lead-in ("Here is a summary ...:");
7. the question restated ("The question is why ...", "Regarding your question about ...:");
8. a refusal that asserts nothing else ("The documents do not say when it opened.") and takes nothing for granted that
   the question does not: "The source does not say when Anna died of cancer." is a claim (``presupposed`` has the rule).

Rules 4, 6 and 8 are those of ``na_languages`` for sentences in German, French, Spanish, Portuguese, Italian, Dutch,
Russian, Arabic, Hindi, Chinese and Japanese; rule 5 knows their question words.

In doubt a sentence is a claim, because what is NA passes unchecked: "Sure, it opened in May." is a claim, and so are
"The document does not provide a refund." and "### Aspirin cures cancer".
"""

from __future__ import annotations

import re

from halt_rag.verify.na_languages import only_courtesy, only_refuses
from halt_rag.verify.presupposed import presupposes
from halt_rag.verify.questions import asks_yes_or_no, says_yes_or_no

_FLAGS = re.IGNORECASE | re.VERBOSE
_MARKS = re.compile(r"[\W_]*")
_STARTS = re.compile(r"[\W_]*(?:(?:and|but|so|or)\s+)?", re.IGNORECASE)
_SORRY = r"(?:sorry|apologies|(?:i|we)\ apologi[sz]e|(?:i['’]m|i\ am|we['’]re|we\ are)\ (?:very\ |so\ )?sorry)"
_ASKS = r"(?:about|if|whether|who|whom|whose|what|when|where|which|why|how)"
_TEXTS = r"(?:documents?|passages?|sources?|contexts?|texts?|leaflets?|articles?|excerpts?|manuals?|reports?)"
_END = r"(?=\s*[,;:!.…–—]|\s*$)"
_STOP = r"[\s.!…\"”'’»)*_]*$"

#: Said alone, or to someone by name ("Dear Ms Smith,").
_NAME = r"\ (?-i:[^\W\d_a-z])[\w.'’-]{0,30}"
_GREETING = rf"""(?:hello|hi|hey|dear|greetings|welcome(?:\ back)?|good\ (?:morning|afternoon|evening|day)|hallo
    |guten\ (?:tag|morgen|abend)|liebe[rs]?|bonjour|salut|hola|buenos\ d[ií]as|ciao|olá)
    (?:,?\ (?:again|there|all|everyone|everybody|team|sir|madam|customer|user|reader))?
    (?:(?:\ (?:mr|mrs|ms|miss|dr|prof|professor|herr|frau)\.?)?(?:{_NAME}(?:{_NAME})?(?=\s*,)|{_NAME}(?=\s*!))
        |{_END})"""
#: Said alone.
_INTERJECTION = rf"""(?:(?:many\ )?thanks|thank\ you|(?:so|very)\ much|a\ lot|you['’]re\ (?:very\ )?welcome
    |no\ (?:problem|worries)|my\ pleasure|{_SORRY}|my\ apologies|unfortunately|ok|okay|alright|all\ right|right
    |sure(?:\ thing)?|certainly|of\ course|absolutely|definitely|understood|got\ it|great|perfect|cheers|please
    |(?:best|kind|warm)\ regards|(?:yours\ )?sincerely|take\ care|good\ luck|see\ you
    |(?:that['’]s\ an?\ )?(?:good|great|excellent|interesting)\ question|vielen\ dank|danke(?:\ sch[öo]n)?
    |gern(?:e|\ geschehen)|natürlich|merci(?:\ beaucoup)?|de\ rien|bien\ sûr|(?:muchas\ )?gracias|de\ nada|claro|grazie
    |prego|obrigad[oa]){_END}"""
#: About the conversation, up to the next mark.
_OFFER = r"""(?:(?:thanks|thank\ you)(?:\ \w{1,15}){0,2}\ for|(?:thanks|thank\ you)\ to\ you
    |SORRY\ (?:to\ hear|for|about|if)|welcome(?:\ back)?\ to
    |(?:please\ |just\ )?(?:let\ (?:me|us)\ know|(?:do\ not|don['’]t)\ hesitate
        |feel\ free\ to\ (?:ask|reach|contact|let|share|write|get|send|tell|message))
    |(?:(?:i|we)\ )?hope\ (?:this|that|it)\ (?:helps?|answers?|clarifies|clears|was|is|makes)|(?:i\ )?hope\ you
    |(?:(?:i['’]m|i\ am|we['’]re|we\ are|i['’]d\ be|i\ would\ be)\ )?
        (?:(?:more\ than\ |always\ )?(?:happy|glad|here)|pleased)\ to\ (?:help|assist|answer|explain|clarify|look|hear)
    |(?:if|should)\ you\ (?:have|need|want)\ (?:\w{1,15}\ ){0,2}(?:questions?|help|assistance|clarification|concerns
        |anything\ else|further\ information|more\ (?:details|information))
    |is\ there\ anything|anything\ else|(?:vielen\ dank|danke)\ für|merci\ (?:pour|de)|gracias\ por
    |have\ an?\ (?:nice|great|good|lovely|wonderful)\ (?:day|one|evening|weekend|week|time))\b
    (?P<tail>[^,;:!?.…–—\d]{0,120}+)""".replace("SORRY", _SORRY)
_COURTESY = re.compile(rf"(?:{_OFFER}|{_GREETING}|{_INTERJECTION})\s*(?:[,;:!?.…–—]+\s*|$)", _FLAGS)
#: What an offer may hold beside one other word ("Sorry to hear about your blender!").
_TALK = frozenset(
    """a about again all an and any anything asking at bear bearing being can choosing clear confusion contact
    contacting could day delay delays do else enjoy error feel feeling for forward free from further get getting good
    great have hear hearing help helpful helping hesitate hope i if in inconvenience information inquiry interest into
    it know kind like look looking may me message mistake more my need needs nice of on or other our out patience please
    question questions quick reach reaching reply see sharing so soon stay things this that the time to today
    understanding useful us using visit visiting waiting want we welcome well will wish with would writing wrong you
    your yourself ask email details assistance misunderstanding trouble
    anfrage frage geduld ihr ihre ihren deine interesse nachricht votre ta intérêt patience consulta pregunta paciencia
    interés mensaje su tu""".split()
)

_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*[\w+#.-]{0,30}(?:[ \t]*\{[^{}\n]{0,60}\})?")
_YES_NO = re.compile(r"yes|no|yep|nope|never|ja|nein|oui|non|s[ií]|是|是的|不是|はい|いいえ", re.IGNORECASE)
_HEADING = re.compile(r"\#{1,6}[ \t]")
#: No two of these make a sentence together.
_HEADING_WORDS = frozenset(
    """a and additional an answer answers background brief conclusion conclusions contact detailed details executive
    explanation facts final findings for full further general hours important information introduction key main next
    note notes of opening our overview points question questions quick recommendations references resources result
    results short sources steps summary takeaways the to your fazit quellen zusammenfassung antwort conclusión resumen
    fuentes respuesta résumé réponse""".split()
)

_QUESTION_END = re.compile(r"[?？؟][\s\"'”’»)*_]*$")
_OPENS_QUESTION = re.compile(
    r"""(?:(?:and|but|so|or|to|in|on|at|from|for|by|with|of|about|since|until|under|à|de|en|für|in|seit)\ )?
      (?:who|whom|whose|what|when|where|which|why|how|wer|wen|wem|wessen|was|wann|wo|woher|wohin|warum|wieso|wie
        |welche[rsnm]?
        |wieviele?|qui|que|quel(?:le)?s?|quand|où|pourquoi|comment|combien|cuándo|dónde|quién(?:es)?|qué|cuál(?:es)?
          |cómo
        |cuánt[oa]s?|chi|che|cosa|quando|dove|perché|come|qual[ei]?|quanti?|quante|quais|como|onde|quem|quantos|quantas
        |wat|waar|wanneer|waarom|hoe|hoeveel|welke?|как|кто|что|где|когда|почему|сколько|какой|какая|какие|зачем)\b
    |(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|ist|sind|war|waren
        |hat|haben|gibt|kann|können|wird|wurde|wurden|est-ce|hay|es|son|zijn|heeft|hebben
        |wordt|worden|werd|kunnen|è|sono|può|posso|há|existe|pode|posso)\b|(?:c|dov)['’]è\b
    |[^?]{0,300}¿|[^?？]{0,300}[吗嗎呢谁誰什哪何几幾怎か]|(?:هل|ما|من|متى|أين|كيف|لماذا|كم)\b""",
    _FLAGS,
)
_TELLS = re.compile(
    r"""(?:did|do)\ you\ (?:know|realise|realize)\ (?!(?:if|whether|who|what|when|where|which|why|how)\b)
    |have\ you\ heard
    |(?:are|were)\ you\ aware|(?:is|was)\ it\ not|who\ (?:knew|would\ have)""",
    _FLAGS,
)
_TAG = re.compile(
    r"""[,，、–—-]\s*¿?(?:right|correct|true|yes|no|huh|eh|ok|okay|innit|don['’]t\ you\ think|oder|nicht(?:\ wahr)?|gell
      |non|n['’]est[- ]ce\ pas|verdad|cierto|vero|giusto|né|certo|não\ é|toch|hè|nietwaar|правда|верно|не\ так\ ли
        |أليس\ كذلك|है\ ना|对吗|對嗎|对吧|是吗|是吧|不是吗
      |(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|must|wo|ca|ai)(?:n['’]t)?
        \ (?:i|you|he|she|it|we|they|there|this|that|one)(?:\ not)?)\s*[?？]
    |(?:では|じゃ)(?:ない|ありません|ないでしょう)(?:です)?か\s*[?？]""",
    _FLAGS,
)

_LEAD_IN = re.compile(r"(?:here(?:['’]?s|\ is|\ are)|(?:below|the\ following)\ (?:is|are))\b", _FLAGS)
_ANNOUNCED = re.compile(
    rf"""\ (?:\w+\ ){{0,4}}(?:summar(?:y|ies)|answers?|list|overview|breakdown|explanations?|details|information|steps
      |points|facts|findings|highlights|outline|translation|recap|rundown|version)
      (?:\ (?:(?:of|about|on|for|from|in|based)\ .{{1,100}}|to\ (?:your|the|this|that)\ questions?))?{_STOP}
    |\ (?:what|how)\ (?:i|we|you|it|this|that|to)\ \w+{_STOP}""",
    _FLAGS,
)
_RESTATED = re.compile(
    rf"(?:(?:the|your)\ question\ (?:is|was|asks)|you\ (?:asked|ask|want(?:ed)?\ to\ know)(?:\ me)?)\ {_ASKS}\b", _FLAGS
)
_REGARDING = re.compile(
    r"(?:regarding|concerning|as (?:for|to)|with regard to|to answer|in (?:answer|response) to) your question\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(rf"\s*[:,]$|\ (?:{_ASKS}|on|of|regarding|concerning|as\ to)\b[^,;:–—]{{1,150}}[:,]$", _FLAGS)
#: What makes a lead-in or a restated question go on to a statement.
_CONTINUES = re.compile(
    r"""[,;:(–—]\s*\w|\s-\s|[.!?]\s+\w|\banswer\ is\b
    |\b(?:and|but|so|because|since|although|though|while|whereas|that)\b""",
    _FLAGS,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|must)\b", re.I
)
_RELATIVE = re.compile(
    r"\b(?:that|which|who|whose|whom|because|how|why|when|where|is|are|was|were|has|had|will)\b", re.I
)
_COLON = re.compile(r"[^:.!?]{0,200}:\s+(?=\S)")

_NOT = r"""(?:do\ not|don['’]t|does\ not|doesn['’]t|did\ not|didn['’]t)
    (?:\ (?:actually|also|clearly|directly|even|explicitly|really|specifically|seem\ to|appear\ to)){0,2}"""
_OF_TEXTS = r"""(?:(?:the|this|that|these|those|your|our|any|all|both)\ )?
    (?:(?:provided|given|supplied|retrieved|available|relevant|source|context|reference|two|three)\ ){0,2}"""
_IN_TEXT = rf"(?:anywhere\ )?(?:in|by|from|within)\ (?:the|this|these|any|your|our)\ (?:\w+\ ){{0,2}}{_TEXTS}"
#: "any information about fees", "an answer to that question"; not "the information desk".
_INFORMATION = rf"""(?:(?:a|an|any|the|that|this|these|those|such|enough|sufficient|specific|further|more|much|direct
      |clear|exact|relevant|necessary|required|requested|additional|detailed)\ ){{0,3}}
    (?:information|info|answers?|details?|mention|indication|reference)
    (?:{_STOP}|\ (?:about|on|regarding|concerning|of|as\ to|whether
        |to\ (?:answer|determine|say|tell|your|that|this|the))\b
      |\ {_IN_TEXT}{_STOP})"""
_REFUSAL = re.compile(
    rf"""(?P<frame>(?:(?:however|but),?\ )?
      (?:(?:based\ on|according\ to|from|in)\ (?:the|this|these|your)\ (?:\w+\ ){{0,2}}{_TEXTS},?\ )?)
    (?:{_OF_TEXTS}(?:\w+\ )?{_TEXTS}(?:\ (?:above|here|provided|given|(?:you|i)\ \w+))?\ {_NOT}
        \ (?:(?:say|state|mention|specify|tell|indicate|address|explain|clarify|discuss|describe|disclose|reveal)\b
          |(?:contain|provide|include|give|offer|have|hold|cover)\ {_INFORMATION}
          |answer\ (?:this|that|the|your|any)\ (?:of\ \w+\ )?questions?\b)
    |(?:(?:the|this|these|your)\ )?(?:information|materials?|pages?|records?|it|they)
        (?:\ (?:provided|given|here))?\ {_NOT}\ (?:say|state|mention|specify)\b
    |i\ (?:do\ not|don['’]t)\ (?:know(?:{_STOP}|\ (?:{_ASKS}|the\ answer(?={_STOP}|\ to\b))\b)
        |have\ (?:{_INFORMATION}|access\ to\b))
    |(?:i['’]m|i\ am|we['’]re|we\ are)\ not\ sure(?:{_STOP}|\ {_ASKS}\b)
    |(?:(?:i|we)\ (?:cannot|can['’]t|can\ not|could\ not|couldn['’]t|(?:am|are|was|were)\ (?:unable|not\ able)\ to)
        |(?:i['’]m|we['’]re)\ (?:unable|not\ able)\ to)
      \ (?:(?:find|provide|give|see|locate)\ (?:{_INFORMATION}
            |(?:that|this|it|anything|(?:\w+\ ){{1,6}}?)\ ?(?:{_IN_TEXT}){_STOP}|(?:that|this|it|anything){_STOP})
        |answer(?:{_STOP}|\ (?:that|this|it|the\ question|your\ question)\b)
        |(?:tell|determine|say)(?:\ you)?(?:{_STOP}|\ (?:{_ASKS}|that|this|{_IN_TEXT})\b))
    |there\ (?:is|was)\ (?:no|not\ enough|not\ any)\ {_INFORMATION}
    |no\ (?:information|mention|details?)(?:\ (?:about|on|regarding|concerning|of)\ (?:[\w'’-]+\ ?){{1,8}}?)?
        (?:{_STOP}|\ ?\b(?:is|are|was|were|could\ be|has\ been)
        \ (?:found|given|provided|available|mentioned|included|stated)
        (?:\ {_IN_TEXT})?{_STOP})
    |(?:[^\W\d][\w'’-]*\ ){{1,8}}(?:is|are|was|were)\ not\ (?:\w+\ )?
        (?:(?:mentioned|stated|specified)(?:\ {_IN_TEXT})?
        |(?:given|provided|included|covered|described)\ {_IN_TEXT}){_STOP})""",
    _FLAGS,
)
#: A refusal's object that is a noun with a clause of its own ("the dam which was built in 1958").
_NOUN_WITH_CLAUSE = re.compile(
    rf"""\ (?:mention|address|explain|discuss|describe|cover|about|of|on)\ (?!(?:{_ASKS}|that)\b).{{1,150}}?
      \b(?:that|which|who|whose|whom|where|is|are|was|were|has|had)\b(?!\ {_IN_TEXT})
      (?!\ (?:found|given|provided|available))
    |\b(?:that|which|who|whose)\b.{{1,150}}\bnot\ (?:\w+\ )?(?:mentioned|stated|specified|given|provided|included)\b""",
    _FLAGS,
)
_ASSERTS_MORE = re.compile(
    r"""[;:()–—]|\s-\s|[.!?]\s+\w
    |\b(?:but|however|although|though|while|whereas|yet|except|because|since|only\ that|aber|mais|pero)\b
    |,\s*+(?!(?:(?:and|or|und|et|y|o)\s+)?
        (?:who|whom|what|when|where|which|why|how|whether|if|wer|was|wann|wo|warum|wie|ob|quand|où|cuándo|dónde)\b)
    |\b(?:and|und|et|y)\ (?!(?:who|whom|what|when|where|which|why|how|whether|if|wer|was|wann|wo|warum|wie|ob)\b)""",
    _FLAGS,
)
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def is_na(sentence: str, question: str | None) -> bool:
    """Whether a sentence holds nothing to check, by the rules above.

    Args:
        sentence: A sentence without white space around it.
        question: The question that its text answers, if known.
    """
    if not _LETTER_OR_DIGIT.search(sentence) or _FENCE.fullmatch(sentence):
        return True
    if is_yes_or_no(sentence):
        return question is None
    if says_yes_or_no(sentence) is not None:
        return not (question and asks_yes_or_no(question))
    if _HEADING.match(sentence):
        return _HEADING_WORDS.issuperset(_WORD.findall(sentence.lower()))
    rest = _without_courtesies(sentence)
    if not rest or only_courtesy(sentence):
        return True
    if _QUESTION_END.search(rest[-20:]):
        return bool(_OPENS_QUESTION.match(rest)) and not _TELLS.match(rest) and not _TAG.search(rest[-60:])
    if len(_WORD.findall(rest)) > 30:
        return False
    return _announces(rest) or _restates(rest) or _refuses(rest, question or "") or only_refuses(rest, question or "")


def _announces(text: str) -> bool:
    opening = _LEAD_IN.match(text)
    if not opening or len(_WORD.findall(text)) > 12:
        return False
    tail = text[opening.end() :]
    if _ANNOUNCED.match(tail.removesuffix(":")):
        what = re.sub(r"^\ (?:what|how)\ ", "", tail)
        return (
            not _RELATIVE.search(what)
            and not _CONTINUES.search(tail)
            and not (_NUMBER.search(tail) and tail[-1] != ":")
        )
    return tail.endswith(":") and not _CONTINUES.search(tail)


def _restates(text: str) -> bool:
    regarding = _REGARDING.match(text)
    opening = regarding or _RESTATED.match(text)
    if not opening:
        return False
    tail = text[opening.end() :]
    whole = _ABOUT.match(tail) is not None if regarding else True
    return whole and not _CONTINUES.search(tail) and len(_FINITE.findall(tail)) <= 1


def _refuses(text: str, question: str) -> bool:
    """Whether it only says that the sources do not tell; a number that the question lacks would be a statement."""
    refusal = _REFUSAL.match(text)
    return (
        refusal is not None
        and not _ASSERTS_MORE.search(text, refusal.end("frame"))
        and not _NOUN_WITH_CLAUSE.search(text, refusal.end("frame"))
        and set(_NUMBER.findall(text)) <= set(_NUMBER.findall(question))
        and not presupposes(text[refusal.end("frame") :], question)
    )


def is_yes_or_no(sentence: str) -> bool:
    """Whether a sentence is "yes", "no" or "never" and nothing else."""
    return _YES_NO.fullmatch(sentence.strip(" .,!*_。！")) is not None


def lead_in_end(sentence: str) -> int:
    """Where the statement begins after a lead-in or a restated question and a colon; 0 where there is none."""
    opening = _LEAD_IN.match(sentence) or _RESTATED.match(sentence) or _REGARDING.match(sentence)
    colon = _COLON.match(sentence, opening.end()) if opening else None
    return colon.end() if colon else 0


def _without_courtesies(sentence: str) -> str:
    """What is left of a sentence when phrases that only address the reader are taken off its start."""
    begin = _begin(sentence, 0)
    while (courtesy := _COURTESY.match(sentence, begin)) and _only_talk(courtesy["tail"] or ""):
        begin = _begin(sentence, courtesy.end())
    return sentence[begin:]


def _only_talk(tail: str) -> bool:
    return sum(word not in _TALK for word in _WORD.findall(tail.lower())) <= 1


def _begin(sentence: str, place: int) -> int:
    """Where words begin again, the "but" after an apology left out."""
    mark = _STARTS.match(sentence, place) if place else _MARKS.match(sentence)
    return mark.end() if mark else place
