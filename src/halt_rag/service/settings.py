"""The settings of the service: from flags, then the environment, then a file; the first that has one counts."""

from __future__ import annotations

import hashlib
import ipaddress
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from halt_rag.errors import ConfigurationError

PREFIX = "HALT_RAG_"
#: Shorter keys could be guessed; they are kept under a fast hash, which is right for random keys only.
_SHORTEST_KEY = 16


class Settings(BaseModel):
    """Everything that can be set. A variable is ``HALT_RAG_`` and the name in capitals; lists are comma-separated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    workers: int = Field(default=1, ge=1, le=256, description="Processes that serve.")
    backend: str = Field(default="embedded", description="The NLI model to ask, such as embedded or embedded:base.")
    backend_options: dict[str, str | int | float | bool] = Field(
        default={}, description="What else the backend takes, by name; in a file only."
    )
    task: str = Field(default="general", description="The calibration for requests that name none.")
    cache: Path | None = Field(default=None, description="SQLite file in which all workers keep scores.")
    threads: int | None = Field(default=None, ge=1, description="Pairs scored at once; default: all cores.")

    api_key_hashes: tuple[str, ...] = Field(default=(), description="SHA-256 of each API key, in hex.")
    allow_remote_without_key: bool = Field(
        default=False, description="Serve other addresses than loopback although there is no API key."
    )

    queue: int = Field(default=256, ge=1, description="Texts that wait or run at most; beyond, 429.")
    batch: int = Field(default=16, ge=1, description="Texts that are scored together at most.")
    batch_characters: int = Field(default=100_000, ge=1, description="A batch takes no further text beyond these.")
    runs: int = Field(default=2, ge=1, description="Batches that run at once: while one is scored, one is prepared.")
    deadline_seconds: float = Field(default=60.0, gt=0, description="How long a request may take, its body included.")
    shutdown_seconds: int = Field(default=90, ge=1, description="How long a stopping service finishes requests.")

    max_body_bytes: int = Field(default=4_000_000, ge=1, description="Longest body of a request.")
    max_passages: int = Field(default=256, ge=1, description="Most passages of a source.")
    max_source_characters: int = Field(default=400_000, ge=1, description="Longest source, all passages together.")
    max_generated_characters: int = Field(default=40_000, ge=1, description="Longest generated text.")
    max_question_characters: int = Field(default=4_000, ge=1, description="Longest question.")
    max_items: int = Field(default=64, ge=1, description="Most texts in one batch request.")

    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="What is logged.")
    log_texts: bool = Field(default=False, description="Whether logs may hold the texts of requests.")

    @field_validator("api_key_hashes")
    @classmethod
    def _are_digests(cls, hashes: tuple[str, ...]) -> tuple[str, ...]:
        for digest in hashes:
            if not re.fullmatch("[0-9a-f]{64}", digest):
                raise ValueError("an API key hash must be 64 hexadecimal digits, the SHA-256 of the key")
        return hashes

    @model_validator(mode="after")
    def _is_guarded(self) -> Settings:
        if not (is_loopback(self.host) or self.api_key_hashes or self.allow_remote_without_key):
            raise ValueError(
                f"{self.host} can be reached from other machines, so it needs an API key (HALT_RAG_API_KEY or "
                "api_key_hashes), or --allow-remote-without-key"
            )
        return self


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address; names other than localhost may mean anything."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def key_hash(key: str) -> str:
    """SHA-256 of an API key, in hex; only that is kept."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def load_settings(flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """The settings from their three places.

    Args:
        flags: What the command line gave; None where it gave nothing.
        environment: The environment; only variables that begin with ``HALT_RAG_`` and name a setting count, and
            ``HALT_RAG_API_KEY``, a key itself, and ``HALT_RAG_CONFIG``, a file.
        file: A TOML file with the table ``[serve]``; default: what ``HALT_RAG_CONFIG`` names.

    Raises:
        ConfigurationError: If the file cannot be read, or a value is of no use; names the place.
    """
    named = environment.get(f"{PREFIX}CONFIG")
    path = file or (Path(named) if named else None)
    from_file = _table(path) if path is not None else {}
    from_environment = _variables(environment)
    from_flags = {name: value for name, value in flags.items() if value is not None}
    merged = {**from_file, **from_environment, **from_flags}
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        said = first["msg"].removeprefix("Value error, ")
        places = ((from_flags, f"--{name.replace('_', '-')}"), (from_environment, f"{PREFIX}{name.upper()}"))
        place = next((place for source, place in places if name in source), f"{path}: {name}" if name else "")
        raise ConfigurationError(f"{place}{place and ': '}{said}.") from None


def _table(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}.") from error
    table = content.get("serve", {})
    if not isinstance(table, dict):
        raise ConfigurationError(f"{path}: serve is no table.", hint="Write the settings under [serve].")
    return dict(table)


def _variables(environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in Settings.model_fields:
        value = environment.get(f"{PREFIX}{name.upper()}")
        if value is not None:
            found[name] = [part.strip() for part in value.split(",")] if name == "api_key_hashes" else value
    key = environment.get(f"{PREFIX}API_KEY")
    if key is not None:
        if not key.isascii() or not key.isprintable() or key != key.strip():
            raise ConfigurationError(
                f"{PREFIX}API_KEY holds characters that a header cannot carry: a line break, a space at an end, or "
                "others than ASCII.",
                hint="Make one with: openssl rand -hex 24",
            )
        if len(key) < _SHORTEST_KEY:
            raise ConfigurationError(
                f"{PREFIX}API_KEY has fewer than {_SHORTEST_KEY} characters.",
                hint="Make one with: openssl rand -hex 24",
            )
        found["api_key_hashes"] = [*found.get("api_key_hashes", ()), key_hash(key)]
    return found
