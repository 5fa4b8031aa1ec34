"""Labelled rows are read whole, or refused with file and line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from halt_rag import InputError
from halt_rag.learn.rows import LabelledRow, groups_of, read_rows

ROW = {"source": "It rained.", "generated": "It was wet.", "label": "supported"}
OTHER = {"id": "b", "source": ["One.", "Two."], "generated": "Ω", "label": "hallucinated", "question": "Why?", "x": [1]}


def stored(tmp_path: Path, *lines: str | bytes, name: str = "rows.jsonl") -> Path:
    file = tmp_path / name
    content = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines) + b"\n"
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return file


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "BOM"])
def test_plain_and_gzipped_rows_are_the_same(tmp_path: Path, name: str, mark: str) -> None:
    file = stored(tmp_path, mark + json.dumps(ROW), "", json.dumps(OTHER, ensure_ascii=False), name=name)
    assert read_rows(file) == [
        LabelledRow(source="It rained.", generated="It was wet.", label="supported"),
        LabelledRow(id="b", source=["One.", "Two."], generated="Ω", label="hallucinated", question="Why?"),
    ]


def test_what_is_gzipped_is_seen_whatever_its_name(tmp_path: Path) -> None:
    file = stored(tmp_path, json.dumps(ROW), name="rows.jsonl.gz").rename(tmp_path / "rows.jsonl")
    assert len(read_rows(file)) == 1


@pytest.mark.parametrize(("limit", "count"), [(0, 3), (1, 1), (3, 3), (9, 3)])
def test_limit(tmp_path: Path, limit: int, count: int) -> None:
    assert len(read_rows(stored(tmp_path, *[json.dumps(ROW)] * 3), limit)) == count


def test_rows_beyond_the_limit_are_not_read(tmp_path: Path) -> None:
    assert len(read_rows(stored(tmp_path, json.dumps(ROW), "broken"), 1)) == 1


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "JSON"),
        ("[" * 100_000, "JSON"),
        ("[]", "row"),
        ("7", "row"),
        (json.dumps({k: v for k, v in ROW.items() if k != "label"}), "label"),
        (json.dumps(ROW | {"label": "wrong"}), "label"),
        (json.dumps(ROW | {"generated": None}), "generated"),
        (json.dumps(ROW | {"generated": " \n"}), "generated: .*empty"),
        (json.dumps(ROW | {"source": 7}), "source"),
        (json.dumps(ROW | {"source": []}), "source: .*empty"),
        (json.dumps(ROW | {"source": [" "]}), "source: .*empty"),
        (json.dumps(ROW | {"generated": "\ud800"}), "JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, name: str, line: str, message: str) -> None:
    file = stored(tmp_path, json.dumps(ROW), "", line, json.dumps(ROW), name=name)
    with pytest.raises(InputError, match=rf"{name}, line 3: .*{message}"):
        read_rows(file)


@pytest.mark.parametrize("lines", [(), ("", "  ")])
def test_a_file_without_rows(tmp_path: Path, lines: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="holds no rows"):
        read_rows(stored(tmp_path, *lines))


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rows\.jsonl is not UTF-8"):
        read_rows(stored(tmp_path, json.dumps(ROW), b'{"source": "\xff"}'))


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_rows(tmp_path / name)


@pytest.mark.parametrize("damage", ["cut", "header", "body"])
def test_a_damaged_gzip_file(tmp_path: Path, damage: str) -> None:
    file = stored(
        tmp_path, *[json.dumps(ROW | {"generated": f"text {i * i}"}) for i in range(500)], name="rows.jsonl.gz"
    )
    content = bytearray(file.read_bytes())
    if damage == "cut":
        del content[len(content) // 2 :]
    elif damage == "header":
        content[2] = 99
    else:
        content[40:80] = b"\xff" * 40
    file.write_bytes(content)
    with pytest.raises(InputError, match="cannot be read"):
        read_rows(file)


def test_rows_without_a_group_belong_together_where_their_source_is_the_same() -> None:
    made = [("a", None), ("b", None), ("a", None), ("a", "1")]
    rows = [
        LabelledRow(id=str(i), source=s, generated="x", label="supported", group=g) for i, (s, g) in enumerate(made)
    ]
    first, second, third, named = groups_of(rows)
    assert first == third != second
    assert named == "1"
