r"""Fine-tunes the cross-encoder: one command, in a deterministic order, resumable.

    python -m training.train --run training/runs/base.toml --init build/v0/model.pt \
        --data ../shared/data/train --encoder build/encoder --out build/base

Run it again after an interruption and it goes on from the last checkpoint.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from training.data import UNLABELLED, VALIDATION, Example, load, twins
from training.encoder import fetch, tokenizer_in
from training.export import smoothing_factors
from training.lowbit import exact_state, round_weights
from training.model import CrossEncoder, from_pretrained, from_weights
from training.pool import near_pairs
from training.run import read_run

Batch = list[int]

#: Longer pairs are left out; the encoder has positions for 512.
MOST_TOKENS = 384


def encoded(
    tokenizer: Tokenizer, examples: list[Example], most_tokens: int = MOST_TOKENS
) -> tuple[list[Example], list[list[int]]]:
    """The examples that are not too long, and their token ids: ``<s> premise </s></s> hypothesis </s>``."""
    ids = [e.ids for e in tokenizer.encode_batch([(e.premise, e.hypothesis) for e in examples])]
    kept = [i for i, item in enumerate(ids) if len(item) <= most_tokens]
    return [examples[i] for i in kept], [ids[i] for i in kept]


def make_batches(lengths: list[int], tokens_per_batch: int, rng: random.Random) -> list[Batch]:
    """Batches of similar length and even token count, in random order; every pair is in one batch."""
    order = list(range(len(lengths)))
    rng.shuffle(order)
    batches: list[Batch] = []
    for start in range(0, len(order), 4096):
        pool = sorted(order[start : start + 4096], key=lambda i: lengths[i])
        batch: Batch = []
        for i in pool:
            if batch and lengths[i] * (len(batch) + 1) > tokens_per_batch:
                batches.append(batch)
                batch = []
            batch.append(i)
        batches.append(batch)
    rng.shuffle(batches)
    return batches


def collate(ids: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Pads with id 1 to the longest."""
    width = max(map(len, ids))
    padded = torch.ones(len(ids), width, dtype=torch.long)
    mask = torch.zeros(len(ids), width, dtype=torch.long)
    for row, item in enumerate(ids):
        padded[row, : len(item)] = torch.tensor(item)
        mask[row, : len(item)] = 1
    return padded, mask


