from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
import typer
from typer.testing import CliRunner, Result

from halt_rag.cli.corpus import corpus
from halt_rag.cli.scan import scan
from halt_rag.scan.report import ScanReport

app = typer.Typer()
app.command()(scan)
app.add_typer(corpus, name="corpus")

PAGE = "See REF-999.\n\nLatency fell by 40%.\n\nOf REF-21.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "refs").mkdir()
    paper = "---\nauthors: [Noah Shinn]\nyear: 2023\n---\n# REF-021: Reflexion\n"
    (tmp_path / "refs" / "REF-021-reflexion.md").write_text(paper, encoding="utf-8")
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    return tmp_path


def run(root: Path, *arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["scan", "--root", str(root), *map(str, arguments)], input=stdin)


def test_detections_exit_1_and_name_place_and_claim(root: Path) -> None:
    done = run(root)
    assert done.exit_code == 1
    assert "page.md:1:5: critical: fabricated_citation HR105 [block_and_fix]" in done.stdout
    assert "    See REF-999.\n        ^^^^^^^" in done.stdout
    assert "2 documents: 3 new detections (1 critical, 1 high, 0 medium, 1 low)" in done.stdout


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--fail-on", "critical"], 1),
        (["--fail-on", "never"], 0),
        (["--select", "phantom_requirement"], 0),
        (["--select", "percent", "--fail-on", "critical"], 0),
        (["--ignore", "HR105", "--ignore", "incorrect_statistic"], 0),
        (["--select", "gossip"], 2),
        (["--fail-on", "sometimes"], 2),
        (["--baseline", "none.json"], 2),
        (["--update-baseline"], 2),
        (["nowhere.md"], 2),
        (["/etc/hostname"], 2),
        (["--output", "/no/such/folder/x"], 2),
    ],
)
def test_exit_codes(root: Path, options: list[str], code: int) -> None:
    assert run(root, *([root] if options[0].startswith("--") else []), *options).exit_code == code


def test_a_file_that_cannot_be_read_exits_3(root: Path) -> None:
    (root / "page.md").write_bytes(b"\xff\xfe\0")
    done = run(root, root)
    assert done.exit_code == 3
    assert "page.md: not read:" in done.stdout


def test_settings_of_the_root(root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.halt-rag.scan]\nignore = ["percent"]\nfail_on = "critical"\n')
    assert run(root, root).exit_code == 1
    (root / ".halt-rag.toml").write_text(
        '[scan]\nselect = ["percent"]\nfail_on = "critical"\n[scan.policy]\nhigh = "log_only"\n'
    )
    done = run(root, root)
    assert done.exit_code == 0
    assert "HR201 [log_only]" in done.stdout
    (root / ".halt-rag.toml").write_text("[scan]\ngossip = 1\n")
    done = run(root, root)
    assert done.exit_code == 2
    assert "gossip" in done.stderr


def test_json_keeps_the_schema(root: Path) -> None:
    done = run(root, root, "--format", "json")
    data = json.loads(done.stdout)
    jsonschema.Draft202012Validator(ScanReport.json_schema()).validate(data)
    assert [d["claim"] for page in data["documents"] for d in page["detections"]] == ["REF-999", "40%", "REF-21"]


def test_sarif_has_what_code_scanning_reads(root: Path) -> None:
    (root / "a b.md").write_text("🚀 REF-998 <!-- halt-rag: off -- x -->\nREF-997\n", encoding="utf-8")
    data = json.loads(run(root, root, "--format", "sarif").stdout)
    assert data["version"] == "2.1.0"
    (one,) = data["runs"]
    assert one["columnKind"] == "unicodeCodePoints"
    ids = [rule["id"] for rule in one["tool"]["driver"]["rules"]]
    for result in one["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert not place["artifactLocation"]["uri"].startswith(("/", "file:"))
        assert " " not in place["artifactLocation"]["uri"]
        assert min(place["region"][key] for key in ("startLine", "startColumn", "endLine", "endColumn")) >= 1
        assert result["partialFingerprints"]
    assert len({result["partialFingerprints"]["haltRag/v1"] for result in one["results"]}) == len(one["results"])
    hidden = [result for result in one["results"] if result.get("suppressions")]
    assert [result["suppressions"][0]["kind"] for result in hidden] == ["inSource", "inSource"]


def test_junit_adds_up(root: Path) -> None:
    (root / "page.md").write_text("REF-999 \x0b&<\n", encoding="utf-8")
    tree = ElementTree.fromstring(run(root, root, "--format", "junit").stdout)  # noqa: S314 - our own output
    assert tree.get("failures") == str(len(tree.findall(".//failure"))) == "1"
    assert tree.get("tests") == str(len(tree.findall(".//testcase")))


def test_github_annotations_are_escaped_and_counted(root: Path) -> None:
    (root / "a,b:c.md").write_text("".join(f"REF-9{n:02d}\n\n" for n in range(14)), encoding="utf-8")
    lines = run(root, root, "--format", "github").stdout.splitlines()
    assert sum(line.startswith("::error") for line in lines) == 10
    assert any("file=a%2Cb%3Ac.md,line=1" in line for line in lines)
    assert "6 more" in lines[-1]


def test_html_has_no_script_and_escapes(root: Path) -> None:
    (root / "page.md").write_text("REF-999 <b>x</b> & @docs/<x>.md\n", encoding="utf-8")
    page = run(root, root, "--format", "html").stdout
    assert "<mark>REF-999</mark> &lt;b&gt;" in page
    assert "<script" not in page
    assert "http" not in page


def test_output_goes_to_a_file(root: Path) -> None:
    file = root / "report.sarif"
    done = run(root, root, "--format", "sarif", "--output", file)
    assert done.stdout == ""
    assert json.loads(file.read_text(encoding="utf-8"))["runs"]


def test_a_baseline_survives_edits_elsewhere(root: Path) -> None:
    file = root / "known.json"
    assert run(root, root, "--baseline", file, "--update-baseline").exit_code == 1
    before = file.read_text(encoding="utf-8")
    assert run(root, root, "--baseline", file).exit_code == 0
    (root / "page.md").write_text("# New title\n\nNew words.\n\n" + PAGE, encoding="utf-8")
    assert run(root, root, "--baseline", file).exit_code == 0
    run(root, root, "--baseline", file, "--update-baseline")
    assert file.read_text(encoding="utf-8") == before
    (root / "page.md").write_text(PAGE + "\nSee REF-998.\n", encoding="utf-8")
    done = run(root, root, "--baseline", file)
    assert done.exit_code == 1
    assert "1 new detections" in done.stdout
    file.write_text("[]", encoding="utf-8")
    assert run(root, root, "--baseline", file).exit_code == 2


def test_standard_input_stands_for_a_file(root: Path) -> None:
    done = run(root, "--stdin-filename", "page.md", "--format", "json", stdin="All of REF-021 holds.\n")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["results"]["verified"] == 1


def test_fixes_are_made_where_they_are_certain(root: Path) -> None:
    (root / "page.md").write_bytes("\ufeffOf REF-21,\r\n@refs/REF-021-old.md and REF-99.\r\n".encode())
    done = run(root, root, "--fix")
    assert "page.md: 2 fixed" in done.stderr
    fixed = (root / "page.md").read_bytes().decode()
    assert fixed == "\ufeffOf REF-021,\r\n@refs/REF-021-reflexion.md and REF-99.\r\n"


def test_only_changed_files(root: Path) -> None:
    def git(*arguments: str) -> None:
        name = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *name, *arguments], cwd=root, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    (root / "other.md").write_text("REF-998\n", encoding="utf-8")
    done = run(root, root, "--changed-since", "HEAD")
    assert "other.md:1:1" in done.stdout
    assert "page.md" not in done.stdout
    assert run(root, root, "--changed-since", "no-such-rev").exit_code == 2
    assert run(root, root, "--changed-since", "--output=x").exit_code == 2


