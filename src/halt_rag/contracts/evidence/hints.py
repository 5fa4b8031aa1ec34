"""Why a quote may not have been found. Information only: no hint ever makes a quote acceptable."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable

from halt_rag.contracts.evidence.markup import MARKDOWN, folded
from halt_rag.text.folds import CASE, TYPOGRAPHIC

_LOOK_ALIKES = str.maketrans(
    dict(
        zip(
            "асеорхуіјѕһԁԛԝвкмнтгАВСЕНІЈКМОРЅТХУαοερνικτχυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
            "aceopxyijshdqwbkmhtrABCEHIJKMOPSTXYaoepviktxuABEZHIKMNOPTYX",
            strict=True,
        )
    )
)
_MISREAD = str.maketrans({"l": "1", "I": "1", "|": "1", "O": "0", "o": "0", "S": "5", "B": "8", "Z": "2"})
_ESCAPE = re.compile(r"\\[nrt\"'/\\]")
_ESCAPES = {r"\n": "\n", r"\r": "\r", r"\t": "\t"}
_LINE_NUMBER = re.compile(r"^\s*\d+\s*[:|]\s?", re.MULTILINE)
_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_WRAPPED = re.compile(r"\s*(?:\"(.*)\"|'(.*)'|“(.*)”|`(.*)`)\s*", re.DOTALL)


def hint(quote: str, text: str) -> str | None:
    """The first explanation that fits, or None.

    Args:
        quote: The quote that was not found.
        text: The claimed lines.
    """
    name = next((name for name, explains in _HINTS.items() if explains(quote, text)), None)
    return name or ("bracketed_insertion" if _inserted(quote, text) else None)


def _plain(text: str) -> str:
    return folded(text, TYPOGRAPHIC).text.strip()


def _inside(quote: str, text: str) -> bool:
    wanted = _plain(quote)
    return bool(wanted) and wanted in _plain(text)


def _escaped(quote: str, text: str) -> bool:
    unescaped = _ESCAPE.sub(lambda match: _ESCAPES.get(match[0], match[0][1]), quote)
    return unescaped != quote and _inside(unescaped, text)


def _entity(quote: str, text: str) -> bool:
    return "&" in text and _inside(quote, html.unescape(text))


def _case(quote: str, text: str) -> bool:
    names = (*TYPOGRAPHIC, CASE)
    return folded(quote, names).text.strip() in folded(text, names).text


def _confusable(quote: str, text: str) -> bool:
    return _inside(quote.translate(_LOOK_ALIKES), text.translate(_LOOK_ALIKES))


def _misread(quote: str, text: str) -> bool:
    return _inside(quote.translate(_MISREAD).replace("rn", "m"), text.translate(_MISREAD).replace("rn", "m"))


def _compatible(quote: str, text: str) -> bool:
    return _inside(unicodedata.normalize("NFKC", quote), unicodedata.normalize("NFKC", text))


def _markdown(quote: str, text: str) -> bool:
    return folded(quote, (*TYPOGRAPHIC, MARKDOWN)).text.strip() in folded(text, (*TYPOGRAPHIC, MARKDOWN)).text


def _wrapped(quote: str, text: str) -> bool:
    match = _WRAPPED.fullmatch(quote)
    return match is not None and _inside(next(part for part in match.groups() if part is not None), text)


def _numbered(quote: str, text: str) -> bool:
    bare = _LINE_NUMBER.sub("", quote)
    return bare != quote and _inside(bare, text)


def _inserted(quote: str, text: str) -> bool:
    parts = [part for part in _BRACKETED.split(quote) if part.strip()]
    return 0 < len(parts) < 16 and _BRACKETED.search(quote) is not None and all(_inside(part, text) for part in parts)


_HINTS: dict[str, Callable[[str, str], bool]] = {
    "escaped_newline": _escaped,
    "html_entity": _entity,
    "case_differs": _case,
    "confusable": _confusable,
    "ocr_confusable": _misread,
    "compatibility_characters": _compatible,
    "wrapped_quote": _wrapped,
    "line_number_prefix": _numbered,
    "markdown": _markdown,
}
