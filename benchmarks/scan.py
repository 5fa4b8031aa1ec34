"""How fast the scan reads: ``python -m benchmarks.scan [FOLDER...]``.

Prints seconds for each MB of hostile and plain text, beside one pass of a plain regular expression over the same
text, and for each folder the number of files, the time and the detections by severity.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from datetime import date
from pathlib import Path

from halt_rag.scan import scan
from halt_rag.scan.document import Document
from halt_rag.scan.engine import examine
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.tree import MemoryTree

SIZE = 1_000_000
PLAIN = re.compile(r"REF-\d{3}|\(\d{4}\)|et al\.|\d+%|\d+x faster|studies show|@[\w./]+|#\d+|UC-\d{3}")
TEXTS = {
    "prose": "The worker drains the queue and writes what it did to a log that the reader can follow later on. ",
    "paragraphs": "Latency fell by 40% (REF-021), as Smith et al. (2024) say in @docs/guide.md, see #12.\n\n",
    "one line of claims": "It fell by 40%, as Smith et al. (2024) say. ",
    "open brackets": "[",
    "link openings": "](",
    "back quotes": "`a ``b ",
    "comment openings": "<!-- ",
    "nested quotes": "> ",
    "list items": "- a\n  - b\n    - c\n",
    "open DOIs": "doi:10.",
    "names": "A, B, ",
}


def measured(text: str) -> tuple[float, float]:
    """Seconds of the scan and of the plain pattern."""
    known = Knowledge(files=MemoryTree(["docs/guide.md"]), today=date.today())
    start = time.perf_counter()
    examine(Document("docs/page.md", text), known)
    middle = time.perf_counter()
    sum(1 for _ in PLAIN.finditer(text))
    return middle - start, time.perf_counter() - middle


def main(folders: list[str]) -> None:
    """Prints the tables."""
    print("| text, 1 MB | scan, s | plain regex, s | ratio |\n|---|---|---|---|")
    for name, piece in TEXTS.items():
        ours, plain = measured((piece * (SIZE // len(piece) + 1))[:SIZE])
        print(f"| {name} | {ours:.2f} | {plain:.3f} | {ours / max(plain, 1e-9):.0f} |")
    for folder in folders:
        start = time.perf_counter()
        report = scan([folder], root=Path(folder))
        counts = Counter(detection.severity.value for _, detection in report.detections)
        print(f"{folder}: {len(report.documents)} files, {time.perf_counter() - start:.1f} s, {dict(counts)}")


if __name__ == "__main__":
    main(sys.argv[1:])
