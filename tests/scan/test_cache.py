"""The cache: the same report as without it, whatever changes, and no harm from a damaged one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from halt_rag.errors import InputError
from halt_rag.scan import ScanReport, Settings, scan
from halt_rag.scan.cache import Cache

PAGE = (
    'See REF-999 and REF-021 (2015).\n\n"Trials improve memory" says @docs/guide.md.\n\nIt fell by 40%.\n\n'
    "[there](docs/new.md#here)\n\n```python\nimport madeup_thing\n```\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    base = tmp_path / "root"
    (base / "docs").mkdir(parents=True)
    (base / "refs").mkdir()
    (base / "page.md").write_text(PAGE, encoding="utf-8")
    (base / "docs" / "guide.md").write_text("# Guide\n\nMemory improves later trials.\n", encoding="utf-8")
    (base / "refs" / "REF-021-x.md").write_text(
        "---\nyear: 2023\nauthors: [A B]\n---\n# REF-021: X\n", encoding="utf-8"
    )
    (base / "packages.json").write_text('{"python": ["numpy"]}', encoding="utf-8")
    return base


def facts(report: ScanReport) -> object:
    """Everything but ids and times."""
    data = json.loads(report.model_dump_json(exclude={"scan_id", "timestamp"}))
    for document in data["documents"]:
        del document["detection_id"], document["timestamp"]
    return data


def both(root: Path, **options: object) -> tuple[ScanReport, ScanReport]:
    """A scan without the cache and one with it."""
    plain = scan([root], root=root, **options)  # type: ignore[arg-type]
    cached = scan([root], root=root, cache=root / ".cache", **options)  # type: ignore[arg-type]
    return plain, cached


def test_a_second_scan_reads_the_cache_and_says_the_same(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, first = both(root)
    kept = sorted((root / ".cache").glob("*.json"))
    assert len(kept) == len(plain.documents) > 0
    monkeypatch.setattr(Cache, "keep", lambda *_: pytest.fail("it was scanned again"))
    second = scan([root], root=root, cache=root / ".cache")
    assert facts(plain) == facts(first) == facts(second)
    assert first.documents[0].detection_id != second.documents[0].detection_id


CHANGES: dict[str, Callable[[Path], object]] = {
    "the page": lambda root: (root / "page.md").write_text("REF-998\n"),
    "a quoted source": lambda root: (root / "docs/guide.md").write_text("# Guide\n\nTrials improve memory.\n"),
    "a linked page comes": lambda root: (root / "docs/new.md").write_text("# Here\n"),
    "the corpus grows": lambda root: (root / "refs/REF-999-y.md").write_text("# REF-999: Y\n"),
    "the corpus is corrected": lambda root: (root / "refs/REF-021-x.md").write_text("---\nyear: 2015\n---\n# X\n"),
    "a settings file": lambda root: (root / ".halt-rag.toml").write_text('[scan]\nignore = ["percent"]\n'),
    "the policy": lambda root: (root / ".halt-rag.toml").write_text('[scan.policy]\nhigh = "log_only"\n'),
    "an index of packages": lambda root: (root / ".halt-rag.toml").write_text('[scan]\npackages = "packages.json"\n'),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_changes_is_seen(root: Path, change: Callable[[Path], object]) -> None:
    before, _ = both(root)
    change(root)
    plain, cached = both(root)
    assert facts(plain) == facts(cached) != facts(before)


def test_the_list_of_packages_itself_may_change(root: Path) -> None:
    settings = Settings(packages="packages.json")
    before, _ = both(root, settings=settings)
    (root / "packages.json").write_text('{"python": ["numpy", "madeup_thing"]}', encoding="utf-8")
    plain, cached = both(root, settings=settings)
    assert facts(plain) == facts(cached) != facts(before)


def test_a_baseline_is_applied_to_kept_reports(root: Path) -> None:
    _, first = both(root)
    known = [d.fingerprint for _, d in first.detections]
    plain, cached = both(root, baseline=known)
    assert cached.detections == []
    assert facts(plain) == facts(cached)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: b"\xff\xfe\0",
        lambda data: b"[]",
        lambda data: data.replace(b"critical", b"low"),
        lambda data: b'{"digest": 1, "asked": 2, "report": 3}',
        lambda data: b"[" * 100_000,
    ],
)
def test_a_damaged_entry_is_as_if_it_were_not_there(root: Path, damage: Callable[[bytes], bytes]) -> None:
    plain, _ = both(root)
    for file in (root / ".cache").glob("*.json"):
        file.write_bytes(damage(file.read_bytes()))
    assert facts(scan([root], root=root, cache=root / ".cache")) == facts(plain)


def test_a_folder_that_cannot_be_made_is_named(root: Path) -> None:
    with pytest.raises(InputError, match=r"page\.md"):
        scan([root], root=root, cache=root / "page.md")
