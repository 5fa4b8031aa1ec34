"""A verifier from a file of settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from halt_rag.errors import ArtifactMismatchError, ConfigurationError
from halt_rag.nli.registry import find_backend, is_embedded
from halt_rag.nli.scores import NLIBackend
from halt_rag.verify.config import Config, load_config
from halt_rag.verify.text_head import TEXT_TASKS, load_model, shipped_text_model
from halt_rag.verify.text_model import TextModel

Opener = Callable[..., NLIBackend]


def _open(spec: str, **options: Any) -> NLIBackend:
    return find_backend(spec)(**options)


def backends_of(config: Config, opened: Opener = _open, **options: Any) -> dict[str, NLIBackend]:
    """The NLI models of the settings, by name and in order.

    Args:
        config: The settings.
        opened: Makes a backend of its name and its options. By default no token is sent to a hosted model: the library
            reads no environment.
        options: Further keyword arguments for a model that is an embedded one.

    Raises:
        UnknownNameError: If there is no such backend.
        ConfigurationError: If a backend does not take the options of the settings.
    """
    found: dict[str, NLIBackend] = {}
    for model in config.inference.nli_models():
        more = options if is_embedded(model.backend) else {}
        try:
            found[model.name] = opened(model.backend, **model.options, **more)
        except TypeError as error:
            raise ConfigurationError(f"The backend {model.backend!r} cannot be made: {error}.") from error
    return found


def _agree(path: Path, config: Config, model: TextModel) -> None:
    """Refuses settings that the task model does not follow."""
    asked = {**config.text_settings().model_dump(), "schema": config.features.schema_name}
    fitted = {**model.pipeline.reading.model_dump(), "schema": model.pipeline.schema_name}
    if differing := [f"{key}: {asked[key]}, fitted with {fitted[key]}" for key in asked if asked[key] != fitted[key]]:
        raise ArtifactMismatchError(
            f"{path} says otherwise than its task model {model.id!r}: {'; '.join(differing)}.",
            hint="Write the settings that it was fitted with, or fit one with these: halt-rag train.",
        )


def verifier_options(path: Path, opened: Opener = _open) -> dict[str, Any]:
    """The keyword arguments of ``HaltRagVerifier`` that a file of settings stands for.

    ``model`` is looked for beside the file. Without it the task model that ships for the first NLI model is used; where
    none does, probabilities are 1 - the highest P(entailment) of the worst claim, marked ``calibrated: false``.

    Settings of training, calibration, threshold and abstention count where a task model is fitted.

    Raises:
        ConfigurationError: If the file or the task model cannot be used, or there is no such backend.
        ArtifactMismatchError: If the task model reads texts otherwise than the settings say.
    """
    config = load_config(path)
    first, *others = backends_of(config, opened).values()
    model = None if config.model is None else load_model(path.parent / config.model)
    found = model or (shipped_text_model(config.task, first.model_id) if config.task in TEXT_TASKS else None)
    if isinstance(found, TextModel):
        if found.task != config.task:
            raise ArtifactMismatchError(
                f"{path} is for {config.task!r}, its task model {found.id!r} for {found.task!r}."
            )
        _agree(path, config, found)
    return {"backend": first, "task": config.task, "artifact": found, "more_backends": others}
