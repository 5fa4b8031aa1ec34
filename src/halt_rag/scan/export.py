"""What a model may cite: the corpus as text for a prompt."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.modules import is_standard, package_names, standard_names
from halt_rag.scan.percentages import percentages

_STATEMENT = 300  # Code points of a statement that are shown.


def export_data(known: Knowledge, apis: Iterable[str] = (), *, folders: tuple[str, ...] = ()) -> dict[str, Any]:
    """The valid references, statistics, requirement ids, packages and names of modules.

    Args:
        known: What is known.
        apis: Python modules whose public names are listed: of the standard library, installed ones or local ones.
        folders: Where local and installed modules are looked for.
    """
    papers = sorted(known.papers.papers.values(), key=lambda paper: paper.id) if known.papers else []
    return {
        "references": [
            {
                "id": paper.id,
                "authors": list(paper.authors),
                "year": paper.year,
                "title": paper.title,
                "doi": paper.doi,
                "grade": paper.grade,
            }
            for paper in papers
        ],
        "statistics": [
            {"source": paper.id, "value": value, "statement": statement}
            for paper in papers
            if paper.path.endswith((".md", ".markdown", ".rst", ".txt"))
            for value, statement in _statistics(known, paper.path)
        ],
        "requirements": sorted(known.requirement_ids),
        "packages": {name: sorted(names) for name, names in known.packages.imports.items()} if known.packages else {},
        "apis": {module: _public(module, known, folders) for module in apis},
    }


def _statistics(known: Knowledge, path: str) -> list[tuple[str, str]]:
    """The percentages of a paper's page, each with its sentence."""
    page = Document(path, known.files.text(path) or "")
    return [
        (found.span.of(page.text), " ".join(page.sentence(found.span).of(page.text).split())[:_STATEMENT])
        for found in percentages(page)
    ]


def _public(module: str, known: Knowledge, folders: tuple[str, ...]) -> list[str] | None:
    """The public names of a module; None if they cannot be known."""
    if is_standard(module, known.python):
        names = standard_names(module, known.python)
    else:
        names = package_names(module, folders)
    return sorted(name for name in names if not name.startswith("_")) if names is not None else None


def local_folders(root: Path, known: Knowledge) -> tuple[str, ...]:
    """Where modules of a repository and its inspected packages are."""
    inspected = known.packages.inspected if known.packages else ()
    return (str(root), str(root / "src"), *inspected)


def prompt_text(data: dict[str, Any]) -> str:
    """The export as Markdown for a prompt."""
    lines = ["# What you may cite", "", "Cite only what is listed here; if nothing fits, say so.", ""]
    if data["references"]:
        lines += ["## References", ""]
        for paper in data["references"]:
            facts = [", ".join(paper["authors"]), str(paper["year"] or ""), paper["title"], paper["doi"]]
            facts.append(f"grade: {paper['grade']}" if paper["grade"] else "")
            lines.append(f"- {paper['id']}: {'; '.join(filter(None, facts)) or 'no metadata'}")
        lines.append("")
    if data["statistics"]:
        lines += ["## Statistics", "", *(f"- {one['statement']} ({one['source']})" for one in data["statistics"]), ""]
    packages = data["packages"]
    for title, names in (
        ("Requirements", data["requirements"]),
        ("Python packages", packages.get("python", [])),
        ("npm packages", packages.get("npm", [])),
    ):
        if names:
            lines += [f"## {title}", "", *(f"- {name}" for name in names if name), ""]
    for module, names in data["apis"].items():
        lines += [f"## Names of {module}", "", ", ".join(names) if names is not None else "Not known.", ""]
    return "\n".join(lines)


def prompt_json(data: dict[str, Any]) -> str:
    """The export as JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
