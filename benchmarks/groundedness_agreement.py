r"""How often the offline groundedness check agrees with labels, and how often it reaches no verdict.

    python benchmarks/groundedness_agreement.py --cases ../shared/cases/verify.json --cache build/groundedness.sqlite
    python benchmarks/groundedness_agreement.py --rows ../shared/data/bench/qags_sentences.jsonl.gz

``--cases`` takes a JSON list of cases with ``input`` (source, question, generated) and ``expected`` (decision, and
claims with labels); ``--rows`` takes the JSON Lines of ``halt-rag evaluate``. Both may be given several times. A text
that is labelled hallucinated should fail, one that is supported should pass; an errored result is no agreement, and its
share is given beside. For cases, the claims are compared too: one with a failing span in it failed. Intervals are 95 %
percentile bootstraps over groups (twins). No text is kept.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from halt_rag.groundedness.requirement import GroundednessRequirement
from halt_rag.groundedness.result import ValidationResult
from halt_rag.learn.rows import read_rows
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.scores import NLIBackend
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.text.spans import Span
from halt_rag.verify.verifier import HaltRagVerifier

Outcome = Literal["pass", "fail", "error"]
RESAMPLES = 1000


@dataclass(frozen=True)
class Item:
    """A labelled text; ``claims`` are spans with whether they should pass."""

    documents: list[Any]
    generated: str
    question: str | None
    expected: Outcome
    group: str
    claims: list[tuple[Span, Outcome]] = field(default_factory=list)


@dataclass(frozen=True)
class Observed:
    """What was expected of a text or a claim, and what came."""

    expected: Outcome
    outcome: Outcome
    group: str


def items_of_cases(path: Path) -> list[Item]:
    """The texts of a file of cases."""
    items = []
    for case in json.loads(path.read_text(encoding="utf-8")):
        given, expected = case["input"], case["expected"]
        source = given["source"] if isinstance(given["source"], list) else [given["source"]]
        claims: list[tuple[Span, Outcome]] = []
        place = 0
        for claim in expected.get("claims", ()):
            start = given["generated"].index(claim["text"], place)
            place = start + len(claim["text"])
            good = claim["label"] in ("faithful", "NA")
            claims.append((Span(start, place), "pass" if good else "fail"))
        should: Outcome = "fail" if expected["decision"] == "hallucinated" else "pass"
        group = str(case.get("twin") or case["id"])
        items.append(Item(source, given["generated"], given.get("question"), should, group, claims))
    return items


def items_of_rows(path: Path, limit: int) -> list[Item]:
    """The texts of a file of labelled rows."""
    return [
        Item(
            row.source if isinstance(row.source, list) else [row.source],
            row.generated,
            row.question,
            "fail" if row.label == "hallucinated" else "pass",
            row.group or str(number),
        )
        for number, row in enumerate(read_rows(path, limit))
    ]


def of_span(span: Span, result: ValidationResult) -> Outcome:
    """What a result says of a part of the text."""
    if any(judged.span.overlaps(span) for judged in result.failing):
        return "fail"
    unknown = result.status == "error" and not result.unknown
    return "error" if unknown or any(judged.span.overlaps(span) for judged in result.unknown) else "pass"


def figures(observed: Sequence[Observed]) -> dict[str, float]:
    """The shares; NaN where there is nothing to take a share of."""

    def share(part: Iterable[Observed], whole: Sequence[Observed]) -> float:
        return sum(1 for _ in part) / len(whole) if whole else float("nan")

    decided = [o for o in observed if o.outcome != "error"]
    by_label = [[o for o in observed if o.expected == label] for label in ("pass", "fail")]
    right_by_label = [share((o for o in part if o.outcome == o.expected), part) for part in by_label]
    return {
        "agreement": share((o for o in observed if o.outcome == o.expected), observed),
        "agreement, decided": share((o for o in decided if o.outcome == o.expected), decided),
        "balanced agreement": float(np.mean(right_by_label)),
        "errored": share((o for o in observed if o.outcome == "error"), observed),
        "wrongly failed": share((o for o in by_label[0] if o.outcome == "fail"), by_label[0]),
        "wrongly passed": share((o for o in by_label[1] if o.outcome == "pass"), by_label[1]),
    }


def with_intervals(observed: Sequence[Observed]) -> dict[str, tuple[float, float, float]]:
    """Each figure with its interval."""
    groups: defaultdict[str, list[Observed]] = defaultdict(list)
    for one in observed:
        groups[one.group].append(one)
    members = list(groups.values())
    rng = np.random.default_rng(0)
    drawn: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(RESAMPLES):
        picked = rng.integers(len(members), size=len(members))
        for name, value in figures([one for i in picked for one in members[i]]).items():
            drawn[name].append(value)
    intervals = {name: np.nanpercentile(values, [2.5, 97.5]).tolist() for name, values in drawn.items()}
    return {name: (value, *intervals[name]) for name, value in figures(observed).items()}


def report(name: str, observed: Sequence[Observed]) -> list[str]:
    """One line of the table."""
    cells = [f"{value:.3f} ({low:.3f}-{high:.3f})" for value, low, high in with_intervals(observed).values()]
    return [f"| {name} | {len(observed)} | {' | '.join(cells)} |"]


def measure(name: str, items: Sequence[Item], requirement: GroundednessRequirement) -> list[str]:
    """Checks all texts; the lines of the table for texts and, where they are labelled, claims."""
    texts: list[Observed] = []
    claims: list[Observed] = []
    errors: Counter[str] = Counter()
    for item in items:
        history = [{"role": "user", "content": item.question}] if item.question else []
        result = requirement.check(item.generated, item.documents, history)
        texts.append(Observed(item.expected, result.status, item.group))
        claims += [Observed(expected, of_span(span, result), item.group) for span, expected in item.claims]
        if result.error is not None:
            errors[f"{type(result.error).__name__} in stage {result.stage}"] += 1
    if errors:
        print(f"{name}: errored: {dict(errors)}", flush=True)
    return report(f"{name}, texts", texts) + (report(f"{name}, claims", claims) if claims else [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, action="append", default=[], help="JSON list of cases")
    parser.add_argument("--rows", type=Path, action="append", default=[], help="JSON Lines of labelled rows")
    parser.add_argument("--limit", type=int, default=0, help="at most so many rows of each file; 0: all")
    parser.add_argument("--model", type=Path, help="folder of another NLI model; probabilities are not calibrated then")
    parser.add_argument("--allow-partial-support", action="store_true")
    parser.add_argument("--cache", type=Path, help="SQLite file that keeps scores")
    args = parser.parse_args()
    if not args.cases and not args.rows:
        parser.error("give --cases or --rows")
    backend: NLIBackend = EmbeddedNLI(args.model)
    if args.cache:
        args.cache.parent.mkdir(parents=True, exist_ok=True)
        backend = CachedNLI(backend, SQLiteScoreStore(args.cache))
    verifier = HaltRagVerifier(backend=backend, task=None if args.model else "general")
    requirement = GroundednessRequirement(None, args.allow_partial_support, verifier=verifier)
    sets = [(path.stem, items_of_cases(path)) for path in args.cases]
    sets += [(path.name.split(".")[0], items_of_rows(path, args.limit)) for path in args.rows]
    table: list[str] = []
    for name, items in sets:
        table += measure(name, items, requirement)
    names = list(figures([]))
    print("\n".join([f"| set | number | {' | '.join(names)} |", "|---" * (len(names) + 2) + "|", *table]))


if __name__ == "__main__":
    main()
