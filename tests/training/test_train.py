"""The pure parts of the training: batches, padding, loss."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="the training needs torch, which is not installed")
pytest.importorskip("transformers", reason="the training needs transformers, which is not installed")

import torch

from training.data import UNLABELLED
from training.train import collate, loss_of, make_batches, taught_loss


@given(st.lists(st.integers(3, 384), min_size=1, max_size=300), st.integers(400, 3000), st.integers(0, 99))
def test_every_pair_is_in_exactly_one_batch_and_no_batch_is_too_large(
    lengths: list[int], tokens: int, seed: int
) -> None:
    batches = make_batches(lengths, tokens, random.Random(seed))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) * max(lengths[i] for i in batch) <= tokens


def test_a_pair_longer_than_a_batch_has_one_of_its_own() -> None:
    assert sorted(make_batches([10, 900, 10], 100, random.Random(0))) in ([[0, 2], [1]], [[1], [2, 0]])


def test_batches_hold_similar_lengths_in_random_order() -> None:
    lengths = [20, 200] * 500
    batches = make_batches(lengths, 2000, random.Random(1))
    mixed = [batch for batch in batches if len({lengths[i] for i in batch}) > 1]
    assert len(mixed) <= 1
    firsts = [lengths[batch[0]] for batch in batches]
    assert firsts != sorted(firsts)


def test_the_same_seed_makes_the_same_batches() -> None:
    lengths = [random.Random(0).randint(5, 90) for _ in range(200)]
    assert make_batches(lengths, 500, random.Random(4)) == make_batches(lengths, 500, random.Random(4))


def test_padding_is_id_1_and_masked() -> None:
    ids, mask = collate([[0, 7, 2], [0, 5, 6, 8, 2]])
    assert ids.tolist() == [[0, 7, 2, 1, 1], [0, 5, 6, 8, 2]]
    assert mask.tolist() == [[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]
    assert ids.dtype == mask.dtype == torch.long


@pytest.mark.parametrize(
    ("target", "probability"),
    [(0, 0.5), (1, 0.3), (2, 0.2), (3, 0.5)],  # 3: neutral or contradiction
)
def test_the_loss_is_the_log_of_the_probability_of_what_is_known(target: int, probability: float) -> None:
    logits = torch.log(torch.tensor([[0.5, 0.3, 0.2]])) + 4.0
    assert float(loss_of(logits, torch.tensor([target]))) == pytest.approx(-math.log(probability), abs=1e-5)


def test_the_loss_is_the_mean_over_the_batch() -> None:
    logits = torch.log(torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]]))
    expected = -(math.log(0.5) + math.log(0.9)) / 2
    assert float(loss_of(logits, torch.tensor([0, 3]))) == pytest.approx(expected, abs=1e-5)


def test_an_unknown_kind_of_not_entailed_pulls_both_alike() -> None:
    logits = torch.zeros(1, 3, requires_grad=True)
    torch.autograd.backward(loss_of(logits, torch.tensor([3])))
    assert logits.grad is not None
    entailment, neutral, contradiction = logits.grad[0].tolist()
    assert entailment > 0
    assert neutral == pytest.approx(contradiction)
    assert neutral < 0


def test_what_a_teacher_says_counts_in_full_where_there_is_no_label() -> None:
    logits = torch.log(torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]]))
    soft = torch.tensor([[0.2, 0.2, 0.6], [1.0, 0.0, 0.0]])
    hard = -math.log(0.5)
    first = -(0.2 * math.log(0.5) + 0.2 * math.log(0.3) + 0.6 * math.log(0.2))
    second = -math.log(0.1)
    loss = taught_loss(logits, torch.tensor([0, UNLABELLED]), soft, 0.25)
    assert float(loss) == pytest.approx((0.75 * hard + 0.25 * first + second) / 2, abs=1e-5)
    alone = taught_loss(logits[1:], torch.tensor([UNLABELLED]), soft[1:], 0.25)
    assert float(alone) == pytest.approx(second, abs=1e-5)
