"""Hostile texts: linear time, no crash, places inside the text, and nothing outside the root."""

from __future__ import annotations

import itertools
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halt_rag.scan import scan
from halt_rag.scan.document import Document
from halt_rag.scan.engine import examine
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity
from halt_rag.scan.rules import RULES
from tests.case_areas.scan import known_from
from tests.scan.support import examined

KNOWN = known_from({"base": "default"})
PIECES = [
    "[", "](", "](((", "`", "``", "<!--", "-->", "<a ", "|a", "> ", "* ", "  - ", "# ", "REF-", "REF-999 ", "UC-",
    "#1", "@a/", "@docs/x.md ", "10.1234/", "10.1234/(((", "arXiv:", "arXiv:2312.10997 ", "Smith ", "Smith, ",
    "A, B, ", "van der ", "Smith et al. (2024) ", "Smith and Smith and ", "12%", "12-", "1,000,", "49/59 (", "9 of ",
    "10x ", "studies ", "recent many ", "\"", "\"abc def ghi ", "“", "2024-02-", "Inc. ", "Acme Acme ", "[^1]",
    "[^1]: ", "\\", "a.b.", "halt-rag: off ", "é́", "\ufffc", "\u00a0", "x ? y ", "doi:10.", "(1859)", "://",
    "http://a/", "[1]", "[1, ", "[@a1; ", "\\cite{a,", ":cite:`a,", "pip install a ", "npm i @a/b ",
    "pip install [a]", "<h2>a", "<h2>a</h2>", "Titel: x: ", "Source: ", "40 % ", "1.234,5 % ", "Studien haben ",
    "10 fois plus ", "31 de ", "author = {a ", "1. a\n", "[1] a\n", "- a:\n", "../../issues/", "{{< include ",
]  # fmt: skip
CODE = [
    "((((",
    "import a.b\n",
    "x.y.",
    "f(",
    '"',
    "'''",
    "a ? b ",
    "{",
    "print ",
    "except a,",
    "def f(",
    "`",
    "/*",
    "=>",
]


