"""Files that are either whole or absent."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from halt_rag.errors import ConfigurationError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A file to write, which takes its place only when all is written; after an error or a kill the old one stands.

    Raises:
        ConfigurationError: If the folder or the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror}.") from error
    part = Path(name)
    try:
        yield part
        part.chmod(0o644)
        part.replace(path)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Writes a text file at once.

    Raises:
        ConfigurationError: If it cannot be written.
    """
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")
