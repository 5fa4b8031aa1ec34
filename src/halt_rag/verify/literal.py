"""Whether a claim stands in a source as it is; the one support that needs no model, in any language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from halt_rag.text.sentences import split_sentences

#: Articles and the like, which may differ: they change nothing that is said.
_ARTICLES = frozenset(
    """the a an der die das den dem des ein eine einen einem einer le la les un une el los las una o os as um uma il lo
    gli i de het een""".split()
)
#: Vowel signs and the like, which ``\w`` leaves out and without which words of Indic scripts would be the same.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff\u0e31-\u0e4e\u200c\u200d"
_LETTER = rf"(?:[^\W\d_]|[{_MARKS}])"
_TOKEN = re.compile(rf"\d+(?:[.,:/-]\d+)*%?|{_LETTER}+(?:['’-]{_LETTER}+)*|[%€$£¥°+−<>=]")
_CURLY = str.maketrans("’‘ʼ", "'''")
#: A claim of fewer words, or characters where no spaces are written, is too short to stand for a statement.
_FEWEST_WORDS, _FEWEST_CHARACTERS = 3, 6


def stands_in(claim: str, texts: Sequence[str]) -> list[int]:
    """In which texts a claim stands as a whole sentence, letter case, punctuation and articles aside.

    Every number and every other word must be the same and in the same order, and nothing may be left of the sentence: a
    part of one may be denied or made conditional by the rest. Linear in the length of the texts.

    Args:
        claim: What is said, without the marks of Markdown.
        texts: Where it is looked for.

    Returns:
        Indices into ``texts``.
    """
    wanted = _form(claim)
    if len(wanted) < _FEWEST_WORDS and sum(map(len, wanted)) < _FEWEST_CHARACTERS:
        return []
    return [i for i, text in enumerate(texts) if _holds(text, wanted)]


def _holds(text: str, wanted: tuple[str, ...]) -> bool:
    return any(_form(span.of(text)) == wanted for span in split_sentences(text))


def _form(sentence: str) -> tuple[str, ...]:
    """The words of a sentence that have to agree."""
    folded = unicodedata.normalize("NFKC", sentence).translate(_CURLY).casefold()
    return tuple(token for token in _TOKEN.findall(folded) if token not in _ARTICLES)
