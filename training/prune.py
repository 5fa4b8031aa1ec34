r"""Makes a narrower network out of trained weights: of each feed-forward layer, the channels that matter least go.

    python -m training.prune --weights build/base/model.pt --encoder build/encoder --data ../shared/data/train \
        --channels 1664 --out build/fast/start.pt

How much a channel matters is the sum over tokens of |activation * gradient of the loss|, the first-order estimate of
what its removal does (Molchanov et al., arXiv:1611.06440). The result is where training goes on, not a finished model.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from training.data import VALIDATION, load, twins
from training.encoder import tokenizer_in
from training.model import CrossEncoder, from_weights
from training.train import collate, encoded, loss_of

State = dict[str, torch.Tensor]
BATCH = 24


def importance(model: CrossEncoder, ids: Sequence[list[int]], targets: Sequence[int]) -> list[torch.Tensor]:
    """How much each feed-forward channel matters, for each layer, (channels,).

    Args:
        model: The network.
        ids: Token ids of labelled pairs.
        targets: Their labels, as ``loss_of`` takes them.
    """
    layers: Any = model.encoder.encoder.layer
    found = [torch.zeros(layer.output.dense.in_features) for layer in layers]
    seen: dict[int, torch.Tensor] = {}

    def keep(index: int) -> None:
        def hook(_: object, inputs: tuple[torch.Tensor, ...]) -> None:
            inputs[0].retain_grad()
            seen[index] = inputs[0]

        handles.append(layers[index].output.dense.register_forward_pre_hook(hook))

    handles: list[torch.utils.hooks.RemovableHandle] = []
    for index in range(len(layers)):
        keep(index)
    model.eval()
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    for start in range(0, len(order), BATCH):
        part = order[start : start + BATCH]
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(*collate([ids[i] for i in part]))
        loss = loss_of(logits, torch.tensor([targets[i] for i in part])) * len(part)
        loss.backward()  # type: ignore[no-untyped-call,unused-ignore]
        for index, values in seen.items():
            assert values.grad is not None  # noqa: S101
            found[index] += (values.detach() * values.grad).float().abs().sum((0, 1))
        model.zero_grad(set_to_none=True)
    for handle in handles:
        handle.remove()
    return found


def narrowed(state: State, matters: Sequence[torch.Tensor], channels: int) -> State:
    """The weights with the ``channels`` channels of each feed-forward layer that matter most, in their order.

    Raises:
        ValueError: If a layer has fewer channels.
    """
    new = dict(state)
    for index, scores in enumerate(matters):
        if len(scores) < channels:
            raise ValueError(f"layer {index} has {len(scores)} channels, fewer than {channels}")
        kept = scores.topk(channels).indices.sort().values
        prefix = f"encoder.encoder.layer.{index}"
        for name in (f"{prefix}.intermediate.dense.weight", f"{prefix}.intermediate.dense.bias"):
            new[name] = state[name][kept].clone()
        new[f"{prefix}.output.dense.weight"] = state[f"{prefix}.output.dense.weight"][:, kept].clone()
    return new


def main() -> None:
    """Measures the channels on training pairs, cuts, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training sets")
    parser.add_argument("--channels", type=int, required=True, help="of each layer; a multiple of 64")
    parser.add_argument("--pairs", type=int, default=1500, help="of the training split, to measure on")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    tokenizer = tokenizer_in(args.encoder / "mpnet")
    examples = load(args.data, "train", VALIDATION) + twins(args.data, "train", VALIDATION)
    random.Random(17).shuffle(examples)
    examples, ids = encoded(tokenizer, examples[: args.pairs])
    model = from_weights(args.encoder / "mpnet", args.weights)
    matters = importance(model, ids, [example.target for example in examples])
    args.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": narrowed(model.state_dict(), matters, args.channels)}, args.out)
    for index, scores in enumerate(matters):
        kept = scores.topk(args.channels).values.sum() / scores.sum()
        print(f"layer {index}: {args.channels} of {len(scores)} channels hold {kept:.1%} of what matters")


if __name__ == "__main__":
    main()
