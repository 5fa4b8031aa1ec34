from __future__ import annotations

from typing import Any

import pytest

from halt_rag.errors import ConfigurationError
from tests.contracts.evidence.helpers import check, grounded, verdict

VALID = "valid"
ABSENT = "invalid VALUE_NOT_IN_QUOTE"
AMBIGUOUS = "invalid VALUE_AMBIGUOUS"
UNPARSEABLE = "invalid VALUE_UNPARSEABLE"
OVERPRECISE = "invalid VALUE_OVERPRECISE"
NO_UNIT = "invalid UNIT_NOT_IN_QUOTE"
NO_CURRENCY = "invalid CURRENCY_NOT_IN_QUOTE"
UNPROVEN = "unverified VALUE_NOT_DERIVABLE"
ENDPOINT = "valid RANGE_ENDPOINT"
GRADES = ["high", "moderate", "low", "very_low"]

# type, value, quote, verdict, locale, further settings
CASES: list[tuple[str, object, str, str, str | None, dict[str, Any]]] = [
    ("integer", 18, "line 1187 here", ABSENT, None, {}),
    ("integer", 30, "between 30 and 45 days", ENDPOINT, None, {}),
    ("integer", 30, "30 to 45 days", ENDPOINT, None, {}),
    ("integer", 30, "30 days and 45 nights", VALID, None, {}),
    ("integer", 7.0, "total: 7", VALID, None, {}),
    ("integer", "7", "total: 7", UNPARSEABLE, None, {}),
    ("integer", True, "total: 1", UNPARSEABLE, None, {}),
    ("integer", 1, "test_1 x", ABSENT, None, {}),
    ("integer", 4, "A4 paper", ABSENT, None, {}),
    ("integer", 19, "COVID-19", ABSENT, None, {}),
    ("integer", 10, "10² units", ABSENT, None, {}),
    ("integer", 3, "three tests failed", VALID, None, {}),
    ("integer", 2100, "two thousand one hundred", VALID, None, {}),
    ("integer", 12500, "12 500 kr", AMBIGUOUS, None, {}),
    ("integer", 5000, "5k users", VALID, None, {}),
    ("integer", 3, "3fa9b2", ABSENT, None, {}),
    ("integer", 1250000, "1.250.000", VALID, None, {}),
    ("integer", 2, "3.11.2", ABSENT, None, {}),
    ("integer", 2026, "2026-03-04", ABSENT, None, {}),
    ("integer", 1250, "1.250", VALID, "de-DE", {}),
    ("integer", 1234, "١٬٢٣٤", VALID, "ar-EG", {}),
    ("integer", -5, "minus 5", VALID, None, {}),
    ("integer", 5, "minus 5", ABSENT, None, {}),
    ("integer", 25, "twenty-five", VALID, None, {}),
    ("integer", 5, "twenty-five", ABSENT, None, {}),
    ("number", 3.1, "python 3.11", ABSENT, None, {}),
    ("number", 5, "delta −5 points", ABSENT, None, {}),
    ("number", -5, "delta -5 points", VALID, None, {}),
    ("number", 10, "range 10-20 units", ENDPOINT, None, {}),
    ("number", 20, "range 10–20 units", ENDPOINT, None, {}),
    ("number", -20, "range 10-20 units", ABSENT, None, {}),
    ("number", 10, "range 10-20 units", "invalid RANGE_ENDPOINT", None, {"allow_range": False}),
    ("number", 1234.5, "1,234.5", VALID, None, {}),
    ("number", 1500000.0, "1.5e6", VALID, None, {}),
    ("number", 1500000, "1.5 million", VALID, "en-US", {}),
    ("number", 0.5, ".5 g", VALID, None, {}),
    ("number", 0.234, "0,234", VALID, None, {}),
    ("number", 1.25, "1,25", VALID, None, {}),
    ("number", 1.25, "1,25", ABSENT, "en-US", {}),
    ("number", 1.25, "1.250", ABSENT, "de-DE", {}),
    ("string", "3.1", "python 3.11", ABSENT, None, {}),
    ("string", "18", "1187", ABSENT, None, {}),
    ("string", "Delaware", "delaware", ABSENT, None, {}),
    ("string", "日本", "日本語です", VALID, None, {}),
    ("string", "cafe", "café", ABSENT, None, {}),
    ("string", "permitted", "permitted.", VALID, None, {}),
    ("string", "", "abc", UNPARSEABLE, None, {}),
    ("string", "50%", "is 50% (approx)", VALID, None, {}),
    ("string", "5", "−5 points", ABSENT, None, {}),
    ("string", "250", "1,250", ABSENT, None, {}),
    ("string", "10", "10-20", VALID, None, {}),
    ("string", "20", "10-20", VALID, None, {}),
    ("string", "Effective Date", "“Effective Date”", VALID, None, {}),
    ("version", "3.1", "python 3.11", ABSENT, None, {}),
    ("version", "3.11", "python 3.11.", VALID, None, {}),
    ("version", "1.1", "1.10", ABSENT, None, {}),
    ("version", "v1.10", "release 1.10", VALID, None, {}),
    ("amount", {"amount": "1250.00", "currency": "EUR"}, "1.250,00 EUR", VALID, "de-DE", {}),
    ("amount", {"amount": "1250.00", "currency": "EUR"}, "1.250,00 EUR", VALID, None, {}),
    ("amount", {"amount": "1250", "currency": "CHF"}, "CHF 1'250.00", VALID, "de-CH", {}),
    ("amount", {"amount": "1250", "currency": "CHF"}, "CHF 1’250.00", VALID, "de-CH", {}),
    ("amount", {"amount": "1250", "currency": "CHF"}, "CHF 1’250.00", VALID, None, {}),
    ("amount", {"amount": "500", "currency": "USD"}, "fee of $500", VALID, "en-US", {}),
    ("amount", {"amount": "500", "currency": "USD"}, "fee of $500", AMBIGUOUS, None, {}),
    ("amount", {"amount": "500", "currency": "USD"}, "fee of US$500", VALID, None, {}),
    ("amount", {"amount": "500", "currency": "CAD"}, "fee of $500", VALID, "en-CA", {}),
    ("amount", {"amount": "1500000", "currency": "USD"}, "$1.5 million", VALID, "en-US", {}),
    ("amount", {"amount": "1.5", "currency": "USD"}, "$1.5 million", ABSENT, "en-US", {}),
    ("amount", {"amount": "3000000000", "currency": "EUR"}, "€3bn", VALID, None, {}),
    ("amount", {"amount": "3000000", "currency": "EUR"}, "€3m", VALID, None, {}),
    ("amount", {"amount": "1250", "currency": "SEK"}, "1 250 kr", VALID, "sv-SE", {}),
    ("amount", {"amount": "5", "currency": "EUR"}, "EUR5", VALID, None, {}),
    ("amount", {"amount": "1250", "currency": "EUR"}, "EUR 1,250 per year", AMBIGUOUS, None, {}),
    ("amount", {"amount": "1250", "currency": "EUR"}, "EUR 1,250 per year", VALID, "en-US", {}),
    ("amount", {"amount": "-5", "currency": "EUR"}, "-€5", VALID, None, {}),
    ("amount", {"amount": "5", "currency": "EUR"}, "-€5", ABSENT, None, {}),
    ("amount", {"amount": "500", "currency": "EUR"}, "Total (EUR): 500", VALID, None, {}),
    ("amount", {"amount": "500", "currency": "EUR"}, "Total: 500", NO_CURRENCY, None, {}),
    ("amount", {"amount": "500", "currency": "EUR"}, "500 euros", VALID, None, {}),
    ("amount", {"amount": "500", "currency": "eur"}, "500 EUR", UNPARSEABLE, None, {}),
    ("amount", {"amount": 500, "currency": "JPY"}, "￥500", VALID, "ja-JP", {}),
    ("amount", {"amount": 500, "currency": "GBP"}, "£500", VALID, None, {}),
    ("quantity", {"amount": "5000", "unit": "m"}, "distance 5 km", VALID, None, {}),
    ("quantity", {"amount": "5", "unit": "kilometers"}, "distance 5 km", VALID, None, {}),
    ("quantity", {"amount": "5", "unit": "km"}, "distance 5 miles", NO_UNIT, None, {}),
    ("quantity", {"amount": "5", "unit": "mg"}, "5mg", VALID, None, {}),
    ("quantity", {"amount": "5", "unit": "km/h"}, "speed 5 km/h", VALID, None, {}),
    ("quantity", {"amount": "20", "unit": "°C"}, "20 °C", VALID, None, {}),
    ("quantity", {"amount": "20", "unit": "widgets"}, "20 widgets", VALID, None, {}),
    ("quantity", {"amount": "5", "unit": "year"}, "5 a day", NO_UNIT, None, {}),
    ("quantity", {"amount": "5", "unit": "km"}, "5", NO_UNIT, None, {}),
    ("quantity", {"amount": "6", "unit": "km"}, "5 km", ABSENT, None, {}),
    ("quantity", {"amount": "30", "unit": "km"}, "30–45 km", ENDPOINT, None, {}),
    ("quantity", {"amount": "5", "unit": "GB"}, "5 MB", NO_UNIT, None, {}),
    ("quantity", {"amount": "5", "unit": "m"}, "5 m²", NO_UNIT, None, {}),
    ("duration", "P14D", "2 weeks", VALID, None, {}),
    ("duration", "P1W2D", "9 days", UNPARSEABLE, None, {}),
    ("duration", "PT1H30M", "1 hour 30 minutes", VALID, None, {}),
    ("duration", "PT30M", "1 hour 30 minutes", ABSENT, None, {}),
    ("duration", "PT1H30M", "took 1h30m", VALID, None, {}),
    ("duration", "PT90M", "01:30:00", VALID, None, {}),
    ("duration", "PT90M", "PT1H30M", VALID, None, {}),
    ("duration", "P30D", "dreißig (30) Tage", VALID, "de-DE", {}),
    ("duration", "P3M", "3 mois", VALID, "fr-FR", {}),
    ("duration", "P30D", "thirty days", VALID, None, {}),
    ("duration", "P1Y", "successive one-year terms", VALID, None, {}),
    ("duration", "P30D", "thirty (60) days", AMBIGUOUS, None, {}),
    ("duration", "P5D", "5 business days", ABSENT, None, {}),
    ("duration", "P45D", "30-45 days", ENDPOINT, None, {}),
    ("duration", "P40D", "30–45 days", ABSENT, None, {}),
    ("duration", "P12M", "one year", VALID, None, {}),
    ("duration", "PT0.41S", "in 0.41s", VALID, None, {}),
    ("duration", "P30D", "30 calendar days", VALID, None, {}),
    ("duration", "P2Y6M", "2 years and 6 months", VALID, None, {}),
    ("duration", "", "30 days", UNPARSEABLE, None, {}),
    ("duration", "P", "30 days", UNPARSEABLE, None, {}),
    ("duration", "PT", "30 days", UNPARSEABLE, None, {}),
    ("duration", "PT48H", "2 days", VALID, None, {}),
    ("duration", "P30D", "30-day period", VALID, None, {}),
    ("date", "2026-04-03", "due 03/04/2026", AMBIGUOUS, None, {}),
    ("date", "2026-03-04", "due 03/04/2026", VALID, "en-US", {}),
    ("date", "2026-04-03", "due 03/04/2026", ABSENT, "en-US", {}),
    ("date", "2026-03-03", "due 03/03/2026", VALID, None, {}),
    ("date", "2026-03-04", "March 4, 2026", VALID, None, {}),
    ("date", "2026-03-04", "4th of March 2026", VALID, None, {}),
    ("date", "2026-03-04", "4. März 2026", VALID, "de-DE", {}),
    ("date", "2026-03-04", "2026年3月4日", VALID, None, {}),
    ("date", "2026-03-04", "4 Mar 2026", VALID, None, {}),
    ("date", "2026-03-05", "4 March 2026", ABSENT, None, {}),
    ("date", "2026-01-01", "in 2026", OVERPRECISE, None, {}),
    ("date", "2026-03-04", "2026-03-04", VALID, None, {}),
    ("date", "2026-03", "March 2026", UNPARSEABLE, None, {}),
    ("date", "2026-03-04", "04.03.2026", VALID, "de-DE", {}),
    ("date", "2026-03-04", "4/3/26", AMBIGUOUS, "en-GB", {}),
    ("date", "2026-03-04", "20260304", VALID, None, {}),
    ("date", "2026-03-04", "2026-03-04T10:00:00Z", VALID, None, {}),
    ("date", "2026-03-04", "March 4", ABSENT, None, {}),
    ("date", "2026-03-04", "4 de marzo de 2026", VALID, "es-ES", {}),
    ("date", "2025-03-01", "March 2026", ABSENT, None, {}),
    ("date", "2026-03-04", "Wed, 4 Mar 2026 10:00", VALID, None, {}),
    ("datetime", "2026-03-04T23:30:00", "at 2026-03-04 23:30", VALID, None, {}),
    ("datetime", "2026-03-04T23:30:00Z", "at 2026-03-04 23:30", OVERPRECISE, None, {}),
    ("datetime", "2026-03-04T00:00:00", "2026-03-04", OVERPRECISE, None, {}),
    ("datetime", "2026-03-04T23:30:00", "4 March 2026 at 11:30 pm", VALID, None, {}),
    ("datetime", "2026-03-04T23:30:00Z", "4 March 2026, 23:30 UTC", VALID, None, {}),
    ("datetime", "2026-03-04T23:31:00Z", "4 March 2026, 23:30 UTC", ABSENT, None, {}),
    ("datetime", "2026-03-04T23:30:45", "2026-03-04 23:30", OVERPRECISE, None, {}),
    ("datetime", "2026-03-04T23:30:00.5Z", "2026-03-04T23:30:00.5Z", VALID, None, {}),
    ("datetime", "tomorrow", "2026-03-04T23:30", UNPARSEABLE, None, {}),
    ("percent", 0.4, "uptime 40%", ABSENT, None, {}),
    ("percent", 40, "uptime 40", NO_UNIT, None, {}),
    ("percent", 40, "40 Prozent", VALID, "de-DE", {}),
    ("percent", 40, "40 %", VALID, "fr-FR", {}),
    ("percent", 5, "5–10%", ENDPOINT, None, {}),
    ("percent", 99.9, "99.9% uptime", VALID, None, {}),
    ("percent", 99.9, "99,9 %", VALID, "de-DE", {}),
    ("percent", -5, "-5%", VALID, None, {}),
    ("ratio", 0.4, "2 out of 5", VALID, None, {}),
    ("ratio", 0.4, "2:5", VALID, None, {}),
    ("ratio", "2:5", "2/5", VALID, None, {}),
    ("ratio", 0.4, "0.4", VALID, None, {}),
    ("ratio", 0.333, "1/3", VALID, None, {}),
    ("ratio", 0.5, "1/3", ABSENT, None, {}),
    ("ratio", 40, "40%", ABSENT, None, {}),
    ("ratio", 0.04, "40%", ABSENT, None, {}),
    ("boolean", True, "Auto-renew: Yes", VALID, None, {}),
    ("boolean", False, "enabled = false", VALID, None, {}),
    ("boolean", False, "Auto-renew: No", VALID, None, {}),
    ("boolean", False, "no later than Friday", UNPROVEN, None, {}),
    ("boolean", "yes", "Auto: Yes", UNPARSEABLE, None, {}),
    ("boolean", True, '"auto_renew": true,', VALID, None, {}),
    ("enum", "very_low", "GRADE: VERY LOW", VALID, None, {"enum": GRADES}),
    ("enum", "tiny", "GRADE: tiny", UNPARSEABLE, None, {"enum": GRADES}),
    ("enum", "high", "highest", ABSENT, None, {"enum": GRADES}),
    ("integer", 12500, "12\u00a0500 kr", VALID, None, {}),
    ("integer", 12500, "12\u202f500 kr", VALID, None, {}),
]


