"""Where knowledge comes from: papers, issues, packages, versions, the network."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from halt_rag.errors import ConfigurationError, InputError
from halt_rag.scan import Settings, read_settings, scan
from halt_rag.scan.corpus import Corpus, Paper, paper_of, papers_from_bibtex, papers_from_csl
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.modules import import_name
from halt_rag.scan.online import Web, tracker_address
from halt_rag.scan.sources import knowledge_of
from halt_rag.scan.tree import MemoryTree, normal

DAY = date(2026, 11, 30)


def known(texts: dict[str, str], **settings: object) -> Knowledge:
    given = Settings.model_validate(settings)
    return knowledge_of(Path("unused"), given, today=DAY, files=MemoryTree([], texts))


def test_bibtex() -> None:
    text = """@comment{x, year = 1}
    @article{shinn2023, author = {Noah Shinn and Ashwin Gopinath}, title = "A {B}ook", year = 2023,
      doi = {10.1000/x}}
    @book{misic, author = {Mi\\v{s}i{\\'c}, Ana}, year = {2015}}"""
    one, two = papers_from_bibtex(text, "a.bib")
    assert (one.id, one.authors, one.year) == ("shinn2023", ("Noah Shinn", "Ashwin Gopinath"), 2023)
    assert (one.title, one.doi) == ("A Book", "10.1000/x")
    assert Corpus([two]).by_author("Misic") == [two]


def test_csl() -> None:
    item = {
        "id": "x",
        "author": [{"family": "Mišić", "given": "Ana"}],
        "issued": {"date-parts": [[2015, 1]]},
        "DOI": "10.1/x",
    }
    (paper,) = papers_from_csl(json.dumps([item]), "a.json")
    assert (paper.authors, paper.year, paper.doi) == (("Ana Mišić",), 2015, "10.1/x")
    for bad in ("{", "{}", "[" * 100_000):
        with pytest.raises(InputError, match=r"a\.json"):
            list(papers_from_csl(bad, "a.json"))


@pytest.mark.parametrize(
    ("fields", "paper"),
    [
        ({"Year": "2025", "Title": "T"}, Paper("x", (), 2025, "T")),
        ({"authors": "Noah Shinn and Ana Mišić", "date": "2023-01-05"}, Paper("x", ("Noah Shinn", "Ana Mišić"), 2023)),
        ({"author": ["A B"], "grade": "LOW"}, Paper("x", ("A B",), grade="low")),
        ({"year": "soon"}, Paper("x")),
    ],
)
def test_loose_fields(fields: dict[str, object], paper: Paper) -> None:
    assert paper_of("x", fields) == paper


def test_pages_of_papers_are_read_from_front_matter_or_table() -> None:
    table = "# REF-059: LitLLM\n\n| Attribute | Value |\n|---|---|\n| Year | 2025 |\n| Authors | Ana Mišić |\n"
    front = "---\nauthors: [Noah Shinn]\nyear: 2023\n---\n# REF-021: Reflexion\n"
    papers = known({"r/REF-059-x.md": table, "r/REF-021-y.md": front}).papers
    assert papers is not None
    assert papers.papers["REF-059"] == Paper("REF-059", ("Ana Mišić",), 2025, "LitLLM", path="r/REF-059-x.md")
    assert papers.papers["REF-021"].title == "Reflexion"


def test_only_the_corpus_folders_count() -> None:
    texts = {"a/REF-001-x.md": "", "b/REF-002-y.md": "", "b/more.bib": "@misc{k, year={2001}}"}
    papers = known(texts, corpus=("b",)).papers
    assert papers is not None
    assert set(papers.papers) == {"REF-002", "k"}


@pytest.mark.parametrize("export", ["[1, 2]", '[{"number": 1}, {"number": 2}]', '{"issues": [{"iid": 1}, {"iid": 2}]}'])
def test_issue_exports(export: str) -> None:
    tracker = known({"i.json": export}, issues="i.json").tracker
    assert tracker is not None
    assert (sorted(tracker.existing), tracker.highest) == ([1, 2], 2)


@pytest.mark.parametrize("setting", ["issues", "packages", "entities"])
@pytest.mark.parametrize("text", ["{", "[]", None])
def test_unusable_files_of_settings_are_named(setting: str, text: str | None) -> None:
    if setting == "entities" and text is not None:
        return
    with pytest.raises(InputError, match=r"x\.json"):
        known({} if text is None else {"x.json": text}, **{setting: "x.json"})


def test_declared_packages_exist_and_others_are_not_missing() -> None:
    texts = {
        "pyproject.toml": '[project]\nname = "mine"\nrequires-python = ">=3.12"\n'
        'dependencies = ["PyYAML>=6", "a-b[x]"]\n',
        "requirements.txt": "# comment\nopencv-python==4\n",
        "package.json": '{"dependencies": {"react": "1"}}',
    }
    told = known(texts)
    assert told.packages is not None
    assert {"yaml", "a_b", "cv2", "mine"} <= told.packages.imports["python"]
    assert "react" in told.packages.imports["npm"]
    assert not told.packages.complete
    assert told.python == (3, 12)


def test_import_names() -> None:
    assert [import_name(name) for name in ("PyYAML", "opencv-python", "my-thing")] == ["yaml", "cv2", "my_thing"]


@pytest.mark.parametrize(
    ("path", "base", "result"),
    [
        ("a/./b", "", "a/b"),
        ("../a", "docs", "a"),
        ("../../a", "docs", None),
        ("/a", "", None),
        ("C:/a", "", None),
        ("a\\b", "", "a/b"),
        (".", "docs", "docs"),
        ("..", "", None),
    ],
)
def test_paths_never_leave_the_root(path: str, base: str, result: str | None) -> None:
    assert normal(path, base) == result


def test_settings_that_are_not_toml(tmp_path: Path) -> None:
    (tmp_path / ".halt-rag.toml").write_text("[scan", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"halt-rag\.toml"):
        read_settings(tmp_path)
    assert read_settings(tmp_path / "nowhere") == Settings()


def test_installed_packages_are_read_and_not_imported(tmp_path: Path) -> None:
    package = tmp_path / "site" / "sample"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit\ndef real(): ...\n", encoding="utf-8")
    (package / "star.py").write_text("from os import *\n", encoding="utf-8")
    code = "```python\nimport sample\nimport sample.star\nsample.real()\nsample.reel()\nsample.star.x()\n```\n"
    settings = Settings(site_packages=(str(tmp_path / "site"),))
    root = tmp_path / "root"
    root.mkdir()
    report = scan(root=root, texts={"p.md": code}, settings=settings)
    assert [d.claim for _, d in report.detections] == ["reel"]
    assert "sample.real" in report.detections[0][1].suggestion


def test_processes_find_the_same(tmp_path: Path) -> None:
    for number in range(220):
        (tmp_path / f"p{number:03d}.md").write_text(f"REF-{number} fell by {number}%.\n", encoding="utf-8")
    seen: list[tuple[int, int]] = []
    one = scan([tmp_path], root=tmp_path, progress=lambda done, total: seen.append((done, total)))
    two = scan([tmp_path], root=tmp_path, workers=2)
    assert one.detections == two.detections
    assert one.results == two.results
    assert seen[-1] == (220, 220)


class _Service(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        code = int(self.path.rsplit("-", 1)[-1])
        self.send_response(code)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the base class has
        pass


@pytest.fixture
def web() -> Iterator[Web]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/"
    yield Web(
        timeout=5, pause=0, doi_service=address, arxiv_service=address, crossref_service=address,
        datacite_service=address, arxiv_records=address, tracker=f"{address}repo-200/issues/n-",
    )  # fmt: skip
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("code", "answer"), [(200, True), (404, False), (410, False), (403, None), (429, None), (500, None)]
)
def test_only_not_found_means_missing(web: Web, code: int, answer: bool | None) -> None:
    assert web.doi(f"10.1000/x-{code}") is answer


def test_online_answers_become_outcomes(web: Web, tmp_path: Path) -> None:
    text = "10.1000/a-200 and 10.1000/b-404 and 10.1000/c-429\n"
    (page,) = scan(root=tmp_path, texts={"p.md": text}, online=web).documents
    assert [(d.claim, d.severity) for d in page.detections] == [("10.1000/b-404", "critical")]
    assert [(n.claim, n.reason) for n in page.not_checked] == [("10.1000/c-429", "unreachable")]
    assert {(e.ref_id, e.status) for e in page.citation_audit} == {
        ("10.1000/a-200", "verified"),
        ("10.1000/b-404", "hallucinated"),
    }


def test_issues_are_asked_for(web: Web, tmp_path: Path) -> None:
    (page,) = scan(root=tmp_path, texts={"p.md": "Fixes #200, #404, #500.\n"}, online=web).documents
    assert [d.claim for d in page.detections] == ["#404"]
    assert [(n.claim, n.reason) for n in page.not_checked] == [("#500", "tracker_unavailable")]
    assert page.results.verified == 1


def test_a_private_repository_has_no_missing_issues(web: Web) -> None:
    address = web._services["doi"]
    assert Web(pause=0, tracker=f"{address}repo-404/issues/n-").issue(404) is None
    assert Web(pause=0, tracker=f"{address}repo-200/issues/n-").issue(404) is False


@pytest.mark.parametrize(
    ("tracker", "address"),
    [
        ("github:a/b", "https://api.github.com/repos/a/b/issues/"),
        ("gitlab:a/b/c", "https://gitlab.com/api/v4/projects/a%2Fb%2Fc/issues/"),
        ("gitea:git.example.org/a/b", "https://git.example.org/api/v1/repos/a/b/issues/"),
    ],
)
def test_trackers(tracker: str, address: str) -> None:
    assert tracker_address(tracker) == address
    for bad in ("github:a", "gitea:a/b", "jira:a/b", "github:/", "x"):
        with pytest.raises(InputError, match="no tracker"):
            tracker_address(bad)


def test_a_service_that_is_down_is_no_answer() -> None:
    assert Web(timeout=1, doi_service="http://127.0.0.1:9/").doi("10.1000/x") is None
