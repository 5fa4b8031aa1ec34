"""What a model may cite: the corpus as text for a prompt."""

from __future__ import annotations

import json

from halt_rag.scan.knowledge import Knowledge


def prompt_text(known: Knowledge) -> str:
    """The valid references, requirement ids and packages, as Markdown for a prompt."""
    lines = ["# What you may cite", "", "Cite only what is listed here; if nothing fits, say so.", ""]
    papers = known.papers.papers.values() if known.papers else ()
    if papers:
        lines += ["## References", ""]
        for paper in sorted(papers, key=lambda paper: paper.id):
            facts = [", ".join(paper.authors), str(paper.year or ""), paper.title, paper.doi]
            facts.append(f"grade: {paper.grade}" if paper.grade else "")
            lines.append(f"- {paper.id}: {'; '.join(filter(None, facts)) or 'no metadata'}")
        lines.append("")
    for title, names in (
        ("Requirements", sorted(known.requirement_ids)),
        ("Python packages", sorted(known.packages.imports.get("python", ())) if known.packages else []),
        ("npm packages", sorted(known.packages.imports.get("npm", ())) if known.packages else []),
    ):
        if names:
            lines += [f"## {title}", "", *(f"- {name}" for name in names if name), ""]
    return "\n".join(lines)


def prompt_data(known: Knowledge) -> str:
    """The same as JSON."""
    papers = known.papers.papers.values() if known.papers else ()
    data = {
        "references": [
            {
                "id": paper.id,
                "authors": list(paper.authors),
                "year": paper.year,
                "title": paper.title,
                "doi": paper.doi,
                "grade": paper.grade,
            }
            for paper in sorted(papers, key=lambda paper: paper.id)
        ],
        "requirements": sorted(known.requirement_ids),
        "packages": {name: sorted(names) for name, names in known.packages.imports.items()} if known.packages else {},
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
