"""Reports of files that have not changed, kept in a folder.

An entry is found by the text, the path and everything that the rules may know beside other files; the other files that
they looked at while they ran (a quoted source, the target of a link) are recorded with it and compared before it is
used. An entry that is damaged, or was written by another version, is as if it were not there.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from halt_rag.errors import InputError
from halt_rag.scan.report import DocumentReport

if TYPE_CHECKING:
    from halt_rag.scan.knowledge import Knowledge
    from halt_rag.scan.policy import Settings
    from halt_rag.scan.tree import FileTree

_READERS = ("tree-sitter", "tree-sitter-python", "tree-sitter-javascript", "tree-sitter-typescript", "typeshed-client",
            "markdown-it-py", "PyYAML")  # fmt: skip
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Written by halt-rag scan; safe to delete.\n"


class WatchedTree:
    """A file tree that remembers what was asked of it, and what it answered."""

    def __init__(self, tree: FileTree) -> None:
        self._tree = tree
        self.asked: dict[str, str] = {}

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        found = self._tree.exists(path)
        self.asked[f"exists {path}"] = str(found)
        return found

    def text(self, path: str) -> str | None:
        """A file's text; None if it cannot be read as one."""
        found = self._tree.text(path)
        self.asked[f"text {path}"] = _text_answer(found)
        return found

    def paths(self) -> Iterable[str]:
        """All files; their list is part of the key."""
        return self._tree.paths()


@dataclass(frozen=True)
class Cache:
    """A folder of reports for one set of rules, settings and knowledge.

    Attributes:
        folder: The folder.
        base: The digest of all that is the same for every file of a scan.
    """

    folder: Path
    base: str

    def load(self, path: str, text: str, tree: FileTree) -> DocumentReport | None:
        """The report on a text, if it was kept and what it depends on is unchanged."""
        try:
            data = json.loads((self.folder / self._name(path, text)).read_bytes())
            if data["digest"] != _digest(data["report"], json.dumps(data["asked"], sort_keys=True)):
                return None
            if not all(_answer(tree, question) == answer for question, answer in data["asked"].items()):
                return None
            return DocumentReport.model_validate_json(data["report"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError):
            return None

    def keep(self, path: str, text: str, report: DocumentReport, asked: dict[str, str]) -> None:
        """Keeps a report; a folder that cannot be written to any more is no failure of the scan."""
        body = report.model_dump_json()
        data = {"digest": _digest(body, json.dumps(asked, sort_keys=True)), "asked": asked, "report": body}
        target = self.folder / self._name(path, text)
        try:
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(data, file)
            os.replace(name, target)  # noqa: PTH105 - a name, not a Path
        except (OSError, UnicodeEncodeError):
            return

    def _name(self, path: str, text: str) -> str:
        return f"{_digest(self.base, path, text)}.json"


def open_cache(folder: Path, known: Knowledge, settings: Settings) -> Cache:
    """A cache in a folder, which is made if need be.

    Args:
        folder: The folder.
        known: What the rules may know, without a network and a model: their answers are not kept.
        settings: The settings.

    Raises:
        InputError: If the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "CACHEDIR.TAG").exists():
            (folder / "CACHEDIR.TAG").write_text(_TAG, encoding="utf-8")
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"The cache folder {folder} cannot be used: {error.strerror}.") from error
    return Cache(folder, _digest(_code(), settings.model_dump_json(), _knowledge(known)))


def _knowledge(known: Knowledge) -> str:
    """All that rules may know but the contents of files, as text."""
    papers = known.papers.papers.values() if known.papers is not None else None
    facts: list[object] = [
        f"{known.today:%Y-%m}",  # Rules compare years and months with the present, and no days.
        sorted(known.aliases.items()), known.python, known.year_floor, known.id_prefix, known.corpus_folders,
        sorted(known.files.paths()),
        None if papers is None else sorted(map(repr, papers)),
        None if known.tracker is None else (known.tracker.available, sorted(known.tracker.existing),
                                            known.tracker.highest),
        None if known.entities is None else sorted(known.entities),
        None if known.requirements is None else sorted(known.requirements),
    ]  # fmt: skip
    if known.packages is not None:
        facts.append(known.packages.complete)
        facts += [(name, sorted(names)) for name, names in sorted(known.packages.imports.items())]
        facts += [_stamp(folder) for folder in known.packages.inspected]
    return repr(facts)


def _stamp(folder: str) -> list[tuple[str, int, int]]:
    """Names, sizes and times of the sources of installed packages."""
    sources = sorted(Path(folder).rglob("*.py"))
    return [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in sources if file.is_file()]


@cache
def _code() -> str:
    """The digest of our own sources and of the readers' versions: other rules mean other reports."""
    parts = [f"{name} {_version(name)}" for name in _READERS]
    for folder in (Path(__file__).parent, Path(__file__).parent.parent / "text"):
        parts += [file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.py"))]
    return _digest(*parts)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _answer(tree: FileTree, question: str) -> str:
    kind, _, path = question.partition(" ")
    return str(tree.exists(path)) if kind == "exists" else _text_answer(tree.text(path))


def _text_answer(text: str | None) -> str:
    return "" if text is None else _digest(text)


def _digest(*parts: str) -> str:
    found = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        found.update(f"{len(data)}:".encode())
        found.update(data)
    return found.hexdigest()
