r"""Writes what a trained network says, in float32, about made pairs: ``tests/nli/parity_TIER.json``.

    python -m training.parity_sample --weights build/v2-fast/model.pt --encoder build/encoder \
        --out tests/nli/parity_fast.json

The test beside it compares the model that ships with these probabilities. The pairs are made again from the seed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from pathlib import Path

from training.made import made_pairs

PAIRS, SEED = 150, 4711


def sample() -> list[tuple[str, str, bool]]:
    """Sources and claims, two for each made pair, and whether the claim is entailed."""
    return [(source, claim, target == 0) for source, claim, target, *_ in made_pairs(PAIRS, [], random.Random(SEED))]


def fingerprint(pairs: list[tuple[str, str, bool]]) -> str:
    """SHA-256 of the pairs: a maker that has changed makes others, and the file must be written again."""
    return hashlib.sha256(json.dumps(pairs).encode()).hexdigest()


def main() -> None:
    """Scores and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    # Here, because the test makes the pairs without torch.
    from training.compare_exports import Scorer
    from training.encoder import tokenizer_in
    from training.export import network_of, read_factors, read_weights
    from training.graph import build, float_linear, float_lookup
    from training.lowbit import as_stored

    folder = args.encoder / "mpnet"
    weights, factors = read_weights(args.weights), read_factors(args.weights)
    network = network_of(json.loads((folder / "config.json").read_text(encoding="utf-8")), weights)
    trained = weights if factors is None else as_stored(weights, factors)
    tokenizer = tokenizer_in(folder)
    pairs = sample()
    ids = [encoding.ids for encoding in tokenizer.encode_batch([(source, claim) for source, claim, _ in pairs])]
    model = build(trained, network, linear=lambda _: float_linear, lookup=float_lookup)
    rows = Scorer(model.SerializeToString()).alone(ids)
    record = {"pairs_sha256": fingerprint(pairs), "probabilities": [[round(float(p), 4) for p in row] for row in rows]}
    args.out.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
