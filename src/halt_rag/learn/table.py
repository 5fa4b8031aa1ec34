"""Features of labelled examples as a table, kept in a Parquet file together with what they were made with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import ValidationError

from halt_rag.errors import ArtifactMismatchError, InputError, MissingExtraError, UnknownNameError
from halt_rag.learn.files import whole_file
from halt_rag.verify.text_features import VERSIONS
from halt_rag.verify.text_model import Pipeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise MissingExtraError("pyarrow", "pipeline") from error

_KEY = b"halt_rag"
_FIXED = ("id", "group", "hallucinated", "truncated", "to_check")


@dataclass(frozen=True)
class FeatureTable:
    """Features of labelled examples; all arrays have one row for each example, in one order.

    Attributes:
        task: Which task's data they are.
        pipeline: What the features were made with.
        names: Names of the features.
        values: float64, shape (rows, features).
        ids: Ids of the examples.
        groups: Which examples belong together (a record, a source).
        hallucinated: bool, the labels.
        truncated: bool, whether the text was cut off for one of the models.
        to_check: bool, whether the text holds a claim; the verifier accepts one without before the model is asked.
    """

    task: str
    pipeline: Pipeline
    names: list[str]
    values: NDArray[np.float64]
    ids: list[str]
    groups: list[str]
    hallucinated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    to_check: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.ids)

    def columns(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Some features, shape (rows, names).

        Raises:
            UnknownNameError: If one is not in the table.
        """
        for name in names:
            if name not in self.names:
                raise UnknownNameError("feature", name, self.names)
        found: NDArray[np.float64] = self.values[:, [self.names.index(name) for name in names]]
        return found

    def take(self, rows: NDArray[np.intp]) -> FeatureTable:
        """Some of the rows."""
        return FeatureTable(
            self.task,
            self.pipeline,
            self.names,
            self.values[rows],
            [self.ids[i] for i in rows.tolist()],
            [self.groups[i] for i in rows.tolist()],
            self.hallucinated[rows],
            self.truncated[rows],
            self.to_check[rows],
        )

    @cached_property
    def sha256(self) -> str:
        """Hash of ids, groups, labels and values."""
        digest = hashlib.sha256(json.dumps([self.names, self.ids, self.groups]).encode())
        digest.update(self.hallucinated.tobytes())
        digest.update(np.ascontiguousarray(self.values).tobytes())
        return digest.hexdigest()


def write_table(table: FeatureTable, path: Path) -> None:
    """Writes a table as Parquet, whole or not at all.

    Raises:
        ConfigurationError: If the file cannot be written.
    """
    about = {
        "task": table.task,
        "pipeline": table.pipeline.model_dump(mode="json"),
        "fingerprint": table.pipeline.fingerprint,
    }
    fixed: list[Any] = [table.ids, table.groups, table.hallucinated, table.truncated, table.to_check]
    arrays = [pa.array(column) for column in [*fixed, *table.values.T]]
    schema = pa.schema(
        [pa.field(name, array.type) for name, array in zip([*_FIXED, *table.names], arrays, strict=True)],
        metadata={_KEY: json.dumps(about).encode()},
    )
    with whole_file(path) as part:
        pq.write_table(pa.table(arrays, schema=schema), part)


def read_table(path: Path) -> FeatureTable:
    """Reads a table.

    Raises:
        InputError: If the file cannot be read or is none of ours.
        ArtifactMismatchError: If another version of the schema wrote it.
    """
    try:
        # Opened here: a path would be looked up by pyarrow's own file systems.
        with path.open("rb") as file:
            read = pq.read_table(file)
        about = json.loads(read.schema.metadata[_KEY])
        pipeline = Pipeline.model_validate(about["pipeline"])
        names = [name for name in read.schema.names if name not in _FIXED]
        columns = {name: read.column(name).to_numpy() for name in [*names, *_FIXED[2:]]}
        values = np.column_stack([columns[name] for name in names]).astype(np.float64)
        flags = [columns[name].astype(np.bool_) for name in _FIXED[2:]]
        ids, groups = (read.column(name).to_pylist() for name in _FIXED[:2])
        task = about["task"]
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror or error}.",
            hint="Make it with: halt-rag extract-features --task TASK",
        ) from error
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError, ValidationError) as error:
        raise InputError(f"{path} is no table of features: {error}.") from error
    version = VERSIONS[pipeline.schema_name]
    if pipeline.schema_version != version:
        raise ArtifactMismatchError(
            f"{path} holds version {pipeline.schema_version} of the {pipeline.schema_name} schema; this is {version}.",
            hint="Run halt-rag extract-features again; scores come from the cache.",
        )
    if not np.isfinite(values).all():
        raise InputError(
            f"{path} has features that are no finite numbers.", hint="Run halt-rag extract-features again."
        )
    return FeatureTable(task, pipeline, names, values, ids, groups, *flags)
