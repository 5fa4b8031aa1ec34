"""The pages about the rules, generated from their docstrings."""

from __future__ import annotations

import inspect
import sys

from halt_rag.scan.outcome import Rule
from halt_rag.scan.rules import RULES

HEADINGS = ("What it does", "Why is this bad?", "Example", "Limits")
"""What each rule's docstring must have, in this order."""


def docstring_of(rule: Rule) -> str:
    """The docstring of the module that a rule lives in."""
    return inspect.cleandoc(sys.modules[rule.run.__module__].__doc__ or "")


def summary_of(rule: Rule) -> str:
    """The first line of a rule's docstring."""
    return docstring_of(rule).split("\n", 1)[0]


def section_of(rule: Rule, heading: str) -> str:
    """One section of a rule's docstring, on one line."""
    _, _, behind = docstring_of(rule).partition(f"## {heading}\n")
    return " ".join(behind.partition("\n## ")[0].split())


def rule_page(rule: Rule) -> str:
    """The page of a rule, in Markdown."""
    _, _, body = docstring_of(rule).partition("\n")
    facts = (
        f"{summary_of(rule)}\n\nDetects: `{rule.type}` · usual severity: {rule.severity} · checks: "
        f"{', '.join(f'`{check}`' for check in rule.checks)} · {rule.status} since {rule.since}"
    )
    return f"# {rule.code} {rule.name}\n\n{facts}\n{body.rstrip()}\n"


def rule_pages() -> dict[str, str]:
    """All pages by file name, with an index."""
    pages = {f"{rule.code}.md": rule_page(rule) for rule in RULES}
    rows = [
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | `{rule.type}` | {rule.severity} | {summary_of(rule)} |"
        for rule in sorted(RULES, key=lambda rule: rule.code)
    ]
    head = "# Rules of the scan\n\n| code | name | type | severity | what |\n|---|---|---|---|---|\n"
    return {"index.md": head + "\n".join(rows) + "\n", **pages}
