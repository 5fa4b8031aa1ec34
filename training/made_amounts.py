"""Made pairs about amounts, dates and how they compare."""

from __future__ import annotations

import random
from fractions import Fraction

from training.phrases import ATTRIBUTES, DONE, EVENTS, GROUPS, Attribute, Made, sentence
from training.worlds import Value, altered, altered_day, converted, digits, names, random_day, random_value, written


def worth(attribute: Attribute, count: int, rng: random.Random) -> list[Value]:
    """Different values of one attribute, in one unit or currency, so that they can be compared."""
    first = random_value(attribute.family, rng)
    found = [first]
    while len(found) < count:
        value = altered(rng.choice(found), rng)
        if value.family == first.family and value.unit == first.unit and value.number not in [v.number for v in found]:
            found.append(value)
    return found


def say(attribute: Attribute, entity: str, value: Value, rng: random.Random) -> str:
    """One of the ways to say that the entity has the value."""
    return sentence(rng.choice(attribute.says).format(e=entity, v=written(value, rng)))


def table(attribute: Attribute, who: list[str], values: list[Value], rng: random.Random) -> list[str]:
    """The facts as a table, a list or configuration lines, all in one item."""
    rows = [(e.removeprefix("the "), written(v, rng)) for e, v in zip(who, values, strict=True)]
    style = rng.randrange(3)
    if style == 0:
        head = f"| {attribute.kind.capitalize()} | {attribute.label.capitalize()} |\n| --- | --- |\n"
        return [head + "\n".join(f"| {e} | {v} |" for e, v in rows)]
    if style == 1:
        return [f"{attribute.label.capitalize()}:\n" + "\n".join(f"- {e}: {v}" for e, v in rows)]
    key = attribute.label.replace(" ", "_")
    return ["\n".join(f"{e.replace(' ', '_').lower()}.{key} = {v}" for e, v in rows)]


def value(rng: random.Random) -> Made:
    """A value: repeated, rewritten or converted; false: another number, unit, or that of a neighbour."""
    attribute = rng.choice(ATTRIBUTES)
    count = rng.randint(1, 4)
    who, values = names(attribute.kind, count, rng), worth(attribute, count, rng)
    facts = (
        table(attribute, who, values, rng)
        if count > 1 and rng.random() < 0.4
        else [say(attribute, e, v, rng) for e, v in zip(who, values, strict=True)]
    )
    other = (rng.random() < 0.35 and converted(values[0], rng)) or None
    right = other or values[0]
    wrong = rng.choice(values[1:]) if count > 1 and other is None and rng.random() < 0.5 else altered(right, rng)
    if wrong.size() == right.size():
        wrong = altered(values[0], rng)
    claim = rng.choice(attribute.claims)
    true, false = (sentence(claim.format(e=who[0], v=written(v, rng))) for v in (right, wrong))
    if rng.random() < 0.15:
        question = sentence(attribute.question.format(e=who[0]))
        return Made(facts, sentence(written(right, rng)), sentence(written(wrong, rng)), question=question)
    return Made(facts, true, false)


def comparison(rng: random.Random) -> Made:
    """Which of two is more, or of three the most."""
    attribute = rng.choice([a for a in ATTRIBUTES if a.family != "span"])
    count = rng.randint(2, 4)
    who, values = names(attribute.kind, count, rng), worth(attribute, count, rng)
    facts = (
        table(attribute, who, values, rng)
        if rng.random() < 0.3
        else [say(attribute, e, v, rng) for e, v in zip(who, values, strict=True)]
    )
    ranked = [e for _, e in sorted(zip([v.size() for v in values], who, strict=True))]
    if count > 2 and rng.random() < 0.5:
        high = rng.random() < 0.5
        best = ranked[-1 if high else 0]
        wrong = rng.choice([e for e in who if e != best])
        phrase = f"has the {'highest' if high else 'lowest'} {attribute.label} of the {digits(Fraction(count), rng)}"
        return Made(facts, sentence(f"{best} {phrase}"), sentence(f"{wrong} {phrase}"))
    low, high_one = sorted(rng.sample(range(count), 2))
    less, more = ranked[low], ranked[high_one]
    if rng.random() < 0.5:
        return Made(
            facts,
            sentence(f"{more} is {attribute.more} than {less}"),
            sentence(f"{less} is {attribute.more} than {more}"),
        )
    word = rng.choice([("higher", "lower"), ("larger", "smaller")])
    return Made(
        facts,
        sentence(f"The {attribute.label} of {less} is {word[1]} than that of {more}"),
        sentence(f"The {attribute.label} of {less} is {word[0]} than that of {more}"),
    )


def total(rng: random.Random) -> Made:
    """A sum or a difference of two values."""
    attribute = rng.choice([a for a in ATTRIBUTES if a.family in ("count", "money")])
    who, values = names(attribute.kind, 2, rng), worth(attribute, 2, rng)
    facts = [say(attribute, e, v, rng) for e, v in zip(who, values, strict=True)]
    a, b = values
    if rng.random() < 0.5:
        result, form = a.number + b.number, "Together, {x} and {y} come to {v} in " + attribute.label
    else:
        result, form = abs(a.number - b.number), "The difference in " + attribute.label + " between {x} and {y} is {v}"
    right = Value(result, a.family, a.unit)
    x, y = who
    true, false = (sentence(form.format(x=x, y=y, v=written(v, rng))) for v in (right, altered(right, rng)))
    return Made(facts, true, false)


