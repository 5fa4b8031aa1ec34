"""The exception tree. Every class carries a stable ``code`` and a ``hint`` that says what to do.

::

    HaltRagError
    ├── InputError (ValueError)               what the caller gave cannot be used
    ├── ConfigurationError
    │   ├── MissingExtraError (ImportError)   an optional dependency is not installed
    │   ├── UnknownNameError                  no such backend, task, contract ...
    │   └── ArtifactMismatchError             a task model does not belong to this pipeline
    ├── ContractError
    │   ├── AdapterSchemaMismatchError        a function output breaks its contract
    │   └── ...                               more in halt_rag.contracts.errors: not JSON, truncated, refused
    ├── BackendError                          a model could not be asked, or gave no usable answer
    └── HallucinationError                    raised only where the caller chose ``policy="raise"``

Abstaining is a result, not an exception. Programmer errors are not relabelled.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class HaltRagError(Exception):
    """Base of all errors that halt-rag raises on purpose.

    Attributes:
        code: Stable identifier, for programs; never reused for something else.
        hint: What the reader can do about it; may be empty.
    """

    code = "HALT_RAG"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} {self.hint}" if self.hint else message


class InputError(HaltRagError, ValueError):
    """What the caller gave cannot be used: empty, of the wrong type or not valid Unicode."""

    code = "INPUT"


class ConfigurationError(HaltRagError):
    """A setting, a file of settings or the installation is not usable."""

    code = "CONFIGURATION"


class MissingExtraError(ConfigurationError, ImportError):
    """An optional dependency is missing; the message names the command that installs it."""

    code = "MISSING_EXTRA"

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed.", hint=f'Install it with: pip install "halt-rag[{extra}]"')
        self.package = package
        self.extra = extra

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.package, self.extra)


class UnknownNameError(ConfigurationError):
    """A name is not in its registry; the message lists the known ones and the nearest."""

    code = "UNKNOWN_NAME"

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        near = difflib.get_close_matches(name, self.known, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        super().__init__(f"There is no {kind} named {name!r}.", hint=f"{hint}Known: {', '.join(self.known) or 'none'}.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.name, self.known)


class ArtifactMismatchError(ConfigurationError):
    """A task model was fitted for another pipeline, model or schema than the one that runs."""

    code = "ARTIFACT_MISMATCH"


class ContractError(HaltRagError):
    """A model output does not keep its contract."""

    code = "CONTRACT"


class AdapterSchemaMismatchError(ContractError):
    """A function output has missing keys or values that its contract does not allow.

    Attributes:
        name: The contract's name.
        observed_keys: The keys that were seen, sorted.
        expected_keys: The keys that the contract requires, sorted.
        reason: What is wrong, in one sentence.
    """

    code = "SCHEMA_MISMATCH"

    def __init__(self, name: str, observed_keys: Iterable[str], expected_keys: Iterable[str], reason: str) -> None:
        self.name = name
        self.observed_keys = sorted(observed_keys)
        self.expected_keys = sorted(expected_keys)
        self.reason = reason
        super().__init__(f"{name}: {reason} (observed keys {self.observed_keys}, expected {self.expected_keys})")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.observed_keys, self.expected_keys, self.reason)


class BackendError(HaltRagError):
    """A model could not be asked, or its answer cannot be used. Never a verdict.

    Attributes:
        backend: Name of the backend.
        retryable: Whether the same call may succeed later.
        status_code: The HTTP status, where there was one.
    """

    code = "BACKEND"

    def __init__(
        self, message: str, *, backend: str, retryable: bool = False, status_code: int | None = None, hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.backend = backend
        self.retryable = retryable
        self.status_code = status_code

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


class HallucinationError(HaltRagError):
    """The text is not supported, and the caller asked for an exception in that case.

    Attributes:
        result: The verification, whole.
    """

    code = "HALLUCINATION"

    def __init__(self, message: str, *, result: object) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[HaltRagError], args: tuple[Any, ...], state: dict[str, Any]) -> HaltRagError:
    """An unpickled error whose class needs keyword arguments."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error
