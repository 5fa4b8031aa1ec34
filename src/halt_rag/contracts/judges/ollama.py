"""A judge behind Ollama's own protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from halt_rag.contracts.errors import TruncatedOutputError
from halt_rag.contracts.judges.http import Endpoint, Patience

if TYPE_CHECKING:
    import httpx

NAME: Final = "ollama"


class OllamaJudge:
    """Asks ``POST {base_url}/api/chat``, with the schema as ``format`` and the token cap as ``num_predict``."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "http://localhost:11434",
        options: Mapping[str, Any] | None = None,
        patience: Patience | None = None,
        client: httpx.Client | None = None,
    ) -> None:
        """Sets up; nothing is sent yet.

        Args:
            model: The model's name on the server.
            base_url: The server.
            options: Ollama's ``options``, e.g. ``{"num_ctx": 16384}``; ``temperature`` is 0 unless given here. Ollama
                drops what does not fit into ``num_ctx`` and says nothing, so it should be large enough.
            patience: Time limits and retries.
            client: The ``httpx.Client`` to use instead of a fresh one for each call.

        Raises:
            MissingExtraError: If ``httpx`` is not installed (extra ``judge``).
        """
        self._endpoint = Endpoint(NAME, f"{base_url.rstrip('/')}/api/chat", None, patience or Patience(), client)
        self._model = model
        self._options = {"temperature": 0, **(options or {})}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r})"

    def __call__(self, prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        """The model's answer.

        Raises:
            TruncatedOutputError: If the token cap ended the answer (``done_reason`` ``length``).
            BackendError: If the server cannot be asked, or answers with an error or unusably.
        """
        answer = self._endpoint.post(
            {
                "model": self._model,
                "messages": [{"role": "user", "content": prompt}],
                "stream": False,
                "format": dict(schema),
                "options": {**self._options, "num_predict": max_tokens},
            },
            self._endpoint.deadline(),
        )
        if answer.status != 200:
            raise self._endpoint.failed(answer)
        reply = answer.json()
        message = reply.get("message") if isinstance(reply, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(reply, dict) or not isinstance(content, str):
            raise self._endpoint.unusable(answer, "there is no message in it")
        if reply.get("done_reason") == "length":
            raise TruncatedOutputError(f"The answer ended at {max_tokens} tokens.", hint="Raise max_tokens.")
        if reply.get("done") is not True:
            raise self._endpoint.unusable(answer, "it is not done")
        return content
