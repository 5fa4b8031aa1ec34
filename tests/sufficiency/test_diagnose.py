from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer
from typer.testing import CliRunner, Result

from halt_rag.cli.diagnose import diagnose as command
from halt_rag.errors import InputError
from halt_rag.nli.fake import FakeNLI
from halt_rag.sufficiency import Answered, DiagnosisReport, Sufficiency, diagnose
from halt_rag.sufficiency.diagnose import Diagnosis, Kind, place, read_row, share, summarize
from halt_rag.sufficiency.grading import Grade, contains_gold, grade
from halt_rag.sufficiency.judged import SCHEMA
from halt_rag.sufficiency.render import svg, text
from halt_rag.verify.result import Verification
from halt_rag.verify.verifier import HaltRagVerifier
from tests.contracts.server import Reply, completion, serving

CONTEXT = "The old mill by the river in the town of Ely was built in 1967 by Ada Byron and her two brothers."
FULL = "The old mill by the river in the town of Ely was built in {}."


def verifier() -> HaltRagVerifier:
    return HaltRagVerifier(backend=FakeNLI(), locate_evidence=False)


def verified(answer: str) -> Verification:
    return verifier().verify(CONTEXT, answer)


def sufficiency(verdict: Any) -> Sufficiency:
    return Sufficiency(verdict=verdict, reason="", engine="judge")


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("Ely", ["Ely"], "right"),
        ("It was the city of Ely.", ["Ely"], "right"),
        ("1,250 people", ["1250"], "right"),
        ("It is not Ely.", ["Ely"], "wrong"),
        ("not guilty", ["not guilty"], "right"),
        ("Elyria", ["Ely"], "wrong"),
        ("Bath", ["Ely", "the bath"], "right"),
        ("", ["Ely"], "abstained"),
        ("I don't know.", ["Ely"], "abstained"),
        ("The documents do not say.", ["Ely"], "abstained"),
        ("Unanswerable", ["Ely"], "abstained"),
        ("11", ["1"], "wrong"),
    ],
)
def test_grades(answer: str, gold: list[str], expected: Grade) -> None:
    assert grade("Where is the mill?", answer, gold) == expected


def test_containing_the_gold_answer_is_by_whole_words() -> None:
    assert contains_gold(CONTEXT, ["Ada Byron"])
    assert not contains_gold(CONTEXT, ["Ada By"])
    assert not contains_gold(CONTEXT, [""])


@pytest.mark.parametrize(
    ("graded", "verdict", "answer", "kind"),
    [
        ("right", "sufficient", FULL.format(1967), "right"),
        ("right", "undetermined", FULL.format(1967), "right"),
        ("right", "insufficient", FULL.format(1967), "right_from_elsewhere"),
        ("abstained", "sufficient", None, "over_abstained"),
        ("abstained", "insufficient", None, "rightly_abstained"),
        ("abstained", "undetermined", None, "undetermined"),
        ("wrong", "insufficient", FULL.format(1967), "retrieval_failure"),
        ("wrong", "undetermined", FULL.format(1967), "undetermined"),
        ("wrong", "sufficient", FULL.format(1967), "mis_extracted"),
        ("wrong", "sufficient", FULL.format(1950), "baseless"),
        ("wrong", "sufficient", FULL.format("1967 not"), "contradicted"),
        (None, "sufficient", FULL.format(1967), "undetermined"),
    ],
)
def test_the_rule(graded: Grade | None, verdict: str, answer: str | None, kind: Kind) -> None:
    assert place(graded, sufficiency(verdict), verified(answer) if answer else None) == kind


def found(*kinds: Kind) -> list[Diagnosis]:
    return [
        Diagnosis(id=str(at), question="q\x1b[31m", answer="a", kind=kind, sufficiency=sufficiency("sufficient"))
        for at, kind in enumerate(kinds)
    ]


@pytest.mark.parametrize(
    ("kinds", "first"),
    [
        (["retrieval_failure"] * 20 + ["baseless"], "retrieval"),
        (["contradicted"] * 20 + ["retrieval_failure"], "generation"),
        (["retrieval_failure", "baseless"], "undecided"),
        (["undetermined"], "undecided"),
        (["right", "rightly_abstained"], "nothing"),
        ([], "nothing"),
    ],
)
def test_what_to_fix_first_needs_enough_failures(kinds: list[Kind], first: str) -> None:
    report = summarize(found(*kinds), with_gold=True)
    assert report.fix_first == first
    assert sum(report.kinds.values()) == report.rows == len(kinds)
    assert all(len(examples) <= 3 for examples in report.examples.values())
    assert report.retrieval.count + report.generation.count == report.retrieval.of


def test_intervals() -> None:
    one = share(5, 10)
    assert one.low is not None
    assert one.high is not None
    assert (round(one.low, 3), round(one.high, 3)) == (0.237, 0.763)
    assert share(0, 0).low is None
    assert share(0, 5).low == pytest.approx(0)
    assert share(5, 5).high == pytest.approx(1)


