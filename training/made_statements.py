"""Made pairs about who did what, whether, why and who says so."""

from __future__ import annotations

import random
from fractions import Fraction

from training.made_amounts import say
from training.phrases import (
    ATTRIBUTES,
    CAUSES,
    CONTRADICTED,
    DEEDS,
    EFFECTS,
    ITEMS,
    NEUTRAL,
    OPINIONS,
    RELATIONS,
    STATES,
    Made,
    sentence,
)
from training.worlds import FIRST, digits, names, random_value, written


def roles(rng: random.Random) -> Made:
    """Who did it to whom: active, passive, converse; false: exchanged."""
    kind, verb, passive, same = rng.choice(RELATIONS)
    a, b, c = names(kind, 3, rng)
    facts = [sentence(f"{a} {verb} {b}" if rng.random() < 0.6 else f"{b} {passive} {a}")]
    if rng.random() < 0.4:
        facts.append(sentence(f"{b} {verb} {c}"))
    true, false = rng.choice(
        [
            (f"{b} {passive} {a}", f"{a} {passive} {b}"),
            (f"{a} {same} {b}", f"{b} {same} {a}"),
            (f"{a} {verb} {b}", f"{b} {verb} {a}"),
        ]
    )
    if len(facts) > 1 and rng.random() < 0.3:
        return Made(facts, sentence(true), sentence(f"{a} {verb} {c}"), NEUTRAL)
    return Made(facts, sentence(true), sentence(false))


def attribution(rng: random.Random) -> Made:
    """Who said it; and what is said is not so because somebody says so."""
    a, b = names("person", 2, rng)
    one, two = rng.sample(OPINIONS, 2)
    says = ["{p} argued that {o}.", "According to {p}, {o}.", "{p} told reporters that {o}.", '{p}: "I think {o}."']
    facts = [rng.choice(says).format(p=a, o=one), rng.choice(says).format(p=b, o=two)]
    form = rng.choice(["{p} said that {o}.", "In the view of {p}, {o}.", "{p} believes that {o}."])
    true = form.format(p=a, o=one)
    if rng.random() < 0.25:
        return Made(facts, true, rng.choice([f"{a} denied that {one}.", f"Nobody said that {one}."]))
    if rng.random() < 0.25:
        return Made(facts, true, f"It has been proven that {one}.", NEUTRAL)
    return Made(facts, true, form.format(p=b, o=one))


def modality(rng: random.Random) -> Made:
    """Planned, possible, required, done."""
    (e,) = names("company", 1, rng)
    base, past, ing = rng.choice(DEEDS)
    planned = [f"{e} plans to {base}", f"{e} is considering {ing}", f"{e} may {base} next year", f"{e} hopes to {base}"]
    thinks = [f"{e} might {base}", f"It is possible that {e} will {base}"]
    done = [
        f"{e} {past}",
        f"{e} has already {past}" if past != "rebuilt the harbour" else f"{e} has rebuilt the harbour",
    ]
    must, may = f"Under the rules, {e} must {base}", f"Under the rules, {e} may {base} if it wishes"
    style = rng.randrange(4)
    if style == 0:
        return Made([sentence(rng.choice(planned))], sentence(rng.choice(thinks)), sentence(rng.choice(done)), NEUTRAL)
    if style == 1:
        return Made(
            [sentence(rng.choice(done))], sentence(f"{e} went ahead with {ing}"), sentence(f"{e} has yet to {base}")
        )
    if style == 2:
        return Made([sentence(must)], sentence(f"{e} is required to {base}"), sentence(f"For {e}, {ing} is optional"))
    return Made([sentence(may)], sentence(f"{e} is allowed to {base}"), sentence(f"{e} has to {base}"), CONTRADICTED)


def negation(rng: random.Random) -> Made:
    """A state, its complement and its negation in other words."""
    (e,) = names(rng.choice(["company", "structure", "product"]), 1, rng)
    yes, no, plain = (t.format(e=e) for t in rng.choice(STATES))
    if rng.random() < 0.5:
        return Made(
            [sentence(yes)],
            sentence(f"It is not true that {no}" if rng.random() < 0.3 else f"In the end {yes}"),
            sentence(rng.choice([no, plain])),
        )
    said, again = rng.sample([no, plain], 2)
    return Made([sentence(said)], sentence(again), sentence(rng.choice([yes, f"In the end {yes}"])))


