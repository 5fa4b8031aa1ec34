"""What has digits and is no quantity: addresses, phone numbers, codes, section numbers, list markers."""

from __future__ import annotations

import re

_BLANK = "\0"
# Every part is bounded, so that each pass is linear.
_MASKED = re.compile(
    r"(?:https?://|www\.)[^\s<>\"]{1,2000}"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
    r"|\b10\.\d{4,9}/[^\s\"<>]{1,200}"
    r"|(?<![\w.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?:/\d{1,2})?(?![\w.])"
    r"|(?<!\w)\+\d{1,3}[ ./()-]{0,2}(?:\d{1,5}[ ./()-]{1,2}){1,5}\d{2,9}\b"
    r"|(?<![\w.])\(\d{2,5}\)[ /-]{0,2}\d{2,8}(?:[ -]\d{1,8}){0,4}\b"
    r"|(?<![\w.-])\d{3}[-.]\d{3}[-.]\d{4}(?![\w-])"
    r"|(?<![\w-])\d{3,5}/\d{4,9}\b"
    r"|\b97[89][- ]\d{1,5}[- ]\d{1,7}[- ]\d{1,7}[- ][\dX]\b"
    r"|(?<![\w.-])\d{1,9}(?:-\d{1,9}){3,8}(?![\w-])"
    r"|(?<![\w-])\d{3,9}-\d{2,9}-\d{3,9}(?![\w-])"
    r"|\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"
    r"|\#\d{1,9}\b"
)
_LABELS = (
    "section sections sec article articles art chapter chapters clause clauses paragraph paragraphs para figure "
    "figures fig table tables page pages pp appendix annex exhibit item items rule rules regulation "
    "form step steps question "
    "note line lines row rows column columns room suite gate platform flight route highway interstate model type class "
    "lot batch ticket case invoice order account apollo boeing airbus windows office no nos nr num number§ id version§ "
    "apartment apt schedule attachment footnote equation eq building floor§ terminal track bus exit channel port "
    "abschnitt abschnitte artikel kapitel ziffer absatz abs satz paragraf abbildung abb tabelle tab seite seiten "
    "anhang anlage zimmer raum gleis linie nummer zeile punkt§ fall "
    "chapitre chapitres tableau alinéa annexe règle salle numéro étape ligne "
    "sección secciones artículo artículos capítulo cláusula figura tabla página páginas anexo apartado inciso párrafo "
    "número sala línea paso"
)
_LABEL_BEFORE = re.compile(r"(?:(?<!\w)([^\W\d_]{2,12})\.?|(№|§§?|n[º°]|N[º°]))[ \u00a0]?$")
_LABEL_WORDS = frozenset(word for word in _LABELS.split() if not word.endswith("§"))
_LIST_MARKER = re.compile(
    r"^[ \t>]{0,12}(?:[-*+•][ \t]{1,3})?(?:\*\*)?\(?\d{1,3}(?:\.\d{1,3}){0,4}[.)](?=[\s*])|"
    r"^#{1,6} \d{1,3}(?:\.\d{1,3}){0,4}\.?(?= )",
    re.MULTILINE,
)
_ACRONYM = re.compile(r"(?<![\w-])[A-Z][A-Z/]{1,7}[ \u00a0-]$")
_STANDARDS = frozenset("ISO IEC EN DIN IEEE RFC ASTM ANSI BS UTC ISBN ISSN UL SAE NFPA USB".split())
_CITATION = re.compile(r"\[\d{1,3}(?:[,–-] ?\d{1,3}){0,6}\]")


def masked(text: str) -> str:
    """The text with NUL in the place of addresses, phone numbers, codes, citation and list marks; offsets stay."""
    if not any(char.isdigit() for char in text):
        return text
    for pattern in (_MASKED, _CITATION, _LIST_MARKER):
        text = pattern.sub(lambda match: _BLANK * len(match[0]), text)
    return text


def is_label(text: str, start: int) -> bool:
    """Whether the number that starts here is a reference ("Section 4", "§ 12", "No. 5") or part of a code ("A4")."""
    before = text[max(0, start - 1) : start]
    if not before:
        return False
    if before in (_BLANK, "_", "#", "$$"):
        return True
    if before == "-" and start > 1 and (text[start - 2].isalpha() or text[start - 2] in "_\0"):
        return True
    if before == "." and start > 1 and (text[start - 2].isalnum() or text[start - 2] == _BLANK):
        return True
    if before.isalpha() and ord(before) < 0x2E80:
        return True
    match = _LABEL_BEFORE.search(text[max(0, start - 15) : start])
    return match is not None and (match[2] is not None or match[1].lower() in _LABEL_WORDS)


def after_acronym(text: str, start: int, *, year: bool) -> bool:
    """Whether an acronym stands before the number, as in "ISO 9001"; a year after one is a year."""
    match = _ACRONYM.search(text[max(0, start - 10) : start])
    if match is None:
        return False
    word = match[0][:-1]
    return word.partition("/")[0] in _STANDARDS or not year
