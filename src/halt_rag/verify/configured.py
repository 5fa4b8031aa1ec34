"""A verifier from a file of settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from halt_rag.errors import ConfigurationError
from halt_rag.nli.registry import find_backend, is_embedded
from halt_rag.nli.scores import NLIBackend
from halt_rag.verify.config import Config, load_config
from halt_rag.verify.text_head import load_model

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


def verifier_options(path: Path, opened: Opener = _open) -> dict[str, Any]:
    """The keyword arguments of ``HaltRagVerifier`` that a file of settings stands for.

    ``model`` is looked for beside the file. Without it the task model that ships for the first NLI model is used; where
    none does, probabilities are 1 - the highest P(entailment) of the worst claim, marked ``calibrated: false``.

    Raises:
        ConfigurationError: If the file or the task model cannot be used, or there is no such backend.
    """
    config = load_config(path)
    first, *others = backends_of(config, opened).values()
    model = None if config.model is None else load_model(path.parent / config.model)
    return {"backend": first, "task": config.task, "artifact": model, "more_backends": others}
