"""``halt-rag scan``: finds fabricated citations, broken references and numbers without a source in files."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from enum import StrEnum
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halt_rag.cli.failing import ACCEPTED, HALLUCINATED, UNDECIDED, reported
from halt_rag.cli.texts import read_argument, read_file
from halt_rag.cli.writing import write_file
from halt_rag.errors import ConfigurationError, InputError

if TYPE_CHECKING:
    from halt_rag.nli.scores import NLIBackend
    from halt_rag.scan.policy import Settings
    from halt_rag.scan.report import ScanReport


class OutputFormat(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"
    HTML = "html"


class FailOn(StrEnum):
    """The lowest severity that fails the scan."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NEVER = "never"


def scan(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files and folders. Default: the root.")] = None,
    root: Annotated[Path, typer.Option(help="Where references start, and settings are looked for.")] = Path(),
    format: Annotated[OutputFormat, typer.Option(help="How the report is written.")] = OutputFormat.TEXT,  # noqa: A002 - the option's name
    output: Annotated[Path | None, typer.Option(help="Write the report to this file.")] = None,
    select: Annotated[list[str] | None, typer.Option(help="Run only these rules or types. Repeatable.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Do not run these rules or types. Repeatable.")] = None,
    fail_on: Annotated[FailOn | None, typer.Option(help="The lowest severity that exits 1. Default: high.")] = None,
    baseline: Annotated[Path | None, typer.Option(help="Detections in this file are known and fail nothing.")] = None,
    update_baseline: Annotated[bool, typer.Option("--update-baseline", help="Write the baseline anew.")] = False,
    cache: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep reports here, and scan only what has changed.")
    ] = None,
    changed_since: Annotated[str | None, typer.Option(metavar="REV", help="Only files changed since a commit.")] = None,
    stdin_filename: Annotated[
        str | None, typer.Option(metavar="PATH", help="Scan standard input as this file of the root; for editors.")
    ] = None,
    online: Annotated[
        bool, typer.Option("--online", help="Look DOIs, arXiv ids and issues up on the network.")
    ] = False,
    model: Annotated[bool, typer.Option("--model", help="Also look for contradictions, with an NLI model.")] = False,
    backend: Annotated[
        str, typer.Option(help="With --model: the NLI model to ask, such as embedded, embedded:fast or onnx:FOLDER.")
    ] = "embedded",
    source: Annotated[Path | None, typer.Option(help="With --model: what the documents must not go beyond.")] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Make the safe mechanical fixes.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes that read files.")] = os.cpu_count() or 1,
) -> None:
    """Find fabricated citations, broken references, numbers without a source and packages that do not exist.

    Exit codes: 0 nothing at or above --fail-on, 1 detections, 2 usage or settings, 3 something could not be scanned.
    """
    with reported():
        settings = _settings(root, select or [], ignore or [], fail_on)
        settings = _without_own_files(settings, root, baseline, output)
        texts = {_stdin_path(stdin_filename, root): read_argument("-")[0]} if stdin_filename else {}
        chosen = [] if texts else _paths(paths or [root], root, changed_since)
        request = _Request(
            root,
            settings,
            _known(baseline, update_baseline),
            online,
            backend if model or source else None,
            source,
            cache,
        )
        report = request.run(chosen, texts, workers)
        if fix:
            _fix(report, root)
        if update_baseline:
            _write_baseline(report, baseline)
        _write(report, format.value, output)
    raise typer.Exit(exit_code(report, fail_on.value if fail_on else settings.fail_on.value))


