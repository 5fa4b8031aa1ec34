"""Planted faults are found; clean documents stay clean."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.scan import DetectionType, scan
from halt_rag.scan.corpus import Corpus, Paper
from halt_rag.scan.knowledge import Knowledge, Packages
from halt_rag.scan.tree import MemoryTree
from tests.case_areas.scan import known_from
from tests.scan.planted import CLEAN, HELD_OUT, NAMES, SCOPE, SEEN, SOURCE, planted
from tests.scan.support import examined

PAGE = "# Guide\n\nMemory improves later trials.\n"


def knowledge() -> Knowledge:
    """Something of everything, so that each type of fault can be known."""
    known = known_from({"base": "default"})
    assert known.corpus is not None
    assert known.packages is not None
    imports = {**known.packages.imports, "pypi": frozenset({"numpy", "pyyaml"})}
    return replace(
        known,
        files=MemoryTree([*known.files.paths()], {"docs/guide.md": PAGE}),
        corpus=Corpus([*known.corpus.papers.values(), Paper("misic2015")]),
        packages=Packages(complete=True, imports=imports),
        entities=frozenset({"Acme Inc"}),
        python=(3, 12),
    )


def recall(
    templates: dict[DetectionType, tuple[str, ...]], *, each: int, seed: int
) -> tuple[Counter[DetectionType], Counter[DetectionType], Counter[str]]:
    """Faults planted and found by type, and missed ones by template."""
    known = knowledge()
    total, hit, missed = Counter[DetectionType](), Counter[DetectionType](), Counter[str]()
    for plant in planted(templates, each=each, seed=seed):
        document, found = examined(plant.text, path="page.md", known=known)
        lines = range(plant.line, plant.line + 6)
        hits = [i for i in found.having("detected") if document.lines.position(i.outcome.span.start)[0] in lines]
        is_hit = plant.type in {hit.type for hit in hits}
        total[plant.type] += 1
        hit[plant.type] += is_hit
        missed[f"{plant.type}: {plant.template}"] += not is_hit
    return total, hit, +missed


@pytest.mark.parametrize("templates", [SEEN, HELD_OUT], ids=["seen", "held-out"])
def test_planted_faults_are_found(templates: dict[DetectionType, tuple[str, ...]]) -> None:
    total, hit, missed = recall(templates, each=6, seed=7)
    assert set(total) == set(DetectionType) - {DetectionType.SCOPE_CREEP}
    assert min(total.values()) >= 6
    assert {kind: hit[kind] / total[kind] for kind in total if hit[kind] < 0.95 * total[kind]} == {}, missed


@pytest.mark.parametrize("templates", ["seen", "held-out"])
def test_statements_beyond_the_source_are_found(templates: str, shipped_model: EmbeddedNLI, tmp_path: Path) -> None:
    chance = random.Random(7)
    faults = [form.format(name=chance.choice(NAMES), nn=31, d=4, yy=19) for form in SCOPE[templates] for _ in range(2)]
    text = "The router was tested in one lab.\n\n" + "\n\n".join(faults) + "\n"
    report = scan(root=tmp_path, texts={"p.md": text}, backend=shipped_model, source=SOURCE)
    found = {d.claim for _, d in report.detections if d.type == "scope_creep"}
    assert len(found) >= 0.95 * len(set(faults))
    assert found == set(faults)
    assert report.results.verified >= 1


def test_clean_documents_are_clean() -> None:
    _, found = examined("".join(CLEAN), path="page.md", known=knowledge())
    assert found.items == []
