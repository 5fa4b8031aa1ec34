"""Does the offline engine know whether a context suffices? Agreement with labels, beside "contains the gold answer".

    python benchmarks/sufficiency.py --halueval qa_data.jsonl --fit
    python benchmarks/sufficiency.py --halueval qa_data.jsonl [--questions 200]
    python benchmarks/sufficiency.py --attribution attributionbench.jsonl.gz [--questions 300]

The first refits the search, and has to be run when the embedded model changes: it asks the model about both halves of
the questions, fits the logistic regression of ``searched.py`` on the first, prints the line to put there, and measures
it on the second. The others measure what is shipped. Each run adds its figures, with the name of the model, to the
results file (``--results``; default: ``benchmarks/results/sufficiency.json``), under the name of its data.

HaluEval QA has no insufficient contexts, so they are made: of each question's own knowledge (sufficient), the same
knowledge without the sentences that hold the right answer (insufficient), and the knowledge of the most similar other
question (insufficient). Made contexts are easier or harder than what a retriever returns; these figures rank engines
on this data and promise nothing else. The figures are always from the second half of the questions.

AttributionBench has a question, a claim and its references with a human label: whether the references support the
claim. The engine is given the claim as the known answer.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halt_rag.sufficiency.diagnose import share
from halt_rag.sufficiency.grading import contains_gold
from halt_rag.sufficiency.result import Verdict
from halt_rag.sufficiency.searched import (
    COVERAGE,
    ENTAILED,
    INSUFFICIENT_TO,
    INTERCEPT,
    SUFFICIENT_FROM,
    content_words,
    covered,
    entailed,
    nearest_sentences,
    searched,
    with_answer,
)
from halt_rag.text.sentences import split_sentences
from halt_rag.verify.verifier import HaltRagVerifier, Passage


@dataclass(frozen=True)
class Row:
    """A question with a context, and whether that suffices."""

    question: str
    context: str
    gold: str
    sufficient: bool
    kind: str


def halueval(path: Path, count: int) -> list[Row]:
    given = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    # The knowledge joins its sentences without a blank.
    given = [{**row, "knowledge": row["knowledge"].replace(".", ". ").replace(".  ", ". ")} for row in given]
    words = [content_words(row["question"]) for row in given]
    rows = []
    for at, row in enumerate(given[:count]):
        own = Row(row["question"], row["knowledge"], row["right_answer"], True, "own")
        near = max(
            (other for other in range(len(given)) if other != at), key=lambda other: len(words[at] & words[other])
        )
        rest = [span.of(own.context) for span in split_sentences(own.context)]
        left = " ".join(sentence for sentence in rest if not contains_gold(sentence, [own.gold])).strip()
        rows.append(own)
        if left and left != own.context.strip() and own.gold.lower() not in ("yes", "no"):
            rows.append(Row(own.question, left, own.gold, False, "answer taken out"))
        rows.append(Row(own.question, given[near]["knowledge"], own.gold, False, "another question's"))
    return rows


def attribution(path: Path, count: int) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        given = [json.loads(line) for line in lines]
    given = [row for row in given if row.get("question")][:: max(1, len(given) // count)]
    return [Row(r["question"], r["source"], r["generated"], r["label"] == "supported", "references") for r in given]


def features(row: Row, verifier: HaltRagVerifier) -> tuple[float, float]:
    passages = [Passage("1", row.context)]
    near = nearest_sentences(row.question, passages)
    return entailed(row.question, passages, verifier.backend), covered(row.question, near)


Constants = tuple[float, float, float]


def fit(rows: Sequence[Row], middle: int, verifier: HaltRagVerifier) -> dict[str, Any]:
    """Fits on the rows before the middle and measures on the others; the model is asked once for each row."""
    from sklearn.linear_model import LogisticRegression

    x, y = [features(row, verifier) for row in rows], [row.sufficient for row in rows]
    model = LogisticRegression(C=10.0, class_weight="balanced").fit(x[:middle], y[:middle])
    said, coverage = model.coef_[0]
    fitted = (round(float(model.intercept_[0]), 2), round(float(said), 2), round(float(coverage), 2))
    print(f"INTERCEPT, ENTAILED, COVERAGE = {', '.join(f'{one:.2f}' for one in fitted)}  ({middle} rows)")
    answers: dict[str, list[tuple[Row, Verdict]]] = {}
    for name, constants in (("search, refitted", fitted), ("search, as shipped", (INTERCEPT, ENTAILED, COVERAGE))):
        answers[name] = [(row, decided(constants, one)) for row, one in zip(rows[middle:], x[middle:], strict=True)]
    return {"constants": fitted, "fitted_on": middle, **shown(answers)}


def decided(constants: Constants, feature: tuple[float, float]) -> Verdict:
    """The verdict of the search for a row's features under some constants."""
    intercept, said, coverage = constants
    p = 1 / (1 + math.exp(-(intercept + said * feature[0] + coverage * feature[1])))
    return "sufficient" if p >= SUFFICIENT_FROM else "insufficient" if p <= INSUFFICIENT_TO else "undetermined"


