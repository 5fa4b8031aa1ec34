"""Tables of features as files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from halt_rag.errors import ArtifactMismatchError, InputError, UnknownNameError
from halt_rag.learn.table import read_table, write_table
from tests.learn.halueval_small import table


def test_it_survives_its_file(tmp_path: Path) -> None:
    made = table(20)
    write_table(made, tmp_path / "runs" / "f.parquet")
    again = read_table(tmp_path / "runs" / "f.parquet")
    assert (again.task, again.pipeline, again.names, again.ids, again.groups) == (
        made.task, made.pipeline, made.names, made.ids, made.groups,
    )  # fmt: skip
    assert (again.values == made.values).all()
    assert (again.hallucinated == made.hallucinated).all()
    assert again.sha256 == made.sha256
    assert [p.name for p in (tmp_path / "runs").iterdir()] == ["f.parquet"]


def test_other_readers_find_the_fingerprint(tmp_path: Path) -> None:
    made = table(4)
    write_table(made, tmp_path / "f.parquet")
    read = pq.read_table(tmp_path / "f.parquet")
    assert json.loads(read.schema.metadata[b"halt_rag"])["fingerprint"] == made.pipeline.fingerprint
    assert read.column_names[:5] == ["id", "group", "hallucinated", "truncated", "to_check"]


def test_columns_and_rows() -> None:
    made = table(6)
    assert (made.columns(["jaccard"])[:, 0] == made.values[:, made.names.index("jaccard")]).all()
    assert made.take(np.array([4, 1])).ids == [made.ids[4], made.ids[1]]
    assert made.take(np.array([4, 1])).sha256 != made.sha256
    with pytest.raises(UnknownNameError, match="jaccard"):
        made.columns(["jacard"])


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="halt-rag extract-features"):
        read_table(tmp_path / "missing.parquet")
    (tmp_path / "x.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(InputError, match="no table of features"):
        read_table(tmp_path / "x.parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(InputError, match="no table of features"):
        read_table(tmp_path / "other.parquet")
    write_table(table(4), tmp_path / "whole.parquet")
    for column in ("id", "to_check"):
        pq.write_table(pq.read_table(tmp_path / "whole.parquet").drop_columns(column), tmp_path / "part.parquet")
        with pytest.raises(InputError, match="no table of features"):
            read_table(tmp_path / "part.parquet")
    holed = table(4)
    holed.values[2, 1] = np.nan
    write_table(holed, tmp_path / "holed.parquet")
    with pytest.raises(InputError, match="no finite numbers"):
        read_table(tmp_path / "holed.parquet")


def test_another_version_of_the_schema_is_refused(tmp_path: Path) -> None:
    old = table(4)
    object.__setattr__(old, "pipeline", old.pipeline.model_copy(update={"schema_version": 0}))
    write_table(old, tmp_path / "f.parquet")
    with pytest.raises(ArtifactMismatchError, match="version 0 of the paper schema"):
        read_table(tmp_path / "f.parquet")
