"""Every example in README.md and docs/ runs, and prints what the page says.

``pycon`` blocks are doctests; those of a page share their names. In ``console`` blocks each ``$`` line is a command,
run in an empty folder, and what follows it is its output. Decimal fractions may differ by 0.1: they depend a little on
the processor.
"""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
FRACTION = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
TOLERANCE = 0.1


def blocks(language: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for number, match in enumerate(FENCE.finditer(page.read_text(encoding="utf-8")), 1):
            if match[1] == language:
                yield f"{page.relative_to(ROOT)} block {number}", match[2]


def same(expected: str, actual: str) -> bool:
    """Equal but for white space at line ends, and for fractions within the tolerance."""

    def skeleton(text: str) -> str:
        return "\n".join(line.rstrip() for line in FRACTION.sub("#", text).strip().splitlines())

    numbers = zip(FRACTION.findall(expected), FRACTION.findall(actual), strict=False)
    return skeleton(expected) == skeleton(actual) and all(abs(float(e) - float(a)) <= TOLERANCE for e, a in numbers)


def run_line(command: str, folder: Path) -> str:
    """What a command of a ``console`` block prints, run in a folder."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


class Checker(doctest.OutputChecker):
    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, got, optionflags) or same(want, got)


def by_page(language: str) -> dict[str, str]:
    """The blocks of each page in one piece: later ones may build on earlier ones."""
    pages: dict[str, str] = {}
    for name, code in blocks(language):
        page = name.split(" ")[0]
        pages[page] = pages.get(page, "") + code
    return pages


PYTHON = by_page("pycon")
CONSOLE = list(blocks("console"))


@pytest.mark.usefixtures("shipped_model")
@pytest.mark.parametrize(("name", "code"), PYTHON.items(), ids=list(PYTHON))
def test_python_examples(name: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(code, {}, name, None, 0)
    runner = doctest.DocTestRunner(Checker(), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.usefixtures("shipped_model")
@pytest.mark.parametrize(("name", "session"), CONSOLE, ids=[name for name, _ in CONSOLE])
def test_console_example(name: str, session: str, tmp_path: Path) -> None:
    commands = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    assert commands, f"{name} has no line that begins with $"
    for entry in commands:
        command, *output = re.split(r"(?<!\\)\n", entry, maxsplit=1)
        printed = run_line(command, tmp_path)
        assert same("".join(output), printed), f"$ {command}\n{printed}"


def test_there_are_examples() -> None:
    assert "README.md" in PYTHON
    assert any("README.md" in name for name, _ in CONSOLE)
    assert shutil.which("bash")


@pytest.mark.parametrize(
    ("expected", "actual", "equal"),
    [
        ("a 0.91\n", "a 0.93", True),
        ("a 0.91", "a 0.51", False),
        ("a 0.91", "b 0.91", False),
        ("version 1.2.3", "version 1.2.4", False),
        ("", "something", False),
    ],
)
def test_comparison_is_strict_but_for_fractions(expected: str, actual: str, *, equal: bool) -> None:
    assert same(expected, actual) is equal
