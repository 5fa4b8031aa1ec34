"""Planted faults are found; clean documents stay clean."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.tree import MemoryTree
from tests.case_areas.scan import known_from
from tests.scan.planted import CLEAN, HELD_OUT, SEEN, planted
from tests.scan.support import examined

PAGE = "# Guide\n\nMemory improves later trials.\n"


def knowledge() -> Knowledge:
    known = known_from({"base": "default"})
    paths = [*known.files.paths()]
    tree = MemoryTree(paths, {"docs/guide.md": PAGE})
    return replace(known, files=tree, entities=frozenset({"Acme Inc"}), python=(3, 12))


@pytest.mark.parametrize("templates", [SEEN, HELD_OUT], ids=["seen", "held-out"])
def test_planted_faults_are_found(templates: dict[object, tuple[str, ...]]) -> None:
    known = knowledge()
    missed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for plant in planted(templates, each=6, seed=7):  # type: ignore[arg-type]
        document, found = examined(plant.text, path="page.md", known=known)
        lines = range(plant.line, plant.line + 6)
        hits = [i for i in found.having("detected") if document.lines.position(i.outcome.span.start)[0] in lines]
        total[plant.type] += 1
        missed[f"{plant.type}: {plant.template}"] += plant.type not in {hit.type for hit in hits}
    assert {form: number for form, number in missed.items() if number} == {}
    assert min(total.values()) >= 6


def test_clean_documents_are_clean() -> None:
    _, found = examined("".join(CLEAN), path="page.md", known=knowledge())
    assert found.items == []
