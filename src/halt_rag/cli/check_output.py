"""``halt-rag check-output``: checks files of function outputs against their contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halt_rag.cli.failing import reported
from halt_rag.cli.texts import read_file

if TYPE_CHECKING:
    from halt_rag.contracts import Contract, Offence

_LINES = frozenset({".jsonl", ".ndjson"})


def check_output(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of outputs.")],
    function: Annotated[str, typer.Option(metavar="NAME", help="The function whose outputs they are.")],
    lines: Annotated[
        bool, typer.Option("--lines", help="Read every file as JSON Lines, not only .jsonl and .ndjson.")
    ] = False,
) -> None:
    """Check files of function outputs against their contract.

    A .jsonl or .ndjson file has one output a line. Any other file is one output; where the output of the function is
    an object, it may be an array of outputs too. Prints one line per offence: file and line, record, field, reason.

    Exit codes: 0 no offence, 1 offences, 2 a file that cannot be read, or an unknown function.
    """
    with reported():
        from halt_rag.contracts import CONTRACTS
        from halt_rag.errors import UnknownNameError

        contract = CONTRACTS.get(function)
        if contract is None:
            raise UnknownNameError("function", function, CONTRACTS)
        checked = found = 0
        for file in files:
            for where, offences in _outputs(contract, file, lines=lines or file.suffix.lower() in _LINES):
                checked += 1
                found += len(offences)
                for offence in offences:
                    record = "" if offence.record is None else f"record {offence.record}: "
                    typer.echo(_one_line(f"{where}: {record}{offence.field}: {offence.reason}"))
        typer.echo(f"{checked} outputs checked, {found} offences", err=True)
    if found:
        raise typer.Exit(1)


def _outputs(contract: Contract, file: Path, *, lines: bool) -> Iterator[tuple[str, list[Offence]]]:
    """Each output's place and what is wrong with it."""
    text = read_file(file)
    if not lines:
        yield str(file), _offences(contract, text, several=True)
        return
    # Not splitlines(): strings of JSON may hold U+2028 and its like as they are.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{file}:{number}", _offences(contract, line)


def _offences(contract: Contract, raw: str, *, several: bool = False) -> list[Offence]:
    """What is wrong with an output, by record; ``several``: an array may stand for several outputs that are objects."""
    from halt_rag.contracts import Offence, OutputShapeError
    from halt_rag.contracts.base import WHOLE, ArrayContract
    from halt_rag.contracts.strict_json import load

    try:
        value = load(contract.name, raw)
    except OutputShapeError as error:
        return [Offence(None, WHOLE, str(error), shape=True)]
    if several and isinstance(value, list) and not isinstance(contract, ArrayContract):
        return [Offence(i, o.field, o.reason) for i, item in enumerate(value) for o in contract.offences(item)]
    return sorted(contract.offences(value), key=lambda o: -1 if o.record is None else o.record)


def _one_line(text: str) -> str:
    """The text with whatever could move the cursor written as an escape: keys come from the file."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
