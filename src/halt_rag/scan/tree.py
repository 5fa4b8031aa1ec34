"""The files that references may point to: on disk under a root, or given as lists. Nothing outside is ever touched."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from halt_rag.errors import InputError
from halt_rag.scan.document import decoded

_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "venv", "dist", "build", "target", "vendor"})
_MAX_TEXT = 20_000_000  # Bytes of a file that is read.


class FileTree(Protocol):
    """Where references are looked up. Paths are relative to the root, with forward slashes, already normal."""

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        ...

    def text(self, path: str) -> str | None:
        """A file's text; None if it cannot be read as one."""
        ...

    def paths(self) -> Iterable[str]:
        """All files that are listed."""
        ...


def normal(path: str, base: str = "") -> str | None:
    """A path from the root without ``.`` and ``..``; None if it leaves the root.

    Args:
        path: The path.
        base: The folder that it starts from.
    """
    joined = posixpath.normpath(posixpath.join(base, path.replace("\\", "/"))) if path else base
    if joined.startswith(("../", "/")) or joined == ".." or re.match(r"[A-Za-z]:", joined):
        return None
    return "" if joined == "." else joined


class MemoryTree:
    """Files that are given as a list, with the texts of some."""

    def __init__(self, paths: Iterable[str], texts: Mapping[str, str] | None = None) -> None:
        self._texts = dict(texts or {})
        self._paths = [*dict.fromkeys([*paths, *self._texts])]
        self._known = {path.rstrip("/") for path in self._paths}
        for path in list(self._known):  # Absolute paths are listed too, and nothing refers to them.
            self._known.update(str(folder) for folder in PurePosixPath(path).parents if folder.name)

    def exists(self, path: str) -> bool:
        """Whether the path is listed, or is a folder of one that is."""
        return path.rstrip("/") in self._known or not path

    def text(self, path: str) -> str | None:
        """The text, where it was given."""
        return self._texts.get(path)

    def paths(self) -> Iterable[str]:
        """The listed paths."""
        return self._paths


class DiskTree:
    """Files under a folder. Symbolic links count as there only if they stay inside.

    Args:
        root: The folder.
        excluded: Folder names that are not walked, beside hidden ones and build outputs.
    """

    def __init__(self, root: Path, excluded: Iterable[str] = ()) -> None:
        self.root = root.resolve()
        self._excluded = frozenset(excluded) | _SKIPPED

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder inside the root."""
        place = self._inside(path)
        return place is not None

    def text(self, path: str) -> str | None:
        """The text; None if there is no such file inside the root, or it is not a text."""
        place = self._inside(path)
        try:
            if place is None or not place.is_file() or place.stat().st_size > _MAX_TEXT:
                return None
            return decoded(place.read_bytes(), path)
        except (OSError, InputError):
            return None

    def paths(self) -> Iterable[str]:
        """All files, hidden ones too, without those of version control, build folders and tagged caches."""
        return self._walked

    @cached_property
    def _walked(self) -> list[str]:
        return sorted(self._walk())

    def _walk(self) -> Iterator[str]:
        for folder, names, files in os.walk(self.root, followlinks=False):
            if "CACHEDIR.TAG" in files and Path(folder) != self.root:  # The Cache Directory Tagging standard.
                names.clear()
                continue
            names[:] = sorted(name for name in names if name not in self._excluded and not _is_tool_folder(name))
            base = Path(folder).relative_to(self.root).as_posix()
            prefix = "" if base == "." else f"{base}/"
            yield from (prefix + name for name in files)

    def _inside(self, path: str) -> Path | None:
        if "\0" in path or len(path) > 4096:
            return None
        try:
            place = (self.root / path).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            return None
        return place if place.is_relative_to(self.root) else None


def _is_tool_folder(name: str) -> bool:
    return name in {".git", ".hg", ".svn", ".venv", ".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache"} or (
        name.startswith(".venv")
    )
