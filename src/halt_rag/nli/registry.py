"""Backends by name: those of the package and those of installed plug-ins."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import partial
from importlib.metadata import entry_points

from halt_rag.errors import ConfigurationError, UnknownNameError
from halt_rag.nli.scores import NLIBackend

#: The entry point group in which a plug-in lists callables that return an ``NLIBackend``.
GROUP = "halt_rag.nli_backends"

_OWN = {
    "embedded": "halt_rag.nli.embedded:EmbeddedNLI",
    "fake": "halt_rag.nli.fake:FakeNLI",
    "hosted": "halt_rag.nli.hosted:HostedNLI",
    "local": "halt_rag.nli.local:LocalNLI",
    "onnx": "halt_rag.nli.onnx_folder:OnnxNLI",
    "tei": "halt_rag.nli.tei:TeiNLI",
}
#: Names of the embedded models. "embedded" is the larger one where it is installed.
_TIERS = {f"embedded:{tier}": tier for tier in ("fast", "base")}
#: Backends that need to know what to ask, as ``kind:target``.
TARGETS = {
    "hosted": "the name of a model on the Hugging Face hub",
    "local": "a checkpoint folder or the name of a model on the Hugging Face hub",
    "onnx": "the folder of an exported checkpoint",
    "tei": "the address of a Text Embeddings Inference server",
}


def backend_names() -> list[str]:
    """The names that ``find_backend`` knows, sorted; nothing is imported."""
    return sorted({*_OWN, *_TIERS, *entry_points(group=GROUP).names})


def is_embedded(name: str) -> bool:
    """Whether a backend is one of the models that ship: ``embedded`` or ``embedded:TIER``."""
    return name == "embedded" or name in _TIERS


def find_backend(name: str) -> Callable[..., NLIBackend]:
    """Imports a backend; call the result, with the options that it documents, to have one.

    Args:
        name: One of ``backend_names()``. Those in ``TARGETS`` are also found with their first argument, as
            ``onnx:FOLDER``.

    A plug-in cannot replace a backend of the package: the name of the latter comes first.

    Raises:
        UnknownNameError: If there is no such backend.
        ConfigurationError: If a plug-in cannot be imported.
    """
    found: Callable[..., NLIBackend]
    if name in _TIERS:
        return partial(pkgutil.resolve_name(_OWN["embedded"]), tier=_TIERS[name])
    kind, colon, target = name.partition(":")
    if colon and kind in TARGETS and target:
        found = pkgutil.resolve_name(_OWN[kind])
        return partial(found, target)
    if name in _OWN:
        found = pkgutil.resolve_name(_OWN[name])
        return found
    for plugin in entry_points(group=GROUP, name=name):
        try:
            found = plugin.load()
        except (ImportError, AttributeError) as error:
            raise ConfigurationError(
                f"The NLI backend {name!r} ({plugin.value}) cannot be imported: {error}.",
                hint="Repair or remove the package that provides it.",
            ) from error
        return found
    raise UnknownNameError("NLI backend", name, backend_names())
