"""Leaving the placeholders out of the vocabulary: every text has the same tokens as before."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import RobertaProcessing

from training.vocabulary import without_unused

WORDS = ["<s>", "[unused0]", "<pad>", "</s>", "[unused1]", "[UNK]", "the", "dam", "##s", "is", "[unused22]", "old", "."]


def made() -> Tokenizer:
    tokenizer = Tokenizer(WordPiece({word: i for i, word in enumerate(WORDS)}, unk_token=WORDS[5]))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>"])
    tokenizer.post_processor = RobertaProcessing(("</s>", 3), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    return tokenizer


OLD = made()
CONTENT, KEPT = without_unused(OLD.to_str())
NEW = Tokenizer.from_str(CONTENT)


def test_only_placeholders_go() -> None:
    assert [WORDS[i] for i in KEPT] == [word for word in WORDS if not word.startswith("[unused")]
    assert list(json.loads(CONTENT)["model"]["vocab"].values()) == list(range(len(KEPT)))


@given(st.lists(st.sampled_from(["the", "dams", "dam", "is", "old", ".", "größer", "</s>", "<s>"]), min_size=1))
def test_the_new_ids_stand_for_the_old_tokens(words: list[str]) -> None:
    first, second = " ".join(words), "The dams is old."
    old, new = OLD.encode(first, second), NEW.encode(first, second)
    assert old.tokens == new.tokens
    assert old.ids == [KEPT[i] for i in new.ids]
    assert old.offsets == new.offsets


def test_without_placeholders_nothing_changes() -> None:
    again, kept = without_unused(CONTENT)
    assert again == CONTENT
    assert kept == list(range(len(KEPT)))
