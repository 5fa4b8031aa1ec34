"""Which backends have passed the parity gate, in a small JSON file; and the refusal of large runs on others."""

from __future__ import annotations

import json
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from halt_rag.errors import ConfigurationError
from halt_rag.nli.parity import Parity, pairs_digest
from halt_rag.nli.scores import NLIBackend

#: Runs of at least so many pairs need a pass.
LARGE = 1_000
#: These cannot differ from their reference: one is the reference that the package is tested with, one has no model.
EXEMPT = frozenset({"embedded", "fake"})
_SCHEMA = 1


class ParityError(ConfigurationError):
    """A large run was about to begin on a backend that has not passed the parity gate."""

    code = "PARITY"


def record_parity(parity: Parity, file: Path) -> None:
    """Adds a pass to the file, or takes an older one out if the gate is not passed any more.

    Raises:
        ConfigurationError: If the file cannot be read or written.
    """
    passes = _read(file)
    key = _key(parity.backend, parity.model_id, parity.revision)
    passes.pop(key, None)
    if parity.passed:
        passes[key] = {
            "backend": parity.backend,
            "model_id": parity.model_id,
            "revision": parity.revision,
            "reference": parity.reference,
            "max_difference": parity.max_difference,
            "tolerance": parity.tolerance,
            "pairs": pairs_digest(),
            "passed_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
    _write(file, passes)


def has_passed(backend: NLIBackend, file: Path) -> bool:
    """Whether this backend with this model and revision has passed the gate with its present pairs.

    Raises:
        ConfigurationError: If the file cannot be read.
    """
    found = _read(file).get(_key(backend.name, backend.model_id, backend.revision))
    return found is not None and found.get("pairs") == pairs_digest()


def require_parity(backend: NLIBackend, file: Path, *, pairs: int, large: int = LARGE, override: bool = False) -> None:
    """Refuses a large run on a backend that has not passed the gate; call it before the first pair is scored.

    Args:
        backend: What the run would use; one with a cache around it counts as itself.
        file: Where passes are kept.
        pairs: How many pairs the run would score, at most.
        large: From how many pairs on a pass is needed.
        override: Whether the caller takes the risk.

    Raises:
        ParityError: If there is no pass and none is waived.
        ConfigurationError: If the file cannot be read.
    """
    if override or pairs < large or backend.name in EXEMPT or has_passed(backend, file):
        return
    raise ParityError(
        f"The run would score up to {pairs} pairs with {backend.name} {backend.model_id} {backend.revision}, "
        "which has not passed the parity gate.",
        hint=f"Run: halt-rag doctor --backend {backend.name}:... (docs/backends.md), "
        "or override the check (--unverified).",
    )


def _key(*identity: str) -> str:
    return " ".join(identity)


def _read(file: Path) -> dict[str, dict[str, Any]]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}.", hint="Delete it; run the gate again.") from error
    passes = content.get("passes") if isinstance(content, dict) and content.get("schema_version") == _SCHEMA else None
    if not isinstance(passes, dict) or not all(isinstance(entry, dict) for entry in passes.values()):
        raise ConfigurationError(f"{file} is no record of the parity gate.", hint="Name another file, or delete it.")
    return passes


def _write(file: Path, passes: dict[str, dict[str, Any]]) -> None:
    text = json.dumps({"schema_version": _SCHEMA, "passes": passes}, indent=2, ensure_ascii=False) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # Whole or not at all: another process may read it meanwhile.
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as draft:
            draft.write(text)
        os.replace(draft.name, file)  # noqa: PTH105 - the same as Path.replace, without another Path
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be written: {error.strerror}.") from error
