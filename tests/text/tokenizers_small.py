"""Small real tokenizers, made in memory, behind the protocol that windowing needs."""

from __future__ import annotations

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from halt_rag.text.spans import Span

UNKNOWN = "[UNK]"
CORPUS = [
    "The tide turned at noon and the boats came home with fish.",
    "Nobody saw who opened the gate, but the sheep were gone by dawn.",
    "Prices rose 4.5 percent in 2019; wages did not. Why? Nobody knows!",
    "Ça va bien, merci. Der Zug fährt um neun Uhr ab. 雨が降っています。",
]


class Small:
    """Adapts ``tokenizers.Tokenizer``; lone surrogates, which it refuses, are read as U+FFFD."""

    max_tokens = 128
    pair_overhead = 3

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.read = 0  # Code points tokenized so far.

    def offsets(self, text: str) -> list[tuple[int, int]]:
        self.read += len(text)
        readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if len(readable) != len(text):  # A pair of surrogates became one character.
            readable = "".join("\ufffd" if "\ud800" <= mark <= "\udfff" else mark for mark in text)
        offsets: list[tuple[int, int]] = self._tokenizer.encode(readable, add_special_tokens=False).offsets
        return offsets

    def count(self, text: str) -> int:
        return len(self.offsets(text))

    def unknown(self, text: str) -> list[Span]:
        return []


def word_piece() -> Small:
    """Lower-cases, strips accents and control characters, as BERT does; long words become one unknown token."""
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN, max_input_chars_per_word=40))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=300, special_tokens=[UNKNOWN]))
    return Small(tokenizer)


def byte_bpe(*, trim_offsets: bool = False) -> Small:
    """Works on bytes, so a character may be several tokens; unless trimmed, tokens start with their white space."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=trim_offsets)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet))
    return Small(tokenizer)


def words() -> Small:
    """One token per word or mark, whatever stands around it: a piece of a text has the tokens it has there."""
    tokenizer = Tokenizer(models.WordLevel({UNKNOWN: 0}, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return Small(tokenizer)


def letters() -> Small:
    """One token per character after compatibility decomposition, which makes 18 characters of U+FDFA."""
    tokenizer = Tokenizer(models.WordLevel({UNKNOWN: 0}, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.NFKD()
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("[\\s\\S]"), "isolated")
    return Small(tokenizer)
