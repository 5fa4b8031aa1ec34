"""What the claims of a text let its task model decide: a verdict never goes against them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from halt_rag.learn.table import FeatureTable
from halt_rag.verify.artifact import shipped
from halt_rag.verify.decide import Thresholds
from halt_rag.verify.evidence import CONTRADICTS
from halt_rag.verify.features import logit
from halt_rag.verify.text_model import Pipeline

if TYPE_CHECKING:
    from numpy.typing import NDArray


def claim_thresholds(pipeline: Pipeline) -> Thresholds | None:
    """Where the verdict on a claim changes; None where no claims are in the features, or another model weighed them.

    Raises:
        UnknownNameError: If the NLI model's general task model, which the features depend on, is not installed.
    """
    if pipeline.claims is None:
        return None
    model = shipped("general", pipeline.models[0].model_id)
    return model.cuts.thresholds() if model.id == pipeline.claims else None


def opposed(table: FeatureTable, called: NDArray[np.bool_], claims: Thresholds) -> NDArray[np.bool_]:
    """Texts that the verifier leaves open: called hallucinated and all claims supported, or not and one contradicted.

    The claims are those of the features, read in their nearest windows alone. The verifier reads them in all, so that
    it may find support or a contradiction that is not seen here.

    Args:
        table: The texts, with the features of their claims.
        called: Which of them the text model calls hallucinated.
        claims: Where the verdict on a claim changes.
    """
    highest, unread, conflict = table.columns(["claim_p_max", "claims_unread", "claim_conflict"]).T
    supported = (highest < logit(claims.supported_below)) & (unread == 0)
    contradicted = (highest >= logit(claims.hallucinated_from)) & (conflict >= logit(CONTRADICTS))
    against: NDArray[np.bool_] = np.where(called, supported, contradicted)
    return table.to_check & against


def callable_rows(table: FeatureTable) -> NDArray[np.bool_]:
    """Texts that the verifier may call hallucinated: those with a claim to check, not all of whose claims hold."""
    claims = claim_thresholds(table.pipeline)
    if claims is None:
        return table.to_check
    every = np.ones(len(table), dtype=bool)
    return table.to_check & ~opposed(table, every, claims)
