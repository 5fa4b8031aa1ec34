"""The judge that runs a model in this process, with a model made here: three weights matter, the rest is random."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from halt_rag.contracts import TransformersJudge, TruncatedOutputError, check_answerability
from halt_rag.errors import InputError, MissingExtraError

TEMPLATE = (
    "{% for message in messages %}{{ message['content'] }}{% endfor %}{% if add_generation_prompt %} >{% endif %}"
)
WORDS = ["<end>", "<unknown>", ">", "ask", '"answerable"']


@pytest.fixture(scope="module")
def loaded() -> tuple[Any, Any]:
    """A model that always says the word 4, and a tokenizer of five words."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    end, unknown = WORDS[:2]
    words = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token=unknown))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token=end, unk_token=unknown, pad_token=end
    )
    tokenizer.chat_template = TEMPLATE
    config = transformers.GPT2Config(
        vocab_size=len(WORDS),
        n_positions=64,
        n_embd=8,
        n_layer=1,
        n_head=1,
        bos_token_id=0,
        eos_token_id=0,
        pad_token_id=0,
        tie_word_embeddings=False,
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    say(torch, model, {})
    return model, tokenizer


def say(torch: Any, model: Any, after: dict[int, int]) -> None:
    """Makes the model's next word depend on its last word alone: ``after``, or else the word 4."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        model.transformer.ln_f.weight.fill_(1)
        model.transformer.wte.weight.copy_(torch.eye(len(WORDS), 8))
        for word in range(len(WORDS)):
            model.lm_head.weight[after.get(word, 4), word] = 1


@pytest.mark.slow
def test_the_cap_reaches_the_model_and_a_cut_is_told(loaded: tuple[Any, Any]) -> None:
    torch = pytest.importorskip("torch")
    model, tokenizer = loaded
    say(torch, model, {})
    seen: list[int] = []
    generate = model.generate

    def watched(**options: Any) -> Any:
        seen.append(options["max_new_tokens"])
        return generate(**options)

    try:
        model.generate = watched
        with pytest.raises(TruncatedOutputError, match="3 tokens"):
            TransformersJudge(model, tokenizer)("ask", {}, 3)
    finally:
        del model.generate
    assert seen == [3]


@pytest.mark.slow
def test_an_answer_that_ends_is_a_verdict(loaded: tuple[Any, Any], tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    model, tokenizer = loaded
    say(torch, model, {4: 0})
    judge = TransformersJudge(model, tokenizer)
    assert judge("ask", {}, 5) == '"answerable"'
    assert judge("ask", {}, 2) == '"answerable"'
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    again = TransformersJudge.from_pretrained(str(tmp_path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("halt_rag.contracts.prompts.prompt_for", lambda *_, **__: "ask")
        assert check_answerability("Is it?", ["It is."], judge=again, max_tokens=5) == "answerable"


def test_a_tokenizer_without_a_chat_template_is_refused() -> None:
    with pytest.raises(InputError, match="chat template"):
        TransformersJudge(object(), object())


def test_without_transformers_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r'pip install "halt-rag\[local\]"'):
        TransformersJudge.from_pretrained("somewhere")


def test_the_package_loads_without_any_of_its_extras() -> None:
    code = (
        "import sys; import halt_rag.contracts; "
        "sys.exit(bool({'httpx', 'torch', 'transformers', 'numpy', 'onnxruntime', 'typer'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
