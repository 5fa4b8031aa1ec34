"""Sentences with nothing to check in languages other than English; the rules are those of ``na.py``.

For each language: phrases that are only courtesy, patterns of offers and announcements, and patterns of refusals. A
refusal is one only where nothing after it asserts more: no second clause, no relative clause, no number that the
question lacks. All patterns are matched against whole short sentences and have bounded repeats.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from halt_rag.verify.languages import language_of

_FLAGS = re.IGNORECASE | re.VERBOSE
#: A sentence of more characters is a claim.
_LONGEST = 300
_W = r"(?:[\w'’%/-]{1,30}\ )"  # One word and the space after it.
_DASH = r"[;:()–—]|\s-\s|[.!?。！？]\s*\w"


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of a language.

    Attributes:
        courtesies: Phrases that are nothing but courtesy, in small letters.
        talks: Offers and announcements, whole.
        refuses: Refusals, whole or up to what they are about.
        more: What makes a refusal assert something else.
    """

    courtesies: frozenset[str]
    talks: re.Pattern[str]
    refuses: re.Pattern[str]
    more: re.Pattern[str]


_GERMAN = (
    """hallo|guten tag|guten morgen|guten abend|grüß gott|moin|servus|willkommen|vielen dank|danke|danke schön
    |danke sehr
    |herzlichen dank|gern|gerne|gern geschehen|bitte|bitte schön|bitte sehr|kein problem|natürlich|selbstverständlich
      |klar
    |sicher|okay|ok|in ordnung|verstanden|leider|entschuldigung|verzeihung|es tut mir leid|tut mir leid|das tut mir leid
    |gute frage|das ist eine gute frage|mit freundlichen grüßen|viele grüße|beste grüße|liebe grüße|schönen tag noch
    |einen schönen tag|einen schönen tag noch|viel erfolg|alles gute|auf wiedersehen|tschüss|perfekt|super|ja gerne""",
    rf"""(?:sehr\ geehrte[rs]?|liebe[rs]?|guten\ tag|hallo)\ (?:damen\ und\ herren|(?:frau|herr)\ {_W}?[\w-]+|kunde
    |kundin|team)
    |(?:vielen\ |herzlichen\ )?dank(?:e)?\ für\ (?:ihre|deine|die|ihr|das|dein)\ (?:\w+\ )?(?:anfrage|frage|nachricht
      |geduld
      |interesse|verständnis|rückmeldung)
    |ich\ hoffe\ (?:,?\ )?(?:das|dies)\ hilft(?:\ ihnen|\ dir)?(?:\ weiter)?
    |(?:bitte\ )?(?:lassen\ sie|lass)\ (?:es\ )?(?:mich|uns)\ (?:gerne\ )?wissen(?:\ (?:wenn|falls
      |ob)\ {_W}{{0,8}}[\w-]+)?
    |(?:wenn|falls|sollten)\ (?:sie|du)\ (?:noch\ )?(?:weitere\ |andere\ )?fragen\ (?:haben|hast)
      (?:\ {_W}{{0,6}}(?:mich|uns|verfügung|gerne?|wissen|weiter|helfen))?
    |(?:ich\ helfe|wir\ helfen)\ (?:ihnen\ |dir\ )?gerne?(?:\ weiter)?|gerne\ helfe\ ich(?:\ ihnen|\ dir)?(?:\ weiter)?
    |(?:kann|soll|darf)\ ich\ (?:ihnen\ |dir\ )?(?:sonst\ )?(?:noch\ )?(?:bei\ etwas
      \ |mit\ etwas\ )?(?:anderem\ )?(?:weiter)?helfen
    |(?:hier|nachfolgend|im\ folgenden|unten)\ (?:ist|sind|finden\ sie|folgt|findest\ du)\ (?:eine?|die|der|das
      |ihre)\ {_W}{{0,2}}
      (?:zusammenfassung|antwort|übersicht|liste|überblick|details|informationen|schritte|punkte)
      (?:\ (?:der|des|zu|zur|zum|über|für|auf)\ {_W}{{0,8}}[\w-]+)?""",
    rf"""(?:{_W}{{0,3}}(?:dokumente?|quellen?|texte?|unterlagen|kontext|abschnitte?|artikel|passagen?)\ (?:{_W}{{0,2}})
        (?:sag|nenn|erwähn|beantwort|beschreib|enthält|enthalten|mach|geben|gibt|erläuter|erklär)\w*
        \ (?:dazu\ |hierzu\ |darüber\ )?(?:(?:{_W}{{0,6}})nicht\b|(?:leider\ )?(?:keine
          |nichts)(?:\ (?:\w+\ )?(?:angaben?|informationen?|hinweise?|details|auskunft|aussagen?))?))
    |(?:leider\ )(?:sagen|nennen|erwähnen|enthalten|enthält|nennt|geben|machen|beantworten)\ {_W}{{1,3}}
        (?:dokumente?|quellen?|texte?|unterlagen|kontext|artikel)\ (?:{_W}{{0,5}}nicht\b
          |keine\ (?:\w+\ )?(?:angaben?|informationen?|hinweise?|details|auskunft))
    |(?:leider\ )?(?:(?:in|aus|laut)\ {_W}{{1,4}}(?:dokument|dokumenten|quellen?|texten?|unterlagen|kontext|artikel)\ )?
        (?:steht|geht|wird|werden|findet\ sich|finden\ sich|gibt\ es|ist|sind|lässt\ sich)\ (?:dazu\ |darüber
          \ |hierzu\ )?
        (?:nicht(?:\ (?:hervor|angegeben|genannt|erwähnt|beantworten))?\b|keine\ (?:\w+\ )?(?:angaben?|informationen?
          |hinweise?|details|antwort))
    |{_W}{{1,8}}(?:wird|werden|ist|sind)\ (?:{_W}{{0,5}})nicht\ (?:genannt|erwähnt|angegeben|beschrieben)$
    |(?:dazu|hierzu|darüber)\ (?:liegen|gibt|habe|enthalten|finde)\ {_W}{{0,5}}keine\ (?:\w+\ )?(?:angaben?
      |informationen?)
    |(?:leider\ )?(?:habe\ ich|ich\ habe)\ (?:dazu\ |darüber\ )?keine\ (?:\w+\ )?(?:angaben?|informationen?)
    |(?:das\ )?(?:ich\ )?weiß(?:\ ich)?(?:\ es|\ das)?\ (?:leider\ )?nicht
    |(?:das|die\ frage|diese\ frage)\ kann\ ich\ {_W}{{0,6}}nicht\ (?:beantworten|sagen)
    |ich\ kann\ (?:das|die\ frage|diese\ frage)\ {_W}{{0,6}}nicht\ (?:beantworten|sagen)
    |keine\ (?:angaben?|informationen?)(?:\ (?:dazu|verfügbar|vorhanden|gefunden))?$""",
    r"""\b(?:aber|jedoch|doch|weil|denn|obwohl|während|sondern|außer|allerdings)\b
    |,\s*+(?!(?:ob|wann|wo|woher|wohin|wer|wen|wem|wie|was|warum|welche[rsnm]?|wieviele?|dass)\b)
    |\bund\ (?!(?:wann|wo|wer|wie|was|warum|welche[rsnm]?|ob)\b)""",
)
_FRENCH = (
    """bonjour|bonsoir|salut|bienvenue|merci|merci beaucoup|merci bien|de rien|je vous en prie|avec plaisir
    |pas de problème
    |bien sûr|certainement|d'accord|entendu|désolé|désolée|je suis désolé|je suis désolée|malheureusement|excusez-moi
      |pardon
    |bonne question|c'est une bonne question|excellente question|cordialement|bien cordialement|bonne journée
      |bonne soirée
    |bonne chance|au revoir|à bientôt|parfait|ok|très bien|volontiers|excellente journée""",
    rf"""(?:cher|chère|chers|chères)\ (?:client|cliente|clients|monsieur|madame)(?:\ [\w-]+)?
    |merci\ (?:beaucoup\ )?(?:pour|de)\ (?:votre|ta|votre\ \w+)\ (?:question|message|patience|intérêt|demande
      |compréhension)
    |j['’]espère\ que\ (?:cela|ça|ceci)\ (?:vous\ |t['’])?(?:aide|aidera|répond\ à\ votre\ question)
    |n['’]hésitez\ pas\ à\ (?:me|nous)\ (?:contacter|demander|poser\ {_W}{{0,3}}questions?|faire\ signe
      |le\ dire)(?:\ si\ {_W}{{0,8}}[\w-]+)?
    |si\ vous\ avez\ (?:d['’]autres|des|la\ moindre)\ questions?(?:\ {_W}{{0,8}}[\w-]+)?
    |puis-je\ (?:vous\ )?aider\ (?:{_W}{{0,4}}[\w-]+)?|je\ serais\ (?:ravie?|heureu(?:x|se))\ de\ vous\ aider
    |voici\ (?:une?|le|la|les|votre)\ {_W}{{0,2}}(?:résumé|réponse|liste|aperçu|informations|étapes|points)(?:\ (?:de
    |du|des|à|sur|d['’])\ ?{_W}{{0,8}}[\w'’-]+)?""",
    rf"""(?:{_W}{{0,3}}(?:documents?|sources?|textes?|passages?|articles?|extraits?|contexte)\ (?:{_W}{{0,2}})(?:ne
    \ |n['’])
        (?:mentionne|précise|di[ts]|indique|contien|fourni|donne|répond|évoque|parle)\w*\ (?:pas|rien|aucune?)\b)
    |(?:malheureusement,?\ )?(?:(?:les\ documents\ )?il\ n['’]y\ a|je\ n['’]ai|je\ ne\ (?:trouve|dispose
      |vois))\ (?:pas\ (?:d['’]|de\ )?|d['’])?\ ?(?:aucune?\ )?
        (?:informations?|mention|précisions?|détails?|réponse)\b
    |aucune\ (?:information|mention|précision)(?:\ (?:sur|concernant
      |à)\ {_W}{{0,8}}[\w'’-]+)?(?:\ n['’]est\ (?:fournie|donnée|mentionnée
      |disponible)(?:\ dans\ {_W}{{0,4}}[\w-]+)?)?$
    |{_W}{{1,8}}(?:n['’]est|ne\ sont|n['’]a|n['’]ont)\ pas\ (?:été\ )?(?:mentionnée?s?|précisée?s?
      |indiquée?s?)(?:\ dans\ {_W}{{0,4}}[\w-]+)?$
    |je\ ne\ (?:le\ )?sais\ pas|je\ ne\ peux\ pas\ (?:répondre|le\ dire|vous\ le\ dire)
    |je\ ne\ suis\ pas\ en\ mesure\ de\ répondre""",
    r"""\b(?:mais|cependant|car|parce|puisque|bien\ que|sauf|tandis|alors\ que|toutefois|dont|lequel|laquelle)\b
    |(?<!\bpas\ )(?<!\bsur\ )\b(?:qui|que|qu['’])|,\s*+(?!(?:ni|quand|où|comment|pourquoi|combien|si)\b)
    |\bet\ (?!(?:quand|où|comment|pourquoi|combien|qui|si)\b)""",
)
_SPANISH = (
    """hola|buenos días|buenas tardes|buenas noches|bienvenido|bienvenida|gracias|muchas gracias|de nada|con gusto
    |con mucho gusto
    |claro|claro que sí|por supuesto|desde luego|de acuerdo|entendido|vale|perdón|lo siento|lo siento mucho|disculpe
      |disculpa
    |lamentablemente|desafortunadamente|buena pregunta|es una buena pregunta|saludos|un saludo|saludos cordiales
      |atentamente
    |que tenga un buen día|que tengas un buen día|buena suerte|hasta luego|adiós|perfecto|ok|encantado|sin problema""",
    rf"""estimad[oa]s?\ (?:client[ea]s?|señor(?:a|es|as)?|sr|sra)(?:\ [\w-]+)?
    |(?:muchas\ )?gracias\ por\ (?:su|tu|la|contactar\w*|escribir\w*)(?:\ (?:\w+\ )?(?:pregunta|consulta|mensaje
      |paciencia|interés|comprensión))?
    |espero\ que\ (?:esto\ |eso\ )?(?:le|te|les)?\ ?(?:ayude|sirva|sea\ útil|sea\ de\ ayuda)
    |(?:no\ dude|no\ dudes|no\ duden)\ en\ (?:preguntar\w*|contactar\w*|escribir\w*
      |consultar\w*)(?:\ si\ {_W}{{0,8}}[\w-]+)?
    |si\ (?:tiene|tienes|tienen)\ (?:más|otras|alguna\ otra|alguna)\ (?:preguntas?|dudas?
      |consultas?)(?:\ {_W}{{0,8}}[\w-]+)?
    |(?:en\ qué\ más\ )?(?:puedo|podemos)\ ayudar(?:le|te|les)(?:\ {_W}{{0,4}}[\w-]+)?
    |(?:aquí\ (?:está|están|tiene|tienes)|a\ continuación\ (?:se\ )?\w+)\ (?:una?|el|la|los|las
    |su)\ {_W}{{0,2}}(?:resumen|respuesta|lista|información|pasos|puntos|detalles)(?:\ (?:de|del|sobre|a
    |para)\ {_W}{{0,8}}[\w-]+)?""",
    rf"""(?:{_W}{{0,3}}(?:documentos?|textos?|fuentes?|pasajes?|artículos?|contexto|fragmentos?)\ (?:{_W}{{0,2}})no
        \ (?:mencion|indic|dic|especific|contien|proporcion|ofrec|respond|señal|incluy|aclar)\w*\b)
    |(?:lamentablemente,?\ )?no\ (?:hay|tengo|encuentro|encontré|se\ encontró|dispongo\ de|existe)\ (?:ninguna
      \ |suficiente\ )?(?:información|mención|datos|detalles|respuesta)\b
    |{_W}{{1,8}}no\ (?:se\ )?(?:menciona|indica|especifica|está\ indicad[oa])n?(?:\ en\ {_W}{{0,4}}[\w-]+)?$
    |no\ (?:se\ )?(?:menciona|indica|especifica)n?\ {_W}{{0,6}}[\w-]+$
    |no\ (?:lo\ )?sé|no\ puedo\ (?:responder|contestar|decirlo|saberlo)""",
    r"""\b(?:pero|sin\ embargo|porque|ya\ que|aunque|sino|excepto|salvo|mientras|cuya?|cuyos?|el\ cual|la\ cual)\b
    |(?<!\bmenciona\ )(?<!\bdice\ )(?<!\bindica\ )(?<!\bmencionan\ )(?<!\bdicen\ )(?<!\bindican\ )\bque\b
    |,\s*+(?!(?:ni|cuándo|dónde|cómo|quién|qué|si)\b)|\b[ye]\ (?!(?:cuándo|dónde|cómo|quién|qué|por\ qué|si)\b)""",
)
_PORTUGUESE = (
    """olá|oi|bom dia|boa tarde|boa noite|bem-vindo|bem-vinda|obrigado|obrigada|muito obrigado|muito obrigada|de nada
    |com prazer
    |claro|claro que sim|com certeza|certamente|certo|entendido|desculpe|desculpa|sinto muito|lamento|infelizmente
      |boa pergunta
    |é uma boa pergunta|atenciosamente|cordialmente|cumprimentos|tenha um bom dia|tenha um ótimo dia|boa sorte
      |até logo|tchau
    |perfeito|ok|sem problema|por nada""",
    rf"""(?:prezad[oa]s?|car[oa]s?|estimad[oa]s?)\ (?:client[ea]s?|senhora?|senhores)(?:\ [\w-]+)?
    |(?:muito\ )?obrigad[oa]\ (?:por|pela|pelo)\ (?:sua\ |seu\ )?(?:pergunta|mensagem|paciência|interesse|contato
      |contacto|compreensão)
    |espero\ que\ (?:isso\ |isto\ )?(?:ajude|tenha\ ajudado|seja\ útil|lhe\ ajude)
    |(?:não\ hesite|fique\ à\ vontade)\ (?:em|para)\ (?:perguntar|contatar|contactar
      |entrar\ em\ contat?c?to)(?:\ {_W}{{0,8}}[\w-]+)?
    |se\ (?:você\ )?(?:tiver|precisar\ de)\ (?:mais|outras?|alguma)\ (?:perguntas?|dúvidas?
      |ajuda)(?:\ {_W}{{0,8}}[\w-]+)?
    |posso\ ajud(?:ar|á-l[oa])(?:\ {_W}{{0,5}}[\w-]+)?
    |(?:aqui\ está|aqui\ estão|segue|seguem|a\ seguir\ \w+)\ (?:uma?|o|a|os|as)\ {_W}{{0,2}}(?:resumo|resposta|lista
    |informações|passos|pontos|detalhes)(?:\ (?:de|do|da|sobre|à|para)\ {_W}{{0,8}}[\w-]+)?""",
    rf"""(?:{_W}{{0,3}}(?:documentos?|textos?|fontes?|passagens?|passagem|artigos?|contexto
    |trechos?)\ (?:{_W}{{0,2}})não
        \ (?:mencion|indic|diz|dizem|especific|cont[ée]m|fornec|respond|inclu|inform|esclarec)\w*)
    |(?:infelizmente,?\ )?(?:não\ (?:há|tenho|encontrei|existe)|(?:no\ texto\ )?não\ há)\ (?:nenhuma
      \ |suficiente\ )?(?:informaç(?:ão|ões)|menção|dados|detalhes|resposta)\b
    |{_W}{{1,8}}não\ (?:é|foi|são|foram|está)\ (?:mencionad|indicad|especificad
      |informad)[oa]s?(?:\ n[oa]s?\ {_W}{{0,4}}[\w-]+)?$
    |(?:eu\ )?não\ sei|não\ (?:posso|consigo)\ (?:responder|dizer|informar)""",
    r"""\b(?:mas|porém|contudo|porque|pois|embora|exceto|enquanto|no\ entanto|cuj[oa]s?|o\ qual|a\ qual)\b
    |(?<!\bmenciona\ )(?<!\bdiz\ )(?<!\bdizem\ )(?<!\bindica\ )(?<!\bmencionam\ )\bque\b
    |,\s*+(?!(?:nem|quando|onde|como|quem|se)\b)|\be\ (?!(?:quando|onde|como|quem|por\ que|se)\b)""",
)
_ITALIAN = (
    """ciao|salve|buongiorno|buonasera|buon pomeriggio|benvenuto|benvenuta|grazie|grazie mille|molte grazie|prego
    |di niente|volentieri
    |certo|certamente|naturalmente|va bene|d'accordo|capito|mi dispiace|scusi|scusa|purtroppo|ottima domanda
      |buona domanda
    |cordiali saluti|distinti saluti|buona giornata|buona serata|buona fortuna|arrivederci|perfetto|ok
    |nessun problema|con piacere""",
    rf"""(?:gentile|caro|cara|egregio)\ (?:client[ei]|signor[ea]?|dott(?:oressa|ore)?)(?:\ [\w-]+)?
    |grazie\ per\ (?:la\ tua|la\ sua|il\ tuo|il\ suo|aver\w*)\ (?:\w+\ )?(?:domanda|messaggio|pazienza|interesse
      |richiesta|contattat\w+|chiesto)
    |spero\ che\ (?:questo\ |ciò\ )?(?:ti\ |le\ |vi\ )?(?:aiuti|sia\ utile|sia\ d['’]aiuto)
    |non\ (?:esitare|esiti)\ a\ (?:chieder\w*|contattar\w*|scriver\w*)(?:\ {_W}{{0,8}}[\w-]+)?
    |se\ (?:hai|ha|avete)\ (?:altre|ulteriori)\ domande(?:\ {_W}{{0,8}}[\w-]+)?
    |posso\ aiutar(?:ti|la|vi)(?:\ {_W}{{0,5}}[\w-]+)?
    |ecco\ (?:una?|il|la|le|i|un['’])\ ?{_W}{{0,2}}(?:riassunto|risposta|elenco|lista|informazioni|passaggi|punti
    |sintesi)(?:\ (?:di|del|della|su|alla|per)\ {_W}{{0,8}}[\w-]+)?""",
    rf"""(?:{_W}{{0,3}}(?:document[oi]|test[oi]|font[ei]|bran[oi]|articol[oi]|contesto|passagg[io])\ (?:{_W}{{0,2}})non
        \ (?:menzion|indic|dic|specific|conteng|contien|fornisc|rispond|riport|precis|chiarisc)\w*)
    |(?:purtroppo,?\ )?non\ (?:ci\ sono|c['’]è|ho|trovo|ho\ trovato|sono\ disponibili)\ (?:alcuna\ |abbastanza
      \ |sufficienti\ )?(?:informazion[ei]|menzione|dati|dettagli|risposta)\b
    |{_W}{{1,8}}non\ (?:è|sono|viene|vengono)\ (?:stat[oaie]\ )?(?:menzionat|indicat|specificat
      |riportat)[oaie](?:\ (?:nel|nei|nella|nelle)\ {_W}{{0,4}}[\w-]+)?$
    |non\ (?:lo\ )?so|non\ posso\ (?:rispondere|dirlo)|non\ sono\ in\ grado\ di\ rispondere""",
    r"""\b(?:ma|però|tuttavia|perché|poiché|sebbene|anche\ se|tranne|mentre|il\ quale|la\ quale|cui)\b
    |(?<!\bmenziona\ )(?<!\bdice\ )(?<!\bindica\ )\bche\b|,\s*+(?!(?:né|quando|dove|come|chi|se)\b)
    |\be\ (?!(?:quando|dove|come|chi|perché|se)\b)""",
)
_DUTCH = (
    """hallo|hoi|goedemorgen|goedemiddag|goedenavond|welkom|dank je|dank u|dank je wel|dank u wel|bedankt
    |hartelijk dank|graag
    |graag gedaan|geen probleem|natuurlijk|uiteraard|zeker|prima|oké|ok|begrepen|sorry|excuses|het spijt me|helaas
      |goede vraag
    |dat is een goede vraag|met vriendelijke groet|met vriendelijke groeten|groeten|fijne dag|een fijne dag|succes
    |tot ziens|perfect""",
    rf"""(?:beste|geachte)\ (?:klant|heer|mevrouw|lezer|team|heer/mevrouw)(?:\ [\w-]+)?
    |(?:hartelijk\ )?(?:bedankt|dank)\ voor\ (?:uw|je|het|de)\ (?:\w+\ )?(?:vraag|bericht|geduld|interesse|begrip)
    |(?:ik\ )?hoop\ (?:ik\ )?dat\ (?:dit|dat)\ (?:u\ |je\ )?(?:helpt|nuttig\ is|duidelijk\ is)
      |hopelijk\ helpt\ dit(?:\ u|\ je)?
    |laat\ het\ (?:me|ons|mij)\ (?:gerust\ )?weten(?:\ (?:als|of)\ {_W}{{0,8}}[\w-]+)?
    |als\ (?:u|je)\ (?:nog\ )?(?:meer|andere|verdere)?\ ?vragen\ (?:hebt|heeft|heb)(?:\ {_W}{{0,8}}[\w-]+)?
    |kan\ ik\ (?:u|je)\ (?:nog\ )?{_W}{{0,4}}helpen|ik\ help\ (?:u|je)\ graag(?:\ verder)?
    |(?:hier|hieronder)\ (?:is|zijn|volgt|vindt\ u|vind\ je)\ (?:een|de|het)\ {_W}{{0,2}}(?:samenvatting|antwoord
    |overzicht|lijst|informatie|stappen|punten)(?:\ (?:van|over|op|voor)\ {_W}{{0,8}}[\w-]+)?""",
    rf"""(?:{_W}{{0,3}}(?:documenten?|bronnen?|bron|teksten?|tekst|passages?|artikel|artikelen|context)\ (?:{_W}{{0,2}})
        (?:noem|vermeld|zeg|geef|geven|bevat|beantwoord|beschrijf|beschrijv)\w*\ (?:(?:{_W}{{0,6}})niet\b
          |geen\ (?:\w+\ )?(?:informatie|gegevens|details|antwoord|vermelding)\b))
    |(?:helaas\ )?(?:er\ (?:is|staat)|ik\ heb|ik\ vind|heb\ ik|is\ er)\ (?:hierover
      \ |daarover\ )?geen\ (?:\w+\ )?(?:informatie|gegevens|details|antwoord)\b
    |{_W}{{1,8}}(?:wordt|worden|is|zijn)\ (?:{_W}{{0,5}})niet\ (?:genoemd|vermeld
      |beschreven)(?:\ in\ {_W}{{0,4}}[\w-]+)?$
    |(?:dat\ )?(?:ik\ )?weet\ (?:ik\ )?(?:het\ |dat\ )?niet|dat\ kan\ ik\ {_W}{{0,5}}niet\ (?:beantwoorden|zeggen)
    |ik\ kan\ (?:dat|deze\ vraag|de\ vraag)\ {_W}{{0,5}}niet\ beantwoorden""",
    r"""\b(?:maar|echter|omdat|want|hoewel|terwijl|behalve|tenzij|waarvan)\b
    |(?<!\bniet\ )\bdie\b|\bdie\ (?:\w+\ ){0,6}(?:is|werd|was|heeft|zijn|waren)\b
    |,\s*+(?!(?:noch|wanneer|waar|hoe|wie|wat|waarom|of)\b)|\ben\ (?!(?:wanneer|waar|hoe|wie|wat|waarom|of)\b)""",
)
_RUSSIAN = (
    """привет|здравствуйте|добрый день|доброе утро|добрый вечер|спасибо|большое спасибо|пожалуйста|конечно|разумеется
    |хорошо|понятно
    |извините|простите|к сожалению|хороший вопрос|с уважением|всего доброго|хорошего дня|удачи|до свидания|рад помочь
    |не за что""",
    rf"""спасибо\ за\ (?:ваш\ |ваше\ |ваш[уе]\ )?(?:вопрос|обращение|сообщение|терпение|интерес)
    |надеюсь,?\ (?:это\ )?(?:вам\ )?(?:поможет|помогло)|если\ у\ вас\ (?:есть|возникнут
    |остались)\ {_W}{{0,2}}вопросы(?:,?\ {_W}{{0,5}}[\w-]+)?""",
    rf"""(?:в\ )?{_W}{{0,2}}(?:документ|текст|источник|материал|контекст|стать
    |отрывк)\w*\ (?:{_W}{{0,2}})(?:не\ (?:говорится|указан|упомина|сообща|содерж|упомянут)\w*|нет\ (?:информации
    |сведений|данных|упоминания))
    |(?:к\ сожалению,?\ )?(?:информации|сведений|данных)\ (?:об?\ {_W}{{0,5}}[\w-]+\ )?нет$
      |(?:у\ меня\ )?нет\ (?:информации|сведений|данных)\b
    |(?:я\ )?(?:этого\ )?не\ знаю|я\ не\ могу\ ответить""",
    r"""\b(?:но|однако|потому|так\ как|хотя|кроме|зато|которы\w+|котор\w+)\b|,\s*+(?!(?:когда|где|кто|как|почему|что
      |сколько|ли|какой|какая)\b)
    |\bи\ (?!(?:когда|где|кто|как|почему|что|сколько)\b)""",
)
_ARABIC = (
    """مرحبا|مرحبًا|أهلا|أهلاً|أهلا وسهلا|السلام عليكم|شكرا|شكرًا|شكرا جزيلا|شكرًا جزيلًا|عفوا|عفوًا|بالطبع|بالتأكيد
    |حسنا|حسنًا
    |آسف|أعتذر|للأسف|سؤال جيد|مع تحياتي|يوم سعيد|مع السلامة""",
    rf"""شكر[اًا]*\ (?:جزيل[اًا]*\ )?على\ (?:سؤالك|رسالتك|اهتمامك|صبرك)|آمل\ أن\ (?:يكون\ )?(?:هذا\ )?(?:يساعدك
    |مفيد[اًا]*)
    |إذا\ (?:كان|كانت)\ لديك\ {_W}{{0,3}}(?:أسئلة|استفسارات)(?:\ {_W}{{0,4}}[\w]+)?""",
    rf"""(?:لا|لم)\ (?:تذكر|يذكر|تشر|تشير|يشير|تحتوي|يحتوي|تحدد|يحدد|توضح|يوضح|ترد|يرد|يتضمن
    |تتضمن)\w*\ (?:{_W}{{0,3}})(?:الوثيقة|الوثائق|المستند|المستندات|النص|النصوص|المصدر|المصادر|المقال|السياق)
    |(?:الوثيقة|الوثائق|المستند|المستندات|النص|النصوص|المصدر|المصادر|المقال|السياق)\ (?:{_W}{{0,2}})(?:لا
      |لم)\ (?:تذكر|يذكر|تشير|يشير|تحتوي|يحتوي|تحدد|يحدد|توضح|يوضح)\b
    |(?:للأسف،?\ )?لا\ (?:توجد|تتوفر|أملك)\ (?:أي\ )?معلومات\b|لا\ (?:أعرف|أعلم)""",
    r"""[،,]\s*+(?!(?:متى|أين|من|كيف|لماذا|ماذا|هل)\b)|\b(?:لكن|ولكن|لأن|إلا|بينما|التي|الذي|الذين|وأن|وقد|وهو
      |وهي)\b""",
)
_HINDI = (
    """नमस्ते|नमस्कार|धन्यवाद|बहुत धन्यवाद|शुक्रिया|बहुत शुक्रिया|ज़रूर|जरूर|बिल्कुल|ठीक है|माफ़ कीजिए|माफ कीजिए
    |क्षमा करें|दुर्भाग्य से|अच्छा प्रश्न|अच्छा सवाल|स्वागत है|आपका स्वागत है|शुभ दिन""",
    r"""(?:आपके|आपकी)\ (?:प्रश्न|सवाल|संदेश|धैर्य|रुचि)\ के\ लिए\ (?:बहुत\ )?धन्यवाद
      |(?:मुझे\ )?आशा\ है\ कि?\ (?:यह\ )?(?:आपकी\ )?(?:मदद|सहायता)\ (?:करेगा|करेगी|मिलेगी)""",
    r"""(?:[^\s,।]{1,20}\ ){0,4}(?:दस्तावेज़?(?:ों)?|दस्तावेज़(?:ों)?|पाठ|स्रोत|स्रोतों|लेख
      |संदर्भ)\ (?:में\ )?(?:[^\s,।]{1,20}\ ){0,8}
        (?:नहीं\ (?:बता[^\s]{0,4}|दिया|दी|लिख[^\s]{0,3}|कह[^\s]{0,3}|मिल[^\s]{0,3}|है)|(?:जानकारी
          |उल्लेख)\ नहीं)(?:\ (?:गया|गई|गयी))?(?:\ (?:है|हैं|थी|था))?$
    |(?:मुझे|मेरे\ पास)\ (?:[^\s,।]{1,20}\ ){0,6}(?:नहीं\ पता|पता\ नहीं|जानकारी\ नहीं)(?:\ (?:है|हैं))?$""",
    r",|\b(?:लेकिन|मगर|परंतु|किंतु|क्योंकि|हालांकि|बल्कि|और)(?=\s)",
)
_CHINESE = (
    """你好|您好|大家好|早上好|晚上好|谢谢|谢谢你|谢谢您|非常感谢|感谢|不客气|没问题|当然|当然可以|好的|好|明白了|抱歉|很抱歉|对不起|遗憾的是|很遗憾|好问题|这是个好问题|祝好|再见|欢迎|欢迎光临
    |祝您愉快|謝謝|對不起|沒問題|當然""",
    r"""(?:感谢|谢谢)(?:您|你)?的?(?:提问|问题|来信|咨询|耐心|关注|理解)|希望(?:这|以上\w{0,4})?(?:对您|对你|能)?(?:有所?)?帮(?:助|到您|到你)
    |(?:如果|如)(?:您|你)?(?:还)?有(?:其他|任何|更多|别的)?(?:问题|疑问)(?:，?请?(?:随时)?(?:告诉我|联系我们?|提问|告知|与我们联系))?|请随时(?:提问|联系我们?|告诉我)
    |(?:以下|下面)是[\w]{0,20}(?:总结|摘要|概述|回答|答案|列表|要点|步骤)""",
    r"""(?:根据[\w]{0,12}[，,]?)?(?:(?:这些|这份|该|所提供的|提供的|给定的|上述|本|所给)?的?(?:文档|文件|资料|文本|文章|材料|来源|上下文|原文|段落|文中)(?:中|里|内)?)
        (?:并|均|都|也)?(?:没有|未|并未|没|不)(?:明确)?(?:提到|提及|说明|说|指出|给出|包含|包括|提供|记载|涉及|写明|有)[^，,。；;但而因]{0,40}$
    |(?:没有|未|找不到|无)(?:找到|提供|足够的)?(?:相关)?(?:信息|资料|内容|答案|说明)(?:可供?回答[\w]{0,8})?$
    |我(?:不知道|不清楚|无法(?:回答|确定|得知|判断)[^，,。；;但而因]{0,30})$""",
    r"(?:但|不过|然而|因为|而且|并且|除了|却)",
)
_JAPANESE = (
    """こんにちは|こんばんは|おはようございます|はじめまして|ありがとう|ありがとうございます|どうもありがとうございます|どういたしまして|もちろん|もちろんです|承知しました|かしこまりました|わかりました
    |はい、わかりました|すみません|申し訳ありません|申し訳ございません|残念ながら|良い質問です|良い質問ですね|よろしくお願いします|よろしくお願いいたします|失礼します|ようこそ|さようなら""",
    r"""(?:ご質問|お問い合わせ|ご連絡)(?:を)?(?:いただき|くださり)?(?:、)?(?:誠に|どうも)?ありがとうございま(?:す|した)|お役に立て(?:れば|ると)(?:幸い|嬉しい|うれしい)です
    |(?:他|ほか)に(?:も)?(?:何か)?(?:ご質問|ご不明な点|質問)が(?:あれば|ございましたら|ありましたら)(?:、)?(?:お気軽に|遠慮なく)?(?:お知らせ|お尋ね|お問い合わせ|ご連絡|聞いて)?ください
    |以下[はに][\w]{0,20}(?:要約|まとめ|概要|回答|一覧|手順)(?:です|を示します)?""",
    r"""(?:(?:この|その|提供された|与えられた|上記の)?(?:文書|資料|本文|文章|記事|テキスト|文脈|ソース|ドキュメント)(?:に|では|には|は|から)(?:は)?、?)[^。、がしかし]{0,40}
        (?:書かれて|記載されて|述べられて|言及されて|記載|言及|情報|触れられて|示されて|説明)(?:は|が)?(?:いません|いない|ありません|ない|ございません)$
    |(?:わかりません|分かりません|知りません|お答えできません|回答できません|情報がありません|情報はありません)$""",
    r"(?:しかし|ですが|けれど|ただし|なぜなら|ため、|が、)",
)
_SOURCES = {
    "de": _GERMAN, "fr": _FRENCH, "es": _SPANISH, "pt": _PORTUGUESE, "it": _ITALIAN, "nl": _DUTCH, "ru": _RUSSIAN,
    "ar": _ARABIC, "hi": _HINDI, "zh": _CHINESE, "ja": _JAPANESE,
}  # fmt: skip

