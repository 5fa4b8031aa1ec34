"""A cascade: a cheap model decides what it can, and only the claims that it leaves open go to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halt_rag.errors import InputError
from halt_rag.nli.scores import NLIBackend

if TYPE_CHECKING:
    from halt_rag.verify.verifier import HaltRagVerifier


@dataclass(frozen=True, slots=True)
class Cascade:
    """The models after the first, and what they are asked about.

    Attributes:
        then: Models, or verifiers with calibrations of their own, in the order in which they are asked.
        band: A claim with a probability in ``[band[0], band[1])`` goes on although the model decides it; so do all that
            it leaves undetermined. None: only these. ``benchmarks/cascade.py`` measures what a band costs and gains.

    Raises:
        InputError: If there is no model, or the band is no range within 0 to 1.
    """

    then: Sequence[NLIBackend | HaltRagVerifier]
    band: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not self.then:
            raise InputError("A cascade needs a model after the first.")
        if self.band is not None and not 0 <= self.band[0] <= self.band[1] <= 1:
            raise InputError(f"The band of a cascade needs 0 <= low <= high <= 1, not {self.band}.")
