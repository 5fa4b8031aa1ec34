"""Labelled rows: JSON Lines, plain or gzipped."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from halt_rag.errors import InputError
from halt_rag.verify.sources import as_passages, checked


class LabelledRow(BaseModel):
    """One labelled text. Further fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str | None = None
    source: str | list[str] = Field(description="What the text must be faithful to.")
    generated: str
    label: Literal["supported", "hallucinated"]
    question: str | None = None
    group: str | None = Field(
        default=None,
        description="Rows of one group (a document, a twin set) are resampled together. Default: those of one source.",
    )

    @field_validator("source")
    @classmethod
    def _source_can_be_read(cls, source: str | list[str]) -> str | list[str]:
        as_passages(source)
        return source

    @field_validator("generated")
    @classmethod
    def _text_can_be_read(cls, text: str) -> str:
        if not checked("The generated text", text).strip():
            raise InputError("The generated text is empty.")
        return text


def read_rows(path: Path, limit: int = 0) -> list[LabelledRow]:
    """All rows of a file, or the first ``limit`` (0: all).

    Raises:
        InputError: If the file cannot be read, a line is not JSON or lacks a field, or there is no row; names the line.
    """
    rows: list[LabelledRow] = []
    for number, line in _lines(path):
        if limit and len(rows) >= limit:
            break
        if not line.strip():
            continue
        try:
            rows.append(LabelledRow.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "row"
            raise InputError(
                f"{path}, line {number}: {place}: {first['msg'].removesuffix('.')}.",
                hint="A row needs source, generated and label (supported or hallucinated).",
            ) from error
    if not rows:
        raise InputError(f"{path} holds no rows.")
    return rows


def groups_of(rows: Iterable[LabelledRow]) -> list[str]:
    """The group of each row; rows that name none belong together where their source is the same."""
    return [row.group or f"source {_digest(row.source)}" for row in rows]


def _digest(source: str | list[str]) -> str:
    return hashlib.sha256(json.dumps(source).encode()).hexdigest()[:16]


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open("rb") as probe:
            gzipped = probe.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="utf-8-sig") if gzipped else path.open(encoding="utf-8-sig") as lines:
            yield from enumerate(lines, 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8.") from error
