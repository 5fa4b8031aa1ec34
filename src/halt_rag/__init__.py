"""halt-rag: says which parts of a generated text its sources support, how sure it is, and when it cannot tell.

The public names load on first use, so that ``import halt_rag`` is fast and brings in no model runtime.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halt_rag.errors import (
        AdapterSchemaMismatchError,
        ArtifactMismatchError,
        BackendError,
        ConfigurationError,
        ContractError,
        HallucinationError,
        HaltRagError,
        InputError,
        MissingExtraError,
        UnknownNameError,
    )
    from halt_rag.text.spans import Span
    from halt_rag.verify.result import Claim, Evidence, Failed, Receipt, Verification
    from halt_rag.verify.spans import FlaggedContent, flag_hallucinated_content
    from halt_rag.verify.streaming import Stream
    from halt_rag.verify.verifier import Cascade, HaltRagVerifier, Item, Passage

__version__ = "0.1.0"

_HOME = {
    "AdapterSchemaMismatchError": "errors",
    "ArtifactMismatchError": "errors",
    "BackendError": "errors",
    "ConfigurationError": "errors",
    "ContractError": "errors",
    "HallucinationError": "errors",
    "HaltRagError": "errors",
    "InputError": "errors",
    "MissingExtraError": "errors",
    "UnknownNameError": "errors",
    "Span": "text.spans",
    "Claim": "verify.result",
    "Evidence": "verify.result",
    "Failed": "verify.result",
    "Receipt": "verify.result",
    "Verification": "verify.result",
    "Cascade": "verify.verifier",
    "HaltRagVerifier": "verify.verifier",
    "Item": "verify.verifier",
    "Passage": "verify.verifier",
    "Stream": "verify.streaming",
    "FlaggedContent": "verify.spans",
    "flag_hallucinated_content": "verify.spans",
}

__all__ = [
    "AdapterSchemaMismatchError",
    "ArtifactMismatchError",
    "BackendError",
    "Cascade",
    "Claim",
    "ConfigurationError",
    "ContractError",
    "Evidence",
    "Failed",
    "FlaggedContent",
    "HallucinationError",
    "HaltRagError",
    "HaltRagVerifier",
    "InputError",
    "Item",
    "MissingExtraError",
    "Passage",
    "Receipt",
    "Span",
    "Stream",
    "UnknownNameError",
    "Verification",
    "__version__",
    "flag_hallucinated_content",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
