"""Invented names, values and events for made pairs (``made.py``).

Names are put together from syllables or from words that say nothing, so that nothing can be known about them but what
a source says.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

_WORDS = (
    "Cedar Falcon Aurora Maple Orion Harbor Granite Willow Summit Juniper Atlas Beacon Cobalt Delta Ember Forge "
    "Glacier Heron Iris Jade Keystone Lantern Meridian Nova Opal Pioneer Quartz Ridge Sable Tempest Umber Vista Wren "
    "Zenith Anchor Birch Comet Drake Eagle Fern Grove Hazel Ivory Jasper Kestrel Linden Marble Nimbus Otter "
    "Pearl Raven Sierra Thistle"
).split()
_ONSETS = "b br c cl d dr f fr g gr h j k kr l m n p pr qu r s sh st t tr v w z th".split()
_NUCLEI = "a e i o u ai ea ou ia".split()
_CODAS = ["", "", "n", "r", "l", "s", "m", "nd", "rk", "lt", "ck", "x", "sh"]
FIRST = (
    "Alice Omar Priya Jonas Mei Carlos Fatima Ingrid David Yuki Elena Samuel Nadia Peter Aisha Lucas Hannah Viktor "
    "Grace Tomas Leila Henry Sofia Arjun Clara Daniel Ruth Mateo Julia Kofi Maria Ivan Laura Ahmed Nina Oscar Rosa"
).split()
LAST = (
    "Okafor Lindqvist Moreno Tanaka Becker Haddad Novak Silva Murphy Kaur Dubois Rossi Hansen Petrov Nguyen Castillo "
    "Weber Osei Larsen Ibrahim Fischer Costa Walsh Kimura Jensen Bauer Reyes Cohen Abbott Singh Turner Vargas"
).split()
MONTHS = ("January February March April May June July August September October November December").split()
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_KINDS = {
    "company": ["{} Industries", "{} Labs", "{} Foods", "{} Group", "{} Energy", "{}", "{} Software"],
    "place": ["{}", "Port {}", "{}ville", "Lake {}", "New {}", "Fort {}"],
    "structure": ["the {} Bridge", "the {} Tunnel", "the {} Tower", "the {} Dam", "the {} Canal"],
    "product": ["the {} X2", "the {} Pro", "the {} 300", "the {} Mini", "the {} router", "the {} drill"],
    "drug": ["{}ine", "{}ol", "{}amide", "{}ex"],
    "team": ["{} United", "the {} Hawks", "{} City", "the {} Lions"],
    "plan": ["the {} plan", "the {} package", "the {} tariff", "the {} licence"],
    "server": ["{}-api", "{}-worker", "{}-cache", "{}-gateway"],
    "study": ["the {} trial", "the {} study", "the {} survey"],
}


def invented(rng: random.Random) -> str:
    """A word for a name: a common one, a surname, or one that is in no dictionary (which costs more tokens)."""
    if rng.random() < 0.75:
        return rng.choice(_WORDS if rng.random() < 0.7 else LAST)
    return "".join(
        rng.choice(_ONSETS) + rng.choice(_NUCLEI) + rng.choice(_CODAS) for _ in range(rng.choice([2, 2, 2, 3]))
    ).capitalize()


def names(kind: str, count: int, rng: random.Random) -> list[str]:
    """Different names of one kind: "person" or a key of the table above."""
    found: dict[str, None] = {}
    style = rng.choice(_KINDS[kind]) if kind in _KINDS and rng.random() < 0.7 else None
    while len(found) < count:
        if kind == "person":
            name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        else:
            word = invented(rng)
            name = (style or rng.choice(_KINDS[kind])).format(word.lower() if kind == "server" else word)
        found[name] = None
    return list(found)


#: Units with their size in the smallest of the family; neighbours convert into each other.
UNITS: dict[str, list[tuple[str, str, Fraction]]] = {
    "length": [
        ("cm", "centimetres", Fraction(1)),
        ("m", "metres", Fraction(100)),
        ("km", "kilometres", Fraction(100_000)),
    ],
    "weight": [("g", "grams", Fraction(1)), ("kg", "kilograms", Fraction(1000)), ("t", "tonnes", Fraction(1_000_000))],
    "volume": [("ml", "millilitres", Fraction(1)), ("l", "litres", Fraction(1000))],
    "time": [
        ("s", "seconds", Fraction(1)),
        ("min", "minutes", Fraction(60)),
        ("h", "hours", Fraction(3600)),
        ("days", "days", Fraction(86_400)),
        ("weeks", "weeks", Fraction(604_800)),
    ],
    "span": [("months", "months", Fraction(1)), ("years", "years", Fraction(12))],
    "data": [
        ("MB", "megabytes", Fraction(1)),
        ("GB", "gigabytes", Fraction(1000)),
        ("TB", "terabytes", Fraction(1_000_000)),
    ],
    "dose": [("mg", "milligrams", Fraction(1)), ("g", "grams", Fraction(1000))],
}
_CURRENCIES = [("$", "dollars"), ("€", "euros"), ("£", "pounds"), ("¥", "yen")]


@dataclass(frozen=True)
class Value:
    """A number with its unit; family is a key of ``UNITS``, "money:<symbol>", "percent" or "count"."""

    number: Fraction
    family: str
    unit: int = 0

    def size(self) -> Fraction:
        """Comparable within a family."""
        return self.number * (UNITS[self.family][self.unit][2] if self.family in UNITS else 1)


def digits(number: Fraction, rng: random.Random) -> str:
    """The number in digits, small whole ones sometimes in words."""
    if number.denominator == 1:
        whole = int(number)
        if whole <= 12 and rng.random() < 0.4:
            return _SMALL[whole]
        return f"{whole:,}" if whole >= 10_000 or (whole >= 1000 and rng.random() < 0.7) else str(whole)
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def written(value: Value, rng: random.Random) -> str:
    """One of the ways to write a value."""
    n, family = value.number, value.family
    if family in UNITS:
        short, long, _ = UNITS[family][value.unit]
        text = digits(n, rng)
        if rng.random() < 0.35 and text[0].isdigit():
            return f"{text} {short}"
        return f"{text} {long[:-1] if n == 1 else long}"
    if family == "percent":
        return digits(n, rng) + (" percent" if rng.random() < 0.4 else "%") if n > 12 else f"{float(n):g}%"
    if family.startswith("money:"):
        symbol = family[6:]
        name = dict(_CURRENCIES)[symbol]
        if n >= 1_000_000 and (n / 1_000_000 * 10).denominator == 1 and rng.random() < 0.7:
            short = f"{float(n / 1_000_000):g}"
            return rng.choice([f"{symbol}{short} million", f"{short} million {name}", f"{symbol}{short}M"])
        plain = f"{int(n):,}" if n.denominator == 1 else f"{float(n):,.2f}"
        return rng.choice([f"{symbol}{plain}", f"{symbol}{plain}", f"{plain} {name}"])
    return digits(n, rng)


def random_value(family: str, rng: random.Random) -> Value:
    """A value of a family, of a size that occurs."""
    if family in UNITS:
        unit = rng.randrange(len(UNITS[family]))
        top = {"span": 36, "time": 48, "dose": 500}.get(family, 900)
        number = Fraction(rng.randint(2, top))
        if rng.random() < 0.25 and family not in ("span", "time"):
            number = Fraction(rng.randint(11, 999), 10)
        return Value(number, family, unit)
    if family == "money":
        symbol = rng.choice(_CURRENCIES)[0]
        scale = rng.choice([1, 1, 10, 1000, 100_000])
        return Value(Fraction(rng.randint(5, 999) * scale), f"money:{symbol}")
    if family == "percent":
        return Value(Fraction(rng.randint(2, 97)), "percent")
    return Value(Fraction(rng.choice([rng.randint(2, 40), rng.randint(40, 999), rng.randint(1000, 90_000)])), "count")


def converted(value: Value, rng: random.Random) -> Value | None:
    """The same size in another unit, where the number stays short."""
    if value.family not in UNITS:
        return None
    factors = UNITS[value.family]
    options = []
    for unit, (_, _, factor) in enumerate(factors):
        number = value.size() / factor
        if unit != value.unit and (number * 10).denominator == 1 and Fraction(1, 2) <= number <= 100_000:
            options.append(Value(number, value.family, unit))
    return rng.choice(options) if options else None


def altered(value: Value, rng: random.Random) -> Value:
    """A value that differs: in the number, or in the unit or the currency alone."""
    if rng.random() < 0.3:
        if value.family in UNITS and len(UNITS[value.family]) > 1:
            unit = rng.choice([u for u in range(len(UNITS[value.family])) if u != value.unit])
            return Value(value.number, value.family, unit)
        if value.family.startswith("money:"):
            symbol = rng.choice([s for s, _ in _CURRENCIES if s != value.family[6:]])
            return Value(value.number, f"money:{symbol}")
    n = value.number
    while True:
        step = rng.choice([1, 2, 3, 5, 10, 20, 100])
        new = rng.choice([n + step, n - step, n * 2, n * 10, n / 2, n + Fraction(step, 10)])
        shape = new.denominator == 1 or ((new * 10).denominator == 1 and n.denominator != 1)
        if new > 0 and new != n and shape and (value.family != "percent" or new <= 99):
            return Value(new, value.family, value.unit)


@dataclass(frozen=True, order=True)
class Day:
    """A date."""

    year: int
    month: int
    day: int

    def written(self, rng: random.Random, *, year_only: bool = False) -> str:
        """With its preposition, in one of the usual forms."""
        if year_only:
            return f"in {self.year}"
        month = MONTHS[self.month - 1]
        return rng.choice(
            [
                f"on {self.day} {month} {self.year}",
                f"on {month} {self.day}, {self.year}",
                f"on {self.year}-{self.month:02d}-{self.day:02d}",
                f"on {month[:3]} {self.day}, {self.year}",
            ]
        )


def random_day(rng: random.Random) -> Day:
    """Some day between 1900 and 2029."""
    year = rng.choice([rng.randint(1900, 2029), rng.randint(2005, 2027)])
    return Day(year, rng.randint(1, 12), rng.randint(1, 28))


def altered_day(day: Day, rng: random.Random) -> Day:
    """Another day: year, month or day changed."""
    which = rng.randrange(3)
    if which == 0:
        return Day(day.year + rng.choice([-10, -2, -1, 1, 2, 3, 10]), day.month, day.day)
    if which == 1:
        return Day(day.year, rng.choice([m for m in range(1, 13) if m != day.month]), day.day)
    return Day(day.year, day.month, rng.choice([d for d in range(1, 29) if d != day.day]))
