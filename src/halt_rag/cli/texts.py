"""Texts on the command line: given as they are, as @FILE, or as - for standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from halt_rag.errors import InputError


def read_file(path: Path) -> str:
    """A UTF-8 file; a byte order mark is no content.

    Raises:
        InputError: If it cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: byte {error.start} is {error.object[error.start]:#04x}.") from error


def read_argument(value: str) -> tuple[str, str | None]:
    """The text that an argument stands for, and where it came from.

    Args:
        value: ``-`` for standard input, ``@FILE`` for a file, ``@@text`` for a text that begins with @.

    Returns:
        The text, and the path or "stdin"; None for a text given as it is.

    Raises:
        InputError: As ``read_file``.
    """
    if value == "-":
        try:
            return sys.stdin.buffer.read().decode("utf-8-sig"), "stdin"
        except UnicodeDecodeError as error:
            raise InputError(f"Standard input is not UTF-8: byte {error.start}.") from error
    if value.startswith("@@"):
        return value[1:], None
    if value.startswith("@"):
        return read_file(Path(value[1:])), value[1:]
    return value, None