def loss_of(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Cross entropy; target 3 means "not entailed": neutral and contradiction are summed."""
    log_p = torch.log_softmax(logits.float(), dim=-1)
    columns = torch.cat([log_p, torch.logsumexp(log_p[:, 1:], dim=-1, keepdim=True)], dim=-1)
    return -columns.gather(1, targets.unsqueeze(1)).mean()


def taught_loss(logits: torch.Tensor, targets: torch.Tensor, soft: torch.Tensor, weight: float) -> torch.Tensor:
    """Cross entropy with a teacher's probabilities (pairs, 3) and, where there is a label, with the label.

    ``weight`` is the teacher's share on labelled pairs; on the others, the teacher's is all.
    """
    labelled = targets != UNLABELLED
    taught = -(soft * torch.log_softmax(logits.float(), -1)).sum(-1)
    shares = torch.where(labelled, weight, 1.0)
    loss = (shares * taught).mean()
    if labelled.any():
        share = labelled.float().mean() * (1 - weight)
        loss = loss + share * loss_of(logits[labelled], targets[labelled])
    return loss


def evaluate(model: CrossEncoder, ids: list[list[int]], examples: list[Example]) -> dict[str, Any]:
    """Accuracy (three-way where labelled so) and accuracy of entailed / not, per set."""
    model.eval()
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    right: dict[str, list[bool]] = {}
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(order), 32):
            part = order[start : start + 32]
            predicted = model(*collate([ids[i] for i in part])).float()
            for i, row in zip(part, predicted, strict=True):
                example = examples[i]
                name = example.dataset
                binary = bool(torch.softmax(row, -1)[0] > 0.5) == (example.target == 0)
                right.setdefault(f"{name}/binary", []).append(binary)
                if example.target < 3 and "twin" not in name and "made" not in name and name != "fever_gold":
                    right.setdefault(f"{name}/three", []).append(int(row.argmax()) == example.target)
    model.train()
    return {name: [round(float(np.mean(v)), 4), len(v)] for name, v in sorted(right.items())}


def main() -> None:
    """Trains and leaves ``model.pt``, ``log.jsonl`` and ``validation.json`` in the output folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training sets")
    parser.add_argument("--encoder", type=Path, required=True, help="where the encoder is, or goes")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True, help="settings, from training/runs")
    parser.add_argument("--init", type=Path, help="weights to start from, instead of the encoder's own")
    parser.add_argument("--teacher", type=Path, help="weights of a teacher, where the run weighs one")
    args = parser.parse_args()

    run = read_run(args.run)
    if bool(run.teacher_weight) != bool(args.teacher):
        raise SystemExit("--teacher belongs to a run with a teacher_weight")
    if run.mix.near and not args.teacher:
        raise SystemExit("near pairs have no labels; they need a teacher")
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(run.seed)
    encoder = fetch(args.encoder)
    tokenizer = tokenizer_in(encoder)
    examples = load(args.data, "train", run.mix) + twins(args.data, "train", run.mix)
    if run.mix.near:
        examples += near_pairs(args.data, run.mix.near, run.mix.seed)
    examples, ids = encoded(tokenizer, examples)
    batches = make_batches([len(item) for item in ids], run.tokens_per_batch, random.Random(run.seed))
    validation = load(args.data, "validation", VALIDATION) + twins(args.data, "validation", VALIDATION)
    random.Random(3).shuffle(validation)
    validation, validation_ids = encoded(tokenizer, validation)
    validation, validation_ids = validation[:2500], validation_ids[:2500]

    model = from_weights(encoder, args.init, run.keep) if args.init else from_pretrained(encoder, run.layers)
    if len(model.encoder.encoder.layer) != run.layers:
        raise SystemExit(f"{args.init} does not give {run.layers} layers")
    teacher = from_weights(encoder, args.teacher).eval() if run.teacher_weight else None
    words = model.encoder.embeddings.word_embeddings.weight.detach().clone()
    factors = smoothing_factors(model, encoder, tokenizer) if run.bits == 4 else {}
    if run.bits == 4:
        round_weights(model, factors)
    frozen = [model.encoder.embeddings, *model.encoder.encoder.layer[: run.frozen_layers]]
    for parameter in (p for module in frozen for p in module.parameters()):
        parameter.requires_grad = False
    trained = [p for p in model.parameters() if p.requires_grad]
    decay = [p for p in trained if p.ndim > 1]
    plain = [p for p in trained if p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=run.lr, fused=True
    )
    step, spent = 0, 0.0
    checkpoint = args.out / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, spent = state["step"], state["seconds"]
    total_tokens = sum(map(len, ids))
    print(f"{len(examples)} pairs, {total_tokens} tokens, {len(batches)} batches; from batch {step}", flush=True)

    def save() -> None:
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "seconds": spent}
        torch.save(state, args.out / "checkpoint.tmp")
        (args.out / "checkpoint.tmp").replace(checkpoint)

    model.train()
    started, base, saved, tokens, losses = time.monotonic(), spent, time.monotonic(), 0, []
    while step < len(batches):
        spent = base + time.monotonic() - started
        progress = max(step / len(batches), spent / (60 * run.max_minutes))
        if progress >= 1:
            break
        rate = run.lr * min(1.0, (step + 1) / run.warmup, (1 - progress) / 0.95)
        for group in optimizer.param_groups:
            group["lr"] = rate
        part = batches[step]
        torch.manual_seed(run.seed * 1_000_003 + step)  # the same dropout after a resume
        inputs = collate([ids[i] for i in part])
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(*inputs)
        targets = torch.tensor([examples[i].target for i in part])
        if teacher is None:
            loss = loss_of(logits, targets)
        else:
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
                soft = torch.softmax(teacher(*inputs).float(), -1)
            loss = taught_loss(logits, targets, soft, run.teacher_weight)
        loss.backward()  # type: ignore[no-untyped-call,unused-ignore]
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        tokens += sum(len(ids[i]) for i in part)
        losses.append(float(loss.detach()))
        if step % 50 == 0:
            seconds = time.monotonic() - started
            line: dict[str, Any] = {"step": step, "loss": round(float(np.mean(losses[-50:])), 4), "lr": rate}
            line |= {"minutes": round((base + seconds) / 60, 1), "tokens_per_s": round(tokens / seconds)}
            if step % 500 == 0:
                line["validation"] = evaluate(model, validation_ids[:900], validation[:900])
            with (args.out / "log.jsonl").open("a") as log:
                log.write(json.dumps(line) + "\n")
        if time.monotonic() - saved > 300:
            save()
            saved = time.monotonic()
    save()
    final: dict[str, Any] = {"model": exact_state(model, words) if run.bits == 4 else model.state_dict()}
    if run.bits == 4:
        final["factors"] = {name: torch.from_numpy(value) for name, value in factors.items()}
    torch.save(final, args.out / "model.pt")
    report: dict[str, Any] = {
        "pairs": len(examples),
        "tokens": total_tokens,
        "steps": step,
        "minutes": round(spent / 60, 1),
    }
    report |= {"validation": evaluate(model, validation_ids, validation)}
    (args.out / "validation.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
