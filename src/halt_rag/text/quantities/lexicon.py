"""The words of numbers in English, German, French and Spanish."""

from __future__ import annotations

from functools import cache

_UNITS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn",
    "fr": "zéro _ deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
    "dix-huit dix-neuf",
    "es": "cero _ dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis "
    "veintisiete veintiocho veintinueve",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante septante huitante nonante",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
}
HUNDREDS = {
    "hundred": 100, "hundert": 100, "cent": 100, "cents": 100, "ciento": 100, "cien": 100, "doscientos": 200,
    "doscientas": 200, "trescientos": 300, "trescientas": 300, "cuatrocientos": 400, "quinientos": 500,
    "quinientas": 500, "seiscientos": 600, "setecientos": 700, "ochocientos": 800, "novecientos": 900,
}  # fmt: skip
# "Billionen", "billón" and "billones" are of the long scale; "billion" is read as in English.
_SCALES = {
    3: "thousand tausend mille mil",
    6: "million millions millionen mio million. millón millones mn mln",
    9: "billion billions milliarde milliarden mrd milliard milliards bn bln",
    12: "trillion trillions billionen tn billón billones",
    5: "lakh lakhs", 7: "crore crores",
}  # fmt: skip
JOINS = frozenset({"and", "und", "et", "y"})
_FRACTIONS = {
    2: "half halves halb halbe halben hälfte demi demie moitié medio media mitad",
    3: "third thirds drittel tiers tercio tercios",
    4: "quarter quarters fourth fourths viertel quart quarts cuarto cuartos",
    5: "fifth fifths fünftel cinquième cinquièmes quinto quintos",
    6: "sixth sixths sechstel sixième sixièmes",
    8: "eighth eighths achtel huitième huitièmes",
    10: "tenth tenths zehntel dixième dixièmes décimo décimos",
    100: "hundredth hundredths hundertstel centième centièmes",
}
_ORDINALS = {
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
    "fr": "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
    "es": "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
    "de": "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte",
}
DOZENS = frozenset({"dozen", "dutzend"})
"""Words for twelve that follow a number."""

OPENERS = frozenset(
    {"a", "an", "ein", "eine", "einer", "einen", "einem", "eins", "un", "une", "una", "one", "uno", "half"}
)
"""Words for one that are articles too: a number only before a scale or a fraction."""

# Number words of one language that are common words of English.
_ENGLISH_TOO = frozenset("once seize elf sept null dos primer medio quart mil mille media".split())
MIXED = {"anderthalb": "1.5", "eineinhalb": "1.5", "zweieinhalb": "2.5"}
"""Numbers and a half in one word."""


@cache
def values() -> dict[str, int]:
    """The numbers below hundred by word; 81 to 99 in French are sums."""
    found: dict[str, int] = {}
    for words in _UNITS.values():
        found |= {word: at for at, word in enumerate(words.split()) if word != "_" and "-" not in word}
    for words in _TENS.values():
        found |= {word: 20 + 10 * at for at, word in enumerate(words.split())}
    return found | {"dreissig": 30, "dieciseis": 16, "zwo": 2}


@cache
def powers() -> dict[str, int]:
    """Powers of ten by word, from a thousand."""
    return {word: power for power, words in _SCALES.items() for word in words.split()}


@cache
def denominators() -> dict[str, int]:
    """The parts of a whole by word."""
    return {word: bottom for bottom, words in _FRACTIONS.items() for word in words.split()}


@cache
def ordinals() -> dict[str, int]:
    """Ordinals by word, in each ending."""
    found: dict[str, int] = {}
    for words in _ORDINALS.values():
        found |= {word: at for at, word in enumerate(words.split(), 1)}
    for word, value in list(found.items()):
        if word in _ORDINALS["de"].split():
            found |= {word + ending: value for ending in ("r", "s", "n", "m")}
        elif word.endswith("o"):
            found |= {word[:-1] + "a": value}
    return found | {"première": 1, "primer": 1, "tercer": 3, "thirtieth": 30, "hundredth": 100}


@cache
def starts(*, english: bool) -> frozenset[str]:
    """Every word with which a number can begin.

    Args:
        english: Whether the text is English, so that "once" is no Spanish eleven.
    """
    found = {*values(), *HUNDREDS, *ordinals(), *denominators(), *OPENERS, *DOZENS, *MIXED, "tausend", "mille", "mil"}
    return frozenset(found - {"hundred"} - (_ENGLISH_TOO if english else frozenset()))
