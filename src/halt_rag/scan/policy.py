"""What is done about a detection, by its severity; read from ``pyproject.toml`` or ``.halt-rag.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from halt_rag.errors import ConfigurationError
from halt_rag.scan.outcome import Severity
from halt_rag.scan.rules import chosen

Action = Literal["block_and_fix", "warn_and_suggest", "flag_for_review", "log_only"]


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Policy(_Closed):
    """What happens at each severity.

    Attributes:
        critical: Usual: ``block_and_fix``, and a human must look.
        high: Usual: ``warn_and_suggest``.
        medium: Usual: ``flag_for_review``.
        low: Usual: ``log_only``.
    """

    critical: Action = "block_and_fix"
    high: Action = "warn_and_suggest"
    medium: Action = "flag_for_review"
    low: Action = "log_only"

    def action(self, severity: Severity) -> Action:
        """The action of a severity."""
        actions: dict[Severity, Action] = {
            Severity.CRITICAL: self.critical,
            Severity.HIGH: self.high,
            Severity.MEDIUM: self.medium,
            Severity.LOW: self.low,
        }
        return actions[severity]


class Settings(_Closed):
    """The table ``[tool.halt-rag.scan]``, or ``[scan]`` in ``.halt-rag.toml``."""

    policy: Policy = Policy()
    fail_on: Severity = Field(default=Severity.HIGH, description="The lowest severity that makes the scan exit 1.")
    select: tuple[str, ...] = Field(default=(), description="Rules or types to run; empty: all.")
    ignore: tuple[str, ...] = Field(default=(), description="Rules or types not to run.")
    exclude: tuple[str, ...] = Field(default=(), description="Patterns of paths that are not scanned.")
    corpus: tuple[str, ...] = Field(default=(), description="Folders with a page per paper, .bib and CSL .json files.")
    id_prefix: str = Field(default="REF", pattern=r"^[A-Z]{2,10}$", description="What paper ids begin with.")
    aliases: dict[str, str] = Field(default_factory=dict, description="Path prefixes and what they stand for.")
    python: str | None = Field(default=None, pattern=r"^3\.\d{1,2}$", description="The stated Python version.")
    issues: str | None = Field(default=None, description="A JSON export of the tracker's issues.")
    tracker: str | None = Field(
        default=None, description="With --online: github:owner/name, gitlab:group/name or gitea:host/owner/name."
    )
    packages: str | None = Field(
        default=None,
        description="A JSON file of names by ecosystem: importable npm and python names, pypi distributions.",
    )
    site_packages: tuple[str, ...] = Field(default=(), description="Folders of installed Python packages to read.")
    entities: str | None = Field(default=None, description="A text file with one organisation a line.")
    year_floor: int = Field(default=1900, ge=1000, le=2100, description="The earliest plausible year of a source.")

    def rules(self) -> tuple[Any, ...]:
        """The rules to run.

        Raises:
            UnknownNameError: If a name stands for no rule.
        """
        left_out = {rule.code for rule in chosen(self.ignore)} if self.ignore else set()
        return tuple(rule for rule in chosen(self.select) if rule.code not in left_out)


def read_settings(root: Path) -> Settings:
    """The settings of a root: ``.halt-rag.toml`` first, else ``pyproject.toml``; the usual ones if there are none.

    Raises:
        ConfigurationError: If a file is not TOML or has settings that do not exist.
    """
    for name, keys in ((".halt-rag.toml", ("scan",)), ("pyproject.toml", ("tool", "halt-rag", "scan"))):
        file = root / name
        if not file.is_file():
            continue
        try:
            table: Any = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ConfigurationError(f"{file} cannot be read: {error}.") from error
        for key in keys:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        if table:
            return _settings(table, file)
    return Settings()


def _settings(table: Any, file: Path) -> Settings:
    try:
        return Settings.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the table"
        raise ConfigurationError(f"{file}: {where}: {first['msg']}.") from None
