"""Which language a text is in, by its script and its most frequent words, and whether a model can read it.

A table of words is enough here: the question is whether a model was trained on the language, not which of two close
relatives it is, and a text is left undetermined (None) rather than guessed. See docs/languages.md for how it compares
with libraries.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from types import MappingProxyType

from halt_rag.verify.english import base_forms, finite_forms, past_forms, plain_verbs
from halt_rag.verify.frequent_words import ENDINGS, FREQUENT, LETTERS_OF

#: Scripts by ISO 15924 code. One letter of a script that writes syllables or words counts as ``_DENSE`` letters.
_SCRIPTS = {
    "Latn": r"A-Za-zªºÀ-ÖØ-öø-ʯḀ-ỿ",
    "Grek": r"Ͱ-Ͽἀ-῿",
    "Cyrl": r"Ѐ-ԯ",
    "Hebr": r"א-ת",
    "Arab": r"ؠ-يٮ-ۓۺ-ۿݐ-ݿ",
    "Deva": r"\u0900-\u097f",
    "Beng": r"\u0980-\u09ff",
    "Guru": r"\u0a00-\u0a7f",
    "Gujr": r"\u0a80-\u0aff",
    "Taml": r"\u0b80-\u0bff",
    "Telu": r"\u0c00-\u0c7f",
    "Knda": r"\u0c80-\u0cff",
    "Mlym": r"\u0d00-\u0d7f",
    "Thai": r"\u0e01-\u0e4e",
    "Geor": r"\u10a0-\u10ff",
    "Armn": r"\u0531-\u0587",
    "Ethi": r"\u1200-\u137f",
    "Khmr": r"\u1780-\u17d3",
    "Kana": r"\u3041-\u30ff",
    "Hani": r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "Hang": r"\u1100-\u11ff\uac00-\ud7af",
}
_LETTERS = re.compile("|".join(f"(?P<{name}>[{letters}]+)" for name, letters in _SCRIPTS.items()))
_DENSE = {"Kana": 2, "Hani": 3, "Hang": 2}
#: Languages that have a script almost to themselves.
_ONLY = {
    "Grek": "el", "Hebr": "he", "Beng": "bn", "Guru": "pa", "Gujr": "gu", "Taml": "ta", "Telu": "te", "Knda": "kn",
    "Mlym": "ml", "Thai": "th", "Geor": "ka", "Armn": "hy", "Ethi": "am", "Khmr": "km", "Hang": "ko",
}  # fmt: skip
#: Scripts of several languages; what is not recognised by its words is tagged by its script, such as "und-Cyrl".
_SHARED = ("Latn", "Cyrl", "Arab", "Deva")
#: Scripts of the languages below that are not written in Latin letters.
_SCRIPT_OF = {"ru": "Cyrl", "uk": "Cyrl", "bg": "Cyrl", "ar": "Arab", "fa": "Arab", "ur": "Arab", "hi": "Deva",
              "mr": "Deva", "zh": "Hani", "ja": "Kana"} | {tag: name for name, tag in _ONLY.items()}  # fmt: skip

#: A word; a letter alone counts only where it is a word of its own.
_WORD = re.compile(r"(?:[^\W\d_]|[\u0900-\u097f]){2,}|(?<![.\w'’-])[^\W\d_](?![\w.])")
#: What stands between the words of a name, and what a capital letter follows that makes no name.
_JOINS, _BEFORE_CAPITALS = frozenset((" ", "'", "’", "-")), frozenset('.!?:;"“”«»„(*#|>')
#: Small words inside names, which say little of the language of the sentence: "Rio de Janeiro", "Vincent van Gogh".
_IN_NAMES = frozenset(
    "de da do dos das del della delle di du des d la le les al el von van der den zu zum af av".split()
)
#: Words shorter than this have no ending that counts, and endings are at most ``_ENDING`` letters.
_LONG, _ENDING = 5, 6
#: How much evidence makes it English, and how far ahead of the next language it must be.
_ENGLISH, _AHEAD = 0.5, 0.04
#: For another language it takes more, and ``_BEYOND_ENGLISH`` more than ``_AGAINST`` times that for English, because
#: names and titles carry foreign words into English texts. Close relatives need not be told apart.
_OTHER, _BEYOND_ENGLISH, _AGAINST = 1.0, 0.7, 1.7
#: Fewer words than this may be a name ("Rio de Janeiro").
_FEWEST = 4
#: What an English verb form counts: no name and few titles have one. Forms in "-s" may be French nouns.
_PAST, _PRESENT = 1.2, 0.6
#: What a foreign word counts where it is, or may be, part of a name.
_ARTICLE_OF_NAME, _IN_NAME = 0.5, 0.2


def _weights(table: dict[str, list[str]], weight: float) -> dict[str, dict[str, float]]:
    """What each word, or letter, says for each language: the less, the more languages have it."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for language, words in table.items():
        for word in words:
            found[word][language] = weight
    for languages in found.values():
        for language in languages:
            languages[language] /= len(languages)
    return found