#: Languages by script; those in Latin letters are tried together, for their short phrases are too short to tell apart.
_LATIN = ("de", "fr", "es", "pt", "it", "nl")
_BY_SCRIPT = {"Cyrl": ("ru",), "Arab": ("ar",), "Deva": ("hi",)}


@cache
def _rules(tag: str) -> _Rules:
    """The rules of a language, compiled when they are needed first: all of them take a good part of a second."""
    courtesies, talks, refuses, more = _SOURCES[tag]
    return _Rules(
        frozenset(" ".join(phrase.split()) for phrase in courtesies.split("|")),
        re.compile(rf"(?:{talks})", _FLAGS),
        re.compile(rf"(?:{refuses})", _FLAGS),
        re.compile(rf"{_DASH}|{more}", _FLAGS),
    )


def _rules_for(sentence: str) -> list[_Rules]:
    """The rules of the languages that a sentence may be in; none for English."""
    tag = language_of(sentence)
    if tag == "en":
        return []
    if tag in {"zh", "ja"}:
        return [_rules("zh"), _rules("ja")]
    if tag is not None and tag.startswith("und-"):
        return [_rules(one) for one in _BY_SCRIPT.get(tag[4:], ())]
    return [_rules(tag)] if tag in _SOURCES and tag not in _LATIN else [_rules(one) for one in _LATIN]


