"""A company that is not in the given list.

## What it does
Reads names with a legal form, ``Acme Robotics Inc.``, ``Muster GmbH``, and looks them up in the list of organisations
that the configuration gives.

## Why is this bad?
Invented customers and partners are easily believed, and easily disproved by others.

## Example
``Zyntrix Dynamics Inc.`` is reported if the list does not have it.

## Limits
Without a list nothing is checked. Names without a legal form are not read as organisations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan.corpus import folded
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "entity_exists"
_FORM = r"(?:Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|LLP|GmbH|AG|PLC|S\.A|B\.V|Pty|Oy|AB|KG)"
_NAME = re.compile(rf"(?<![\w-])((?:[A-Z][\w&'’-]{{1,40}},?[ ]){{1,4}}){_FORM}\b\.?")


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per organisation."""
    if not document.narrates:
        return
    listed = {_key(name) for name in known.entities} if known.entities is not None else None
    for match in _NAME.finditer(document.prose):
        span = Span(*match.span())
        if listed is None:
            yield abstained(span, CHECK, "no_entity_list")
        elif _key(match[0]) in listed or _key(match[1]) in listed:
            yield verified(span, CHECK)
        else:
            yield Outcome(
                span, CHECK, "detected", expected="An organisation of the list", actual=match[0],
                source="The configured list", suggestion="Correct the name, or add it to the list.",
            )  # fmt: skip


def _key(name: str) -> str:
    return folded(re.sub(r"[\s.,]+", " ", name).strip())


RULE = Rule("HR501", "entity", DetectionType.NONEXISTENT_ENTITY, Severity.MEDIUM, (CHECK,), "0.1.0", check)
