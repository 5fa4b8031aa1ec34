"""A judge that runs a causal language model in this process, by Hugging Face ``transformers``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from halt_rag.contracts.errors import TruncatedOutputError
from halt_rag.errors import InputError, MissingExtraError

NAME: Final = "transformers"


class TransformersJudge:
    """Generates greedily, with the token cap as ``max_new_tokens``.

    ``transformers`` does not enforce schemas, so the model has only the prompt to go by, and more of its answers will
    break their contract than those of a server that does.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        """Takes what is loaded already.

        Args:
            model: A causal language model with ``generate``.
            tokenizer: Its tokenizer, with a chat template.

        Raises:
            InputError: If the tokenizer has no chat template.
        """
        if not getattr(tokenizer, "chat_template", None):
            raise InputError("The tokenizer has no chat template.", hint="Use a model that is tuned for chat.")
        self._model = model
        self._tokenizer = tokenizer

    @classmethod
    def from_pretrained(cls, model: str, *, revision: str | None = None, device: str = "cpu") -> TransformersJudge:
        """Loads a model by name or from a folder. Code that comes with a model is not run.

        Args:
            model: A folder, or a name on the hub.
            revision: Which version of it; name a commit where results are to stay the same.
            device: Where to run it, e.g. ``cuda``.

        Raises:
            MissingExtraError: If ``transformers`` is not installed (extra ``local``).
        """
        try:
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ModuleNotFoundError as error:
            raise MissingExtraError("transformers", "local") from error
        loaded: Any = AutoModelForCausalLM.from_pretrained(model, revision=revision)
        return cls(loaded.to(device), AutoTokenizer.from_pretrained(model, revision=revision))

    def __call__(self, prompt: str, _schema: Mapping[str, Any], max_tokens: int, /) -> str:
        """The model's answer; the schema is not used.

        Raises:
            TruncatedOutputError: If the answer did not end within ``max_tokens``.
        """
        messages = [{"role": "user", "content": prompt}]
        inputs = self._tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
        ).to(self._model.device)
        output = self._model.generate(**inputs, max_new_tokens=max_tokens, do_sample=False)
        answer = output[0][inputs["input_ids"].shape[1] :].tolist()
        if len(answer) >= max_tokens and answer[-1] not in self._ends():
            raise TruncatedOutputError(f"The answer ended at {max_tokens} tokens.", hint="Raise max_tokens.")
        return str(self._tokenizer.decode(answer, skip_special_tokens=True))

    def _ends(self) -> tuple[int, ...]:
        ends = self._model.generation_config.eos_token_id
        return tuple(ends) if isinstance(ends, list) else (ends,)
