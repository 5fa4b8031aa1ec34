r"""A citation key that the bibliography does not have.

## What it does
Reads ``[@key]`` and ``[see @a, p. 3; @b]`` as Pandoc and Quarto have them, ``\cite{key}`` of LaTeX and
``:cite:`key``` of Sphinx, and looks each key up in the corpus and in the files that the front matter names under
``bibliography``.

## Why is this bad?
The renderer prints a question mark or nothing; the reader believes that there is a source.

## Example
``[@smith2024]`` is reported if ``refs.bib`` has no entry ``smith2024``.

## Limits
Without a bibliography that has keys nothing is checked. Cross-references (``@fig-…``, ``@sec-…``) are no citations.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from halt_rag.scan.bibliography import citation_keys
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "key_exists"
_GROUP = re.compile(
    r"\[(?P<pandoc>[^\[\]@\ufffc]{0,60}@[^\[\]\ufffc]{1,400})\](?![(:\[])"
    r"|\\(?:[Cc]ite\w{0,12}|(?:paren|text|auto|foot)cites?)\*?(?:\[[^\[\]]{0,80}\]){0,2}\{(?P<latex>[^{}]{1,400})\}"
    r"|:cite(?::\w{1,10})?:`(?P<sphinx>[^`<>]{1,400})`"
)
_KEY = re.compile(r"(?<![\w@./])-?@\{?([A-Za-z0-9_][\w:.#$%&+?<>~/-]{0,100})")
_PLAIN = re.compile(r"[^\s,;]{1,100}")
_CROSS = re.compile(r"(?:fig|tbl|sec|eq|lst|thm|lem|def|exr|exm|cor)-")


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per key."""
    if not document.narrates:
        return
    text = document.text if document.kind == "rst" else document.prose
    keys: frozenset[str] | None = None
    read = False
    for group in _GROUP.finditer(text):
        name = group.lastgroup or "pandoc"
        pattern = _KEY if name == "pandoc" else _PLAIN
        for match in pattern.finditer(text, *group.span(name)):
            number = 1 if name == "pandoc" else 0
            key = match[number].rstrip(".:?/")
            if _CROSS.match(key) or (name == "pandoc" and _is_handle(document, group[name], key)):
                continue
            if not read:
                keys, read = citation_keys(document, known), True
            yield _outcome(Span(match.start(number), match.start(number) + len(key)), key, keys)


def _is_handle(document: Document, body: str, key: str) -> bool:
    """Whether the bracket holds a person, path or package and no key: ``[@octocat]`` is told apart by its form."""
    alone = body.strip() == f"@{key}"
    return "/" in key or (alone and (not any(map(str.isdigit, key)) or f"[@{key}]:" in document.text))


def _outcome(span: Span, key: str, keys: frozenset[str] | None) -> Outcome:
    if keys is None:
        return abstained(span, CHECK, "no_bibliography")
    if key in keys:
        return verified(span, CHECK, (key, "verified"))
    near = difflib.get_close_matches(key, list(keys)[:20_000], n=1, cutoff=0.8)
    return Outcome(
        span, CHECK, "detected", expected="A key of the bibliography", actual=f"No entry {key}",
        source="The bibliography", audit=(key, "hallucinated"),
        suggestion=f"Did you mean {near[0]}?" if near else "Add the entry or remove the citation.",
    )  # fmt: skip


RULE = Rule("HR111", "citation-key", DetectionType.FABRICATED_CITATION, Severity.CRITICAL, (CHECK,), "0.1.0", check)
