"""A model's own tokenizer, and the refusal of pairs that it could not read whole."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halt_rag.errors import ConfigurationError, InputError
from halt_rag.text.spans import Span

if TYPE_CHECKING:
    from tokenizers import Encoding

    from halt_rag.nli.scores import Pair
    from halt_rag.text.windows import Tokenizer

_PLACES = re.compile(r"\{premise\}|\{hypothesis\}")
_SURROGATES = re.compile("[\ud800-\udfff]")
#: Over the classes of ``_classes``: what is unknown, with marks on it that belong to no token.
_UNKNOWN = re.compile("u[ui]*")


class PairTooLongError(InputError):
    """A pair has more tokens than its model can read; nothing is truncated.

    Attributes:
        index: Where the pair stands in the sequence that was given to ``score``.
        tokens: How many tokens it has, special tokens included.
        max_tokens: How many it may have.
    """

    def __init__(self, index: int, tokens: int, max_tokens: int) -> None:
        super().__init__(
            f"Pair {index} has {tokens} tokens; the model reads at most {max_tokens}.",
            hint="Split the premise into windows or the hypothesis into sentences; nothing is truncated.",
        )
        self.index, self.tokens, self.max_tokens = index, tokens, max_tokens

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.index, self.tokens, self.max_tokens)


def check_lengths(pairs: Sequence[Pair], tokenizer: Tokenizer) -> None:
    """Refuses pairs that are too long, by counting; for backends that do not tokenize themselves.

    Raises:
        PairTooLongError: For the first pair with more than ``tokenizer.max_tokens`` tokens.
    """
    counts: dict[str, int] = {}
    for index, pair in enumerate(pairs):
        for text in (pair.premise, pair.hypothesis):
            if text not in counts:
                counts[text] = tokenizer.count(text)
        tokens = counts[pair.premise] + counts[pair.hypothesis] + tokenizer.pair_overhead
        if tokens > tokenizer.max_tokens:
            raise PairTooLongError(index, tokens, tokenizer.max_tokens)


def fill(template: str, premise: str, hypothesis: str) -> str:
    """A template with both texts in it; what looks like a place-holder in a text stays as it is."""
    texts = {"{premise}": premise, "{hypothesis}": hypothesis}
    return _PLACES.sub(lambda place: texts[place[0]], template)


def check_digest(file: Path, digest: str, stated: str) -> None:
    """Refuses a file of a model that is not the one its ``model.json`` was written for.

    Raises:
        ConfigurationError: If its SHA-256 is not the stated one.
    """
    if digest != stated:
        raise ConfigurationError(
            f"{file} has the SHA-256 {digest}, but its model.json states {stated}.",
            hint="The file is damaged or belongs to another version: reinstall halt-rag.",
        )


class ModelTokenizer:
    """The tokenizer that belongs to a model, read from its ``tokenizer.json``.

    Texts are content, never markup: a text that spells a special token (``</s>``) is tokenized letter by
    letter, so that it cannot change where premise and hypothesis begin. Lone surrogates, which no
    tokenizer accepts, are read as U+FFFD; as that is one code point for another, offsets still hold.
    Safe to use from several threads.

    Args:
        file: The ``tokenizer.json``. Truncation and padding that it may ask for are switched off.
        max_tokens: How many tokens a pair may have, special tokens included.
        sha256: What the SHA-256 of the file must be, 64 hexadecimal digits; None accepts any.
        template: For graders that read one text: it has ``{premise}`` and ``{hypothesis}`` where they go, and may have
            ``{sep}`` for the special token that ends a text. Default: the tokenizer's own form of a pair.

    Raises:
        ConfigurationError: If the file is missing, not as its SHA-256 states or not the JSON of a tokenizer.
    """

    def __init__(self, file: Path, max_tokens: int, *, sha256: str | None = None, template: str | None = None) -> None:
        try:
            content = file.read_bytes()
            if sha256 is not None:
                check_digest(file, hashlib.sha256(content).hexdigest(), sha256)
            text = content.decode("utf-8")
        except (OSError, ValueError) as error:
            raise ConfigurationError(f"{file} cannot be used as a tokenizer: {error}.") from error
        self._read(text, str(file), max_tokens, template)

    @classmethod
    def from_json(
        cls, text: str, max_tokens: int, *, template: str | None = None, origin: str = "The text"
    ) -> ModelTokenizer:
        """From the content of a ``tokenizer.json``; ``origin`` is what errors call it.

        Raises:
            ConfigurationError: If it is not the JSON of a tokenizer.
        """
        made = cls.__new__(cls)
        made._read(text, origin, max_tokens, template)
        return made

    def _read(self, text: str, origin: str, max_tokens: int, template: str | None) -> None:
        from tokenizers import Tokenizer as Loaded

        try:
            if "model" not in (described := json.loads(text)):
                raise ValueError("it names no model")
        except (ValueError, TypeError) as error:
            raise ConfigurationError(f"{origin} cannot be used as a tokenizer: {error}.") from error
        self._tokenizer = Loaded.from_str(text)
        name = described["model"].get("unk_token")
        self._unknown: int | None = self._tokenizer.token_to_id(name) if name else described["model"].get("unk_id")
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True
        self._max_tokens = max_tokens
        self._template, self._origin = template, origin
        if template is None:
            self._pair_overhead: int = self._tokenizer.num_special_tokens_to_add(is_pair=True)
        else:
            if missing := [part for part in ("{premise}", "{hypothesis}") if part not in template]:
                raise ConfigurationError(f"The template of a pair lacks {' and '.join(missing)}.")
            # A letter is content in every tokenizer, so what stands around it is special.
            sample = self._tokenizer.encode("a", add_special_tokens=True)
            content = sample.special_tokens_mask.index(0)
            special = [id_ for id_, mask in zip(sample.ids, sample.special_tokens_mask, strict=True) if mask]
            self._before, self._after = special[:content], special[content:]
            self._pair_overhead = len(self._templated("", ""))

    @property
    def max_tokens(self) -> int:
        """How many tokens a pair may have, special tokens included."""
        return self._max_tokens

    @property
    def pair_overhead(self) -> int:
        """How many special tokens are added to a pair."""
        return self._pair_overhead

    def to_json(self) -> str:
        """The content of a ``tokenizer.json``, without truncation and padding."""
        text: str = self._tokenizer.to_str()
        return text

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The half-open code-point range of each token of a text, without special tokens."""
        return self._encode(text).offsets

    def count(self, text: str) -> int:
        """How many tokens a text has, without special tokens."""
        return len(self._encode(text))

    def unknown(self, text: str) -> list[Span]:
        """What becomes the unknown token, or no token though it is a visible character, in order.

        WordPiece makes one unknown token of a whole word: one that is too long or holds one unknown character, as
        most emoji and unspaced text in a script that the model has not learnt.
        """
        return [Span(*match.span()) for match in _UNKNOWN.finditer(self._classes(text))]

    def pair_ids(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """The token ids of each pair, special tokens included; each distinct text is tokenized once.

        Raises:
            PairTooLongError: For the first pair with more than ``max_tokens`` tokens.
        """
        return [ids for ids, _ in self.pair_inputs(pairs)]

    def pair_inputs(self, pairs: Sequence[Pair]) -> list[tuple[list[int], list[int]]]:
        """The token ids of each pair as ``pair_ids`` gives them, and for each token to which text it belongs (0 or 1).

        Raises:
            PairTooLongError: For the first pair with more than ``max_tokens`` tokens.
        """
        self._require_separator()
        encodings: dict[str, Encoding] = {}
        inputs = []
        for index, pair in enumerate(pairs):
            if self._template is not None:
                ids = self._templated(pair.premise, pair.hypothesis)
                self._check(index, len(ids))
                inputs.append((ids, [0] * len(ids)))
                continue
            # One text at a time: batches would start the tokenizer's own threads, which do not survive a fork.
            for text in (pair.premise, pair.hypothesis):
                if text not in encodings:
                    encodings[text] = self._encode(text)
            premise, hypothesis = encodings[pair.premise], encodings[pair.hypothesis]
            self._check(index, len(premise) + len(hypothesis) + self._pair_overhead)
            whole = self._tokenizer.post_process(premise, hypothesis)
            inputs.append((whole.ids, whole.type_ids))
        return inputs

    def check(self, pairs: Sequence[Pair]) -> None:
        """Refuses pairs that are too long; for those who send texts, not tokens.

        Raises:
            PairTooLongError: For the first pair with more than ``max_tokens`` tokens.
        """
        if self._template is None:
            self._require_separator()
            check_lengths(pairs, self)
        else:
            self.pair_inputs(pairs)

    def _require_separator(self) -> None:
        if self._template is None and self._pair_overhead <= self._tokenizer.num_special_tokens_to_add(is_pair=False):
            raise ConfigurationError(
                f"{self._origin} puts no token between the texts of a pair, so a model could not tell them apart.",
                hint="Use the tokenizer that the model was trained with, post-processor included, or a template.",
            )

    def _check(self, index: int, tokens: int) -> None:
        if tokens > self._max_tokens:
            raise PairTooLongError(index, tokens, self._max_tokens)

    def _templated(self, premise: str, hypothesis: str) -> list[int]:
        """One text made of both, tokenized as one: what a grader was trained on."""
        parts = [fill(part, premise, hypothesis) for part in str(self._template).split("{sep}")]
        ids = [*self._before, *self._encode(parts[0]).ids]
        for part in parts[1:]:
            ids += [self._after[-1], *self._encode(part).ids]
        return ids + self._after

    def _classes(self, text: str) -> str:
        """For each code point: k(nown), u(nknown), i(gnored) where it has no token, or a space."""
        encoding = self._encode(text)
        classes = [_class_without_token(c) for c in text]
        for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            classes[start:end] = ("u" if token == self._unknown else "k") * (end - start)
        return "".join(classes)

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(_SURROGATES.sub("\ufffd", text), add_special_tokens=False)


def _class_without_token(character: str) -> str:
    if character.isspace():
        return " "
    # Controls, joiners and marks on other characters change how a text looks; the rest is content.
    category = unicodedata.category(character)
    return "i" if category in {"Cc", "Cf"} or category.startswith("M") else "u"
