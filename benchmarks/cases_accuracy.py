"""Share of claims and of decisions that are right on a file of ``verify`` cases, per theme, beside trivial baselines.

    python -m benchmarks.cases_accuracy ../shared/cases/verify.json --out benchmarks/results/cases

Writes ``OUT.md`` and ``OUT.json``. Intervals are Wilson's, 95 %; twins share most of their text, so that intervals over
cases are somewhat too narrow. No text of a case is kept. An abstention is not right.

Baselines: "always supported", and "word overlap": a claim is faithful where the sources hold at least a share of its
words; the share that gets most decisions right on these very cases, which favours it.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halt_rag import HaltRagVerifier
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.registry import find_backend
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.verify.lexical import lexemes, recall
from halt_rag.verify.sources import as_passages
from tests.case_areas import Case
from tests.case_areas.verify import expected_spans, item, labels

#: Standard normal deviate of a two-sided 95 % interval.
_Z = 1.959964


@dataclass(frozen=True)
class Answer:
    """What a verifier or a baseline says about a case: a label for each expected claim, and a decision."""

    labels: list[str | None]
    decision: str


def wilson(right: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) of nothing."""
    if not total:
        return 0.0, 1.0
    share, z2 = right / total, _Z * _Z
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = _Z * math.sqrt(share * (1 - share) / total + z2 / (4 * total * total)) / (1 + z2 / total)
    return max(0.0, middle - half), min(1.0, middle + half)


def verified(cases: Sequence[Case], verifier: HaltRagVerifier) -> list[Answer]:
    """The verifier's answers."""
    results = verifier.verify_many(item(case["input"]) for case in cases)
    return [Answer(labels(case, result), result.decision) for case, result in zip(cases, results, strict=True)]


def overlaps(case: Case) -> list[float]:
    """Share of the words of each expected claim that the sources hold."""
    source = lexemes("\n".join(p.text for p in as_passages(item(case["input"]).source)))
    return [recall(lexemes(s.of(case["input"]["generated"])).words, source.words) for s in expected_spans(case)]


def overlap_baseline(cases: Sequence[Case]) -> list[Answer]:
    """A threshold on word overlap, the best of all."""
    shares = [overlaps(case) for case in cases]

    def answers(threshold: float) -> list[Answer]:
        return [
            Answer(
                ["faithful" if share >= threshold else "unfaithful" for share in claims],
                "supported" if min(claims, default=1.0) >= threshold else "hallucinated",
            )
            for claims in shares
        ]

    thresholds = sorted({share for claims in shares for share in claims})
    return max((answers(t) for t in thresholds), key=lambda found: sum(decided(cases, found)))


def always_supported(cases: Sequence[Case]) -> list[Answer]:
    """Every claim is faithful."""
    return [Answer(["faithful"] * len(case["expected"]["claims"]), "supported") for case in cases]


def decided(cases: Sequence[Case], answers: Sequence[Answer]) -> list[bool]:
    """For each case, whether the decision is right."""
    return [a.decision == c["expected"]["decision"] for c, a in zip(cases, answers, strict=True)]


def claims_right(cases: Sequence[Case], answers: Sequence[Answer]) -> list[bool]:
    """For each expected claim, whether the label is right."""
    return [
        label == claim["label"]
        for case, answer in zip(cases, answers, strict=True)
        for claim, label in zip(case["expected"]["claims"], answer.labels, strict=True)
    ]


def twins_right(cases: Sequence[Case], answers: Sequence[Answer]) -> list[bool]:
    """For each pair of cases with the same ``twin``, whether both decisions are right."""
    pairs: dict[str, list[bool]] = {}
    for case, right in zip(cases, decided(cases, answers), strict=True):
        if case.get("twin"):
            pairs.setdefault(case["twin"], []).append(right)
    return [all(pair) for pair in pairs.values() if len(pair) > 1]


Measure = Callable[[Sequence[Case], Sequence[Answer]], list[bool]]
MEASURES: dict[str, Measure] = {"claims": claims_right, "decisions": decided, "twin pairs": twins_right}


def figures(cases: Sequence[Case], answers: Sequence[Answer]) -> dict[str, dict[str, float | None]]:
    """Each measure with its count and interval."""
    found: dict[str, dict[str, float | None]] = {}
    for name, measure in MEASURES.items():
        rights = measure(cases, answers)
        low, high = wilson(sum(rights), len(rights))
        share = sum(rights) / len(rights) if rights else None
        found[name] = {"right": sum(rights), "n": len(rights), "share": share, "low": low, "high": high}
    return found


def report(cases: Sequence[Case], systems: dict[str, list[Answer]]) -> dict[str, Any]:
    """All figures: of each system over all cases and per theme, and the verifier's labels beside the expected ones."""
    themes = sorted({case["theme"] for case in cases})
    members = {theme: [i for i, case in enumerate(cases) if case["theme"] == theme] for theme in themes}
    confusion = Counter(
        (claim["label"], str(label))
        for case, answer in zip(cases, systems["halt-rag"], strict=True)
        for claim, label in zip(case["expected"]["claims"], answer.labels, strict=True)
    )
    return {
        "overall": {name: figures(cases, answers) for name, answers in systems.items()},
        "themes": {
            theme: {
                name: figures([cases[i] for i in rows], [answers[i] for i in rows]) for name, answers in systems.items()
            }
            for theme, rows in members.items()
        },
        "abstained": sum(answer.decision == "abstain" for answer in systems["halt-rag"]),
        "labels": {f"{wanted} as {given}": count for (wanted, given), count in sorted(confusion.items())},
    }


def _row(first: str, of: Iterable[dict[str, dict[str, float | None]]]) -> str:
    cells = [_cell(found[measure]) for found in of for measure in MEASURES]
    return "| " + " | ".join([first, *cells]) + " |"


def _cell(figure: dict[str, float | None]) -> str:
    if figure["share"] is None:
        return ""
    return f"{figure['share']:.2f} ({figure['low']:.2f}–{figure['high']:.2f}), {figure['right']}/{figure['n']}"


def markdown(found: dict[str, Any], model: str) -> str:
    """The report as tables."""
    head = "| " + " | ".join(["", *MEASURES]) + " |\n|" + "---|" * (1 + len(MEASURES))
    lines = [f"Model {model}; {found['abstained']} abstentions. Share right (95 % Wilson interval), right/n.", "", head]
    lines += [_row(name, [system]) for name, system in found["overall"].items()]
    lines += ["", "## By theme", "", head]
    lines += [_row(theme, [systems["halt-rag"]]) for theme, systems in found["themes"].items()]
    lines += ["", "## Labels: expected as given", "", "| | n |", "|---|---|"]
    lines += [f"| {pair} | {count} |" for pair, count in found["labels"].items()]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="JSON list of cases")
    parser.add_argument("--out", type=Path, required=True, help="where OUT.md and OUT.json go")
    parser.add_argument("--backend", default="embedded", help="which NLI backend")
    parser.add_argument("--cache", type=Path, help="keep scores in this SQLite file")
    args = parser.parse_args()

    cases = [case for case in json.loads(args.file.read_text(encoding="utf-8")) if case["area"] == "verify"]
    backend = find_backend(args.backend)()
    if args.cache:
        backend = CachedNLI(backend, SQLiteScoreStore(args.cache))
    systems = {
        "halt-rag": verified(cases, HaltRagVerifier(backend=backend)),
        "word overlap": overlap_baseline(cases),
        "always supported": always_supported(cases),
    }
    found = report(cases, systems)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.with_suffix(".json").write_text(json.dumps(found, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    text = markdown(found, f"{backend.model_id} {backend.revision}")
    args.out.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
