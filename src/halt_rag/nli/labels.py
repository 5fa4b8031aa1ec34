"""From a model's own label names to the fixed column order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from halt_rag.errors import ConfigurationError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

#: What the second output of a two-way grader means: neutral or contradiction, and nobody knows which.
NOT_ENTAILED: Final = "not entailed"
_TWO_WAY = {
    **dict.fromkeys(("support", "supports", "supported", "grounded", "consistent", "yes"), "entailment"),
    **dict.fromkeys(("unsupported", "no", "ungrounded", "inconsistent"), NOT_ENTAILED),
}
_UNNAMED = re.compile(r"label[_ ]?\d+")


@dataclass(frozen=True, slots=True)
class Outputs:
    """What each output of a model means.

    Attributes:
        meanings: For each output, one of ``COLUMNS`` or ``NOT_ENTAILED``. Either all three columns, in any order, or
            entailment and ``NOT_ENTAILED``.
    """

    meanings: tuple[str, ...]

    def __post_init__(self) -> None:
        if sorted(self.meanings) not in (sorted(COLUMNS), sorted(("entailment", NOT_ENTAILED))):
            raise ConfigurationError(
                f"A model's outputs must be {', '.join(COLUMNS)}, or entailment and {NOT_ENTAILED}; "
                f"they are {', '.join(self.meanings) or 'nothing'}.",
                hint="Use a three-way NLI model or a grader that answers support or no support.",
            )

    @property
    def three_way(self) -> bool:
        """Whether neutral and contradiction are told apart."""
        return len(self.meanings) == len(COLUMNS)

    @property
    def code(self) -> str:
        """The outputs that are entailment, neutral and contradiction, as ``201``; ``s1`` where output 1 is support."""
        if self.three_way:
            return "".join(str(self.meanings.index(column)) for column in COLUMNS)
        return f"s{self.meanings.index('entailment')}"

    def columns(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """From shape (pairs, outputs) to shape (pairs, 3) in the order of ``COLUMNS``.

        A grader with two outputs does not say whether a text contradicts another or is silent on it. What is not
        entailed is then given as neutral, and contradiction is 0: no contradiction is claimed that no model saw.
        """
        import numpy as np

        entailment = probabilities[:, self.meanings.index("entailment")]
        if not self.three_way:
            return np.stack([entailment, 1 - entailment, np.zeros_like(entailment)], axis=1)
        return probabilities[:, [self.meanings.index(column) for column in COLUMNS]]


def meaning(label: str) -> str | None:
    """What a label name means: one of ``COLUMNS``, ``NOT_ENTAILED``, or None where the name does not say."""
    name = re.sub(r"[\s_-]+", " ", label.strip().lower())
    if name.startswith(("not ", "non ", "no ")):
        positive = name.partition(" ")[2]
        return NOT_ENTAILED if positive in _TWO_WAY or positive in {"entailment", "entailed"} else None
    return _NAMES.get(name) or _TWO_WAY.get(name)


def read_outputs(id2label: Mapping[Any, Any], stated: Sequence[str] | None = None) -> Outputs:
    """What the outputs of a model mean, by the names that it gives them itself.

    Args:
        id2label: The model's own table, output index to label name.
        stated: The meanings by output index, from who knows the model (a preset, a caller). They are needed where
            the model names nothing (``LABEL_0``), and must agree where it does.

    Raises:
        ConfigurationError: If the names say nothing and nothing is stated, if both disagree, or if the meanings are
            neither those of a three-way model nor those of a grader.
    """
    shown = ", ".join(f"{key}: {name!r}" for key, name in id2label.items()) or "nothing"
    names = {int(key): str(name) for key, name in id2label.items() if str(key).isdecimal()}
    if sorted(names) != list(range(len(id2label))):
        raise ConfigurationError(f"The id2label of a model must number its outputs from 0; it has {shown}.")
    said = [meaning(names[index]) for index in range(len(names))]
    unnamed = all(_UNNAMED.fullmatch(name.strip().lower()) for name in names.values())
    if stated is not None:
        expected = Outputs(tuple(stated))
        if (unnamed and len(expected.meanings) == len(said)) or tuple(said) == expected.meanings:
            return expected
        raise ConfigurationError(
            f"The model's id2label has {shown}, but its outputs are stated to be {', '.join(stated)}.",
            hint="Another model answers than the one that was meant, or the statement is wrong.",
        )
    if unnamed or None in said:
        raise ConfigurationError(
            f"The labels of a model cannot be mapped; its id2label has {shown}.",
            hint="State what each output means (labels=...), taken from how the model was trained.",
        )
    return Outputs(tuple(str(name) for name in said))


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
