"""What the backends behind HTTP share: tokenizers, and rows gathered as answers come."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halt_rag.nli.checkpoint import Reading, describe_folder
from halt_rag.nli.remote.cautious import CautiousTokenizer
from halt_rag.nli.remote.settings import Manners
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import ModelTokenizer, check_lengths

if TYPE_CHECKING:
    from halt_rag.text.windows import Tokenizer

_SURROGATES = re.compile("[\ud800-\udfff]")
#: What is assumed of a model that nobody describes.
USUAL_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Estimate:
    """What scoring would take, if nothing has to be repeated.

    Attributes:
        pairs: Distinct pairs.
        calls: Requests.
        cost: Their price, in the currency of ``price_per_call``.
    """

    pairs: int
    calls: int
    cost: float


def tokenizer_for(given: Tokenizer | Path | str | None, reading: Reading, limit: int | None = None) -> Tokenizer:
    """The tokenizer to count with: one that is given, that of a file or checkpoint folder, or a cautious one.

    Raises:
        ConfigurationError: If the file cannot be used.
    """
    most = reading.max_tokens or limit
    if isinstance(given, Path | str):
        path = Path(given)
        if path.is_dir():
            most = most or describe_folder(path, reading).max_tokens
            path = path / "tokenizer.json"
        return ModelTokenizer(path, most or USUAL_TOKENS, template=reading.template)
    return CautiousTokenizer(most or USUAL_TOKENS) if given is None else given


def check_pairs(pairs: Sequence[Pair], tokenizer: Tokenizer) -> None:
    """Refuses pairs that are too long, before anything is sent.

    Raises:
        PairTooLongError: For the first such pair.
    """
    if isinstance(tokenizer, ModelTokenizer):
        tokenizer.check(pairs)
    else:
        check_lengths(pairs, tokenizer)


def sendable(text: str) -> str:
    """A text that UTF-8 can carry: half surrogate pairs become U+FFFD, as tokenizers read them."""
    return _SURROGATES.sub("\ufffd", text)


def estimate(pairs: Iterable[Pair], calls: int, manners: Manners) -> Estimate:
    """The estimate for so many calls."""
    return Estimate(len(set(pairs)), calls, calls * manners.budget.price_per_call)


def gather(pairs: Sequence[Pair], distinct: Sequence[Pair], parts: Iterable[tuple[Sequence[int], Any]]) -> NLIScores:
    """Scores for pairs from the rows of the distinct ones, in whatever order these come."""
    import numpy as np

    rows = np.full((len(distinct), 3), np.nan, dtype=np.float32)
    for indices, values in parts:
        rows[list(indices)] = values
    if np.isnan(rows).any():
        raise AssertionError("every pair has a row, or there was an error")
    places = {pair: index for index, pair in enumerate(distinct)}
    return NLIScores(rows[np.array([places[pair] for pair in pairs], dtype=np.intp)])