_PIECES = re.compile(r"\s*[,;:!.…–—。！、，；：،।]+\s*")
_EDGES = " \t\n\r*_\"'“”«»„‚‘’()[].,;:!…。！、،।¡👋😊🙂👍"
_NUMBER = re.compile(r"\d+")


def only_courtesy(sentence: str) -> bool:
    """Whether a sentence holds nothing but greetings, thanks, offers and announcements, in any of the languages."""
    if len(sentence) > _LONGEST:
        return False
    pieces = [piece for piece in _PIECES.split(sentence.strip(_EDGES)) if piece.strip(_EDGES)]
    whole = sentence.strip(_EDGES).replace(",", "").replace("  ", " ")
    return bool(pieces) and any(
        rules.talks.fullmatch(whole) is not None or all(_is_courtesy(piece.strip(_EDGES), rules) for piece in pieces)
        for rules in _rules_for(sentence)
    )


def _is_courtesy(piece: str, rules: _Rules) -> bool:
    return piece.lower().replace("’", "'") in rules.courtesies or rules.talks.fullmatch(piece) is not None


def only_refuses(sentence: str, question: str) -> bool:
    """Whether a sentence only says that the sources do not tell, in any of the languages.

    Args:
        sentence: The sentence.
        question: What it answers; may be empty. Its numbers may be repeated.
    """
    if len(sentence) > _LONGEST or not set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(question)):
        return False
    text = sentence.strip(_EDGES)
    for rules in _rules_for(sentence):
        found = rules.refuses.match(_without_courtesy(text, rules))
        if found and not rules.more.search(found.string[found.end() :] + " ") and not _DASHES.search(found[0]):
            return True
    return False


_DASHES = re.compile(r"[;:()–—]")


def _without_courtesy(text: str, rules: _Rules) -> str:
    """The sentence after an apology at its start."""
    head, mark, rest = re.split(r"([,،，、]\s*)", text, maxsplit=1) if re.search(r"[,،，、]", text) else (text, "", "")
    return rest if mark and head.strip(_EDGES).lower() in rules.courtesies else text
