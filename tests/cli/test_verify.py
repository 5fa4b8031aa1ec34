"""``halt-rag verify`` from the outside: arguments, output, exit codes. Without a model where none is needed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from halt_rag import BackendError, HaltRagVerifier, Passage, Verification
from halt_rag.cli.app import app
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair

SOURCE = "The dam was built in 1967. It holds 40 million litres."
GOOD, BAD = "The dam was built in 1967.", "Bread is baked in Rome."


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["verify", "--backend", "fake", *arguments], input=stdin)


def verify(generated: str, *more: str) -> Result:
    return run("--source", SOURCE, "--generated", generated, *more)


def record(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few windows are read that nothing is found and not all is read: the verifier abstains."""
    init = HaltRagVerifier.__init__
    monkeypatch.setattr(HaltRagVerifier, "__init__", lambda self, **options: init(self, **options | {"max_pairs": 1}))


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: FakeNLI, pairs: Sequence[Pair]) -> NLIScores:
        raise BackendError("The model is away.", backend="fake", retryable=True, hint="Try again.")

    monkeypatch.setattr(FakeNLI, "score", fail)


# Exit codes


@pytest.mark.parametrize(("fail_on", "code"), [(None, 0), ("hallucinated", 0), ("abstain", 0), ("never", 0)])
def test_accepted(fail_on: str | None, code: int) -> None:
    assert verify(GOOD, *(["--fail-on", fail_on] if fail_on else [])).exit_code == code


@pytest.mark.parametrize(("fail_on", "code"), [(None, 1), ("hallucinated", 1), ("abstain", 1), ("never", 0)])
def test_hallucinated(fail_on: str | None, code: int) -> None:
    assert verify(BAD, *(["--fail-on", fail_on] if fail_on else [])).exit_code == code


@pytest.mark.usefixtures("unsure")
@pytest.mark.parametrize(("fail_on", "code"), [(None, 3), ("hallucinated", 0), ("abstain", 3), ("never", 0)])
def test_undecided(fail_on: str | None, code: int) -> None:
    result = verify(BAD, "--source", "Fish.", "--format", "json", *(["--fail-on", fail_on] if fail_on else []))
    assert record(result)["decision"] == "abstain"
    assert result.exit_code == code


@pytest.mark.usefixtures("outage")
@pytest.mark.parametrize("fail_on", ["hallucinated", "abstain", "never"])
def test_an_outage_is_never_a_verdict(fail_on: str) -> None:
    result = verify(GOOD, "--fail-on", fail_on, "--format", "json")
    assert result.exit_code == 3
    assert record(result) == {
        "schema_version": "1.0",
        "status": "error",
        "error": {
            "code": "BACKEND",
            "message": "The model is away. Try again.",
            "hint": "Try again.",
            "retryable": True,
        },
    }
    assert "The model is away. Try again." in result.stderr


@pytest.mark.usefixtures("outage")
def test_an_outage_in_words() -> None:
    result = verify(GOOD)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.strip() == "halt-rag: The model is away. Try again."


