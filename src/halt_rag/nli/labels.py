"""From a model's own label names to the fixed column order."""

from __future__ import annotations

from collections.abc import Mapping

from halt_rag.errors import ConfigurationError

#: The columns of ``NLIScores.probabilities``.
COLUMNS = ("entailment", "neutral", "contradiction")

_NAMES = {
    "entailment": "entailment",
    "entail": "entailment",
    "entails": "entailment",
    "neutral": "neutral",
    "contradiction": "contradiction",
    "contradict": "contradiction",
    "contradicts": "contradiction",
}


def label_order(id2label: Mapping[int, str] | Mapping[str, str]) -> tuple[int, int, int]:
    """Finds which output of a model is entailment, which neutral and which contradiction.

    Only names count, never positions: models differ in their order, and a guess would swap verdicts.

    Args:
        id2label: The model's own table, output index to label name, as in a Hugging Face ``config.json``
            (keys may be numbers or their decimal strings). Case is ignored.

    Returns:
        The output indices of entailment, neutral and contradiction: ``logits[:, label_order(...)]`` has
        the order of ``COLUMNS``.

    Raises:
        ConfigurationError: If the table does not name exactly these three labels at the indices 0, 1 and 2.
            So a two-way model ("not_entailment") and unnamed outputs ("LABEL_0") are refused.
    """
    shown = ", ".join(f"{key}: {name!r}" for key, name in id2label.items()) or "nothing"
    indices = [int(key) if str(key).isdecimal() else -1 for key in id2label]
    if sorted(indices) != list(range(len(COLUMNS))):
        raise ConfigurationError(
            f"A model must have three outputs with the indices 0, 1 and 2; its id2label has {shown}.",
            hint="Use a three-way NLI model.",
        )
    found = {
        _NAMES.get(name.strip().lower(), name): index for index, name in zip(indices, id2label.values(), strict=True)
    }
    unknown = sorted(set(found) - set(COLUMNS))
    missing = [column for column in COLUMNS if column not in found]
    if unknown or missing:
        raise ConfigurationError(
            f"The labels of a model cannot be mapped: unknown {unknown}, missing {missing}; its id2label has {shown}.",
            hint="Give id2label names of entailment, neutral and contradiction, taken from how the model was trained.",
        )
    entailment, neutral, contradiction = (found[column] for column in COLUMNS)
    return entailment, neutral, contradiction
