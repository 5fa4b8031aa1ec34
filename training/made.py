"""Made pairs: invented facts as a source, a claim that follows from them, and a twin that does not.

Crowd-written NLI seldom turns on a unit, a direction, a deadline or a cell of a table. Here each pair does, and each
true claim is worded otherwise than its source, so that neither words nor length tell the twins apart.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from training.made_amounts import comparison, condition, date, order, points, quantifier, total, value
from training.made_statements import absent, attribution, cause, membership, modality, negation, pronoun, roles
from training.phrases import ENTAILED, NEUTRAL, Made

MAKERS: dict[str, tuple[Callable[[random.Random], Made], int]] = {
    "value": (value, 10),
    "comparison": (comparison, 4),
    "total": (total, 1),
    "points": (points, 2),
    "date": (date, 3),
    "order": (order, 3),
    "roles": (roles, 4),
    "attribution": (attribution, 2),
    "modality": (modality, 3),
    "quantifier": (quantifier, 3),
    "negation": (negation, 3),
    "cause": (cause, 2),
    "condition": (condition, 2),
    "pronoun": (pronoun, 2),
    "membership": (membership, 3),
    "absent": (absent, 3),
}


def joined(rng: random.Random) -> Made:
    """Two claims in one, the second true or not."""
    makers = [m for m, _ in MAKERS.values()]
    one, two = rng.choice(makers)(rng), rng.choice(makers)(rng)
    if one.question or two.question or "\n" in one.facts[0] + two.facts[0]:
        return joined(rng)
    link = rng.choice([" ", " ", " Also, "])
    return Made(
        [*one.facts, *two.facts],
        one.true + link + two.true,
        one.true + link + two.false,
        NEUTRAL if two.target == NEUTRAL else 3,
    )


def _source(made: Made, others: list[Made], sentences: list[str], rng: random.Random) -> str:
    """The facts, in their order, among facts of other pairs and sentences of real passages."""
    before: list[str] = []
    after: list[str] = []
    for other in others:
        (before if rng.random() < 0.5 else after).extend(other.facts)
    if sentences:
        cut = rng.randint(0, len(sentences))
        before, after = sentences[:cut] + before, after + sentences[cut:]
    return "".join(
        part + ("\n" if "\n" in part or "=" in part else " ") for part in [*before, *made.facts, *after]
    ).strip()


def made_pairs(
    count: int, passages: list[list[str]], rng: random.Random, *, more_of: Mapping[str, int] | None = None
) -> list[tuple[str, str, int, str, int]]:
    """Made pairs with their twins.

    Args:
        count: How many pairs of twins.
        passages: Sentences of real passages, to surround some of the facts with.
        rng: Where chance comes from.
        more_of: How many times as often as usual a kind is drawn.

    Returns:
        (source, claim, target, kind, number of the pair of twins); two rows for each.
    """
    usual = {kind: weight for kind, (_, weight) in MAKERS.items()} | {"joined": 5}
    kinds = [kind for kind, weight in usual.items() for _ in range(weight * (more_of or {}).get(kind, 1))]
    rows = []
    for number in range(count):
        kind = rng.choice(kinds)
        maker = joined if kind == "joined" else MAKERS[kind][0]
        made = maker(rng)
        others = [maker(rng) for _ in range(rng.choice([0, 0, 0, 1, 2]))] if kind != "joined" else []
        sentences: list[str] = []
        if passages and rng.random() < 0.3:
            sentences = rng.choice(passages)
            sentences = sentences[: rng.randint(1, 4)]
        source = _source(made, others, sentences, rng)
        for claim, target in ((made.true, ENTAILED), (made.false, made.target)):
            rows.append((source, f"{made.question} {claim}" if made.question else claim, target, kind, number))
    return rows
