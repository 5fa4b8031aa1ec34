"""The papers that a repository has, and reading them from BibTeX, CSL-JSON, front matter and profile tables."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from halt_rag.errors import InputError
from halt_rag.scan.document import Document

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_BIB_ENTRY = re.compile(r"@(\w+)\s*[{(]\s*([^,\s{}]+)\s*,")
_BIB_FIELD = re.compile(r"\b(\w+)\s*=\s*(?:\{|\"|(\d+))")
_TITLE_ID = re.compile(r"^\s*[A-Z]{2,10}-\d+\s*[:.–—-]\s*")


def folded(name: str) -> str:
    """A name without case and accents, for comparison."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return plain.casefold().replace("’", "'")


@dataclass(frozen=True, slots=True)
class Paper:
    """One entry of the corpus; what is not known is empty or None."""

    id: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    title: str = ""
    grade: str = ""
    doi: str = ""
    path: str = ""

    @property
    def surnames(self) -> frozenset[str]:
        """Words of the authors' names, folded; initials left out."""
        return frozenset(
            folded(word) for author in self.authors for word in _WORD.findall(_nfc(author)) if len(word) > 1
        )


class Corpus:
    """Papers by id, author and DOI."""

    def __init__(self, papers: Iterable[Paper] = ()) -> None:
        self.papers: dict[str, Paper] = {paper.id: paper for paper in papers}
        self._by_author: dict[str, list[Paper]] = {}
        for paper in self.papers.values():
            for name in paper.surnames:
                self._by_author.setdefault(name, []).append(paper)
        self.dois = frozenset(paper.doi.lower() for paper in self.papers.values() if paper.doi)

    def __contains__(self, paper_id: str) -> bool:
        return paper_id in self.papers

    def __len__(self) -> int:
        return len(self.papers)

    def get(self, paper_id: str) -> Paper | None:
        """The paper with this id."""
        return self.papers.get(paper_id)

    def by_author(self, name: str) -> list[Paper]:
        """Papers with such a name among their authors."""
        return self._by_author.get(surname(name), [])

    def by_title(self, title: str) -> Paper | None:
        """The paper whose title this is."""
        wanted = folded(title.strip())
        return next((paper for paper in self.papers.values() if paper.title and folded(paper.title) == wanted), None)

    @property
    def has_authors(self) -> bool:
        """Whether any paper says who wrote it; otherwise nothing can be said about names."""
        return bool(self._by_author)


def surname(name: str) -> str:
    """A written surname as it is compared: folded, without a possessive ending."""
    return folded(re.sub(r"['’]s?$", "", _nfc(name)))


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def paper_of(paper_id: str, fields: Mapping[str, Any], path: str = "") -> Paper:
    """A paper from loose fields, as front matter, profile tables and configuration have them."""
    low = {str(key).strip().lower(): value for key, value in fields.items()}
    authors = low.get("authors", low.get("author", ()))
    if isinstance(authors, str):
        authors = re.split(r"\s*(?:;|\band\b|&|,(?=\s*[^\s,]{2,}\s+\S))\s*", authors)
    names = [_name(author) for author in authors if author] if isinstance(authors, list | tuple) else []
    year = _YEAR.search(str(low.get("year", low.get("date", low.get("published", "")))))
    return Paper(
        id=paper_id,
        authors=tuple(name for name in names if name),
        year=int(year[0]) if year else None,
        title=str(low.get("title", "") or ""),
        grade=str(low.get("grade", low.get("quality", "")) or "").lower(),
        doi=str(low.get("doi", "") or ""),
        path=path,
    )


def _name(author: object) -> str:
    if isinstance(author, Mapping):
        return " ".join(str(author[key]) for key in ("given", "family", "literal", "name") if author.get(key))
    return str(author).strip()


def paper_from_page(paper_id: str, page: Document) -> Paper:
    """A paper from its page in the corpus folder: front matter, else the first heading and the tables."""
    fields: dict[str, Any] = {}
    for row in page.layout.rows:
        cells = [cell.of(page.text).strip().strip("*_ ") for cell in row.cells]
        if len(cells) == 2:
            fields.setdefault(cells[0].lower(), cells[1])
    if page.layout.headings:
        fields.setdefault("title", _TITLE_ID.sub("", page.layout.headings[0].text))
    return paper_of(paper_id, {**fields, **page.front_matter}, page.path)


def papers_from_csl(text: str, path: str) -> Iterator[Paper]:
    """The entries of a CSL-JSON file.

    Raises:
        InputError: If it is not a list of objects.
    """
    try:
        items = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}.") from None
    if not isinstance(items, list):
        raise InputError(f"{path} is not a list of CSL items.")
    for item in items:
        if isinstance(item, dict) and "id" in item:
            issued = item.get("issued")
            year = str(issued.get("date-parts", issued.get("raw", ""))) if isinstance(issued, dict) else ""
            fields = {"authors": item.get("author"), "year": year, "title": item.get("title"), "doi": item.get("DOI")}
            yield paper_of(str(item["id"]), {k: v for k, v in fields.items() if v}, path)


def papers_from_bibtex(text: str, path: str) -> Iterator[Paper]:
    """The entries of a BibTeX file; comments, strings and preambles are passed over."""
    entries = list(_BIB_ENTRY.finditer(text))
    for number, entry in enumerate(entries):
        if entry[1].lower() in {"comment", "string", "preamble"}:
            continue
        end = entries[number + 1].start() if number + 1 < len(entries) else len(text)
        fields = {key: _plain_tex(value) for key, value in _bib_fields(text, entry.end(), end)}
        if "author" in fields:
            fields["authors"] = re.split(r"\s+and\s+", fields.pop("author"))  # type: ignore[assignment]
        yield paper_of(entry[2], fields, path)


def _bib_fields(text: str, start: int, end: int) -> Iterator[tuple[str, str]]:
    at = start
    while found := _BIB_FIELD.search(text, at, end):
        at = found.end()
        if found[2]:
            yield found[1].lower(), found[2]
            continue
        depth, begin, quoted = 0, at, text[at - 1] == '"'
        while at < end and not (depth == 0 and text[at] == ('"' if quoted else "}")):
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
        yield found[1].lower(), text[begin:at]


def _plain_tex(value: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\\[\"'`^~=.cvuHdb]\s*|[{}\\]", "", value)).strip()
