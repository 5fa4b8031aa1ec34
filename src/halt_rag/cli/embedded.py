"""What commands say about the embedded models that are installed."""

from __future__ import annotations

from typing import Any


def embedded_models() -> list[dict[str, Any]]:
    """The embedded models that are installed, smallest first, as data.

    Raises:
        ConfigurationError: If the card of one cannot be used.
    """
    from halt_rag.nli.model_folders import tiers_here

    return [embedded_model(tier) for tier in tiers_here()]


def embedded_model(tier: str) -> dict[str, Any]:
    """One embedded model, as data.

    Raises:
        UnknownNameError: If there is no such tier.
        MissingExtraError: If it is not installed.
        ConfigurationError: If its card cannot be used.
    """
    from halt_rag.nli.embedded import read_card
    from halt_rag.nli.labels import COLUMNS
    from halt_rag.nli.model_folders import MODEL_FOLDER, tier_folder

    folder = tier_folder(tier)
    card = read_card(folder)
    carried = folder == MODEL_FOLDER
    found = {
        "name": card.model_id, "model_id": card.model_id, "tier": "fast" if carried else "base",
        "about": f"the embedded model that {'the package' if carried else 'halt-rag-base'} carries",
        "licence": card.licence or "not stated", "megabytes": round((folder / "model.onnx").stat().st_size / 1e6),
        "three_way": True, "labels": sorted(COLUMNS, key=lambda name: card.order[COLUMNS.index(name)]),
        "max_tokens": card.max_tokens, "offline": True,
    }  # fmt: skip
    return found | ({} if card.languages is None else {"languages": list(card.languages)})


def tier_of(row: dict[str, Any]) -> str:
    """The tier and the languages of an embedded model, for people."""
    languages = ", ".join(row["languages"]) if "languages" in row else "not stated"
    return f"tier {row['tier']}, languages: {languages}"
