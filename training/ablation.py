r"""What each group of generators pays: the same short training with all of them, and with each group left out.

    python -m training.ablation --weights build/v0/model.pt --encoder build/encoder --data ../shared/data/train \
        --out build/ablation

The weights are to be ones that have not seen what is left out. To be affordable, the lower layers stay as they are
(what they compute is kept), and only the upper ones and the head are trained, for one pass. A group that is left out is
replaced by as many rows of the public sets, so that all runs are equally long. Measured on the validation split: pairs
of the group itself, and the public sets. Finished runs are kept in OUT.runs.json; run it again and it goes on.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.data import VALIDATION, Example, Mix, load, twins
from training.encoder import tokenizer_in
from training.model import CrossEncoder, from_weights
from training.train import collate, encoded, loss_of, make_batches

GROUPS: dict[str, tuple[str, ...]] = {
    "amounts": ("value", "total", "points"),
    "comparisons and dates": ("comparison", "order", "date"),
    "who": ("roles", "attribution", "pronoun"),
    "modality, cause, condition": ("modality", "cause", "condition"),
    "negation, quantity, lists": ("negation", "quantifier", "membership"),
    "absent": ("absent",),
    "joined": ("joined",),
    "edited twins": ("twin",),
}
#: Longer pairs cost more than they tell here.
MOST_TOKENS = 160
TRAINED_LAYERS = 2


def group_of(example: Example) -> str:
    """The group of generators that an example comes from, or "public"."""
    if example.dataset.startswith("twin"):
        return "edited twins"
    kind = example.dataset.removeprefix("made_")
    return next((g for g, kinds in GROUPS.items() if kind in kinds), "public") if kind != example.dataset else "public"


class Upper:
    """The upper layers of a network over what its lower layers computed once."""

    def __init__(self, encoder: Path, weights: Path) -> None:
        self._encoder, self._weights = encoder, weights
        self.model = from_weights(encoder, weights)

    def reset(self) -> list[torch.nn.Parameter]:
        """Puts the weights back, and returns those that are trained."""
        self.model = from_weights(self._encoder, self._weights)
        trained = [*self._layers()[-TRAINED_LAYERS:].parameters(), *self.model.dense.parameters()]
        return [*trained, *self.model.out.parameters()]

    def _layers(self) -> Any:
        return self.model.encoder.encoder.layer

    def lower(self, ids: Sequence[list[int]]) -> list[torch.Tensor]:
        """What the lower layers make of each pair: (tokens, width) in bfloat16."""
        found: list[torch.Tensor] = [torch.empty(0)] * len(ids)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        self.model.eval()
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            for start in range(0, len(order), 48):
                part = order[start : start + 48]
                tokens, mask = collate([ids[i] for i in part])
                hidden = self._run(self.model.encoder.embeddings(tokens), mask, slice(0, -TRAINED_LAYERS))
                for i, row in zip(part, hidden, strict=True):
                    found[i] = row[: len(ids[i])].to(torch.bfloat16)
        return found

    def _run(self, hidden: torch.Tensor, mask: torch.Tensor, which: slice) -> torch.Tensor:
        encoder: Any = self.model.encoder
        bias = encoder.encoder.compute_position_bias(hidden)
        ignored = (1.0 - mask[:, None, None].float()) * torch.finfo(torch.bfloat16).min
        for layer in self._layers()[which]:
            hidden = layer(hidden, ignored, position_bias=bias)[0]
        return hidden

    def logits(self, states: Sequence[torch.Tensor]) -> torch.Tensor:
        """Logits (pairs, 3) from what the lower layers made of the pairs."""
        hidden = torch.nn.utils.rnn.pad_sequence([s.float() for s in states], batch_first=True)
        mask = torch.zeros(hidden.shape[:2], dtype=torch.long)
        for row, state in enumerate(states):
            mask[row, : len(state)] = 1
        hidden = self._run(hidden, mask, slice(-TRAINED_LAYERS, None))
        model: CrossEncoder = self.model
        weight = mask.unsqueeze(-1).to(hidden.dtype)
        pooled = torch.cat([hidden[:, 0], (hidden * weight).sum(1) / weight.sum(1)], -1)
        logits: torch.Tensor = model.out(model.dropout(torch.tanh(model.dense(pooled))))
        return logits


def trained(upper: Upper, states: Sequence[torch.Tensor], examples: Sequence[Example], chosen: Sequence[int]) -> None:
    """Trains the upper layers for one pass over the chosen examples."""
    parameters = upper.reset()
    optimizer = torch.optim.AdamW(parameters, lr=8e-5, weight_decay=0.01, fused=True)
    batches = make_batches([len(states[i]) for i in chosen], 2560, random.Random(1))
    upper.model.train()
    for step, batch in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = 8e-5 * min(1.0, (step + 1) / 15, (1 - step / len(batches)) / 0.9)
        torch.manual_seed(step)
        part = [chosen[i] for i in batch]
        with torch.autocast("cpu", torch.bfloat16):
            logits = upper.logits([states[i] for i in part])
        loss_of(logits, torch.tensor([examples[i].target for i in part])).backward()  # type: ignore[no-untyped-call,unused-ignore]
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def right(upper: Upper, states: Sequence[torch.Tensor], examples: Sequence[Example]) -> NDArray[np.bool_]:
    """Whether each example is rightly called entailed or not."""
    found = np.zeros(len(examples), bool)
    order = sorted(range(len(states)), key=lambda i: len(states[i]))
    upper.model.eval()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(order), 48):
            part = order[start : start + 48]
            p = torch.softmax(upper.logits([states[i] for i in part]).float(), -1)[:, 0]
            found[part] = (p > 0.5).numpy() == np.array([examples[i].target == 0 for i in part])
    return found


def report(runs: dict[str, NDArray[np.bool_]], groups: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For each group: accuracy with it and without, on its own rows and on the public sets, with standard errors."""
    of = np.array(groups)
    rows = {}
    for name in [*GROUPS, "all of them"]:
        if name not in runs:
            continue
        row: dict[str, Any] = {}
        own = of == name if name in GROUPS else of != "public"
        for title, where in (("own", own), ("public", of == "public")):
            gain = runs["none left out"][where].astype(float) - runs[name][where]
            row[f"{title}_rows"] = int(where.sum())
            row[f"{title}_with"] = round(float(runs["none left out"][where].mean()), 4)
            row[f"{title}_without"] = round(float(runs[name][where].mean()), 4)
            row[f"{title}_standard_error"] = round(float(gain.std() / np.sqrt(max(1, where.sum()))), 4)
        rows[name] = row
    return rows


