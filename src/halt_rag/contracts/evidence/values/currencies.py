"""Currencies by code, symbol and English name: what holds in every locale."""

from __future__ import annotations

import re
from functools import lru_cache

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
    "rupees": "INR PKR LKR NPR MUR SCR", "dollar": _DOLLARS, "dollars": _DOLLARS, "pound": "GBP EGP", "pounds": "GBP EGP",
    "pounds sterling": "GBP", "pound sterling": "GBP", "us dollars": "USD", "u.s. dollars": "USD",
    "canadian dollars": "CAD", "australian dollars": "AUD", "swiss francs": "CHF", "franc": "CHF XAF XOF",
    "francs": "CHF XAF XOF",
}  # fmt: skip


@lru_cache
def marks(locale: str | None) -> tuple[re.Pattern[str], dict[str, frozenset[str]]]:
    """The pattern of currency marks in running text, and the codes that each mark can mean.

    A locale settles what a bare ``$`` or ``kr`` means; without one such a mark means each of its currencies.
    """
    table = {mark: frozenset(codes.split()) for mark, codes in _MARKS.items()}
    if locale is not None:
        table |= {mark: codes for mark, codes in facts(locale).currencies.items() if mark}
    table |= {code: frozenset({code}) for code in CODES}
    longest = sorted(table, key=len, reverse=True)
    words = "|".join(_bounded(mark) for mark in longest)
    return re.compile(words), table


def _bounded(mark: str) -> str:
    # Names are matched without case; codes and symbols as they are. Letters do not continue a mark on either side.
    inner = re.escape(mark)
    if mark.islower() and len(mark) > 3:
        inner = f"(?i:{inner})"
    before = r"(?<![^\W\d_])" if mark[0].isalpha() and ord(mark[0]) < 0x2E80 else ""
    after = r"(?![^\W\d_])" if mark[-1].isalpha() and ord(mark[-1]) < 0x2E80 else ""
    return f"{before}{inner}{after}"


def mentions(text: str, locale: str | None) -> list[tuple[int, int, frozenset[str]]]:
    """The currency marks of a text as ``(start, end, codes)``."""
    pattern, table = marks(locale)
    found = []
    for match in pattern.finditer(text):
        codes = table.get(match[0]) or table[match[0].lower()]
        found.append((match.start(), match.end(), codes))
    return found
