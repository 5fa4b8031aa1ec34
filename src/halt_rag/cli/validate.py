"""``halt-rag validate``: checks extracted records against their contract and their sources."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from halt_rag.cli.failing import reported
from halt_rag.cli.texts import read_file
from halt_rag.cli.writing import write_file
from halt_rag.errors import InputError

if TYPE_CHECKING:
    from halt_rag.contracts.evidence import EvidenceContract, Report, Source
    from halt_rag.contracts.evidence.markup import ContentType

_LINES = frozenset({".jsonl", ".ndjson"})
_Format = Literal["text", "json"]


def validate(
    contract: Annotated[Path, typer.Option(metavar="FILE", help="The contract: JSON, or YAML by its ending.")],
    source: Annotated[
        list[Path], typer.Option(metavar="FILE", help="A source; its file name is its id. The first is the default.")
    ],
    output_file: Annotated[Path, typer.Option(metavar="RECORDS", help="The records: .json (one or a list) or .jsonl.")],
    content_type: Annotated[
        str, typer.Option(metavar="text|markdown|html", help="What the sources are; their markup may then be folded.")
    ] = "text",
    apply_relocations: Annotated[
        bool, typer.Option("--apply-relocations", help="Correct ranges whose quote is at exactly one other place.")
    ] = False,
    unverified_fails: Annotated[
        bool, typer.Option("--unverified-fails", help="Count what is neither wrong nor proven as an offence.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the sources with the spans of the first record marked.")
    ] = None,
    format_: Annotated[_Format, typer.Option("--format", help="text: a line per offence; json: one report.")] = "text",
) -> None:
    """Check extracted records against their contract and their sources; no model takes part.

    Exit codes: 0 no offence, 1 offences, 2 a file that cannot be read or written, or is no contract.
    """
    with reported(as_json=format_ == "json"):
        from halt_rag.contracts.evidence import EvidenceContract, highlight

        declared: EvidenceContract[Any] = EvidenceContract.load(contract)
        sources = [_source(path, content_type) for path in source]
        reports = [
            (where, _report(declared, record, sources, apply_relocations=apply_relocations))
            for where, record in _records(output_file)
        ]
        failing = ("invalid", "unverified") if unverified_fails else ("invalid",)
        offences = [line for where, report in reports for line in _offences(where, report, failing)]
        if html is not None and reports:
            write_file(html, highlight(reports[0][1], sources, title=output_file.name))
        if format_ == "json":
            typer.echo(json.dumps(_as_json(reports, len(offences)), ensure_ascii=False, indent=2))
        else:
            _print(reports, offences)
    if offences:
        raise typer.Exit(1)


def _source(path: Path, content_type: str) -> Source:
    from halt_rag.contracts.evidence import Source

    kind: ContentType = content_type  # type: ignore[assignment] # Source refuses what is no content type
    return Source(path.name, read_file(path), kind)


def _records(path: Path) -> list[tuple[str, Any]]:
    """Each record with its place; of a file of lines, each record's JSON text."""
    from halt_rag.contracts import OutputShapeError, strict_json

    text = read_file(path)
    if path.suffix.lower() in _LINES:
        # Not splitlines(): strings of JSON may hold U+2028 and its like as they are.
        return [(f"{path}:{n}", line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        value = strict_json.load(path.name, text)
    except OutputShapeError as error:
        raise InputError(f"{path} is no file of records: {error}") from error
    return (
        [(f"{path}[{at}]", record) for at, record in enumerate(value)]
        if isinstance(value, list)
        else [(str(path), value)]
    )


def _report(contract: EvidenceContract[Any], record: Any, sources: list[Source], *, apply_relocations: bool) -> Report:
    """The verdict on a record; text that is no JSON is a record that is no object, and an offence."""
    from halt_rag.contracts import OutputShapeError

    try:
        return contract.validate(record, sources, apply_relocations=apply_relocations)
    except OutputShapeError as error:
        return contract.unreadable(error)


def _offences(where: str, report: Report, failing: tuple[str, ...]) -> Iterator[str]:
    """A line for each: the record, the field, the code, the place claimed, and what is wrong."""
    from halt_rag.contracts.evidence.report import advice, claimed

    for result in report.results:
        for finding in result.findings if result.status in failing else ():
            if finding.severity != "note":
                about = None if finding.evidence is None else result.evidence[finding.evidence]
                at = claimed(report, result, finding)
                place = f"{where}: {result.path or 'record'}: {finding.code}: {f'{at}: ' if at else ''}"
                yield _one_line(f"{place}{finding.message}.{advice(about)}")


def _print(reports: list[tuple[str, Report]], offences: list[str]) -> None:
    for line in offences:
        typer.echo(line)
    for where, report in reports:
        for move in report.moves:
            to = f"{move.place.lines} of {move.place.source}"
            typer.echo(_one_line(f"{where}: {move.path}: evidence {move.evidence + 1} moved to {to}"))
    for warning in dict.fromkeys(warning for _, report in reports for warning in report.warnings):
        typer.echo(f"warning: {_one_line(warning)}", err=True)
    unverified = sum(result.status == "unverified" for _, report in reports for result in report.results)
    typer.echo(f"{len(reports)} records checked, {len(offences)} offences, {unverified} parts unverified", err=True)


def _as_json(reports: list[tuple[str, Report]], found: int) -> dict[str, Any]:
    records = [{"record": where, **report.to_dict()} for where, report in reports]
    return {"schema_version": "1.0", "status": "ok", "offences": found, "records": records}


def _one_line(text: str) -> str:
    """The text with whatever could move the cursor written as an escape: names come from the files."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
