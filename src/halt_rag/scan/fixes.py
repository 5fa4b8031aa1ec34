"""Safe mechanical fixes: a claim is replaced only where its right form is known for certain."""

from __future__ import annotations

from halt_rag.scan.report import DocumentReport
from halt_rag.text.spans import LineIndex


def fixed(text: str, report: DocumentReport) -> tuple[str, int]:
    """The text with the fixes of its report made, and how many.

    Only new detections with a replacement are fixed: malformed ids whose padded form exists, and paths whose paper
    lives under another name. Everything outside the claims stays as it is, byte order mark and line ends too.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix("\ufeff")
    lines, done = LineIndex(body), 0
    fixes = [d for d in report.detections if d.state == "new" and d.replacement is not None]
    for detection in sorted(fixes, key=lambda d: (d.location.line, d.location.column), reverse=True):
        start = lines.offset(detection.location.line, detection.location.column)
        end = start + len(detection.claim)
        if body[start:end] == detection.claim and detection.replacement is not None:
            body = body[:start] + detection.replacement + body[end:]
            done += 1
    return mark + body, done
