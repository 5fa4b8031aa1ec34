"""Why a quote may not have been found. Information only: no hint ever makes a quote acceptable."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable

from halt_rag.contracts.evidence.markup import MARKDOWN, folded
from halt_rag.text.folds import TYPOGRAPHIC

_LOOK_ALIKES = str.maketrans(
    dict(
        zip(
            "асеорхуіјѕһԁԛԝвкмнтгАВСЕНІЈКМОРЅТХУαοερνικτχυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
            "aceopxyijshdqwbkmhtrABCEHIJKMOPSTXYaoepviktxuABEZHIKMNOPTYX",
            strict=True,
        )
    )
)
_MISREAD = (("l", "1"), ("I", "1"), ("|", "1"), ("O", "0"), ("o", "0"), ("S", "5"), ("B", "8"), ("Z", "2"), ("rn", "m"))
_MARKS = re.compile(r"[*_`~#>\[]")
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
    plain = _Plain()
    return next((name for name, explains in _HINTS.items() if explains(quote, text, plain)), None)


class _Plain:
    """Texts as the typographic folds leave them, each folded once."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        if text not in self._known:
            self._known[text] = folded(text, TYPOGRAPHIC).text.strip()
        return self._known[text]

    def inside(self, quote: str, text: str) -> bool:
        wanted = self(quote)
        return bool(wanted) and wanted in self(text)


def _escaped(quote: str, text: str, plain: _Plain) -> bool:
    unescaped = _ESCAPE.sub(lambda match: _ESCAPES.get(match[0], match[0][1]), quote)
    return unescaped != quote and plain.inside(unescaped, text)


def _entity(quote: str, text: str, plain: _Plain) -> bool:
    return "&" in text and plain.inside(quote, html.unescape(text))


def _case(quote: str, text: str, plain: _Plain) -> bool:
    return plain(quote).lower() in plain(text).lower()


def _confusable(quote: str, text: str, plain: _Plain) -> bool:
    if quote.isascii() and text.isascii():
        return False
    return plain.inside(quote.translate(_LOOK_ALIKES), text.translate(_LOOK_ALIKES))


def _misread(quote: str, text: str, plain: _Plain) -> bool:
    return _read_alike(plain(quote)) in _read_alike(plain(text))


def _read_alike(text: str) -> str:
    for one, other in _MISREAD:
        text = text.replace(one, other)
    return text


def _compatible(quote: str, text: str, plain: _Plain) -> bool:
    if quote.isascii() and text.isascii():
        return False
    return plain.inside(unicodedata.normalize("NFKC", quote), unicodedata.normalize("NFKC", text))


def _wrapped(quote: str, text: str, plain: _Plain) -> bool:
    match = _WRAPPED.fullmatch(quote)
    return match is not None and plain.inside(next(part for part in match.groups() if part is not None), text)


def _numbered(quote: str, text: str, plain: _Plain) -> bool:
    bare = _LINE_NUMBER.sub("", quote)
    return bare != quote and plain.inside(bare, text)


def _markdown(quote: str, text: str, _plain: _Plain) -> bool:
    if not _MARKS.search(quote + text):
        return False
    names = (*TYPOGRAPHIC, MARKDOWN)
    return folded(quote, names).text.strip() in folded(text, names).text


def _inserted(quote: str, text: str, plain: _Plain) -> bool:
    if _BRACKETED.search(quote) is None:
        return False
    parts = [part for part in _BRACKETED.split(quote) if part.strip()]
    return 0 < len(parts) < 16 and all(plain.inside(part, text) for part in parts)


_HINTS: dict[str, Callable[[str, str, _Plain], bool]] = {
    "escaped_newline": _escaped,
    "html_entity": _entity,
    "case_differs": _case,
    "confusable": _confusable,
    "ocr_confusable": _misread,
    "compatibility_characters": _compatible,
    "wrapped_quote": _wrapped,
    "line_number_prefix": _numbered,
    "markdown": _markdown,
    "bracketed_insertion": _inserted,
}
