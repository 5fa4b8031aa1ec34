"""An import of a package that does not exist.

## What it does
Reads imports in labelled code blocks and code files. Python: the standard library of the stated version, local
modules, then the packages that are known. JavaScript and TypeScript: Node's own modules, relative files, then the
packages that are known.

## Why is this bad?
Invented package names are an attack path: somebody registers the name and waits.

## Example
``import leftpad from 'left-pad-ultra-pro'`` is reported if the package index has no such name. ``import tomllib`` is
a version mismatch if the stated Python is 3.10.

## Limits
Import names are not distribution names (``yaml``, ``cv2``). Without a complete package index only presence can be
known: names that are neither installed nor declared are not checked. Imports of other languages are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.modules import is_standard, versions_of
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.scan.syntax import SCRIPTS, Import, parsed
from halt_rag.text.spans import Span

CHECK = "package_exists"
_NODE = frozenset(
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl sea "
    "sqlite stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib".split()
)
_UNREAD = ("go", "rust", "java", "kotlin", "scala", "ruby", "php", "csharp", "swift", "dart", "julia", "perl")
_IMPORT_LINE = re.compile(r"^[ \t]*(?:import|use|using|require)[ \t(]+[\"']?([\w./:@\\-]{2,200})", re.MULTILINE)


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per imported package."""
    for block in document.code("python"):
        for found in parsed(block).imports():
            yield _python(found, known)
    for block in document.code(*SCRIPTS):
        for found in parsed(block).imports():
            outcome = _script(found, known)
            if outcome is not None:
                yield outcome
    if document.narrates:
        for block in document.code(*_UNREAD):
            for match in _IMPORT_LINE.finditer(block.code):
                yield abstained(block.span(*match.span(1)), CHECK, "unknown_language")


def _python(found: Import, known: Knowledge) -> Outcome:
    top = found.module.split(".")[0]
    span = Span(found.span.start, found.span.start + len(top))
    if is_standard(top, known.python) or top in known.modules:
        return verified(found.span, CHECK)
    if found.guarded:
        return abstained(span, CHECK, "guarded_import")
    versions = versions_of(top)
    if versions and not _listed(top, "python", known):
        return Outcome(
            span, "version_has", "detected", type=DetectionType.VERSION_MISMATCH, severity=Severity.MEDIUM,
            expected=f"A module of Python {_dotted(known.python)}",
            actual=f"{top} is in Python {_dotted(versions[0])} to {_dotted(versions[-1])}", source="Standard library",
            suggestion="Use what the stated version has, or state another version.",
        )  # fmt: skip
    return _package(span, top, "python", known)


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _script(found: Import, known: Knowledge) -> Outcome | None:
    name = found.module
    if name.startswith((".", "/", "#", "~", "@/", "$")) or ":" in name:
        return verified(found.span, CHECK) if name.startswith("node:") and name[5:].split("/")[0] in _NODE else None
    parts = name.split("/")
    package = "/".join(parts[:2]) if name.startswith("@") else parts[0]
    if package in _NODE:
        return verified(found.span, CHECK)
    return _package(Span(found.span.start, found.span.start + len(package)), package, "npm", known)


def _listed(name: str, ecosystem: str, known: Knowledge) -> bool:
    return known.packages is not None and name in known.packages.imports.get(ecosystem, frozenset())


def _package(span: Span, name: str, ecosystem: str, known: Knowledge) -> Outcome:
    if _listed(name, ecosystem, known):
        return verified(span, CHECK)
    if known.packages is None or not known.packages.complete or ecosystem not in known.packages.imports:
        return abstained(span, CHECK, "no_package_index")
    return Outcome(
        span, CHECK, "detected", expected="A package of the index", actual=f"No package {name}",
        source="The package index", suggestion="Look the package up before anybody installs it.",
    )  # fmt: skip


RULE = Rule("HR401", "import", DetectionType.INVALID_API, Severity.HIGH, (CHECK, "version_has"), "0.1.0", check)
