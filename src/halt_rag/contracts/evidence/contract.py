"""A typed generation contract: declared once, served as schema and prompt, enforced by the validator."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as default
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from halt_rag.contracts import strict_json
from halt_rag.contracts.errors import OutputShapeError
from halt_rag.contracts.evidence.codes import ERRORS, NOTES
from halt_rag.contracts.evidence.fields import Field, parse_field, to_json
from halt_rag.contracts.evidence.guard import UnvalidatedWarning, static_warnings, use_warnings
from halt_rag.contracts.evidence.prompt import contract_prompt
from halt_rag.contracts.evidence.report import Report, Validated, moved
from halt_rag.contracts.evidence.result import FieldResult, Finding
from halt_rag.contracts.evidence.schema import record_schema
from halt_rag.contracts.evidence.source import Source
from halt_rag.contracts.evidence.types import fields_of
from halt_rag.contracts.evidence.validate import as_sources, members, unknown
from halt_rag.contracts.evidence.wire import model_instance, wire_model, wire_name
from halt_rag.errors import ConfigurationError, MissingExtraError, UnknownNameError

M = TypeVar("M", bound=BaseModel)
_KEYS = ("name", "description", "locale", "fields")


@dataclass(frozen=True)
class EvidenceContract(Generic[M]):
    """What to extract, of which types, with what proof.

    Attributes:
        name: Name of the contract, for clients that want one.
        fields: The fields of a record.
        description: What a record is, for the prompt.
        model: The pydantic model that it was declared by, or None.

    Raises:
        ConfigurationError: If there is no field, or two have one name.
    """

    name: str
    fields: tuple[Field, ...]
    description: str = ""
    model: type[M] | None = None

    def __post_init__(self) -> None:
        names = [field.name for field in self.fields]
        if not names or len(set(names)) != len(names):
            raise ConfigurationError(f"Contract {self.name!r} needs fields with different names, not {names}.")

    @classmethod
    def from_model(cls, model: type[M], *, locale: str | None = None) -> EvidenceContract[M]:
        """The contract that a pydantic model declares by its ``Grounded[...]`` members.

        Args:
            model: The model; its docstring becomes the description.
            locale: How numbers and dates are written in the sources, such as ``de-DE``.
        """
        own = (model.__doc__ or "").strip() if model.__doc__ != BaseModel.__doc__ else ""
        return cls(model.__name__, fields_of(model, locale=locale), " ".join(own.split()), model)

    @classmethod
    def from_dict(cls, declared: Mapping[str, Any]) -> EvidenceContract[M]:
        """Reads the plain form: ``{name, description?, locale?, fields: [...]}``.

        Raises:
            ConfigurationError: If a part is unknown or of the wrong kind.
        """
        if not isinstance(declared, Mapping) or not isinstance(declared.get("fields"), list):
            raise ConfigurationError("A contract is an object with a list of fields.")
        for key in declared:
            if key not in _KEYS:
                raise UnknownNameError("contract setting", str(key), _KEYS)
        fields = tuple(parse_field(field, locale=declared.get("locale")) for field in declared["fields"])
        return cls(str(declared.get("name", "record")), fields, str(declared.get("description", "")))

    @classmethod
    def load(cls, path: str | Path) -> EvidenceContract[M]:
        """Reads a contract file: JSON, or YAML by its ending ``.yaml`` or ``.yml``.

        Raises:
            ConfigurationError: If the file cannot be read or is no contract.
            MissingExtraError: If it is YAML and PyYAML is not installed.
        """
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigurationError(f"The contract {path} cannot be read: {error.strerror or error}.") from None
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"The contract {path} is not UTF-8: {error}.") from None
        return cls.from_dict(_yaml(text, path) if path.suffix in (".yaml", ".yml") else _json(text, path))

    def to_dict(self) -> dict[str, Any]:
        """The plain form, as :meth:`from_dict` reads it."""
        fields = [to_json(field) for field in self.fields]
        return {"name": self.name, "description": self.description, "fields": fields}

    def json_schema(self, *, several_sources: bool = False) -> dict[str, Any]:
        """The JSON Schema of a record, valid for OpenAI's strict structured outputs.

        Args:
            several_sources: Whether evidence must name its source.
        """
        return record_schema(self.fields, description=self.description, several_sources=several_sources)

    def response_format(self, *, several_sources: bool = False) -> dict[str, Any]:
        """The ``response_format`` of OpenAI-compatible chat completions."""
        schema = self.json_schema(several_sources=several_sources)
        return {"type": "json_schema", "json_schema": {"name": wire_name(self.name), "strict": True, "schema": schema}}

    @cached_property
    def wire_model(self) -> type[BaseModel]:
        """A pydantic model of the wire format, for clients that take one: instructor, LangChain, pydantic-ai."""
        return wire_model(self.name, self.fields)

    def prompt(self, sources: str | Source | Sequence[Source]) -> str:
        """The prompt: the fields, the rules of evidence, and the sources with numbered lines."""
        return contract_prompt(self.fields, list(as_sources(sources).values()), description=self.description)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What is doubtful about the contract itself, such as too many derived fields."""
        return static_warnings(self.fields)

    def parse(self, output: object) -> Unvalidated[M]:
        """What a model sent, marked as not yet validated.

        Args:
            output: JSON text, an object, or an instance of :attr:`wire_model`. Anything else fails validation as no
                object.

        Raises:
            OutputShapeError: If text is not JSON.
        """
        if isinstance(output, BaseModel):
            return Unvalidated(self, output.model_dump(mode="json", by_alias=True))
        return Unvalidated(self, strict_json.load(self.name, output) if isinstance(output, str) else output)

    def validate(
        self,
        output: object,
        sources: str | Source | Sequence[Source],
        *,
        apply_relocations: bool = False,
    ) -> Report:
        """Checks a record against its sources. No model takes part.

        Args:
            output: The record, as :meth:`parse` takes it or returned it.
            sources: A text, or the documents that evidence refers to; the first is meant where it names none.
            apply_relocations: Correct ranges whose quote is at exactly one other place; each is listed in the report.
        """
        record: Any = (output if isinstance(output, Unvalidated) else self.parse(output))._record
        by_id = as_sources(sources)
        report = self._report(record, by_id)
        if not apply_relocations:
            return report
        record, moves = moved(report)
        again = self._report(record, by_id)
        return Report(again.fields, again.record, again.results, again.warnings, moves)

    def _report(self, record: Any, sources: Mapping[str, Source]) -> Report:
        if not isinstance(record, Mapping):
            return self._no_record(record, f"it is {strict_json.kind(record)}")
        extra = tuple(
            Finding("FIELD_UNKNOWN", "note", f"{NOTES['FIELD_UNKNOWN']}: {name}")
            for name in unknown(self.fields, record)
        )
        whole = (FieldResult((), "valid", extra),) if extra else ()
        results = (*whole, *members(self.fields, record, sources))
        return Report(self.fields, record, results, (*self.warnings, *use_warnings(self.fields, results)))

    def unreadable(self, error: OutputShapeError) -> Report:
        """The report on an output that :meth:`validate` could not read: an invalid record, and why.

        For runs over many records, in which one that is no JSON is an offence like any other.
        """
        return self._no_record(None, str(error))

    def _no_record(self, record: Any, why: str) -> Report:
        message = f"{ERRORS['RECORD_NOT_OBJECT']}: {why.rstrip('.')}"
        wrong = Finding("RECORD_NOT_OBJECT", "error", message)
        return Report(self.fields, record, (FieldResult((), "invalid", (wrong,)),))

    def instance(self, validated: Validated) -> M:
        """The declaring pydantic model, filled with the accepted values and their evidence.

        Raises:
            ConfigurationError: If the contract was not declared by a model.
        """
        if self.model is None:
            raise ConfigurationError("The contract was not declared by a pydantic model.", hint="Use validated.values.")
        if not isinstance(validated, Validated):
            raise ConfigurationError("Only validated data makes an instance.", hint="Use validate(...).accept().")
        return model_instance(self.model, self.fields, validated)