def named(case: tuple[str, object, str, str, str | None, dict[str, Any]]) -> str:
    return f"{case[0]}-{case[1]}-{case[2]}-{case[4] or 'any'}"


@pytest.mark.parametrize("case", CASES, ids=map(named, CASES))
def test_value_from_quote(case: tuple[str, object, str, str, str | None, dict[str, Any]]) -> None:
    kind, value, quote, expected, locale, settings = case
    result = check(f"{quote}\n", grounded(value, 1, quote), type=kind, locale=locale, **settings)
    assert verdict(result) == expected, result.findings
    assert result.match == "exact"


def test_number_and_currency_may_stand_in_different_quotes() -> None:
    document = "Amounts in EUR\nTotal 1,250.00\n"
    value = {"amount": "1250.00", "currency": "EUR"}
    spans = [
        {"line_start": 2, "line_end": 2, "quote": "Total 1,250.00"},
        {"line_start": 1, "line_end": 1, "quote": "Amounts in EUR"},
    ]
    assert verdict(check(document, {**grounded(value, 1, ""), "evidence": spans}, type="amount")) == VALID
    alone = {**grounded(value, 1, ""), "evidence": spans[:1]}
    assert verdict(check(document, alone, type="amount")) == NO_CURRENCY


def test_an_unknown_locale_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="xx-QQ"):
        check("5\n", grounded(5, 1, "5"), type="number", locale="xx-QQ")
