"""Gathers what can be known about a folder: its papers, issues, packages and settings. Nothing is run or fetched."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from halt_rag.errors import InputError
from halt_rag.scan.corpus import Corpus, Paper, papers_from_bibtex, papers_from_csl
from halt_rag.scan.document import decoded
from halt_rag.scan.knowledge import Knowledge, Packages, Tracker
from halt_rag.scan.modules import import_name, plain_name
from halt_rag.scan.policy import Settings
from halt_rag.scan.tree import DiskTree, FileTree

_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)", re.MULTILINE)


def knowledge_of(root: Path, settings: Settings, *, today: date, files: FileTree | None = None) -> Knowledge:
    """What is known about a folder without a network.

    Args:
        root: The folder.
        settings: Its settings.
        today: The day of the scan.
        files: Its files; None lists the folder.

    Raises:
        InputError: If a file that the settings name cannot be used.
    """
    tree = files or DiskTree(root)
    known = Knowledge(
        files=tree,
        today=today,
        aliases=settings.aliases,
        id_prefix=settings.id_prefix,
        year_floor=settings.year_floor,
        corpus_folders=tuple(folder for folder in settings.corpus if not folder.endswith((".bib", ".json"))),
        packages=_packages(tree, settings),
        tracker=_tracker(_read(tree, settings.issues), settings.issues) if settings.issues else None,
        entities=_lines(_read(tree, settings.entities)) if settings.entities else None,
        python=_python(tree, settings),
    )
    papers = list(_papers(tree, settings))
    return replace(known, corpus=Corpus(papers)) if papers else known


def _read(tree: FileTree, path: str | None) -> str:
    text = tree.text(path) if path else None
    if text is None:
        raise InputError(f"{path} cannot be read.", hint="Settings name files by their path from the root.")
    return text


def _papers(tree: FileTree, settings: Settings) -> Iterator[Paper]:
    folders = tuple(f"{folder.rstrip('/')}/" for folder in settings.corpus)
    for path in tree.paths():
        if path not in settings.corpus and not path.startswith(folders):
            continue
        if path.endswith(".bib"):
            yield from papers_from_bibtex(_read(tree, path), path)
        elif path.endswith(".json"):
            yield from papers_from_csl(_read(tree, path), path)


def _tracker(text: str, path: str | None) -> Tracker:
    """Issues from an export: a list of numbers, or of objects with a ``number`` (GitHub, Gitea) or ``iid`` (GitLab)."""
    try:
        items = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}.") from None
    items = items.get("issues", items) if isinstance(items, dict) else items
    numbers = [_number(item) for item in items] if isinstance(items, list) else []
    found = frozenset(number for number in numbers if number is not None)
    if not found:
        raise InputError(f"{path} has no issue numbers.", hint='Write a list of numbers or of {"number": ...}.')
    return Tracker(True, found, max(found))


def _number(item: Any) -> int | None:
    value = item.get("number", item.get("iid")) if isinstance(item, dict) else item
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _lines(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.splitlines() if line.strip())


def _packages(tree: FileTree, settings: Settings) -> Packages:
    """Packages from a given index, else those that manifests declare."""
    if settings.packages:
        try:
            given = json.loads(_read(tree, settings.packages))
            imports = {str(name): frozenset(map(str, names)) for name, names in given.items()}
            if "pypi" in imports:
                imports["pypi"] = frozenset(map(plain_name, imports["pypi"]))
        except (json.JSONDecodeError, AttributeError, TypeError, RecursionError) as error:
            raise InputError(
                f"{settings.packages}: {error}.", hint='Write {"npm": [...], "python": [...], "pypi": [...]}.'
            ) from None
        return Packages(True, imports, settings.site_packages)
    distributions = frozenset(_declared_python(tree))
    declared = frozenset(map(import_name, distributions))
    installed = frozenset(_installed(settings.site_packages))
    found = {"python": declared | installed, "npm": frozenset(_declared_npm(tree))}
    return Packages(False, {**found, "pypi": frozenset(map(plain_name, distributions))}, settings.site_packages)


def _installed(folders: Iterable[str]) -> Iterator[str]:
    for folder in map(Path, folders):
        if folder.is_dir():
            yield from (path.name.split(".")[0] for path in folder.iterdir() if not path.name.endswith("-info"))


def _declared_python(tree: FileTree) -> Iterator[str]:
    table = _toml(tree, "pyproject.toml").get("project", {})
    if isinstance(table, dict):
        extras = table.get("optional-dependencies", {})
        groups = [table.get("dependencies", []), *(extras.values() if isinstance(extras, dict) else ())]
        lines = "\n".join(str(item) for group in groups if isinstance(group, list) for item in group)
        yield from (match[1] for match in _REQUIREMENT.finditer(lines))
        yield str(table.get("name", ""))
    for name in ("requirements.txt", "requirements-dev.txt"):
        yield from (match[1] for match in _REQUIREMENT.finditer(tree.text(name) or ""))


def _declared_npm(tree: FileTree) -> Iterator[str]:
    try:
        manifest = json.loads(tree.text("package.json") or "{}")
    except (json.JSONDecodeError, RecursionError):
        return
    if isinstance(manifest, dict):
        yield str(manifest.get("name", ""))
        for key in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
            table = manifest.get(key)
            yield from table if isinstance(table, dict) else ()


def _toml(tree: FileTree, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(tree.text(path) or "")
    except tomllib.TOMLDecodeError:
        return {}


def _python(tree: FileTree, settings: Settings) -> tuple[int, int]:
    """The stated Python version: the setting, else the lowest that the project allows, else 3.11."""
    stated = settings.python
    if stated is None:
        project = _toml(tree, "pyproject.toml").get("project", {})
        wanted = str(project.get("requires-python", "")) if isinstance(project, dict) else ""
        found = re.search(r">=\s*(3\.\d{1,2})", wanted)
        stated = found[1] if found else "3.11"
    major, minor = stated.split(".")
    return int(major), int(minor)


def read_text(path: Path, name: str) -> str:
    """A file's text.

    Raises:
        InputError: If it cannot be read, or is no text.
    """
    try:
        return decoded(path.read_bytes(), name)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from error
