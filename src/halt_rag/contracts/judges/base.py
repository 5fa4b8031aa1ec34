"""What a judge is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Judge(Protocol):
    """Asks a language model. A plain function will do; it is called with the arguments in this order."""

    def __call__(self, prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        """The model's answer to a prompt, as it came.

        Args:
            prompt: What to ask; it describes the wanted JSON in words too.
            schema: JSON Schema of the answer, an object at its top, for servers that can enforce it. What comes back
                is checked all the same.
            max_tokens: The most tokens that the answer may have.

        Raises:
            TruncatedOutputError: If the answer was cut off.
            RefusalError: If the model, or a filter, declined.
            BackendError: If the model could not be asked, or the server answered unusably.
        """
        ...
