"""Leaves words out of a tokenizer that no text contains, and their rows out of the table of word embeddings."""

from __future__ import annotations

import json
from typing import Any


def without_unused(tokenizer: str) -> tuple[str, list[int]]:
    """A word-piece tokenizer without its placeholders ``[unused0]``, ``[unused1]``, ...

    No text is tokenized otherwise than before, only the numbers of the tokens change.

    Args:
        tokenizer: The contents of ``tokenizer.json``.

    Returns:
        The new contents, and which of the old ids are kept, in order: the new id is the place in this list.
    """
    settings: dict[str, Any] = json.loads(tokenizer)
    old: dict[str, int] = settings["model"]["vocab"]
    kept = sorted((i, word) for word, i in old.items() if not word.startswith("[unused"))
    new = {i: place for place, (i, _) in enumerate(kept)}
    settings["model"]["vocab"] = {word: new[i] for i, word in kept}
    settings["added_tokens"] = [token | {"id": new[token["id"]]} for token in settings["added_tokens"]]
    ends = settings["post_processor"]
    for end in ("sep", "cls"):
        word, i = ends[end]
        ends[end] = [word, new[i]]
    return json.dumps(settings, ensure_ascii=False, separators=(",", ":")), [i for i, _ in kept]
