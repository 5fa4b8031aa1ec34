"""Where the embedded models lie: the tier "fast" in this package, "base" in one of its own, halt-rag-base."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from halt_rag.errors import MissingExtraError, UnknownNameError

#: The model that this package carries: the tier "fast".
MODEL_FOLDER = Path(__file__).parents[1] / "models" / "nli-fast"
#: The names of the tiers. "auto" is "base" where that is installed, else "fast".
TIERS = ("auto", "fast", "base")


def base_package() -> Path | None:
    """The folder of the package halt_rag_base, with ``model/`` and ``tasks/``; None where it is not installed.

    Nothing is imported: the package holds data only.
    """
    spec = find_spec("halt_rag_base")
    # Without an origin it is some folder of that name on the path, not a package.
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def tier_folder(tier: str = "auto") -> Path:
    """The folder of an embedded model.

    Args:
        tier: One of ``TIERS``.

    Raises:
        UnknownNameError: If there is no such tier.
        MissingExtraError: If "base" is asked for and not installed.
    """
    if tier not in TIERS:
        raise UnknownNameError("tier", tier, TIERS)
    package = None if tier == "fast" else base_package()
    if package is not None:
        return package / "model"
    if tier == "base":
        raise MissingExtraError("The embedded model of the tier 'base'", "base")
    return MODEL_FOLDER


def tiers_here() -> list[str]:
    """The tiers that are installed, smallest first."""
    return ["fast"] if base_package() is None else ["fast", "base"]