@dataclass(frozen=True)
class Unvalidated(Generic[M]):
    """A record that no validator has seen. It cannot stand where :class:`Validated` is expected.

    Attributes:
        contract: The contract that it claims to keep.
    """

    contract: EvidenceContract[M]
    _record: Any = default(repr=False)

    def validate(self, sources: str | Source | Sequence[Source], *, apply_relocations: bool = False) -> Report:
        """Checks the record, see :meth:`EvidenceContract.validate`."""
        return self.contract.validate(self, sources, apply_relocations=apply_relocations)

    @property
    def unchecked(self) -> Any:
        """The record as sent; reading it warns, for its evidence is only claimed."""
        warnings.warn(
            "This record was not validated: its quotes, values and flags are the model's own claims.",
            UnvalidatedWarning,
            stacklevel=2,
        )
        return self._record


def _json(text: str, path: Path) -> Any:
    try:
        return strict_json.load(path.name, text)
    except OutputShapeError as error:
        raise ConfigurationError(f"The contract {path} is not JSON: {error}") from None


def _yaml(text: str, path: Path) -> Any:
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("PyYAML", "contracts") from None
    try:
        return yaml.load(text, _unique_keys(yaml))  # noqa: S506 - a subclass of the safe loader
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigurationError(f"The contract {path} is not YAML: {error}") from None


def _unique_keys(yaml: Any) -> Any:
    """The safe loader, which takes the last of two equal keys without a word, made to refuse them."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc] # yaml is loaded only where it is needed
        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            if len(set(keys)) < len(keys):
                raise yaml.constructor.ConstructorError(None, None, "a key is given twice", node.start_mark)
            return super().construct_mapping(node, deep)

    return Loader
