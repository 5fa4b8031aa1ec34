"""Lists of files that references may point to."""

from __future__ import annotations

import pytest

from halt_rag.scan.tree import MemoryTree


@pytest.mark.timeout(10)
@pytest.mark.parametrize("path", ["/x", "//x/y", "/", "", "a//b/c.md", "../up.md"])
def test_any_path_can_be_listed(path: str) -> None:
    assert [*MemoryTree([path]).paths()] == [path]


def test_folders_of_listed_files_exist() -> None:
    tree = MemoryTree(["docs/rules/HR101.md"])
    assert all(tree.exists(path) for path in ("docs", "docs/rules", "docs/rules/", "docs/rules/HR101.md"))
    assert not any(tree.exists(path) for path in ("rules", "docs/rule", "HR101.md"))