def seconds(text: str, path: str) -> float:
    best = 9.0
    for _ in range(2):
        start = time.process_time()
        examine(Document(path, text), KNOWN)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_text_not_with_its_square(piece: str) -> None:
    small, large = (piece * (size // len(piece)) for size in (1_000, 8_000))
    assert seconds(large, "docs/page.md") < 30 * max(seconds(small, "docs/page.md"), 0.004)


@pytest.mark.parametrize("piece", CODE)
@pytest.mark.parametrize("path", ["a.py", "a.ts"])
def test_so_it_does_in_code(piece: str, path: str) -> None:
    small, large = (piece * (size // len(piece)) for size in (2_000, 16_000))
    assert seconds(large, path) < 40 * max(seconds(small, path), 0.004)


class _Texts:
    """The same pieces at two sizes, read once for all rules."""

    def __init__(self) -> None:
        pages = [(piece, "docs/page.md") for piece in PIECES] + [(piece, "a.py") for piece in CODE]
        self.small, self.large = (
            [Document(path, piece * (size // len(piece))) for piece, path in pages] for size in (1_000, 8_000)
        )
        for document in (*self.small, *self.large):
            assert document.prose is not None  # The views are made here, so that no rule pays for them.
            assert document.references is not None


@pytest.fixture(scope="module")
def texts() -> _Texts:
    return _Texts()


def rule_seconds(rule: Rule, documents: list[Document]) -> float:
    start = time.process_time()
    for document in documents:
        for _ in rule.run(document, KNOWN):
            pass
    return time.process_time() - start


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_each_rule_is_linear(rule: Rule, texts: _Texts) -> None:
    def grows() -> bool:
        return rule_seconds(rule, texts.large) > 24 * max(rule_seconds(rule, texts.small), 0.01)

    # Eight times the text in at most 24 times the time; measured again, for a busy machine disturbs one measurement.
    assert not (grows() and grows() and grows())


def test_long_lines_many_brackets_and_deep_lists() -> None:
    deep = "".join(f"{'  ' * depth}- item {depth}\n" for depth in range(150))
    line = "It fell by 40%, as Smith et al. (2024) say in @docs/guide.md, REF-021. "
    for text in (line * 300, "[" * 100_000, "](" * 5_000, ">" * 5_000, deep, "(" * 100_000 + "%"):
        _, found = examined(text, known=KNOWN)
        assert found.crashed == []


FRAGMENTS = st.lists(
    st.sampled_from([*PIECES, *CODE, "\n", "\n\n", "\r", "\r\n", "\t", "```python\n", "---\n"]), max_size=40
)


@settings(max_examples=150, deadline=None)
@given(FRAGMENTS.map("".join), st.sampled_from(["p.md", "p.rst", "p.txt", "p.py", "p.ts", "p.json", "p.sql"]))
def test_no_rule_crashes_and_all_places_lie_inside(text: str, path: str) -> None:
    document, found = examined(text, path=path, known=KNOWN)
    assert found.crashed == []
    for item in found.items:
        span = item.outcome.span
        assert 0 <= span.start < span.end <= len(document.text)
        line, column = document.lines.position(span.start)
        assert document.lines.offset(line, column) == span.start
    hiding = [item.outcome.span for item in found.items if item.outcome.hides]
    assert all(not a.overlaps(b) for a, b in itertools.pairwise(hiding))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), FRAGMENTS.map("".join))
def test_text_before_a_paragraph_moves_places_and_nothing_else(before: str, text: str) -> None:
    claim = "See REF-999 there.\n"
    alone = examined(claim, known=KNOWN)[1].having("detected")
    moved_text = f"Words of no account.\n\n{claim}"
    moved = examined(moved_text, known=KNOWN)[1].having("detected")
    assert [m.outcome.span.start - 22 for m in moved] == [a.outcome.span.start for a in alone]


def test_a_crashing_rule_becomes_a_warning_and_the_scan_goes_on() -> None:
    def crash(document: Document, known: Knowledge) -> list[Outcome]:
        raise ZeroDivisionError("on purpose")

    broken = Rule("HR999", "broken", DetectionType.CONTRADICTION, Severity.LOW, ("x",), "0.1.0", crash)  # type: ignore[arg-type]
    _, found = examined("REF-999\n", known=KNOWN, rules=(broken, *RULES))
    assert [code for code, _ in found.crashed] == ["HR999"]
    assert any("on purpose" in message for _, _, message in found.warnings)
    assert len(found.having("detected")) == 1


def test_files_that_cannot_be_read_are_listed(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("REF-12\n", encoding="utf-8")
    (tmp_path / "binary.md").write_bytes(b"a\0b")
    (tmp_path / "latin.md").write_bytes("caf\xe9".encode("latin-1"))
    (tmp_path / "wide.md").write_bytes("REF-12\n".encode("utf-16"))
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    (tmp_path / "round").symlink_to(tmp_path)
    report = scan([tmp_path], root=tmp_path)
    assert [d.target.path for d in report.documents] == ["good.md", "wide.md"]
    assert {unread.path for unread in report.unread} == {"binary.md", "latin.md", "loop.md", "out.md"}
    assert [d.location.column for _, d in report.detections] == [1, 1]


def test_an_unreadable_file_is_listed(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root can read everything")
    file = tmp_path / "secret.md"
    file.write_text("REF-12", encoding="utf-8")
    file.chmod(0)
    assert [unread.path for unread in scan([tmp_path], root=tmp_path).unread] == ["secret.md"]


@pytest.mark.parametrize(
    "path", ["../secret.md", "@../secret", "/etc/passwd", "docs/../../secret.md", "link/secret.md", "x\0y", "C:/x.md"]
)
def test_links_that_leave_the_root_never_exist(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    (root / "link").symlink_to(tmp_path)
    (root / "page.md").write_text(f"[a](<{path}>)\n", encoding="utf-8")
    report = scan(["page.md"], root=root)
    assert report.results.verified == 0


def test_front_matter_is_read_safely() -> None:
    bomb = "---\na: &a [x, x]\nb: &b [*a, *a]\nyear: 2020\n---\nText.\n"
    assert Document("p.md", bomb).front_matter == {}
    assert Document("p.md", "---\nx: !!python/object/apply:os.system [ls]\n---\n").front_matter == {}
    assert Document("p.md", "---\nyear: 2020\n---\n").front_matter == {"year": 2020}
