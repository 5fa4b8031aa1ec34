"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

from halt_rag.errors import ConfigurationError


def write_file(path: Path, text: str) -> None:
    """Writes a text as UTF-8.

    Raises:
        ConfigurationError: If the file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror}.") from error