def engines(row: Row, verifier: HaltRagVerifier, *, search: bool) -> Iterator[tuple[str, Verdict]]:
    passages = [Passage("1", row.context)]
    if search:
        yield "search (no answer known)", searched(row.question, passages, verifier).verdict
    yield "answer (right answer known)", with_answer(row.question, passages, row.gold, verifier).verdict
    yield "contains the gold answer", "sufficient" if contains_gold(row.context, [row.gold]) else "insufficient"


def report(rows: Sequence[Row], verifier: HaltRagVerifier, *, search: bool) -> dict[str, Any]:
    """Asks each engine about each row."""
    answers: dict[str, list[tuple[Row, Verdict]]] = {}
    for row in rows:
        for name, verdict in engines(row, verifier, search=search):
            answers.setdefault(name, []).append((row, verdict))
    return shown(answers)


def shown(answers: dict[str, list[tuple[Row, Verdict]]]) -> dict[str, Any]:
    """Prints the figures of each engine, and returns them."""
    figures: dict[str, Any] = {}
    for name, given in answers.items():
        known = [(row, verdict) for row, verdict in given if verdict != "undetermined"]
        right = share(sum((verdict == "sufficient") == row.sufficient for row, verdict in known), len(known))
        balanced = sum(_rate(known, sufficient) for sufficient in (True, False)) / 2
        agrees = f"agrees {right.count / max(1, right.of):5.1%} of them [{right.low or 0:.1%}, {right.high or 0:.1%}]"
        print(f"  {name:<28} decides {len(known) / len(given):5.1%}, {agrees}, balanced {balanced:5.1%}")
        kinds: dict[str, dict[str, int]] = {}
        for kind in sorted({row.kind for row, _ in given}):
            part = [verdict for row, verdict in given if row.kind == kind]
            kinds[kind] = {one: part.count(one) for one in ("sufficient", "insufficient", "undetermined")}
            print(f"      {kind:<20} {kinds[kind]}")
        figures[name] = {"rows": len(given), "decided": len(known), "agree": right.model_dump(), "kinds": kinds}
    return {"engines": figures}


def keep(path: Path, name: str, figures: dict[str, Any], verifier: HaltRagVerifier) -> None:
    """Adds figures to the results file."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[name] = {"model": f"{verifier.backend.model_id}@{verifier.backend.revision}", **figures}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _rate(decided: Sequence[tuple[Row, Verdict]], sufficient: bool) -> float:
    part = [verdict for row, verdict in decided if row.sufficient == sufficient]
    return sum((verdict == "sufficient") == sufficient for verdict in part) / max(1, len(part))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--halueval", type=Path)
    parser.add_argument("--attribution", type=Path)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--fit", action="store_true", help="refit the search on HaluEval; see above")
    parser.add_argument("--results", type=Path, default=Path(__file__).parent / "results" / "sufficiency.json")
    given = parser.parse_args()
    verifier = HaltRagVerifier(locate_evidence=False)
    if given.halueval:
        rows = halueval(given.halueval, given.questions)
        middle = next(at for at, row in enumerate(rows) if row.kind == "own" and at >= len(rows) // 2)
        if given.fit:
            keep(given.results, "halueval, search refitted", fit(rows, middle, verifier), verifier)
        else:
            keep(given.results, "halueval", report(rows[middle:], verifier, search=True), verifier)
    if given.attribution:
        figures = report(attribution(given.attribution, given.questions), verifier, search=False)
        keep(given.results, "attributionbench", figures, verifier)


if __name__ == "__main__":
    main()