@dataclass(frozen=True)
class _Request:
    """A scan as the command line asks for it."""

    root: Path
    settings: Settings
    known: frozenset[str]
    online: bool
    backend: str | None
    source: Path | None
    cache: Path | None

    def run(self, paths: list[Path], texts: dict[str, str], workers: int) -> ScanReport:
        """Scans, with a progress bar on a terminal."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        from halt_rag.scan import scan as run
        from halt_rag.scan.online import Web, tracker_address

        tracker = tracker_address(self.settings.tracker) if self.settings.tracker else ""

        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
            shown = bar.add_task("files", total=None)
            return run(
                paths,
                root=self.root,
                texts=texts,
                settings=self.settings,
                online=Web(tracker=tracker) if self.online else None,
                backend=_backend(self.backend) if self.backend is not None else None,
                source=read_file(self.source) if self.source else None,
                baseline=self.known,
                cache=self.cache,
                workers=workers,
                progress=lambda done, total: bar.update(shown, completed=done, total=total),
            )


def _backend(name: str) -> NLIBackend:
    from halt_rag.cli.backends import open_backend

    return open_backend(name)


def _settings(root: Path, select: list[str], ignore: list[str], fail_on: FailOn | None) -> Settings:
    from halt_rag.scan import Severity, read_settings

    settings = read_settings(root)
    changes: dict[str, object] = {}
    if select:
        changes["select"] = tuple(select)
    if ignore:
        changes["ignore"] = (*settings.ignore, *ignore)
    if fail_on and fail_on is not FailOn.NEVER:
        changes["fail_on"] = Severity(fail_on.value)
    settings = settings.model_copy(update=changes)
    settings.rules()  # Names that stand for nothing end the command here.
    return settings


def _without_own_files(settings: Settings, root: Path, *files: Path | None) -> Settings:
    """The settings with our own baseline and report left out of the scan: they repeat the claims."""
    base = root.resolve()
    places = [file.resolve() for file in files if file is not None]
    own = tuple(escape(place.relative_to(base).as_posix()) for place in places if place.is_relative_to(base))
    return settings.model_copy(update={"exclude": (*settings.exclude, *own)})


def _known(baseline: Path | None, update: bool) -> frozenset[str]:
    from halt_rag.scan import read_baseline

    if baseline is None or (update and not baseline.exists()):
        return frozenset()
    return read_baseline(baseline)


def _paths(paths: list[Path], root: Path, changed_since: str | None) -> list[Path]:
    """The given paths, resolved from the working directory; only changed files where a commit is given."""
    places = [Path.cwd() / path for path in paths]
    if changed_since is None:
        return places
    from halt_rag.scan.languages import is_readable_name

    changed = {(root / name).resolve() for name in _changed(root, changed_since)}
    chosen = [file for file in sorted(changed) if file.is_file() and is_readable_name(file.name)]
    return [file for file in chosen if any(file.is_relative_to(place.resolve()) for place in places)]


def _stdin_path(name: str, root: Path) -> str:
    """The name of standard input from the root; editors give absolute names."""
    from halt_rag.scan.tree import normal

    base, given = root.resolve(), Path(name)
    inside = given.is_absolute() and given.resolve().is_relative_to(base)
    place = given.resolve().relative_to(base).as_posix() if inside else normal(name)
    if not place:
        raise InputError(f"{name} is outside the root {root}.", hint="Give --root a folder that holds it.")
    return place


def _changed(root: Path, revision: str) -> list[str]:
    """Files under the root that differ from a commit, and new ones that git does not ignore."""
    if revision.startswith("-"):
        raise InputError(f"{revision} is not a commit.")
    _git(root, "rev-parse", "--git-dir")  # Outside a repository, git diff explains how it is used.
    changed = _git(root, "diff", "--name-only", "-z", "--relative", "--diff-filter=d", revision, "--")
    new = _git(root, "ls-files", "-z", "--others", "--exclude-standard")
    return [name for name in (changed + new).decode("utf-8", "surrogateescape").split("\0") if name]


def _git(root: Path, *arguments: str) -> bytes:
    """What git prints."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)  # noqa: S603, S607 - a list, no shell
    except OSError as error:
        raise ConfigurationError(f"git cannot be run: {error.strerror}.") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise InputError(f"git cannot tell what changed in {root.resolve()}: {said}")
    return done.stdout


def _fix(report: ScanReport, root: Path) -> None:
    """Writes the fixes into the files, whose bytes must still be those that were scanned."""
    from halt_rag.scan.fixes import fixed
    from halt_rag.scan.report import text_hash

    for document in report.documents:
        file = root / document.target.path
        if not file.is_file() or not any(d.replacement for d in document.detections):
            continue
        data = file.read_bytes()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if text_hash(text.removeprefix("\ufeff")) != document.target.hash:
            continue
        mended, count = fixed(text, document)
        if count:
            file.write_bytes(mended.encode("utf-8"))
            typer.echo(f"{document.target.path}: {count} fixed", err=True)


def _write_baseline(report: ScanReport, file: Path | None) -> None:
    from halt_rag.scan import write_baseline

    if file is None:
        raise InputError("--update-baseline needs --baseline FILE.")
    typer.echo(f"{file}: {write_baseline(report, file)} detections", err=True)


def _write(report: ScanReport, name: str, output: Path | None) -> None:
    from halt_rag.scan.render import RENDERERS

    text = RENDERERS[name](report)
    if output is None:
        typer.echo(text, nl=False)
        return
    write_file(output, text)


def exit_code(report: ScanReport, threshold: str) -> int:
    """0, 1 where a new detection reaches the threshold, or 3 where something could not be scanned."""
    from halt_rag.scan import Severity

    limit = -1 if threshold == FailOn.NEVER else Severity(threshold).rank
    if any(detection.severity.rank <= limit for _, detection in report.detections):
        return HALLUCINATED
    return UNDECIDED if report.unread or any(document.crashed_rules for document in report.documents) else ACCEPTED
