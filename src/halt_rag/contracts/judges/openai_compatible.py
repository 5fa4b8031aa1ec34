"""A judge behind the chat-completions protocol of OpenAI, which vLLM, llama.cpp, LiteLLM and many others speak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from halt_rag.contracts.errors import RefusalError, TruncatedOutputError
from halt_rag.contracts.judges.http import Answer, Endpoint, Patience
from halt_rag.errors import InputError

if TYPE_CHECKING:
    import httpx

NAME: Final = "openai-compatible"
CAPS: Final = ("max_completion_tokens", "max_tokens")
"""Names of the token cap: today's, and that of older servers."""
_REJECTED: Final = frozenset({400, 404, 422})


class OpenAICompatibleJudge:
    """Asks ``POST {base_url}/chat/completions``.

    The schema is sent as a strict ``response_format`` (structured outputs), the token cap as
    ``max_completion_tokens``. A server that rejects the one by name is asked again without it, one that rejects the
    other is sent ``max_tokens`` in its place; what worked is remembered for the calls after it. A server that ignores
    what it does not know cannot be noticed: for one that reads ``max_tokens`` only, say ``cap="max_tokens"``.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
        cap: str = CAPS[0],
        options: Mapping[str, Any] | None = None,
        patience: Patience | None = None,
        client: httpx.Client | None = None,
    ) -> None:
        """Sets up; nothing is sent yet.

        Args:
            model: The model's name on the server.
            base_url: Up to and with the version, e.g. ``http://localhost:8000/v1``.
            api_key: Sent as a bearer token; in no error or log.
            cap: The name under which the server takes the token cap.
            options: Further fields of the request, e.g. ``{"temperature": 0}`` where the model allows it.
            patience: Time limits and retries.
            client: The ``httpx.Client`` to use instead of a fresh one for each call.

        Raises:
            InputError: If ``cap`` is none of the two, or the key has characters that a header cannot carry.
            MissingExtraError: If ``httpx`` is not installed (extra ``judge``).
        """
        if cap not in CAPS:
            raise InputError(f"cap must be {' or '.join(CAPS)}, not {cap!r}.")
        self._endpoint = Endpoint(
            NAME, f"{base_url.rstrip('/')}/chat/completions", api_key, patience or Patience(), client
        )
        self._model = model
        self._options = dict(options or {})
        self._cap = cap
        self._structured = True

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r})"

    def __call__(self, prompt: str, schema: Mapping[str, Any], max_tokens: int, /) -> str:
        """The model's answer.

        Raises:
            TruncatedOutputError: If the token cap ended the answer (``finish_reason`` ``length``).
            RefusalError: If the model declined (``refusal``), or a filter did (``content_filter``).
            BackendError: If the server cannot be asked, or answers with an error or unusably. ``retryable`` tells
                whether the same call may succeed later.
        """
        return self._content(self._ask(prompt, schema, max_tokens), max_tokens)

    def _ask(self, prompt: str, schema: Mapping[str, Any], max_tokens: int) -> Answer:
        """Asks, and once more for each of the two fields if the server rejects it by name.

        What it had to do without is remembered only if that helped; if not, the first rejection is what counts.
        """
        deadline = self._endpoint.deadline()
        cap, structured = self._cap, self._structured
        first = answer = self._endpoint.post(
            self._body(prompt, schema, max_tokens=max_tokens, cap=cap, structured=structured), deadline
        )
        for _ in range(2):
            if answer.status not in _REJECTED:
                break
            said = answer.body.decode(errors="replace")
            if cap == self._cap and cap in said:
                cap = next(name for name in CAPS if name != cap)
            elif structured and ("response_format" in said or "json_schema" in said):
                structured = False
            else:
                break
            answer = self._endpoint.post(
                self._body(prompt, schema, max_tokens=max_tokens, cap=cap, structured=structured), deadline
            )
        if answer.status != 200:
            raise self._endpoint.failed(first if first.status in _REJECTED else answer)
        self._cap, self._structured = cap, structured
        return answer

    def _body(
        self, prompt: str, schema: Mapping[str, Any], *, max_tokens: int, cap: str, structured: bool
    ) -> dict[str, Any]:
        messages = [{"role": "user", "content": prompt}]
        body = {**self._options, "model": self._model, "messages": messages, cap: max_tokens}
        if structured:
            shape = {"name": "answer", "strict": True, "schema": dict(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        return body

    def _content(self, answer: Answer, max_tokens: int) -> str:
        reply = answer.json()
        choices = reply.get("choices") if isinstance(reply, dict) else None
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise self._endpoint.unusable(answer, "there is no message in it")
        finish = choice.get("finish_reason")
        if message.get("refusal") or finish == "content_filter":
            raise RefusalError(f"The model {self._model} declined to answer.")
        if finish == "length":
            raise TruncatedOutputError(f"The answer ended at {max_tokens} tokens.", hint="Raise max_tokens.")
        content = message.get("content")
        if not isinstance(content, str):
            raise self._endpoint.unusable(answer, "the message has no text")
        return content
