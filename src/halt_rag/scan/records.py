"""Records of papers as registries give them: Crossref and DataCite (JSON), arXiv (Atom)."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

from halt_rag.scan.corpus import Paper, paper_of

_ATOM = "{http://www.w3.org/2005/Atom}"
_MARKUP = re.compile(r"<[^<>]{0,100}>")


def crossref_record(body: bytes) -> Paper | None:
    """The paper of an answer of ``api.crossref.org/works/{doi}``; None if it is no such answer."""
    work = _inner(body, "message")
    titles = work.get("title")
    issued = work.get("issued")
    fields = {
        "authors": _people(work.get("author")),
        "title": titles[0] if isinstance(titles, list) and titles else titles,
        "year": str(issued.get("date-parts", "")) if isinstance(issued, dict) else "",
    }
    return _paper(str(work.get("DOI", "")), fields)


def datacite_record(body: bytes) -> Paper | None:
    """The paper of an answer of ``api.datacite.org/dois/{doi}``; None if it is no such answer."""
    work = _inner(body, "data").get("attributes")
    if not isinstance(work, dict):
        return None
    titles = work.get("titles")
    first = titles[0] if isinstance(titles, list) and titles else {}
    fields = {
        "authors": _people(work.get("creators")),
        "title": first.get("title") if isinstance(first, dict) else "",
        "year": work.get("publicationYear"),
    }
    return _paper(str(work.get("doi", "")), fields)


def arxiv_record(body: bytes) -> Paper | None:
    """The paper of an answer of ``export.arxiv.org/api/query?id_list=...``; None if it has none."""
    if b"<!DOCTYPE" in body:  # Entities can unfold to any size; Atom needs none.
        return None
    try:
        entry = ElementTree.fromstring(body).find(f"{_ATOM}entry")  # noqa: S314 - without a document type
    except ElementTree.ParseError:
        return None
    if entry is None or "/abs/" not in (entry.findtext(f"{_ATOM}id") or ""):
        return None
    fields = {
        "authors": [author.findtext(f"{_ATOM}name") or "" for author in entry.findall(f"{_ATOM}author")],
        "title": " ".join((entry.findtext(f"{_ATOM}title") or "").split()),
        "year": entry.findtext(f"{_ATOM}published") or "",
    }
    return _paper((entry.findtext(f"{_ATOM}id") or "").rpartition("/abs/")[2], fields)


def _inner(body: bytes, key: str) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    inner = answer.get(key) if isinstance(answer, dict) else None
    return inner if isinstance(inner, dict) else {}


def _people(given: object) -> list[object]:
    """Authors without what only describes them; DataCite puts the family name first in ``name``."""
    people = given if isinstance(given, list) else []
    return [
        {"given": one.get("givenName") or one.get("given"), "family": one.get("familyName") or one.get("family")}
        if isinstance(one, dict) and (one.get("familyName") or one.get("family"))
        else one
        for one in people
    ]


def _paper(identifier: str, fields: dict[str, Any]) -> Paper | None:
    if not fields["authors"] and not fields["title"]:
        return None
    return paper_of(identifier, {**fields, "title": _MARKUP.sub("", str(fields["title"] or ""))})
