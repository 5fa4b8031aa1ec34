"""Words that tell a statement of a measured number from a demand, a setting or an example: en, de, fr, es.

The languages are not told apart: each list holds the words of all, so that mixed documents are read as they are.
"""

from __future__ import annotations

import re

_EXAMPLE = r"(?:\be\.g\.|\bz\.\s?b\.|\bp\.\s?ej\.|\bpar\sex\.)"
_DEMANDS = (
    r"must|shall|should|require[ds]?|requirements?|targets?|thresholds?|goals?|slas?|slos?|objectives?|acceptance|"
    r"criteri(?:a|on)|aim|suppose|imagine|assume|hypothetical|example|if|progress|ha(?:ve|s)\sto|needs?\sto|"
    r"muss|müssen|soll(?:en|te)?|ziel(?:e|wert)?|mindestens|höchstens|falls|wenn|beispiel|angenommen|grenzwert|"
    r"doi(?:t|vent)|devrai(?:t|ent)|objectifs?|seuils?|au\smoins|au\splus|exemple|supposons|"
    r"debe[n]?|debería[n]?|objetivos?|umbral|al\smenos|como\smáximo|ejemplo|supongamos"
)
_DEMAND = re.compile(rf"(?:\b(?:{_DEMANDS})\b|{_EXAMPLE}|[<>≤≥])")

_NORMATIVE = re.compile(
    rf"(?:\b(?:{_DEMANDS}|minimum|maximum|at\sleast|at\smost|no\s(?:more|less)\sthan|limits?|budget|alert|exceeds?|"
    r"above|below|under|over|when|unless|until|gates?|expected|want|need|ensure|maintain|keep|confidence\sintervals?|"
    r"set\sto|defaults?|configur\w+|percentiles?|let|maximal|minimal|schwelle|unter|über|máximo|mínimo)\b"
    rf"|{_EXAMPLE}|[<>≤≥=]|[#█▓░|]{{3,}})",
)

_LAYOUT = re.compile(
    r"\b(?:width|height|opacity|zoom|margin|padding|font|size|scale[ds]?|volume|brightness|quality|top|left|right|"
    r"discount|off|tax|vat|fee|interest|weight(?:ed|ing)?s?|split|sampl\w+|traffic|rollout|canary|dropout|"
    r"probability|chance|likelihood|alpha|transparen\w+|saturat\w+|ci|breite|höhe|rabatt|mwst|largeur|hauteur|remise|"
    r"tva|anchura|descuento|iva)\b",
)

BOUND = re.compile(
    r"\s?\)?\s(?:or|und|oder|ou|o)\s(?:more|less|fewer|greater|higher|lower|above|below|mehr|weniger|plus|moins|más|"
    r"menos)\b",
    re.IGNORECASE,
)
"""Behind a number: ``50% or more``."""

_CHANGE = re.compile(
    r"\b(?:improve[sd]|increase[sd]|reduce[sd]|decrease[sd]|boost(?:s|ed)|cuts?|fell|falls|drop(?:s|ped)|rose|rises|"
    r"grew|grows|gained|gains|save[sd]|lower(?:s|ed)|raise[sd]|outperform(?:s|ed)|decline[sd]|shr[au]nk|accelerate[sd]|"
    r"enhance[sd]|slashe[sd]|sped\sup|speeds\sup|jump(?:s|ed)|climb(?:s|ed)|eliminate[sd]|prevent(?:s|ed)|achieve[sd]|"
    r"doubled|tripled|(?:can|will|would|could|may|might)\s(?:\w+\s)?(?:improve|increase|reduce|decrease|boost|cut|fall|"
    r"drop|rise|grow|save|lower|raise|outperform|decline|accelerate|enhance|slash|eliminate|prevent)|"
    r"sank(?:en)?|sinkt|stieg(?:en)?|steigt|fiel(?:en)?|fällt|wuchs|wächst|senkt\w*|spart\w*|reduziert\w*|verbessert\w*|"
    r"erhöht\w*|verringert\w*|steigert\w*|beschleunigt\w*|erreicht\w*|"
    r"rédui(?:t|sent|re)|amélior(?:e|ent|é|er)|augment(?:e|ent|é|er)|diminu(?:e|ent|é|er)|baiss(?:e|ent|é|er)|"
    r"progress(?:e|ent|é)|gagn(?:e|ent|é)|accélér\w+|économis\w+|chut(?:e|ent|é)|"
    r"redu(?:ce|cen|jo|jeron|cir)|mejor(?:a|an|ó|aron|ar)|aument(?:a|an|ó|aron|ar)|disminuy\w+|baj(?:a|ó|aron)|"
    r"sub(?:e|ió|ieron)|ahorr\w+|creci(?:ó|eron)|cay(?:ó|eron)|aceler\w+)\b",
)

_CHANGED = re.compile(
    r"\b(?:gesenkt|gesunken|gestiegen|gesteigert|reduziert|verbessert|erhöht|verringert|beschleunigt|gefallen|gewachsen)\b",
)


def is_demand(words: str) -> bool:
    """Whether words hold a demand, a goal or an example."""
    return _DEMAND.search(words.lower()) is not None  # Without IGNORECASE a list of words is searched ten times faster.


def is_setting(words: str) -> bool:
    """Whether words hold whatever makes a number one that is set, wanted or possible, or a matter of layout."""
    low = words.lower()
    return _NORMATIVE.search(low) is not None or _LAYOUT.search(low) is not None


def has_change(before: str, behind: str) -> bool:
    """Whether a verb of change stands before a number, or, as in German, behind it: ``wurde um 40 % gesenkt``."""
    return _CHANGE.search(before.lower()) is not None or _CHANGED.search(behind.lower()) is not None