def test_what_git_cannot_tell_is_one_line(tmp_path: Path) -> None:
    done = run(tmp_path, tmp_path, "--changed-since", "HEAD")
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert "git cannot tell what changed" in done.stderr


def test_a_report_that_cannot_be_written_is_one_line(root: Path) -> None:
    done = run(root, root, "--output", root / "no" / "report.txt")
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert "cannot be written" in done.stderr


def test_corpus_export(root: Path) -> None:
    done = CliRunner().invoke(app, ["corpus", "export", "--root", str(root)])
    assert done.exit_code == 0
    assert "- REF-021: Noah Shinn; 2023; Reflexion" in done.stdout
    data = json.loads(CliRunner().invoke(app, ["corpus", "export", "--root", str(root), "--json"]).stdout)
    assert data["references"][0]["authors"] == ["Noah Shinn"]


def test_corpus_export_of_a_folder_without_packages(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["corpus", "export", "--root", str(tmp_path)])
    assert (done.exit_code, "##" in done.stdout) == (0, False)
    exporting = ["corpus", "export", "--root", str(tmp_path), "--json"]
    assert json.loads(CliRunner().invoke(app, exporting).stdout)["packages"] == {}
    (tmp_path / "package.json").write_text('{"dependencies": {"left": "1"}}', encoding="utf-8")
    assert json.loads(CliRunner().invoke(app, exporting).stdout)["packages"] == {"npm": ["left"]}


def test_corpus_export_has_statistics_and_names(root: Path) -> None:
    page = root / "refs" / "REF-021-reflexion.md"
    page.write_text("# REF-021: Reflexion\n\nTrials rose. It solved 91% of the tasks.\n", encoding="utf-8")
    (root / "src").mkdir()
    (root / "src" / "ours.py").write_text("def run(): ...\n\ndef _hidden(): ...\n", encoding="utf-8")
    exporting = ["corpus", "export", "--root", str(root), "--api", "json", "--api", "ours", "--api", "nowhere"]
    text = CliRunner().invoke(app, exporting).stdout
    assert "- It solved 91% of the tasks. (REF-021)" in text
    data = json.loads(CliRunner().invoke(app, [*exporting, "--json"]).stdout)
    assert data["statistics"] == [{"source": "REF-021", "value": "91%", "statement": "It solved 91% of the tasks."}]
    assert "dumps" in data["apis"]["json"]
    assert data["apis"]["ours"] == ["run"]
    assert data["apis"]["nowhere"] is None


def test_names_of_standard_input(root: Path) -> None:
    for name in (str(root / "docs" / "new.md"), "docs/./new.md"):
        done = run(root, "--stdin-filename", name, "--format", "json", stdin="See REF-999.\n")
        assert json.loads(done.stdout)["documents"][0]["target"]["path"] == "docs/new.md"
    for name in ("../new.md", "/etc/new.md"):
        assert run(root, "--stdin-filename", name, stdin="See REF-999.\n").exit_code == 2


def test_the_cache_is_kept_and_not_scanned(root: Path) -> None:
    first = run(root, root, "--cache", root / "kept")
    assert list((root / "kept").glob("*.json"))
    second = run(root, root, "--cache", root / "kept")
    assert (second.exit_code, second.stdout) == (first.exit_code, first.stdout)