USAGE: dict[str, tuple[list[str], str]] = {
    "empty text": (["--source", SOURCE, "--generated", " \n"], "The generated text is empty."),
    "empty source": (["--source", "", "--generated", GOOD], "The source is empty."),
    "missing file": (["--source", "@missing.txt", "--generated", GOOD], "missing.txt cannot be read: No such file"),
    "folder": (["--source", "@.", "--generated", GOOD], ". cannot be read: Is a directory"),
    "no name": (["--source", "@", "--generated", GOOD], ". cannot be read: Is a directory"),
    "not UTF-8": (["--source", SOURCE, "--generated", "@latin.txt"], "latin.txt is not UTF-8: byte 3 is 0xe9"),
    "two stdin": (["--source", "-", "--generated", "-"], "Standard input (-) can be only one"),
    "surrogate": (["--source", SOURCE, "--generated", "a\udc80"], "lone surrogate at offset 1"),
    "unknown task": (["--source", SOURCE, "--generated", GOOD, "--task", "astrology"], "no task named 'astrology'"),
    "unknown backend": (["--source", SOURCE, "--generated", GOOD, "--backend", "fke"], "Did you mean 'fake'?"),
    "threads": (["--source", SOURCE, "--generated", GOOD, "--threads", "2"], "--threads belongs to the backend"),
    "output": (
        ["--source", SOURCE, "--generated", GOOD, "--output", "no/such/x.json"],
        "no/such/x.json cannot be written",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
@pytest.mark.parametrize("output_format", ["text", "json"])
def test_usage_and_configuration(
    arguments: list[str], message: str, output_format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    result = run(*arguments, "--format", output_format)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
    if output_format == "text":
        assert result.stdout == ""
    else:
        error = record(result)
        assert error["status"] == "error"
        assert message in error["error"]["message"]
        assert error["error"]["retryable"] is False
        assert "decision" not in error


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text(SOURCE)
    file.chmod(0)
    result = run("--source", f"@{file}", "--generated", GOOD)
    assert result.exit_code == 2
    assert "Permission denied" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--source", SOURCE],
        ["--generated", GOOD],
        ["--source", SOURCE, "--generated", GOOD, "--format", "xml"],
        ["--source", SOURCE, "--generated", GOOD, "--fail-on", "sometimes"],
        ["--source", SOURCE, "--generated", GOOD, "--surprise"],
        ["--source", SOURCE, "--generated", GOOD, "surprise"],
    ],
)
def test_wrong_arguments(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")


# Where texts come from


def test_texts_from_files_standard_input_and_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "dam.txt").write_bytes(b"\xef\xbb\xbf" + "Zürich\r\n🙂 It rained.".encode())
    result = run(
        "--source", f"@{tmp_path / 'dam.txt'}", "--source", "@@home is a word.", "--source", "-",
        "--generated", "It rained.", "--question", "It rained?", "--format", "json", stdin="\ufeffIt snowed.",
    )  # fmt: skip
    assert result.exit_code == 0
    expected = HaltRagVerifier(backend=FakeNLI()).verify(
        [
            Passage(str(tmp_path / "dam.txt"), "Zürich\r\n🙂 It rained."),
            Passage("2", "@home is a word."),
            Passage("stdin", "It snowed."),
        ],
        "It rained.",
        "It rained?",
    )
    assert result.stdout.strip() == expected.to_json(indent=2)


@pytest.mark.parametrize("name", ["--generated", "--question"])
def test_every_text_can_come_from_standard_input(name: str) -> None:
    texts = {"--source": SOURCE, "--generated": GOOD, "--question": "When was it built?"}
    arguments = [part for pair in (texts | {name: "-"}).items() for part in pair]
    plain = [part for pair in texts.items() for part in pair]
    assert run(*arguments, "--format", "json", stdin=texts[name]).stdout == run(*plain, "--format", "json").stdout


def test_standard_input_that_is_not_utf8() -> None:
    result = run("--source", "-", "--generated", GOOD, stdin=b"caf\xe9")
    assert result.exit_code == 2
    assert "Standard input is not UTF-8: byte 3" in result.stderr


def test_an_at_sign_inside_a_text_is_one() -> None:
    result = run("--source", "write to a@b.org", "--generated", "write to a@b.org", "--format", "json")
    assert record(result)["decision"] == "supported"


# What comes out


def test_json_is_that_of_the_library_and_of_the_schema(tmp_path: Path) -> None:
    schema = json.loads(CliRunner().invoke(app, ["schema"]).stdout)
    assert schema == Verification.json_schema()
    library = HaltRagVerifier(backend=FakeNLI()).verify(SOURCE, f"{GOOD} {BAD}")
    printed = verify(f"{GOOD} {BAD}", "--format", "json")
    assert Verification.from_json(printed.stdout) == library
    jsonschema.Draft202012Validator(schema).validate(record(printed))


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_output_goes_to_a_file_as_it_would_be_printed(tmp_path: Path, output_format: str) -> None:
    file = tmp_path / "result"
    written = verify(f"{GOOD} {BAD} Ω", "--format", output_format, "--output", str(file))
    printed = verify(f"{GOOD} {BAD} Ω", "--format", output_format)
    assert (written.exit_code, written.stdout) == (1, "")
    assert file.read_text(encoding="utf-8").split() == printed.stdout.split()
    assert file.read_bytes().endswith(b"\n")


def test_text_marks_claims_in_place_and_quotes_evidence() -> None:
    printed = verify(f"Hello! {GOOD} {BAD}").stdout
    assert printed.startswith("hallucinated  P(hallucinated) 0.97, threshold 0.50  (not calibrated)\n")
    assert f"Hello! {GOOD} [✓2] {BAD} [✗3]" in printed
    assert "✓2 faithful  P(hallucinated) 0.04" in printed
    assert f"supported by [1:0-26] “{GOOD}”" in printed
    assert "✗3 unfaithful  P(hallucinated) 0.97  nothing in the sources supports it" in printed
    assert "read 11 of 11 source tokens in 1 passage" in printed
    assert "NOT ALL WAS READ" not in printed


@pytest.mark.usefixtures("unsure")
def test_text_says_what_was_not_read() -> None:
    printed = verify(BAD, "--source", "Fish.").stdout
    assert printed.startswith("abstain  no probability")
    assert "?1 undetermined" in printed
    assert "NOT ALL WAS READ" in printed


def test_text_where_there_is_nothing_to_check() -> None:
    assert verify("Hello!").stdout.startswith("supported  nothing to check")


HOSTILE = "\x1b[2J\x1b]0;owned\x07It rained.\r\x08\x9b31m \u202egnp.exe\u202c\u200b [red]not red[/red] :smile:"


def test_text_shows_control_characters_and_obeys_none(tmp_path: Path) -> None:
    name = tmp_path / "a\nb\x1b[31m.txt"
    name.write_text(HOSTILE, encoding="utf-8", newline="")
    result = run("--source", f"@{name}", "--generated", HOSTILE + "\r\nSecond line.")
    controls = set(re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", result.stdout))
    assert controls == set()
    assert "�[2J" in result.stdout
    assert "[red]not red[/red] :smile:" in result.stdout
    assert "a b�[31m.txt:" in result.stdout
    assert "\nSecond line." in result.stdout, "a line break of Windows is one"


def test_text_is_in_colour_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in verify(BAD).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = verify(BAD).stdout
    assert "\x1b[" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in verify(BAD).stdout


def test_a_cache_answers_the_second_time(tmp_path: Path) -> None:
    arguments = ("--cache", str(tmp_path / "scores.sqlite"), "--format", "json")
    first, second = record(verify(BAD, *arguments)), record(verify(BAD, *arguments))
    assert first["receipt"]["cache_hits"] == 0
    assert second["receipt"]["cache_hits"] == second["receipt"]["pairs_scored"] > 0
    assert first | {"receipt": None} == second | {"receipt": None}


@pytest.mark.parametrize(("reading", "how"), [("auto", "exhaustive"), ("indexed", "indexed")])
def test_which_windows_are_read_can_be_chosen(reading: str, how: str) -> None:
    assert record(verify(GOOD, "--reading", reading, "--format", "json"))["receipt"]["reading"] == how


def test_a_file_that_is_no_cache_is_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Call Anna.", encoding="utf-8")
    result = verify(GOOD, "--cache", str(notes))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"halt-rag: {notes} is no score cache of halt-rag.")
    assert "Give another path for the cache" in result.stderr
    assert notes.read_text(encoding="utf-8") == "Call Anna."


# As a process


def process(*arguments: str, stdin: bytes = b"", code: str | None = None) -> subprocess.CompletedProcess[bytes]:
    start = ["-c", code] if code else ["-m", "halt_rag"]
    return subprocess.run([sys.executable, *start, *arguments], input=stdin, capture_output=True, check=False)


def test_as_a_process_texts_are_utf8_whatever_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}.items():
        monkeypatch.setenv(name, value)
    done = process(
        "verify", "--backend", "fake", "--source", "-", "--generated", "Zürich 🙂.", stdin="Zürich 🙂.".encode()
    )
    assert done.returncode == 0, done.stderr
    assert "Zürich 🙂." in done.stdout.decode()


