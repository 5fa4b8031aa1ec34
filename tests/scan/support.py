from __future__ import annotations

from datetime import date

from halt_rag.scan.document import Document
from halt_rag.scan.engine import Findings, examine
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import Rule
from halt_rag.scan.rules import RULES
from halt_rag.scan.tree import MemoryTree

TODAY = date(2026, 11, 30)


def bare(*paths: str) -> Knowledge:
    """Nothing is known but some files."""
    return Knowledge(files=MemoryTree(paths or ("docs/page.md",)), today=TODAY)


def examined(
    text: str, *, path: str = "docs/page.md", known: Knowledge | None = None, rules: tuple[Rule, ...] = RULES
) -> tuple[Document, Findings]:
    document = Document(path, text)
    return document, examine(document, known or bare(), rules)