_WORD_WEIGHTS = MappingProxyType(_weights({tag: words.split() for tag, words in FREQUENT.items()}, 1.0))
_LETTER_WEIGHTS = MappingProxyType(_weights({tag: list(letters) for tag, letters in LETTERS_OF.items()}, 0.6))
_ENDING_WEIGHTS = MappingProxyType(_weights({tag: ends.split() for tag, ends in ENDINGS.items()}, 0.4))
#: What a rare letter counts against English.
_LETTER = 0.4
_MARKED = re.compile(f"[{''.join(_LETTER_WEIGHTS)}]")


def language_of(text: str) -> str | None:
    """The language of a text.

    Linear in its length. English text with foreign names in it is English; where the words give too little evidence,
    the answer is None rather than a guess.

    Returns:
        A BCP 47 tag such as "en" or "zh"; "und-Cyrl" and the like where only the script is sure; None where the text is
        too short to tell, or has no letters.
    """
    script = _script(text)
    if script in {"Hani", "Kana"}:
        return "ja" if _share(text, "Kana") >= 0.1 else "zh"
    if script is None or script not in _SHARED:
        return _ONLY.get(script or "")
    tag = _by_words(text, script)
    return tag if tag is not None or script == "Latn" else f"und-{script}"


def competent(language: str | None, languages: Collection[str] | None) -> bool:
    """Whether a model can be trusted with a language.

    Args:
        language: What ``language_of`` says.
        languages: BCP 47 tags of the languages that a model declares; None where it declares nothing.

    Returns:
        True also where nothing is known of the text's language or of the model's. A language of the same script as a
        declared one is enough for "und-" tags.
    """
    if language is None or languages is None:
        return True
    declared = {tag.split("-")[0].lower() for tag in languages}
    if language.startswith("und-"):
        return language[4:] in {_SCRIPT_OF.get(tag, "Latn") for tag in declared}
    return language in declared


def _script(text: str) -> str | None:
    """The script that most of a text is written in; None where it has no letters of a known one."""
    if text.isascii():
        return "Latn" if _LETTERS.search(text) else None
    counts: dict[str, int] = defaultdict(int)
    for run in _LETTERS.finditer(text):
        name = run.lastgroup or ""
        counts[name] += len(run[0]) * _DENSE.get(name, 1)
    return max(counts, key=counts.__getitem__) if counts else None


def _share(text: str, script: str) -> float:
    """Share of the letters of the East Asian scripts that belong to one of them."""
    counts = {name: sum(map(len, re.findall(f"[{_SCRIPTS[name]}]+", text))) for name in ("Kana", "Hani")}
    return counts[script] / max(1, sum(counts.values()))


