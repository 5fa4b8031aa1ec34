"""A path ``@folder/file`` that leads nowhere.

## What it does
Resolves ``@path`` references from the root or beside the document (``@./`` and ``@../`` from the document,
configured aliases first) and
looks for the file or folder. An anchor is looked up among the headings of the file. A path that leaves the root is
reported without being looked at.

## Why is this bad?
Agents write paths from memory. The reader, or the next agent, finds nothing there.

## Example
``@docs/guide.md`` is fine if the file exists. ``@docs/guides.md`` is reported, with the nearest name as suggestion.

## Limits
Handles, npm scopes, mail addresses and placeholders are told apart by their form: a path has a slash and an
extension, or begins with a folder of the tree. Two names without an extension (``@docs/guide``) may be a scoped
package: they are a path only if they exist.
"""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterator

from halt_rag.scan.anchors import has_anchor
from halt_rag.scan.document import Document
from halt_rag.scan.ids import is_well_formed, paper_ids
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import AuditStatus, DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.scan.paths import WrittenPath, written_paths

CHECK = "file_exists"


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per path."""
    for path in written_paths(document, known):
        yield _outcome(document, known, path)


def _outcome(document: Document, known: Knowledge, path: WrittenPath) -> Outcome:
    place = known.resolve(path.path, document.path)
    if place is None:
        return Outcome(
            path.span, CHECK, "detected", severity=Severity.MEDIUM, expected="A path inside the root",
            actual=path.path, source="The path itself", note="outside the root",
            suggestion="Refer to a file of this repository.",
        )  # fmt: skip
    paper = next((m[0] for m in paper_ids(path.path, known.id_prefix) if is_well_formed(m[0])), None)
    if known.files.exists(place):
        missing = bool(path.anchor) and has_anchor(known, place, path.anchor) is False
        if missing:
            return Outcome(
                path.span, "anchor_exists", "detected", severity=Severity.MEDIUM, actual=f"#{path.anchor}",
                expected=f"A heading of {place}", source=place, suggestion="Correct the anchor.",
            )  # fmt: skip
        return verified(path.span, CHECK, (paper, "verified") if paper else None)
    if not any(True for _ in known.files.paths()):
        return abstained(path.span, CHECK, "no_files")
    return _missing(known, path, place, paper)


def _missing(known: Knowledge, path: WrittenPath, place: str, paper: str | None) -> Outcome:
    nearest, note = nearest_path(known, place), ""
    audit: tuple[str, AuditStatus] | None = None
    if paper and known.papers is not None:
        audit = (paper, "unreachable" if paper in known.papers else "hallucinated")
        if paper in known.paper_files:
            nearest, note = known.paper_files[paper], f"{paper} exists under another slug"
    return Outcome(
        path.span, CHECK, "detected", expected="A file or folder of the tree", actual=f"{place} does not exist",
        source="The files under the root", note=note, audit=audit, replacement=f"@{nearest}" if note else None,
        suggestion=f"Did you mean @{nearest}?" if nearest else "Correct or remove the reference.",
    )  # fmt: skip


def nearest_path(known: Knowledge, place: str) -> str:
    """The file whose name is nearest; empty if none is near."""
    name = posixpath.basename(place)
    by_name = {posixpath.basename(path): path for path in known.files.paths()}
    if name in by_name:
        return by_name[name]
    if len(by_name) > 20_000 or len(name) > 100:
        return ""
    near = difflib.get_close_matches(name, by_name, n=1, cutoff=0.8)
    return by_name[near[0]] if near else ""


RULE = Rule("HR301", "path", DetectionType.BROKEN_REFERENCE, Severity.HIGH, (CHECK, "anchor_exists"), "0.1.0", check)
