"""Whether a text is English, as far as number words and small words need to know."""

from __future__ import annotations

import re

_SAMPLE = 4000
_ENGLISH = re.compile(r"\b(?:the|and|of|is|was|were|are|has|had|for|with|at|that|this|it|by)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:der|die|das|und|ist|von|mit|le|la|les|des|est|et|du|el|los|las|y|del|por|con|für|dans|ein|eine|une|una|auf|im)\b",
    re.IGNORECASE,
)


def is_english(text: str) -> bool:
    """Whether small words of English are at least as frequent as those of German, French and Spanish."""
    own, others = _small_words(text)
    return own >= others


def is_surely_english(text: str) -> bool:
    """Whether there are small words of English, and more than of the others."""
    own, others = _small_words(text)
    return own > others


def _small_words(text: str) -> tuple[int, int]:
    sample = text[:_SAMPLE]
    return len(_ENGLISH.findall(sample)), len(_OTHER.findall(sample))
