"""A model with its calibration and its way of reading, and what it may use for one text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from halt_rag.nli.scores import NLIBackend
from halt_rag.verify.artifact import PipelineSettings, TaskModel
from halt_rag.verify.decide import Thresholds
from halt_rag.verify.lexical import Lexemes
from halt_rag.verify.reading import Sources
from halt_rag.verify.rewording import PassageQuantities

ReadingMode = Literal["exhaustive", "indexed", "auto"]

#: "auto" reads every window of sources with at most so many; beyond, the index chooses.
ALL_UP_TO = 48


@dataclass(frozen=True, slots=True)
class Tier:
    """A model with its calibration, and how it reads.

    Attributes:
        number: 0 for the first model that is asked.
        backend: The model.
        model: Its calibration; None where there is none.
        settings: How texts are cut.
        thresholds: Where verdicts change.
        mode: Which windows are read.
        sure_below: A claim below this probability is supported, whatever more is read and whoever else is asked.
        sure_from: A claim from this probability on needs no other model.
    """

    number: int
    backend: NLIBackend
    model: TaskModel | None
    settings: PipelineSettings
    thresholds: Thresholds
    mode: ReadingMode
    sure_below: float
    sure_from: float

    def indexed(self, sources: Sources) -> bool:
        """Whether the index chooses the windows of these sources."""
        return self.mode == "indexed" or (self.mode == "auto" and len(sources.windows) > ALL_UP_TO)


@dataclass(frozen=True, slots=True)
class Context:
    """What is known besides the windows.

    Attributes:
        known: Words, numbers and names of all passages and of the question together.
        quantities: Compares the quantities of a claim with those of the passages.
    """

    known: Lexemes
    quantities: PassageQuantities


@dataclass(slots=True)
class Allowance:
    """How many pairs may still be scored for one text, by one model, for each purpose."""

    windows: int
    joints: int
    details: int
