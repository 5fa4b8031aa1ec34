"""A self-contained HTML page of the sources with each field's span marked. No script, nothing loaded."""

from __future__ import annotations

import html
from collections.abc import Sequence

from halt_rag.contracts.evidence.report import Report
from halt_rag.contracts.evidence.result import EvidenceResult, FieldResult, Place
from halt_rag.contracts.evidence.source import Source
from halt_rag.contracts.evidence.validate import as_sources
from halt_rag.contracts.strict_json import shown
from halt_rag.text.spans import Span

_STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}
ol{font:13px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}li::marker{color:#888}
mark{border-radius:3px;padding:0 1px}
.valid{background:#c9efc9}.unverified{background:#fbe8a6}.invalid{background:#f6c1c1}.valid,.unverified,.invalid{color:#111}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}}"""

_LONGEST = 200
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # UTF-8 cannot express them.


def highlight(report: Report, sources: str | Source | Sequence[Source], *, title: str = "Evidence") -> str:
    """The page: a table of the fields with their verdicts, then each source with its lines numbered.

    A span that was claimed in the wrong place is marked where the quote really is.
    """
    rows = "".join(map(_row, report.results))
    marks = [mark for result in report.results for mark in _marks(result)]
    documents = "".join(_document(source, marks) for source in as_sources(sources).values())
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{html.escape(title)}</h1>"
        f"<p>Status: <b>{report.status}</b></p><table>"
        f"<tr><th>Field</th><th>Status</th><th>Value</th><th>Findings</th></tr>{rows}</table>{documents}</body></html>"
    ).translate(_SURROGATES)


def _row(result: FieldResult) -> str:
    findings = "; ".join(f"{finding.code}: {finding.message}" for finding in result.findings)
    cells = [result.path or "record", result.status, shown(result.value, _LONGEST), findings]
    status = f'<span class="{result.status}">{result.status}</span>'
    escaped = [html.escape(cells[0]), status, html.escape(cells[2]), html.escape(cells[3])]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in escaped) + "</tr>"


_Mark = tuple[str, int, int, str, str]


def _marks(result: FieldResult) -> list[_Mark]:
    return [
        (place.source, place.start, place.end, result.status, result.path)
        for evidence in result.evidence
        for place in _places(evidence)
    ]


def _places(evidence: EvidenceResult) -> list[Place]:
    return [evidence.place] if evidence.place else list(evidence.relocations)


def _document(source: Source, marks: Sequence[_Mark]) -> str:
    """The lines of a source as a numbered list; where marks overlap, the first of the fields colours the text."""
    own = _disjoint(sorted((start, end, status, path) for name, start, end, status, path in marks if name == source.id))
    lines, at = [], 0
    for line in source.spans():
        while at < len(own) and own[at][1] <= line.start:
            at += 1
        lines.append(f"<li>{_line(source.text, line, own, at)}</li>")
    return f"<h2>{html.escape(source.id)}</h2><ol>{''.join(lines)}</ol>"


_Piece = tuple[int, int, str, str]


def _disjoint(marks: Sequence[_Piece]) -> list[_Piece]:
    kept, done = [], 0
    for start, end, status, path in marks:
        if end > max(start, done):
            kept.append((max(start, done), end, status, path))
            done = end
    return kept


def _line(text: str, line: Span, marks: Sequence[_Piece], at: int) -> str:
    pieces, done = [], line.start
    while at < len(marks) and marks[at][0] < line.end:
        start, end, status, path = marks[at]
        first, last = max(start, done), min(end, line.end)
        pieces.append(html.escape(text[done:first]))
        label = f'class="{status}" title="{html.escape(path)}: {status}"'
        pieces.append(f"<mark {label}>{html.escape(text[first:last])}</mark>")
        done, at = last, at + 1
    return "".join(pieces) + html.escape(text[done : line.end])
