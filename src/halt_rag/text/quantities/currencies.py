"""Currencies by ISO 4217 code, symbol and name in English, German, French and Spanish."""

from __future__ import annotations

import re
from functools import cache

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

_WORD_LIKE = frozenset({"ALL", "TOP", "COP", "GEL", "SOS", "TRY", "MAD", "BAM"})  # Also words in capitals.
_DOLLARS = "USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP BMD BBD BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD BND"
_CROWNS = "SEK NOK DKK ISK CZK"
_RUPEES = "INR PKR LKR NPR MUR SCR"
_FRANCS = "CHF FRF BEF XAF XOF"
_PESOS = "MXN ARS CLP COP PHP UYU DOP CUP"
_MARKS = {
    "€": "EUR", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₫": "VND", "₱": "PHP",
    "₦": "NGN", "฿": "THB", "₸": "KZT", "₮": "MNT", "₡": "CRC", "₲": "PYG", "₵": "GHS", "₾": "GEL", "₼": "AZN",
    "£": "GBP", "US$": "USD", "CA$": "CAD", "C$": "CAD", "AU$": "AUD", "A$": "AUD", "NZ$": "NZD", "HK$": "HKD",
    "S$": "SGD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "JP¥": "JPY", "CN¥": "CNY", "RMB": "CNY", "zł": "PLN",
    "Kč": "CZK", "Ft": "HUF", "RM": "MYR", "$": _DOLLARS, "＄": _DOLLARS, "¥": "JPY CNY", "￥": "JPY CNY",
    "元": "CNY TWD HKD", "円": "JPY", "원": "KRW", "kr": _CROWNS, "Kr": _CROWNS, "Fr": "CHF", "Rs": _RUPEES,
    "DM": "DEM",
}  # fmt: skip
_NAMES = {
    "euro euros": "EUR", "yen": "JPY", "yuan renminbi": "CNY", "rupee rupees rupien rupias roupies": _RUPEES,
    "dollar dollars dólar dólares": _DOLLARS, "pound pounds pfund": "GBP EGP",
    "pound_sterling pounds_sterling livres_sterling libras_esterlinas": "GBP",
    "us_dollar us_dollars u.s._dollars us-dollar american_dollars dollars_américains dólares_estadounidenses": "USD",
    "canadian_dollars kanadische_dollar dollars_canadiens dólares_canadienses": "CAD",
    "australian_dollars": "AUD", "franc francs franken francos": _FRANCS,
    "swiss_francs schweizer_franken francs_suisses francos_suizos": "CHF",
    "krona kronor krone kroner kronen couronnes coronas": _CROWNS, "peso pesos": _PESOS,
    "rubles roubles rubel rublos": "RUB", "zloty złoty zlotys": "PLN", "deutsche_mark d-mark": "DEM",
    "reais": "BRL", "rand": "ZAR", "lira liras": "TRY ITL", "forint": "HUF", "dirham dirhams": "AED MAD",
}  # fmt: skip
_CENTS = {"cent cents céntimos centimes": f"{_DOLLARS} EUR", "pence": "GBP", "¢": _DOLLARS}

BEFORE = re.compile(r"(?:[A-Z]{1,3})?[$¥£€¢₠-⃀＄￡￥]|[A-Z]{3}|RM|Rs|[Kk]r|Fr|DM")
"""What may stand directly before an amount; ``lookup`` says whether it is a currency."""


@cache
def _symbols() -> dict[str, frozenset[str]]:
    table = {mark: frozenset(codes.split()) for mark, codes in _MARKS.items()}
    return table | {code: frozenset({code}) for code in CODES - _WORD_LIKE}


@cache
def _named() -> dict[str, frozenset[str]]:
    found = {}
    for names, codes in _NAMES.items():
        for name in names.split():
            found[name.replace("_", " ")] = frozenset(codes.split())
    return found


@cache
def _hundredths() -> dict[str, frozenset[str]]:
    return {name: frozenset(codes.split()) for names, codes in _CENTS.items() for name in names.split()}


def lookup(mark: str) -> frozenset[str]:
    """The codes that a symbol, a code or a name can mean; none if it is no currency."""
    return _symbols().get(mark) or _named().get(mark.lower()) or frozenset()


def hundredths(mark: str) -> frozenset[str]:
    """The codes of currencies whose hundredth part has this name."""
    return _hundredths().get(mark.lower()) or frozenset()
