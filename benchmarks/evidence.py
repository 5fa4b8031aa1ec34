"""Checking a quote against its document: validations a second beside instructor's and langextract's, and growth.

    python benchmarks/evidence.py [--peers PYTHON] [--seconds 2]

``--peers`` names a Python that has instructor and langextract. Each tool gets the same document and the same quotes:
one that is there word for word, and one with a changed digit. Times are processor time. "first" includes reading the
document's lines, "again" is each further check of the same document, "20 at once" is one field of a record of twenty,
reading included; the other tools keep nothing between checks.
What a tool answered is printed too, for accepting a changed digit quickly is no merit.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
from collections.abc import Callable

MANY = 20
SIZES = (1_000, 100_000, 5_000_000)
WORDS = "the tenant shall pay rent on day of each month unless landlord agrees in writing notice period deposit".split()
Answer = tuple[float, str]


def document(size: int) -> str:
    """Numbered lines of words; no two are the same."""
    pick = random.Random(7)
    lines: list[str] = []
    length = 0
    while length < size:
        line = f"{len(lines) + 1}. {' '.join(pick.choices(WORDS, k=10))} {pick.randrange(10**6)}"
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines)


def quotes(text: str) -> dict[str, tuple[int, str]]:
    """The line number and the quote of each case."""
    lines = text.split("\n")
    number = len(lines) * 9 // 10
    line = lines[number - 1]
    changed = line[:-1] + str((int(line[-1]) + 1) % 10)
    return {"verbatim": (number, line), "changed digit": (number, changed)}


def timed(work: Callable[[], str], seconds: float) -> Answer:
    """Processor seconds a call, over calls that fill the time, at least one."""
    start, count = time.process_time(), 0
    while True:
        answer = work()
        count += 1
        used = time.process_time() - start
        if used >= seconds:
            return used / count, answer


def ours(text: str, number: int, quote: str, seconds: float) -> dict[str, Answer]:
    from halt_rag.contracts.evidence import EvidenceContract, Source

    contract = EvidenceContract.from_dict({"fields": [{"name": "f"}]})  # type: ignore[var-annotated]
    evidence = [{"line_start": number, "line_end": number, "quote": quote}]
    flags = {"answer_found": True, "complete_answer_found": True}
    record = {"f": {"value": quote.split()[-1], "evidence": evidence, **flags}}
    kept = Source("d", text)

    def check(source: Source) -> str:
        report = contract.validate(record, source)
        return " ".join([report.status, *report.results[0].codes])

    return {
        "halt-rag, first": timed(lambda: check(Source("d", text)), seconds),
        "halt-rag, again": timed(lambda: check(kept), seconds),
        f"{MANY} at once": many(text, number, quote, seconds),
    }


def many(text: str, number: int, quote: str, seconds: float) -> Answer:
    """The same check for each field of one record on a document read anew; the time is that of a field."""
    from halt_rag.contracts.evidence import EvidenceContract, Source

    names = [f"f{at}" for at in range(MANY)]
    contract = EvidenceContract.from_dict({"fields": [{"name": name} for name in names]})  # type: ignore[var-annotated]
    flags = {"answer_found": True, "complete_answer_found": True}
    evidence = [{"line_start": number, "line_end": number, "quote": quote}]
    record = {name: {"value": quote.split()[-1], "evidence": evidence, **flags} for name in names}
    used, answer = timed(lambda: contract.validate(record, Source("d", text)).status, seconds)
    return used / MANY, answer


def instructor(text: str, quote: str, seconds: float) -> Answer:
    from instructor import CitationMixin  # type: ignore[import-not-found]

    def check() -> str:
        found = CitationMixin.model_validate({"substring_quotes": [quote]}, context={"context": text})
        return "keeps a quote" if found.substring_quotes else "removes the quote"

    return timed(check, seconds)


def langextract(text: str, quote: str, seconds: float) -> Answer:
    from langextract import data, resolver  # type: ignore[import-not-found]

    def check() -> str:
        wanted = [[data.Extraction(extraction_class="f", extraction_text=quote)]]
        found = resolver.WordAligner().align_extractions(wanted, text)
        return str(found[0][0].alignment_status)

    return timed(check, seconds)


PEERS = {"instructor": instructor, "langextract": langextract}


def peer(name: str, size: int, case: str, seconds: float) -> None:
    """Runs in the peers' Python and prints one answer as JSON."""
    text = document(size)
    print(json.dumps(PEERS[name](text, quotes(text)[case][1], seconds)))


def asked(python: str, name: str, size: int, case: str, *, seconds: float, limit: float) -> Answer | None:
    command = [python, __file__, "--peer", name, str(size), case, str(seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    used, answer = json.loads(done.stdout.splitlines()[-1])
    return used, answer


def side_by_side(python: str | None, seconds: float, limit: float) -> None:
    for size in SIZES:
        text = document(size)
        for case, (number, quote) in quotes(text).items():
            print(f"\n{size:,} characters, {case} quote")
            rows: dict[str, Answer | None] = dict(ours(text, number, quote, seconds))
            for name in PEERS if python else ():
                rows[name] = asked(str(python), name, size, case, seconds=seconds, limit=limit)
            for name, row in rows.items():
                shown = (
                    f"{1 / row[0]:>12,.1f} a second  {row[1]}" if row else f"{'-':>12}           none in {limit:.0f} s"
                )
                print(f"  {name:<16}{shown}", flush=True)


HOSTILE = {
    "verbatim, all lines claimed": ("a line of words\n", "a line of words"),
    "missing": ("a line of words\n", "another line of words"),
    "the same line, wrong place": ("the same line\n", "the same line"),
    "normalized": ("a  line of “words”\n", 'a line of "words" a line'),
    "nearly the quote": ("a" * 99 + "b\n", "a" * 200 + "c"),
    "line-end hyphens": ("effec-\ntive ", "effective " * 30 + "x"),
    "combining marks": ("e\u0301", "é" * 20 + "x"),
    "ellipses": ("a b ", "a ... " * 15 + "z"),
}


def growth() -> None:
    from halt_rag.contracts.evidence import Source
    from halt_rag.contracts.evidence.quote import QuotePolicy, check_evidence

    print("\nSeconds for documents of 0.3, 1.25 and 5 million characters; linear is four times the time each")
    for name, (unit, quote) in HOSTILE.items():
        used = []
        for size in (312_500, 1_250_000, 5_000_000):
            text = "first line\n" + unit * (size // len(unit))
            last = 1 if "wrong place" in name else Source("d", text).lines
            claim = {"line_start": 1, "line_end": last, "quote": quote}
            start = time.process_time()
            check_evidence(claim, {"d": Source("d", text)}, QuotePolicy())
            used.append(time.process_time() - start)
        print(f"  {name:<30}" + "".join(f"{one:>9.3f}" for one in used), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="a Python that has instructor and langextract")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time for each figure")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds after which a peer is given up")
    parser.add_argument("--peer", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.peer:
        name, size, case, seconds = given.peer
        peer(name, int(size), case, float(seconds))
        return
    side_by_side(given.peers, given.seconds, given.limit)
    growth()


if __name__ == "__main__":
    main()
