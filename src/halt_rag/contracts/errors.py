"""What can be wrong with a model's output. Every class is a ``ContractError``, so one ``except`` catches them all.

::

    ContractError
    ├── AdapterSchemaMismatchError                 keys or values that the contract does not allow; never a ValueError
    ├── OutputShapeError (ValueError)              not JSON, or JSON of another shape
    │   ├── TruncatedOutputError                   cut off, most often by the token cap
    │   └── ProseAroundJSONError                   JSON with something before or after it
    ├── SentenceIndexRangeError (ValueError)       a sentence number that no sentence has
    ├── SentenceIndexTypeError (TypeError)         a sentence number that is no integer
    └── RefusalError                               the model declined to answer

A model that could not be asked, or a server that answered something else than its protocol says, is a
``BackendError``: that says nothing about the output. All classes can be pickled.
"""

from __future__ import annotations

from halt_rag.errors import ContractError


class OutputShapeError(ContractError, ValueError):
    """An output is not JSON, or is JSON of another shape than its contract wants."""

    code = "OUTPUT_SHAPE"


class TruncatedOutputError(OutputShapeError):
    """An output stops before its end. A larger ``max_tokens`` usually helps."""

    code = "OUTPUT_TRUNCATED"


class ProseAroundJSONError(OutputShapeError):
    """An output holds JSON, with prose or a code fence around it. It is not dug out: what it means is a guess."""

    code = "OUTPUT_PROSE"


class SentenceIndexRangeError(ContractError, ValueError):
    """A sentence number is negative or past the last sentence; the message has the number and the count."""

    code = "SENTENCE_INDEX_RANGE"


class SentenceIndexTypeError(ContractError, TypeError):
    """A sentence number is not an integer. ``True`` is none either."""

    code = "SENTENCE_INDEX_TYPE"


class RefusalError(ContractError):
    """The model, or a filter in front of it, declined to answer. That is not a verdict on any text."""

    code = "REFUSAL"