def points(rng: random.Random) -> Made:
    """Per cent and percentage points, change and level."""
    (e,) = names("company", 1, rng)
    low = rng.choice([4, 5, 8, 10, 20, 25, 40])
    high = low + rng.choice([1, 2, 4, 5, 10])
    rose = rng.random() < 0.5
    start, end = (low, high) if rose else (high, low)
    what = rng.choice(["market share", "error rate", "margin", "vacancy rate"])
    fact = f"The {what} of {e} {'rose' if rose else 'fell'} from {start}% to {end}%."
    verb, other = ("rose", "fell") if rose else ("fell", "rose")
    d = high - low
    true = rng.choice(
        [
            f"The {what} of {e} {verb} by {d} percentage point{'s' * (d > 1)}.",
            f"The {what} of {e} is now {end}%.",
            f"The {what} of {e} used to be {start}%.",
        ]
    )
    false = rng.choice(
        [
            f"The {what} of {e} {verb} by {d} percent.",
            f"The {what} of {e} {other} by {d} percentage points.",
            f"The {what} of {e} is now {start}%.",
            f"The {what} of {e} {verb} by {end} percentage points.",
        ]
    )
    return Made([fact], true, false)


def date(rng: random.Random) -> Made:
    """A date in another form, or another date."""
    (e,) = names(rng.choice(["company", "structure", "product"]), 1, rng)
    verb, noun = (t.format(e=e) for t in rng.choice(EVENTS))
    day = random_day(rng)
    year_only = rng.random() < 0.3
    wrong = altered_day(day, rng)
    if year_only and wrong.year == day.year:
        return date(rng)
    fact = rng.choice(["{verb} {d}.", "{noun} took place {d}."]).format(verb=verb, noun=noun, d=day.written(rng))
    form = rng.choice(["{verb} {d}", "{noun} was {d}"])
    true, false = (
        sentence(form.format(verb=verb, noun=noun, d=d.written(rng, year_only=year_only))) for d in (day, wrong)
    )
    return Made([sentence(fact)], true, false)


def order(rng: random.Random) -> Made:
    """What came first."""
    (e,) = names(rng.choice(["company", "structure", "product"]), 1, rng)
    count = rng.randint(2, 3)
    events = rng.sample(EVENTS, count)
    days = [random_day(rng) for _ in range(count)]
    if len({d.year for d in days}) < count:
        return order(rng)
    year_only = rng.random() < 0.5
    said = [
        sentence(f"{v.format(e=e)} {d.written(rng, year_only=year_only)}")
        for (v, _), d in zip(events, days, strict=True)
    ]
    if rng.random() < 0.4:
        said[1:] = [s.replace(e, "it", 1) if not e.startswith("the ") else s for s in said[1:]]
        said = [sentence(s) for s in said]
    early, late = sorted(zip(days, events, strict=True), key=lambda x: x[0])[:2]
    (v1, n1), (v2, n2) = early[1], late[1]
    form = rng.choice(["{v} before {n}", "{n} came after {v}"])
    if form.startswith("{v}"):
        return Made(
            said,
            sentence(f"{v1.format(e=e)} before {n2.format(e=e)}"),
            sentence(f"{v2.format(e=e)} before {n1.format(e=e)}"),
        )
    return Made(
        said,
        sentence(f"{n2.format(e=e)} came after {n1.format(e=e)}"),
        sentence(f"{n1.format(e=e)} came after {n2.format(e=e)}"),
    )


def quantifier(rng: random.Random) -> Made:
    """All, most, half, some, none of a number."""
    group, done = rng.choice(GROUPS), rng.choice(DONE)
    n = rng.randint(6, 60)
    k = rng.choice([0, n, rng.randint(1, n - 1), rng.randint(n // 2 + 1, n - 1)])
    fact = {0: f"None of the {n} {group} {done}.", n: f"All {n} {group} {done}."}.get(
        k, f"Of the {n} {group}, {k} {done}."
    )
    claims = [
        (k == n, f"Every one of the {group} {done.replace('were', 'was', 1)}."),
        (k == 0, f"Not a single one of the {group} {done.replace('were', 'was', 1)}."),
        (k * 2 > n, f"Most of the {group} {done}."),
        (k > 0, f"Some of the {group} {done}."),
        (k < n, f"Not all of the {group} {done}."),
        (k * 2 < n, f"Fewer than half of the {group} {done}."),
        (True, f"There were {n} {group}."),
        (False, f"There were {n + rng.randint(1, 5)} {group}."),
    ]
    true = rng.choice([c for right, c in claims if right])
    return Made([fact], true, rng.choice([c for right, c in claims if not right]))


def condition(rng: random.Random) -> Made:
    """A rule with its deadline, its condition and its exception."""
    (e,) = names("product", 1, rng)
    limit = Value(Fraction(rng.choice([7, 10, 14, 28, 30, 60, 90])), "time", 3)
    who = rng.choice(["customers", "members", "tenants", "students"])
    need, exempt = rng.sample(
        ["the receipt is shown", "the seal is unbroken", "the form is signed", "the fee has been paid"], 2
    )
    facts = [
        sentence(f"{who} can return {e} within {written(limit, rng)} of delivery, provided that {need}"),
        f"After that no refund is given, except where {exempt}.",
    ]
    told = (converted(limit, rng) if rng.random() < 0.4 else None) or limit
    true = rng.choice(
        [
            f"{who} have {written(told, rng)} to return {e}.",
            f"{e} can only be returned in time if {need}.",
            f"A late refund for {e} is possible where {exempt}.",
        ]
    )
    false = rng.choice(
        [
            f"{who} have {written(altered(limit, rng), rng)} to return {e}.",
            f"{e} can be returned in time whether or not {need}.",
            f"Late refunds for {e} are never given.",
            f"{who} can return {e} at any time.",
        ]
    )
    return Made(facts, sentence(true), sentence(false))
