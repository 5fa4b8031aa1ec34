"""What each rule costs: ``python -m benchmarks.scan_rules [KILOBYTES]``.

For each rule the worst text of a hostile set: seconds for each MB, beside one pass of a plain regular expression over
the same text, and their ratio. The document is read once before; its reading is the first row.
"""

from __future__ import annotations

import sys
import time
from datetime import date

from benchmarks.scan import PLAIN, TEXTS
from halt_rag.scan.corpus import Corpus, Paper
from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge, Packages, Tracker
from halt_rag.scan.rules import RULES
from halt_rag.scan.tree import MemoryTree

CODE = {
    "calls": "import os\nos.path.join(a, b)\nx.y.z(1)\n",
    "brackets in code": "((((((((((((((((((((((((((((((\n",
    "broken syntax": "if a && b {\n  i++;\n}\n",
}


def known() -> Knowledge:
    """Something of everything, so that no rule stops early."""
    return Knowledge(
        files=MemoryTree(["docs/guide.md", "UC-001-x.md"], {"docs/guide.md": "# Guide\n\nWords.\n"}),
        today=date.today(),
        corpus=Corpus([Paper("REF-021", ("Noah Shinn",), 2023, "Reflexion"), Paper("shinn2023")]),
        tracker=Tracker(True, frozenset({1, 12}), 400),
        packages=Packages(True, {"npm": frozenset({"react"}), "python": frozenset({"os"}), "pypi": frozenset({"x"})}),
        entities=frozenset({"Acme Inc"}),
    )


def texts(size: int) -> dict[str, Document]:
    """Documents of a size, each a repeated piece."""
    pages = {name: Document("docs/page.md", (piece * (size // len(piece) + 1))[:size]) for name, piece in TEXTS.items()}
    half = min(size, 200_000)  # Parsers of programs keep far more than the text in memory.
    code = {name: Document("a.py", (piece * (half // len(piece) + 1))[:half]) for name, piece in CODE.items()}
    return {**pages, **code}


def seconds(work: object) -> float:
    """Processor time of a call."""
    start = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - start


def main(kilobytes: int) -> None:
    """Prints the table."""
    documents, knowledge = texts(kilobytes * 1000), known()
    plain = {}
    reading: dict[str, float] = {}
    for name, document in documents.items():
        plain[name] = seconds(lambda d=document: sum(1 for _ in PLAIN.finditer(d.text))) * 1e6 / len(document.text)
        views = seconds(lambda d=document: (d.prose, d.references, d.block(0)))
        read = seconds(lambda d=document: Document(d.path, d.text))
        reading[name] = (views + read) * 1e6 / len(document.text)
    print("| rule | worst text | s for each MB | plain regex, s | ratio |\n|---|---|---|---|---|")
    _row("reading", reading, plain)
    for rule in RULES:
        times = {
            name: seconds(lambda d=document, r=rule: sum(1 for _ in r.run(d, knowledge))) * 1e6 / len(document.text)
            for name, document in documents.items()
        }
        _row(f"{rule.code} {rule.name}", times, plain)


def _row(name: str, times: dict[str, float], plain: dict[str, float]) -> None:
    worst = max(times, key=lambda text: times[text])
    ratio = times[worst] / max(plain[worst], 1e-3)
    print(f"| {name} | {worst} | {times[worst]:.2f} | {plain[worst]:.2f} | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
