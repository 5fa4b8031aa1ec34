"""Rewrites the outputs of the examples in README.md and docs/ as they are printed now.

    python -m tests.update_docs [PAGE...]

Read the difference before you commit it: an output that changed may be a fault that came in.
"""

from __future__ import annotations

import doctest
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.test_docs import FENCE, PAGES, Checker, run_line, same


def console(session: str, folder: Path) -> str:
    """The session with what its commands print; as it was where that is the same but for small fractions."""
    shown = []
    for entry in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, *output = re.split(r"(?<!\\)\n", entry, maxsplit=1)
        printed = run_line(command, folder)
        wanted = "".join(output)
        shown.append(f"$ {command}\n" + (wanted if same(wanted, printed) else printed.rstrip() + "\n"))
    return "".join(shown)


class Recorder(doctest.DocTestRunner):
    """Keeps what each example printed, in order, or None where that was expected."""

    def __init__(self) -> None:
        super().__init__(Checker(), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        self.printed: list[str | None] = []

    def report_success(self, out: Callable[[str], object], test: object, example: object, got: str) -> None:
        """It printed what the page says."""
        self.printed.append(None)

    def report_failure(self, out: Callable[[str], object], test: object, example: object, got: str) -> None:
        """It printed something else."""
        self.printed.append(got)

    def report_unexpected_exception(self, out: object, test: object, example: object, exc_info: object) -> None:
        """It failed where the page expects a result: left as it is."""
        self.printed.append(None)


def python(code: str, names: dict[str, object]) -> str:
    """The block with what its examples print."""
    test = doctest.DocTestParser().get_doctest(code, names, "block", None, 0)
    recorder = Recorder()
    recorder.run(test, out=lambda _: None, clear_globs=False)
    names.update(test.globs)
    lines = code.splitlines(keepends=True)
    for example, got in reversed(list(zip(test.examples, recorder.printed, strict=True))):
        if got is not None and example.want:
            start = example.lineno + example.source.count("\n")
            lines[start : start + example.want.count("\n")] = [got if got.endswith("\n") else got + "\n"]
    return "".join(lines)


def updated(page: Path) -> str:
    """The page with current outputs."""
    names: dict[str, object] = {}
    text = page.read_text(encoding="utf-8")

    def block(match: re.Match[str]) -> str:
        code = match[2]
        if match[1] == "console":
            with tempfile.TemporaryDirectory() as folder:
                code = console(code, Path(folder))
        elif match[1] == "pycon":
            code = python(code, names)
        return match[0].replace(match[2], code)

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # where the examples may write
        return FENCE.sub(block, text)


def main() -> None:
    """Rewrites the pages that are named, or all."""
    for page in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        new = updated(page)
        if new != page.read_text(encoding="utf-8"):
            page.write_text(new, encoding="utf-8")
            print(f"changed: {page}")


if __name__ == "__main__":
    main()
