"""Durations: ISO 8601 values against ``30 days``, ``1 hour 30 minutes``, ``1h30m`` or ``PT90M``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from halt_rag.contracts.evidence.values.cldr import facts
from halt_rag.contracts.evidence.values.numerals import Numeral, numerals
from halt_rag.contracts.evidence.values.verdict import ValueRules, Verdict, best, endpoint
from halt_rag.contracts.strict_json import shown

_N = r"(\d{1,12}(?:[.,]\d{1,12})?)"
_ISO = re.compile(rf"(-?)P(?:{_N}W|(?:{_N}Y)?(?:{_N}M)?(?:{_N}D)?(?:T(?:{_N}H)?(?:{_N}M)?(?:{_N}S)?)?)", re.ASCII)
_ISO_TOKEN = re.compile(r"(?<!\w)-?P(?:\d[\d.,]*[YMWDHS]|T\d[\d.,]*[HMS])[\dYMWDTHS.,]*\b")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,3}):([0-5]\d):([0-5]\d)(?![\d:])")
_UNITS = {
    "Y": "year years yr yrs y", "M": "month months mo mos mth mths", "W": "week weeks wk wks w",
    "D": "day days d", "h": "hour hours hr hrs h", "m": "minute minutes min mins m",
    "s": "second seconds sec secs s", "f": "millisecond milliseconds ms msec",
}  # fmt: skip
_ENGLISH = {word: letter for letter, words in _UNITS.items() for word in words.split()}
_UNIT = re.compile(r"\s?\)?\s?-?\s?(?:calendar\s+|consecutive\s+)?([^\W\d_]+)\.?", re.IGNORECASE)
_JOIN = re.compile(r"[\s,]*(?:and\s+|und\s+|et\s+|y\s+)?")
_MONTHS = {"Y": 12, "M": 1}
_SECONDS = {
    "W": Decimal(604800), "D": Decimal(86400), "h": Decimal(3600), "m": Decimal(60), "s": Decimal(1),
    "f": Decimal("0.001"),
}  # fmt: skip
_RANK = "YMWDhmsf"


@dataclass(frozen=True, slots=True)
class Length:
    """A duration as XML Schema compares it: months, and seconds (a day is 24 hours); neither becomes the other."""

    months: Decimal
    seconds: Decimal


def parse_iso(text: str) -> Length | None:
    """Reads an ISO 8601 duration; weeks do not mix with other parts, and something must be given."""
    match = _ISO.fullmatch(text)
    if match is None or not any(match.groups()[1:]) or text.endswith("T"):
        return None
    sign = -1 if match[1] else 1
    weeks, years, months, *rest = (Decimal((part or "0").replace(",", ".")) * sign for part in match.groups()[1:])
    seconds = sum((part * _SECONDS[unit] for part, unit in zip((weeks, *rest), "WDhms", strict=True)), start=Decimal(0))
    return Length(years * 12 + months, seconds)


def check_duration(value: object, quote: str, rules: ValueRules) -> Verdict:
    """A duration; ``P1M`` is not ``30 days``, ``PT90M`` is ``1.5 hours``."""
    wanted = parse_iso(value) if isinstance(value, str) else None
    if wanted is None:
        return Verdict("VALUE_UNPARSEABLE", f"{shown(value)} is no ISO 8601 duration")
    verdicts = [Verdict() for found in _literal(quote) if found == wanted]
    verdicts += [_chain(wanted, chain, rules) for chain in _chains(quote, rules.locale)]
    return best(verdicts)


def _literal(quote: str) -> Iterator[Length]:
    for match in _ISO_TOKEN.finditer(quote):
        length = parse_iso(match[0])
        if length:
            yield length
    for match in _CLOCK.finditer(quote):
        yield Length(Decimal(0), Decimal(int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])))


_Part = tuple[Numeral, str, int]


def _chains(quote: str, locale: str | None) -> Iterator[list[_Part]]:
    """Runs of ``number unit`` with ever smaller units; each is one duration."""
    names = _ENGLISH | (facts(locale).durations if locale else {})
    chain: list[_Part] = []
    for numeral in numerals(quote, locale):
        unit = _unit(quote, numeral, names)
        if unit is None:
            continue
        letter, end = unit
        follows = chain and _JOIN.fullmatch(quote[chain[-1][2] : numeral.start]) and not numeral.in_range
        if chain and not (follows and _RANK.index(letter) > _RANK.index(chain[-1][1])):
            yield chain
            chain = []
        chain.append((numeral, letter, end))
    if chain:
        yield chain


def _unit(quote: str, numeral: Numeral, names: dict[str, str]) -> tuple[str, int] | None:
    for end in (numeral.end, numeral.partner_end):
        match = _UNIT.match(quote, end)
        letter = names.get(match[1].lower()) if match else None
        if match and letter:
            return letter, match.end()
    return None


def _chain(wanted: Length, chain: list[_Part], rules: ValueRules) -> Verdict:
    lengths = {Length(Decimal(0), Decimal(0))}
    for numeral, letter, _ in chain[: len(_RANK)]:
        lengths = {
            Length(
                length.months + value * _MONTHS.get(letter, 0),
                length.seconds + value * _SECONDS.get(letter, Decimal(0)),
            )
            for length in lengths
            for value in numeral.values
        }
    if wanted not in lengths:
        return Verdict("VALUE_NOT_IN_QUOTE")
    if len(lengths) > 1:
        return Verdict("VALUE_AMBIGUOUS", "the number reads in several ways; name a locale or mend the source")
    if not any(numeral.in_range for numeral, _, _ in chain):
        return Verdict()
    return endpoint(rules)
