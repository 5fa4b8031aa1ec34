"""``scan``: texts or files in, one report out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from halt_rag.errors import InputError
from halt_rag.scan.cache import Cache, WatchedTree, open_cache
from halt_rag.scan.document import Document
from halt_rag.scan.engine import examine
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.languages import is_readable_name
from halt_rag.scan.policy import Settings, read_settings
from halt_rag.scan.report import DocumentReport, ScanReport, Unread, document_report, renewed, scan_report
from halt_rag.scan.rules import BY_CODE
from halt_rag.scan.sources import knowledge_of, read_text
from halt_rag.scan.tree import DiskTree

if TYPE_CHECKING:
    from halt_rag.nli.scores import NLIBackend
    from halt_rag.scan.knowledge import Online

_MAX_BYTES = 20_000_000
_WORTH_A_PROCESS = 200  # Files; below that starting processes costs more than it saves.


@dataclass(frozen=True)
class _Job:
    """What a process needs to scan files."""

    known: Knowledge
    settings: Settings
    baseline: frozenset[str]
    now: datetime
    cache: Cache | None = None


def scan(
    paths: Sequence[str | Path] = (),
    *,
    root: Path,
    texts: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    knowledge: Knowledge | None = None,
    online: Online | None = None,
    backend: NLIBackend | None = None,
    source: str | None = None,
    baseline: Iterable[str] = (),
    cache: Path | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ScanReport:
    """Scans files, folders and texts.

    Args:
        paths: Files and folders, absolute or from the root; folders are walked. Files outside the root are refused.
        root: Where references start and settings are looked for.
        texts: Texts by the path that they stand for; they replace files of that path.
        settings: The settings; None reads those of the root.
        knowledge: What may be known; None gathers it from the root.
        online: The network, for DOIs and arXiv ids; None leaves it out.
        backend: A model, for contradictions and claims beyond ``source``; None leaves those rules out.
        source: The text that the documents must not go beyond.
        baseline: Fingerprints of detections that are known.
        cache: A folder for reports of files that have not changed; None keeps none. With a network or a model
            nothing is kept or looked up: their answers change.
        workers: Processes that read files.
        progress: Called with the number of files done and of all.

    Returns:
        The report; documents in order of their paths.

    Raises:
        InputError: If a path does not exist or lies outside the root, or the cache folder cannot be made.
        ConfigurationError: If the settings cannot be used.
        BackendError: If the model cannot be asked.
    """
    settings = settings or read_settings(root)
    now = datetime.now(UTC)
    known = knowledge or knowledge_of(root, settings, today=now.date())
    known = replace(known, online=online, backend=backend, source=source)
    keeps = cache is not None and online is None and backend is None
    job = _Job(
        known, settings, frozenset(baseline), now, open_cache(cache, known, settings) if keeps and cache else None
    )
    texts = dict(texts or {})
    files = [path for path in files_to_scan(paths, root, settings, known) if path not in texts]
    documents, unread = [scan_text(path, text, job) for path, text in texts.items()], []
    parallel = workers > 1 and len(files) >= _WORTH_A_PROCESS and backend is None and online is None
    results = _in_processes(files, root, job, workers) if parallel else _one_by_one(files, root, job)
    for done, result in enumerate(results, 1):
        if isinstance(result, Unread):
            unread.append(result)
        else:
            documents.append(result)
        if progress:
            progress(done, len(files))
    documents.sort(key=lambda report: report.target.path)
    return scan_report(documents, unread, (rule.code for rule in settings.rules()), now=now)


def scan_text(path: str, text: str, job: _Job) -> DocumentReport:
    """The report on one text, from the cache if it is there."""
    if job.cache is None:
        return _examined(path, text, job, job.known)
    kept = job.cache.load(path, text, job.known.files)
    if kept is None:
        watched = WatchedTree(job.known.files)
        kept = _examined(path, text, job, job.known.seen_through(watched))
        if not kept.crashed_rules:
            job.cache.keep(path, text, kept, watched.asked)
    return renewed(kept, known=job.baseline, now=job.now)


def _examined(path: str, text: str, job: _Job, known: Knowledge) -> DocumentReport:
    document = Document(path, text)
    rules = [BY_CODE[rule.code] for rule in job.settings.rules()]
    found = examine(document, known, rules)
    return document_report(document, found, job.settings.policy, known=job.baseline, now=job.now)


def files_to_scan(
    paths: Sequence[str | Path], root: Path, settings: Settings, known: Knowledge | None = None
) -> list[str]:
    """The files that paths stand for, from the root, in order, each once.

    Raises:
        InputError: If a path does not exist or lies outside the root.
    """
    base = root.resolve()
    found: dict[str, None] = {}
    for path in paths:
        place = (base / path).resolve()
        if not place.is_relative_to(base):
            raise InputError(f"{path} is outside the root {root}.", hint="Give --root a folder that holds both.")
        if place.is_dir():
            found.update(dict.fromkeys(_walked(place, base, settings, known)))
        elif place.exists():
            found[place.relative_to(base).as_posix()] = None
        else:
            raise InputError(f"{path} does not exist.")
    return sorted(found)


def _walked(folder: Path, base: Path, settings: Settings, known: Knowledge | None) -> Iterator[str]:
    prefix = "" if folder == base else f"{folder.relative_to(base).as_posix()}/"
    whole = known is not None and isinstance(known.files, DiskTree) and known.files.root == base
    listed = known.files.paths() if known is not None and whole else DiskTree(base).paths()
    for path in listed:
        if path.startswith(prefix) and is_readable_name(path) and not any(fnmatch(path, p) for p in settings.exclude):
            yield path


def _read_and_scan(path: str, root: Path, job: _Job) -> DocumentReport | Unread:
    place = root / path
    try:
        if not place.resolve().is_relative_to(root.resolve()):
            return Unread(path=path, reason="A link that leaves the root.")
        if not place.is_file():
            return Unread(path=path, reason="Not a regular file.")
        if place.stat().st_size > _MAX_BYTES:
            return Unread(path=path, reason=f"Larger than {_MAX_BYTES} bytes.")
        return scan_text(path, read_text(place, path), job)
    except (OSError, RuntimeError) as error:
        return Unread(path=path, reason=f"{type(error).__name__}: {error}")
    except InputError as error:
        return Unread(path=path, reason=str(error))


def _one_by_one(files: Sequence[str], root: Path, job: _Job) -> Iterator[DocumentReport | Unread]:
    for path in files:
        yield _read_and_scan(path, root, job)


_shared: list[tuple[Path, _Job]] = []  # Of a worker process: set once when it starts.


def _start(root: Path, job: _Job) -> None:
    _shared[:] = [(root, job)]


def _work(path: str) -> DocumentReport | Unread:
    root, job = _shared[0]
    return _read_and_scan(path, root, job)


def _in_processes(files: Sequence[str], root: Path, job: _Job, workers: int) -> Iterator[DocumentReport | Unread]:
    count = min(workers, os.cpu_count() or 1)
    with ProcessPoolExecutor(count, initializer=_start, initargs=(root, job)) as pool:
        yield from pool.map(_work, files, chunksize=16)
