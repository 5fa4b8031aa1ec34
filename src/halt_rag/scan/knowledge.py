"""All that the rules may know. What is not here is not known, and leads to "not checked", never to a detection."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

from halt_rag.scan.corpus import Corpus, Paper, paper_from_page
from halt_rag.scan.document import Document
from halt_rag.scan.tree import FileTree, normal

if TYPE_CHECKING:
    from halt_rag.nli.scores import NLIBackend

REQUIREMENT = re.compile(r"(?<![\w-])(?:UC|ADR)-\d+(?!\w)|(?<![\w-])NFR-[A-Z]{2,12}-\d+(?!\w)")
"""Ids of use cases, decisions and non-functional requirements."""


@dataclass(frozen=True, slots=True)
class Tracker:
    """The issues of a tracker.

    Attributes:
        available: Whether it could be asked.
        existing: The numbers that exist.
        highest: The highest number given out; 0 if not known.
    """

    available: bool
    existing: frozenset[int] = frozenset()
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Packages:
    """What can be imported.

    Attributes:
        complete: Whether a name that is not listed does not exist. Without an index only presence can be known.
        imports: Importable top-level names by ecosystem: ``python``, ``npm``; distributions under ``pypi``. An
            ecosystem that is missing is unknown.
        inspected: Folders of installed Python packages whose sources may be read (never imported).
    """

    complete: bool
    imports: Mapping[str, frozenset[str]]
    inspected: tuple[str, ...] = ()


class Online(Protocol):
    """Questions to the network. Each answers None where it could not be asked."""

    def doi(self, doi: str) -> bool | None:
        """Whether a DOI is registered."""
        ...

    def arxiv(self, identifier: str) -> bool | None:
        """Whether arXiv has such a paper."""
        ...

    def issue(self, number: int) -> bool | None:
        """Whether the tracker has such an issue."""
        ...

    def record(self, service: Literal["doi", "arxiv"], identifier: str) -> Paper | None:
        """The registry's record of an identifier."""
        ...


@dataclass(frozen=True)
class Knowledge:
    """What the rules may know.

    Attributes:
        files: The files that references may point to.
        today: The day of the scan.
        corpus: The papers; None if there is no corpus.
        tracker: The issues; None if no tracker is known.
        packages: What can be imported; None if nothing is known.
        requirements: Ids that exist beside those in file names; None if only files tell.
        python: The Python version that the documents are about.
        aliases: Path prefixes and what they stand for.
        entities: Names of organisations that exist; None if there is no list.
        online: The network; None if it must not be used.
        backend: A model for the rules that need one; None leaves them out.
        source: The text that a document must not go beyond; needs a backend.
        year_floor: The earliest year that a citation may plausibly have.
        id_prefix: What paper ids begin with.
        corpus_folders: Where papers have their pages; empty: anywhere.
    """

    files: FileTree
    today: date
    corpus: Corpus | None = None
    tracker: Tracker | None = None
    packages: Packages | None = None
    requirements: frozenset[str] | None = None
    python: tuple[int, int] = (3, 11)
    aliases: Mapping[str, str] = field(default_factory=dict)
    entities: frozenset[str] | None = None
    online: Online | None = None
    backend: NLIBackend | None = None
    source: str | None = None
    year_floor: int = 1900
    id_prefix: str = "REF"
    corpus_folders: tuple[str, ...] = ()

    @cached_property
    def paper_files(self) -> Mapping[str, str]:
        """Ids that file names carry, with the file."""
        pattern = re.compile(rf"(?<![\w-])({re.escape(self.id_prefix)}-\d{{3}})(?!\w)")
        found: dict[str, str] = {}
        for path in self.files.paths():
            if self.corpus_folders and not path.startswith(tuple(f"{f.rstrip('/')}/" for f in self.corpus_folders)):
                continue
            match = pattern.match(posixpath.basename(path))
            if match:
                found.setdefault(match[1], path)
        return found

    @cached_property
    def papers(self) -> Corpus | None:
        """The corpus: what was given, completed by the pages whose file names carry an id; None if there is none."""
        if self.corpus is None and not self.paper_files:
            return None
        given = self.corpus.papers if self.corpus else {}
        read = []
        for paper_id, path in self.paper_files.items():
            if paper_id not in given:
                text = self.files.text(path) if path.endswith((".md", ".markdown")) else None
                read.append(paper_from_page(paper_id, Document(path, text or "")))
        return Corpus([*given.values(), *read])

    @cached_property
    def requirement_ids(self) -> frozenset[str]:
        """Ids of requirements that exist: given ones, and those that file names begin with."""
        named = (REQUIREMENT.match(posixpath.basename(path)) for path in self.files.paths())
        return frozenset(match[0] for match in named if match) | (self.requirements or frozenset())

    @cached_property
    def requirement_kinds(self) -> frozenset[str]:
        """The kinds of requirements of which anything is known."""
        kinds = {requirement.split("-")[0] for requirement in self.requirement_ids}
        return frozenset(kinds | ({"UC"} if self.requirements is not None else set()))

    @cached_property
    def top_folders(self) -> frozenset[str]:
        """Names of files and folders directly under the root."""
        return frozenset(path.split("/", 1)[0] for path in self.files.paths())

    @cached_property
    def modules(self) -> frozenset[str]:
        """Names that local files and folders can be imported by."""
        found: set[str] = set()
        for path in self.files.paths():
            if path.endswith((".py", ".pyi", ".so", ".pyd")):
                parts = path.split("/")
                found.update(parts[:-1])
                found.add(parts[-1].split(".")[0])
        return frozenset(found)

    def seen_through(self, files: FileTree) -> Knowledge:
        """The same knowledge with another view of the files; what was gathered from them is not gathered again."""
        twin = replace(self, files=files)
        for name in ("paper_files", "papers", "requirement_ids", "requirement_kinds", "top_folders", "modules"):
            twin.__dict__[name] = getattr(self, name)
        return twin

    def resolve(self, path: str, document: str) -> str | None:
        """Where a written path leads, from the root; None if it leaves the root.

        Aliases come first, ``./`` and ``../`` start at the document, everything else at the root, or beside the
        document if it is there and not at the root.
        """
        for prefix, target in self.aliases.items():
            if path.startswith(prefix):
                return normal(target + path[len(prefix) :])
        folder = posixpath.dirname(document)
        if path.startswith(("./", "../")):
            return normal(path, folder)
        place = normal(path)
        beside = normal(path, folder) if place is not None and not self.files.exists(place) else None
        return beside if beside is not None and self.files.exists(beside) else place