def test_renderings_are_safe() -> None:
    report = summarize(found("baseless", "retrieval_failure", "undetermined"), with_gold=False)
    assert "\x1b" not in text(report)
    assert "1 of 2 (50%, 95% interval 9% to 91%)" in text(report)
    assert len(ElementTree.fromstring(svg(report)).findall(".//{*}rect")) == 1 + len(report.kinds)  # noqa: S314 - our own
    assert DiagnosisReport.model_validate_json(report.model_dump_json()) == report


def test_from_rows_to_report() -> None:
    question = "When was it built?"
    rows = [
        Answered(question, CONTEXT, FULL.format(1967), ("1967",)),
        Answered(question, CONTEXT, FULL.format(1950), (FULL.format(1967),)),
        Answered(question, "Nothing is known about it at all.", FULL.format(1950), (FULL.format(1967),)),
        Answered(question, CONTEXT, "I don't know.", (FULL.format(1967),)),
        Answered(question, CONTEXT, FULL.format(1967), correct=True),
    ]
    report = diagnose(rows, verifier=verifier())
    assert report.kinds["baseless"] == 1
    assert report.kinds["retrieval_failure"] == 1
    assert report.kinds["over_abstained"] == 1
    assert report.kinds["right"] + report.kinds["right_from_elsewhere"] == 2


@pytest.mark.parametrize(
    "row",
    [
        [],
        {"context": "c", "answer": "a"},
        {"question": "q", "answer": "a"},
        {"question": "q", "context": [1], "answer": "a"},
        {"question": "q", "context": "c", "answer": 3},
        {"question": "q", "context": "c", "answer": "a", "gold": [1]},
        {"question": "q", "context": "c", "answer": "a", "correct": "yes"},
    ],
)
def test_a_wrong_row_is_named(row: object) -> None:
    with pytest.raises(InputError, match="Row 7"):
        read_row(row, 7)


app = typer.Typer()
app.command()(command)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments), "--backend", "fake"])


def test_the_command(tmp_path: Path) -> None:
    data, plot = tmp_path / "rows.jsonl", tmp_path / "plot.svg"
    row = {"question": "When was it built?", "context": [CONTEXT], "answer": FULL.format(1950)}
    lines = [{**row, "gold": FULL.format(1967)}, {**row, "answer": None, "gold": [FULL.format(1967)]}]
    data.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    shown = run("--data", data, "--plot", plot)
    assert shown.exit_code == 0
    assert "Fix first: undecided" in shown.stdout
    assert plot.read_text(encoding="utf-8").startswith("<svg")
    report = json.loads(run("--data", data, "--format", "json").stdout)
    assert (report["rows"], report["kinds"]["baseless"], report["kinds"]["over_abstained"]) == (2, 1, 1)
    unwritten = run("--data", data, "--plot", tmp_path / "no" / "plot.svg")
    assert (unwritten.exit_code, unwritten.stdout) == (2, "")
    assert "plot.svg cannot be written" in unwritten.stderr
    for content in ("[" + "9" * 5_000 + "]", '[{"question": "a", "question": "b"}]', "[" * 100_000):
        data.write_text(content, encoding="utf-8")
        assert run("--data", data).exit_code == 2
    for wrong in ([], ["--judge-url", "http://localhost:1/v1"]):
        broken = tmp_path / "broken.json"
        broken.write_text("{}" if not wrong else json.dumps(lines), encoding="utf-8")
        assert run("--data", broken, *wrong).exit_code == 2


def test_a_judge_on_a_server_decides_on_sufficiency(tmp_path: Path) -> None:
    data = tmp_path / "rows.json"
    row = {"question": "When was it built?", "context": CONTEXT, "answer": FULL.format(1950), "correct": False}
    data.write_text(json.dumps([row, row]), encoding="utf-8")
    subs = [{"question": "When was it built?", "answered": False, "quote": None}]
    said = json.dumps({"sub_questions": subs, "label": "insufficient"})
    with serving(Reply(completion(said)), Reply(completion("no JSON"))) as server:
        url = ("--judge-url", server.url, "--judge-model", "m")
        report = json.loads(run("--data", data, *url, "--format", "json").stdout)
    assert (report["kinds"]["retrieval_failure"], report["kinds"]["undetermined"]) == (1, 1)
    assert report["notes"][0] == "Sufficiency was decided by: judge."
    asked = server.asked[0]
    assert asked["model"] == "m"
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
    prompt = asked["messages"][-1]["content"]
    assert CONTEXT in prompt
    assert "sub-questions" in prompt
    with serving(Reply({"error": "down"}, status=500)) as server:
        failed = run("--data", data, "--judge-url", server.url, "--judge-model", "m")
    assert (failed.exit_code, failed.stdout) == (3, "")
