"""The report as one page, without scripts and without anything from elsewhere."""

from __future__ import annotations

from html import escape

from halt_rag.scan.report import Detection, ScanReport

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;
max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.2rem .6rem;text-align:left}
article{border-left:.4rem solid #777;padding:.1rem 1rem;margin:1rem 0;background:#f6f6f6}
.critical{border-color:#a00000}.high{border-color:#c04a00}.medium{border-color:#806a00}.low{border-color:#3a5a80}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#fff;padding:.4rem}mark{background:#ffe08a}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}article{background:#222}pre{background:#111}
mark{background:#6a5500;color:#fff}}"""


def to_html(report: ScanReport) -> str:
    """The report as HTML."""
    results = report.results
    rows = "".join(
        f"<tr><th scope=row>{name}</th><td>{number}</td></tr>"
        for name, number in (
            ("Documents", len(report.documents)),
            ("Claims", results.total_claims),
            ("Verified", results.verified),
            ("Suspicious", results.suspicious),
            ("Hallucinated", results.hallucinated),
            ("Not checked", results.not_checked),
            ("Suppressed", results.suppressed),
            ("In the baseline", results.baseline),
        )
    )
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width,initial-scale=1'><title>halt-rag scan</title>",
        f"<style>{_STYLE}</style></head><body><main><h1>halt-rag scan</h1><table>{rows}</table>",
    ]
    for document in report.documents:
        shown = [detection for detection in document.detections if detection.state == "new"]
        if shown:
            parts.append(f"<section><h2>{escape(document.target.path)}</h2>")
            parts += [_article(detection) for detection in shown]
            parts.append("</section>")
    if report.unread:
        items = "".join(f"<li>{escape(item.path)}: {escape(item.reason)}</li>" for item in report.unread)
        parts.append(f"<section><h2>Not read</h2><ul>{items}</ul></section>")
    parts.append("</main></body></html>\n")
    return "\n".join(parts)


def _article(detection: Detection) -> str:
    place = detection.location
    claim, context = escape(detection.claim), escape(place.context)
    marked = context.replace(claim, f"<mark>{claim}</mark>", 1) if claim else context
    said = escape(detection.note or detection.evidence.actual)
    return (
        f"<article class={detection.severity}><h3>{place.line}:{place.column} {detection.severity} "
        f"{detection.type} ({detection.rule})</h3><pre>{marked}</pre><p>{said}. Expected: "
        f"{escape(detection.evidence.expected)}. {escape(detection.suggestion)}</p></article>"
    )
