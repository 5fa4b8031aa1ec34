"""Reports for people, machines and build services."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from halt_rag.scan.render.github import to_github
from halt_rag.scan.render.html import to_html
from halt_rag.scan.render.json import to_json
from halt_rag.scan.render.junit import to_junit
from halt_rag.scan.render.sarif import to_sarif
from halt_rag.scan.render.text import to_text

if TYPE_CHECKING:
    from halt_rag.scan.report import ScanReport

RENDERERS: dict[str, Callable[[ScanReport], str]] = {
    "text": to_text,
    "json": to_json,
    "sarif": to_sarif,
    "github": to_github,
    "junit": to_junit,
    "html": to_html,
}
"""Renderers by name; each ends its text with a line feed."""
