"""What can be had without reading closely: three baselines to stand beside every figure.

Each is a logistic regression, cross-fitted over five folds that keep groups together, so that its probabilities are
never in-sample. Length reads the generated text's number of words, overlap the share of its words that the source
holds, and text-only its TF-IDF terms; the first and the last never see the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from halt_rag.errors import MissingExtraError
from halt_rag.learn.rows import LabelledRow
from halt_rag.verify.lexical import lexemes, recall

if TYPE_CHECKING:
    from numpy.typing import NDArray

try:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler
except ImportError as error:
    raise MissingExtraError("scikit-learn", "evaluate") from error

_FOLDS = 5


def baselines(
    rows: Sequence[LabelledRow], groups: Sequence[str], hallucinated: NDArray[np.bool_]
) -> dict[str, NDArray[np.float64]]:
    """Cross-fitted P(hallucinated) of each baseline, shape (rows,); empty where there are too few groups or one class.

    The regressions weigh both classes alike, so 0.5 is their threshold for balanced accuracy.
    """
    folds = min(_FOLDS, len(set(groups)))
    if folds < 2 or hallucinated.all() or not hallucinated.any():
        return {}
    texts = [row.generated for row in rows]
    length = np.array([[len(text.split())] for text in texts], dtype=np.float64)
    overlap = np.array([[_overlap(row)] for row in rows])
    scaled = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    logs = make_pipeline(FunctionTransformer(np.log1p), scaled)
    words = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True),
        LogisticRegression(class_weight="balanced", max_iter=500),
    )
    splits = list(GroupKFold(folds).split(length, hallucinated, groups))
    found = {
        "length": _cross_fitted(logs, length, hallucinated, splits),
        "overlap": _cross_fitted(scaled, overlap, hallucinated, splits),
        "text_only": _cross_fitted(words, np.array(texts, dtype=object), hallucinated, splits),
    }
    return {name: p for name, p in found.items() if p is not None}


def _overlap(row: LabelledRow) -> float:
    source = row.source if isinstance(row.source, str) else "\n".join(row.source)
    return recall(lexemes(row.generated).words, lexemes(source).words)


def _cross_fitted(
    model: Any, x: NDArray[Any], y: NDArray[np.bool_], splits: list[tuple[NDArray[np.intp], NDArray[np.intp]]]
) -> NDArray[np.float64] | None:
    """Out-of-fold probabilities; None where a fold cannot be fitted (one class, or no word that occurs twice)."""
    p = np.zeros(len(y))
    for train, test in splits:
        if y[train].all() or not y[train].any():
            return None
        try:
            model.fit(x[train], y[train])
        except ValueError:
            return None
        p[test] = model.predict_proba(x[test])[:, 1]
    return p
