"""Currencies by code, symbol and English name: what holds in every locale."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from halt_rag.contracts.evidence.values.cldr import facts

CODES = frozenset(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLF
    CLP CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG
    HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
    MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF
    SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS
    VED VES VND VUV WST XAF XAG XAU XCD XOF XPD XPF XPT YER ZAR ZMW ZWG DEM FRF ITL ESP ATS NLG BEF FIM GRD IEP PTE HRK
    """.split()
)
"""ISO 4217 codes: those in use, and those that the euro replaced."""

PREFIXES = frozenset({"Rs", "kr", "Kr", "Fr", "DM", "RM"})
"""Letters other than a code that stand directly before an amount."""

_DOLLARS = "USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP BMD BBD BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD BND"
_KRONES = "SEK NOK DKK ISK CZK"
_MARKS: dict[str, str] = {
    "€": "EUR", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₫": "VND", "₱": "PHP",
    "₦": "NGN", "฿": "THB", "₸": "KZT", "₮": "MNT", "₡": "CRC", "₲": "PYG", "₵": "GHS", "₾": "GEL", "₼": "AZN",
    "£": "GBP", "US$": "USD", "CA$": "CAD", "C$": "CAD", "AU$": "AUD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD",
    "S$": "SGD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "JP¥": "JPY", "CN¥": "CNY", "RMB": "CNY", "zł": "PLN",
    "Kč": "CZK", "Ft": "HUF", "RM": "MYR", "$": _DOLLARS, "¥": "JPY CNY", "￥": "JPY CNY", "元": "CNY TWD HKD",
    "円": "JPY", "원": "KRW", "kr": _KRONES, "Kr": _KRONES, "Fr": "CHF", "Rs": "INR PKR LKR NPR MUR SCR",
    "euro": "EUR", "euros": "EUR", "yen": "JPY", "yuan": "CNY", "rupee": "INR PKR LKR NPR MUR SCR",
    "rupees": "INR PKR LKR NPR MUR SCR", "dollar": _DOLLARS, "dollars": _DOLLARS, "pound": "GBP EGP",
    "pounds": "GBP EGP", "pounds sterling": "GBP", "pound sterling": "GBP", "us dollars": "USD", "us dollar": "USD",
    "canadian dollars": "CAD", "australian dollars": "AUD", "swiss francs": "CHF", "franc": "CHF XAF XOF",
    "francs": "CHF XAF XOF",
}  # fmt: skip


_TOKEN = re.compile("[元円圓원]|[^\\W\\d_]+|[$¢£¥֏؋৲৳฿៛₠-⃀﷼﹩＄￠￡￥￦]")
_MOST_WORDS = 4
_SHORTEST_NAME = 3

Mention = tuple[int, int, frozenset[str]]
"""Start and end of a currency mark, and the codes that it can mean."""


@lru_cache
def _marks(locale: str | None) -> dict[str, frozenset[str]]:
    """What each mark can mean. A locale settles a bare ``$`` or ``kr``; without one it means each of its currencies."""
    table = {mark: frozenset(codes.split()) for mark, codes in _MARKS.items()}
    if locale is not None:
        table |= facts(locale).currencies
    return table | {code: frozenset({code}) for code in CODES}


def mentions(text: str, locale: str | None) -> list[Mention]:
    """The currency marks of a text, the longest at each place; names are read without case, codes as they are."""
    table = _marks(locale)
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    found: list[Mention] = []
    at = 0
    while at < len(tokens):
        mention, used = _longest(text, tokens[at : at + _MOST_WORDS], table)
        if mention:
            found.append(mention)
        at += used
    return found


def _longest(text: str, tokens: list[tuple[int, int]], table: dict[str, frozenset[str]]) -> tuple[Mention | None, int]:
    start = tokens[0][0]
    for count in range(len(tokens), 0, -1):
        end = tokens[count - 1][1]
        if any(right[0] - left[1] > 1 for left, right in pairwise(tokens[:count])):
            continue
        mark = text[start:end]
        codes = table.get(mark) or (table.get(mark.lower()) if len(mark) > _SHORTEST_NAME else None)
        if codes:
            return (start, end, codes), count
    return None, 1