@cache
def _english_verbs() -> dict[str, float]:
    """What each form of an English verb says, where no other language has that word."""
    pasts, every = past_forms(), finite_forms() | base_forms()
    strong = pasts | plain_verbs()
    return {verb: _PAST if verb in strong else _PRESENT for verb in every | strong if verb not in _WORD_WEIGHTS}


def _says(word: str) -> Mapping[str, float]:
    """What a word says for each language, by itself or by its ending."""
    known = _WORD_WEIGHTS.get(word)
    if known is None and word in _english_verbs():
        return {"en": _english_verbs()[word]}
    if known is None and len(word) >= _LONG:
        known = next((_ENDING_WEIGHTS[e] for e in _ends(word) if e in _ENDING_WEIGHTS), None)
    return known or {}


def _by_words(text: str, script: str) -> str | None:
    """The language for which the frequent words, verbs and letters of a text speak; of close relatives, any."""
    shares, marks, count = _found(text.lower() if text.isupper() else text)
    scores: dict[str, float] = defaultdict(float)
    # The same, but what several other languages have counts in full for each: all of them are not English.
    foreign: dict[str, float] = defaultdict(float)
    for word, share in shares.items():
        said = _says(word)
        whole = 1.0 if "en" in said else float(len(said))
        for language, weight in said.items():
            scores[language] += weight * (1.0 if language == "en" else share)
            foreign[language] += weight * whole * share
    for letter, share in marks.items():
        for language, weight in _LETTER_WEIGHTS[letter].items():
            scores[language] += weight * share
            foreign[language] += _LETTER * share
    ranked = sorted(
        ((score, tag) for tag, score in scores.items() if _SCRIPT_OF.get(tag, "Latn") == script), reverse=True
    )
    if not ranked:
        return None
    (best, tag), second = ranked[0], ranked[1][0] if len(ranked) > 1 else 0.0
    apart = best - second >= _AHEAD
    if tag == "en":
        return tag if best >= _ENGLISH and apart else None
    if script != "Latn":
        return tag if best >= _OTHER and apart else None
    sure = foreign[tag] >= _OTHER and foreign[tag] - _AGAINST * scores["en"] >= _BEYOND_ENGLISH
    return tag if sure and count >= _FEWEST else None


def _found(text: str) -> tuple[dict[str, float], dict[str, float], int]:
    """The words of a text in small letters and its rare letters, each with what it counts, and how many words."""
    shares: dict[str, float] = {}
    marks: dict[str, float] = {}
    words = list(_WORD.finditer(text))
    named = False
    for at, match in enumerate(words):
        found, after = match[0], words[at + 1] if at + 1 < len(words) else None
        close = after is not None and text[match.end() : after.start()] in _JOINS
        name_follows = after is not None and close and after[0][0].isupper()
        capital = found[0].isupper()
        begins = not at or _begins(text[words[at - 1].end() : match.start()])
        word = found.lower()
        share = 1.0
        if capital:  # An article of a name says little: "Los Angeles", "Der Spiegel", "La Paz".
            share = _IN_NAME if not begins else _ARTICLE_OF_NAME if name_follows else 1.0
        elif named and word in _IN_NAMES and close and (name_follows or (after and after[0] in _IN_NAMES)):
            share = _IN_NAME
        named = close and (capital or share == _IN_NAME)
        if word not in _WORD_WEIGHTS:
            for letter in _MARKED.findall(word):
                marks[letter] = max(_IN_NAME if capital else 1.0, marks.get(letter, 0.0))
        if len(word) > 1 or not capital:  # "Plan B", "George W. Bush"
            shares[word] = max(share, shares.get(word, 0.0))
    return shares, marks, len(words)


def _begins(gap: str) -> bool:
    """Whether a sentence, a quotation or a line begins after what stands between two words."""
    return "\n" in gap or gap.rstrip()[-1:] in _BEFORE_CAPITALS


def _ends(word: str) -> Iterator[str]:
    """The ends of a word, the longest first."""
    return (word[-size:] for size in range(_ENDING, 1, -1))