def cause(rng: random.Random) -> Made:
    """What led to what."""
    (e,) = names(rng.choice(["company", "place"]), 1, rng)
    why, other = rng.sample(CAUSES, 2)
    effect = rng.choice(EFFECTS).format(e=e)
    fact = rng.choice(
        [
            f"{effect} was caused by {why}, not by {other}.",
            f"{why} led to {effect}.",
            f"Because of {why}, there was {effect}.",
            f"{effect} was blamed on {why}; {other} played no part.",
        ]
    )
    form = rng.choice(["{c} was the reason for {f}", "{f} was due to {c}", "{f} came about because of {c}"])
    wrong = rng.choice([form.format(c=other, f=effect), f"{effect} led to {why}"])
    return Made([sentence(fact)], sentence(form.format(c=why, f=effect)), sentence(wrong))


def pronoun(rng: random.Random) -> Made:
    """Two people, what each did, and a pronoun between."""
    a, b = names("person", 2, rng)
    (p, q) = names("place", 2, rng)
    d1, d2 = rng.sample([d[1] for d in DEEDS], 2)
    facts = [f"{a} moved to {p}. There {a.split()[0]} {d1}.", f"{b} stayed in {q} and {d2}."]
    if a.split()[0] == b.split()[0]:
        return pronoun(rng)
    true, false = rng.choice(
        [
            (f"The person who {d1} was {a}.", f"The person who {d1} was {b}."),
            (f"In {p}, {a} {d1}.", f"In {q}, {a} {d1}."),
            (f"{b} {d2}.", f"{a} {d2}."),
            (f"{b} did not leave {q}.", f"{b} moved to {p}."),
        ]
    )
    return Made(facts, true, false)


def membership(rng: random.Random) -> Made:
    """What is in a list, what is not, and how many."""
    (e,) = names("company", 1, rng)
    count = rng.randint(3, 6)
    items = rng.sample(ITEMS, count + 2)
    inside, outside = items[:count], items[count:]
    listed = ", ".join(inside[:-1]) + " and " + inside[-1]
    facts = [f"{e} sells {listed}."] if rng.random() < 0.5 else [f"{e} sells:\n" + "\n".join(f"- {i}" for i in inside)]
    x, y = rng.sample(inside, 2)
    mixed = [x, rng.choice(outside)]
    rng.shuffle(mixed)
    true, false = rng.choice(
        [
            (f"Among the goods of {e} are {x} and {y}.", f"Among the goods of {e} are {mixed[0]} and {mixed[1]}."),
            (
                f"{e} sells {digits(Fraction(count), rng)} kinds of goods.",
                f"{e} sells {digits(Fraction(count + rng.choice([-1, 1, 2])), rng)} kinds of goods.",
            ),
            (f"{e} does not list {outside[0]}.", f"{e} does not list {x}."),
            (f"{e} sells more than {x}.", f"{e} sells nothing but {x}."),
        ]
    )
    return Made(facts, true, false)


def absent(rng: random.Random) -> Made:
    """Something likely that the source does not say."""
    attribute, other = rng.sample([a for a in ATTRIBUTES if a.kind in ("company", "product", "structure", "study")], 2)
    (e,) = names(attribute.kind, 1, rng)
    v = random_value(attribute.family, rng)
    claim = rng.choice(attribute.claims).format(e=e, v=written(v, rng))
    facts = [say(attribute, e, v, rng)]
    extra = rng.choice(
        [
            f"{e} is the best known of its kind",
            f"{e} is owned by {rng.choice(FIRST)}'s family",
            f"Critics praised {e}",
            rng.choice(other.claims).format(e=e, v=written(random_value(other.family, rng), rng)).rstrip("."),
        ]
    )
    return Made(facts, sentence(claim), sentence(extra), NEUTRAL)