def _chosen(groups: Sequence[str], left_out: str, base: int) -> list[int]:
    """The examples of a run: all made ones but those left out, and public ones up to the size of a whole run."""
    made = [i for i, g in enumerate(groups) if g != "public"]
    kept = [] if left_out == "all of them" else [i for i in made if groups[i] != left_out]
    public = [i for i, g in enumerate(groups) if g == "public"]
    return kept + public[: base + len(made) - len(kept)]


def main() -> None:
    """Trains once for each group, measures, prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training sets")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=2000, help="public rows in a run with all generators")
    parser.add_argument("--made", type=int, default=1400, help="made twins, and a third as many edited ones")
    parser.add_argument(
        "--measured", type=int, default=1200, help="made twins to measure on, and two fifths as many edited"
    )
    args = parser.parse_args()

    tokenizer = tokenizer_in(args.encoder / "mpnet")
    edits = args.made // 6
    mix = Mix(sets={}, twins_from_claims=edits, twins_from_passages=edits, made=args.made, seed=21)
    sets = Mix(sets=dict.fromkeys(VALIDATION.sets, 1500), twins_from_claims=0, twins_from_passages=0, seed=21)
    public = load(args.data, "train", sets, max_words=90)
    random.Random(2).shuffle(public)
    train = twins(args.data, "train", mix) + public[: args.rows + 3 * args.made]
    test = load(args.data, "validation", sets, max_words=90)[::4]
    # Of what a mix says, validation gets 8 %.
    edited = round(args.measured / 5 / 0.08)
    measured = Mix(sets={}, twins_from_claims=edited, twins_from_passages=edited, made=round(args.measured / 0.08))
    test += twins(args.data, "validation", measured)
    upper = Upper(args.encoder / "mpnet", args.weights)
    kept: list[tuple[list[Example], list[torch.Tensor]]] = []
    for examples in (train, test):
        short, ids = encoded(tokenizer, examples, MOST_TOKENS)
        kept.append((short, upper.lower(ids)))
    (train, train_states), (test, test_states) = kept
    print(f"{len(train)} pairs to train on, {len(test)} to measure on", flush=True)
    file = args.out.with_suffix(".runs.json")
    done: dict[str, list[int]] = json.loads(file.read_text()) if file.exists() else {}
    groups = [group_of(e) for e in train]
    for name in ["none left out", *GROUPS, "all of them"]:
        if name not in done:
            trained(upper, train_states, train, _chosen(groups, name, args.rows))
            done[name] = right(upper, test_states, test).astype(int).tolist()
            file.write_text(json.dumps(done))
            print(name, round(float(np.mean(done[name])), 4), flush=True)
    found = report({k: np.array(v, bool) for k, v in done.items()}, [group_of(e) for e in test])
    args.out.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")
    for name, row in found.items():
        print(name, row)


if __name__ == "__main__":
    main()