def test_a_crash_is_no_verdict() -> None:
    code = (
        "import sys; from halt_rag.nli.fake import FakeNLI; from halt_rag.cli.app import main\n"
        "FakeNLI.score = lambda *_: 1 / 0\n"
        "main()"
    )
    done = process("verify", "--backend", "fake", "--source", SOURCE, "--generated", GOOD, code=code)
    assert done.returncode == 3
    assert b"ZeroDivisionError" in done.stderr


# With the model that the package carries


@pytest.mark.parametrize(("generated", "code"), [(GOOD, 0), ("The dam was built in 1958.", 1)])
def test_the_main_job(shipped_model: EmbeddedNLI, generated: str, code: int) -> None:
    done = process("verify", "--source", SOURCE, "--generated", generated, "--format", "json")
    assert done.returncode == code, done.stderr
    result = Verification.from_json(done.stdout)
    assert result.model.calibrated
    assert result == HaltRagVerifier().verify(SOURCE, generated)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_threads_change_no_result(shipped_model: EmbeddedNLI, threads: str) -> None:
    invoke: Callable[..., Result] = CliRunner().invoke
    result = invoke(app, ["verify", "--source", SOURCE, "--generated", GOOD, "--format", "json", "--threads", threads])
    assert Verification.from_json(result.stdout) == HaltRagVerifier(backend=shipped_model).verify(SOURCE, GOOD)


def test_an_error_takes_the_place_of_an_older_result(tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    out.write_text('{"status": "ok", "decision": "supported"}')
    missing = f"@{tmp_path / 'missing.txt'}"
    texts = ["--source", missing, "--generated", "It rained."]
    done = subprocess.run(
        [sys.executable, "-m", "halt_rag", "verify", *texts, "--format", "json", "--output", str(out)],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    record = json.loads(out.read_text())
    assert record["status"] == "error"
    assert "decision" not in record


@pytest.mark.skipif(os.name != "posix", reason="pipes end by a signal on POSIX only")
def test_a_reader_that_has_gone_is_no_verdict() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "halt_rag", "schema"], stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == -signal.SIGPIPE
