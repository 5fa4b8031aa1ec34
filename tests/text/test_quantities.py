"""Quantities in texts: a table over all kinds, near misses, and properties that hold for every text."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.text.quantities import Quantity, find_quantities
from tests.text.strategies import any_text
from tests.text.timing import growth


def shown(text: str, one: Quantity) -> str:
    """A quantity in one line: quote, kind, value in the base unit, bound."""
    if one.ends:
        value = "..".join(shown(text, end).split(" | ")[2] for end in one.ends)
    elif one.days:
        value = "/".join(
            sorted(f"{'q' if one.unit == 'quarter' else ''}{y}-{m}-{d}" if m else f"{y}" for y, m, d in one.days)
        )
    elif one.label:
        value = one.label
    else:
        values = sorted(reading.value for reading in one.normals)
        value = "/".join(f"{round(v, 6) if abs(v) < 10**9 else v:f}" for v in values)
        value = re.sub(r"(\.\d*?)0+(?=/|$)", r"\1", value).replace("./", "/").removesuffix(".")
    unit = one.unit if one.kind in ("money", "time") or (one.days and one.unit in ("decade", "century")) else ""
    return " | ".join([one.span.of(text), one.kind, f"{value} {unit}".strip(), one.bound]).removesuffix(" | ")


NUMBERS = [
    ("It has 7 rooms.", ["7 | number | 7"]),
    ("1,234,567 people", ["1,234,567 | number | 1234567"]),
    ("1.234.567 Einwohner", ["1.234.567 | number | 1234567"]),
    ("1 234 567 habitants de la ville", ["1 234 567 | number | 1234567"]),
    ("1\u202f234 habitants", ["1\u202f234 | number | 1234"]),
    ("12'500 Franken", ["12'500 Franken | money | 12500 Franken"]),
    ("1,00,000 voters", ["1,00,000 | number | 100000"]),
    ("3.14 in all", ["3.14 | number | 3.14"]),
    ("3,14 insgesamt", ["3,14 | number | 3.14"]),
    ("1.250 items", ["1.250 | number | 1.25/1250"]),
    ("1,250 items", ["1,250 | number | 1.25/1250"]),
    ("1.250 Stück und 3,5 Kisten", ["1.250 | number | 1250", "3,5 | number | 3.5"]),
    ("1,250 boxes of 3.5 parts", ["1,250 | number | 1250", "3.5 | number | 3.5"]),
    ("0.125 parts", ["0.125 | number | 0.125"]),
    (".5 of a part", [".5 | number | 0.5"]),
    ("The value is -4.", ["-4 | number | -4"]),
    ("The value is −4.", ["−4 | number | -4"]),
    ("1.2 million people", ["1.2 million | number | 1200000"]),
    ("3 bn users", ["3 bn | number | 3000000000"]),
    ("5k users", ["5k | number | 5000"]),
    ("7B parameters", ["7B | number | 7000000000"]),
    ("2 lakh voters", ["2 lakh | number | 200000"]),
    ("6.02 × 10^23 atoms", ["6.02 × 10^23 | number | 602000000000000000000000"]),
    ("3×10⁸ cells", ["3×10⁸ | number | 300000000"]),
    ("1.5e3 items", ["1.5e3 | number | 1500"]),
    ("500万人", ["500万 | number | 5000000"]),
    ("١٢٣ كتاب", ["١٢٣ | number | 123"]),
    ("१२३ किताबें", ["१२३ | number | 123"]),
    ("１２３冊", ["１２３ | number | 123"]),
    ("٣٫٥ كتاب", ["٣٫٥ | number | 3.5"]),
    ("three rooms", ["three | number | 3"]),
    ("twenty-one guns", ["twenty-one | number | 21"]),
    ("two hundred and five", ["two hundred and five | number | 205"]),
    ("one thousand two hundred", ["one thousand two hundred | number | 1200"]),
    ("three million four hundred thousand", ["three million four hundred thousand | number | 3400000"]),
    ("a hundred men", ["a hundred | number | 100"]),
    ("a dozen eggs", ["a dozen | number | 12"]),
    ("two dozen eggs", ["two dozen | number | 24"]),
    ("half a million people", ["half a million | number | 500000"]),
    ("two and a half tons", ["two and a half tons | measure | 2267.96185/2500/2540.117272"]),
    ("one and a half million", ["one and a half million | number | 1500000"]),
    ("thirty (30) rooms", ["thirty (30) | number | 30"]),
    ("1½ cups", ["1½ | number | 1.5"]),
    ("zweihundertfünfzig Leute", ["zweihundertfünfzig | number | 250"]),
    ("einundzwanzig Leute", ["einundzwanzig | number | 21"]),
    ("dreitausendvierhundert Leute", ["dreitausendvierhundert | number | 3400"]),
    ("zwei Millionen Leute", ["zwei Millionen | number | 2000000"]),
    ("1,5 Mrd. Menschen", ["1,5 Mrd. | number | 1500000000"]),
    ("vingt et un livres", ["vingt et un | number | 21"]),
    ("quatre-vingt-dix-sept livres", ["quatre-vingt-dix-sept | number | 97"]),
    ("soixante-dix livres", ["soixante-dix | number | 70"]),
    ("trois cents livres", ["trois cents | number | 300"]),
    ("deux millions de livres", ["deux millions | number | 2000000"]),
    ("treinta y dos libros", ["treinta y dos | number | 32"]),
    ("quinientos libros", ["quinientos | number | 500"]),
    ("tres mil libros", ["tres mil | number | 3000"]),
    ("two thirds of voters", ["two thirds | number | 0.666667"]),
    ("three-quarters of voters", ["three-quarters | number | 0.75"]),
    ("half of the voters", ["half | number | 0.5"]),
    ("a quarter of voters", ["a quarter | number | 0.25"]),
    ("3/4 of voters", ["3/4 | number | 0.75"]),
    ("zwei Drittel der Wähler", ["zwei Drittel | number | 0.666667"]),
    ("die Hälfte der Wähler", ["Hälfte | number | 0.5"]),
    ("les trois quarts des votants", ["trois quarts | number | 0.75"]),
    ("dos tercios de los votantes", ["dos tercios | number | 0.666667"]),
    ("3x faster", ["3x | number | 3"]),
    ("five times as many", ["five times | number | 5"]),
    ("3 and 4", ["3 | number | 3", "4 | number | 4"]),
    ("rows 100 200 300 of the data", ["200 | number | 200", "300 | number | 300"]),
]
ORDINALS = [
    ("the 3rd attempt", ["3rd | ordinal | 3"]),
    ("the third attempt", ["third | ordinal | 3"]),
    ("the twenty-first attempt", ["twenty-first | ordinal | 21"]),
    ("der dritte Versuch", ["dritte | ordinal | 3"]),
    ("le 3e essai de la ville", ["3e | ordinal | 3"]),
    ("la deuxième fois", ["deuxième | ordinal | 2"]),
    ("el segundo intento", ["segundo | ordinal | 2"]),
    ("la 2ª vez", ["2ª | ordinal | 2"]),
    ("in season 3", ["3 | ordinal | 3"]),
    ("at week 48", ["48 | ordinal | 48"]),
    ("First, we ask. Second, we check.", []),
    ("At first it rained.", []),
    ("five metres per second", ["five metres per second | measure | 5"]),
]
RATES = [
    ("12.5% of it", ["12.5% | percent | 0.125"]),
    ("12.5 % of it", ["12.5 % | percent | 0.125"]),
    ("five percent", ["five percent | percent | 0.05"]),
    ("5 per cent", ["5 per cent | percent | 0.05"]),
    ("5 Prozent", ["5 Prozent | percent | 0.05"]),
    ("5 pour cent", ["5 pour cent | percent | 0.05"]),
    ("5 por ciento", ["5 por ciento | percent | 0.05"]),
    ("a 5-percent rise", ["5-percent | percent | 0.05"]),
    ("３％増", ["３％ | percent | 0.03"]),
    ("1.5 percentage points", ["1.5 percentage points | percentage points | 0.015"]),
    ("a 2-percentage-point rise", ["2-percentage-point | percentage points | 0.02"]),
    ("2 Prozentpunkte", ["2 Prozentpunkte | percentage points | 0.02"]),
    ("2 points de pourcentage", ["2 points de pourcentage | percentage points | 0.02"]),
    ("2 puntos porcentuales", ["2 puntos porcentuales | percentage points | 0.02"]),
    ("25 basis points", ["25 basis points | basis points | 0.0025"]),
    ("25 bps", ["25 bps | basis points | 0.0025"]),
    ("25 Basispunkte", ["25 Basispunkte | basis points | 0.0025"]),
    ("0.8 ‰", ["0.8 ‰ | percent | 0.0008"]),
]
MONEY = [
    ("$5", ["$5 | money | 5 $"]),
    ("$4.2bn", ["$4.2bn | money | 4200000000 $"]),
    ("$10m", ["$10m | money | 10000000 $"]),
    ("US$ 12 million", ["US$ 12 million | money | 12000000 USD"]),
    ("EUR 1,234.50", ["EUR 1,234.50 | money | 1234.5 EUR"]),
    ("EUR5", ["EUR5 | money | 5 EUR"]),
    ("1.250,50 €", ["1.250,50 € | money | 1250.5 EUR"]),
    ("5 euros", ["5 euros | money | 5 EUR"]),
    ("three million US dollars", ["three million US dollars | money | 3000000 USD"]),
    ("50 cents", ["50 cents | money | 0.5 cents"]),
    ("£20", ["£20 | money | 20 GBP"]),
    ("¥5000", ["¥5000 | money | 5000 ¥"]),
    ("5万円", ["5万円 | money | 50000 JPY"]),
    ("Rs 5 crore", ["Rs 5 crore | money | 50000000 Rs"]),
    ("3,5 Mio. Euro", ["3,5 Mio. Euro | money | 3500000 EUR"]),
    ("deux millions d'euros", ["deux millions d'euros | money | 2000000 EUR"]),
    ("tres millones de dólares", ["tres millones de dólares | money | 3000000 dólares"]),
    ("100 Swiss francs", ["100 Swiss francs | money | 100 CHF"]),
    ("a loss of -$5", ["$5 | money | 5 $"]),
    ("CHF 40", ["CHF 40 | money | 40 CHF"]),
    ("£5 or 6 pounds", ["£5 | money | 5 GBP", "6 pounds | money | 6 pounds"]),
]
MEASURES = [
    ("5 km", ["5 km | measure | 5000"]),
    ("5km", ["5km | measure | 5000"]),
    ("a 5-kilometre run", ["5-kilometre | measure | 5000"]),
    ("3 miles", ["3 miles | measure | 4828.032"]),
    ("6 feet", ["6 feet | measure | 1.8288"]),
    ("5 ft 11 in", ["5 ft 11 in | measure | 1.8034"]),
    ("12 in. wide", ["12 in. | measure | 0.3048"]),
    ("100 km/h", ["100 km/h | measure | 27.777778"]),
    ("60 miles per hour", ["60 miles per hour | measure | 26.8224"]),
    ("100 Kilometer pro Stunde", ["100 Kilometer pro Stunde | measure | 27.777778"]),
    ("40 m²", ["40 m² | measure | 40"]),
    ("40 square metres", ["40 square metres | measure | 40"]),
    ("2 ha", ["2 ha | measure | 20000"]),
    ("250 ml", ["250 ml | measure | 0.00025"]),
    ("2 litres", ["2 litres | measure | 0.002"]),
    ("500 mg", ["500 mg | measure | 0.0005"]),
    ("5 mg/kg", ["5 mg/kg | measure | 0.000005"]),
    ("150 pounds", ["150 pounds | measure | 68.038856"]),
    ("2 tonnes", ["2 tonnes | measure | 2000"]),
    ("-5 °C", ["-5 °C | measure | 268.15"]),
    ("98.6 °F", ["98.6 °F | measure | 310.15"]),
    ("20 degrees Celsius", ["20 degrees Celsius | measure | 293.15"]),
    ("16 GB", ["16 GB | measure | 128000000000/137438953472"]),
    ("100 Mbit/s", ["100 Mbit/s | measure | 100000000"]),
    ("5 kWh", ["5 kWh | measure | 18000000"]),
    ("150 hp", ["150 hp | measure | 111854.980737"]),
    ("3.5 GHz", ["3.5 GHz | measure | 3500000000"]),
    ("230 V", ["230 V | measure | 230"]),
    ("5 mW", ["5 mW | measure | 0.005"]),
    ("5 MW", ["5 MW | measure | 5000000"]),
    ("2 bar", ["2 bar | measure | 200000"]),
    ("50 Kilometern", ["50 Kilometern | measure | 50000"]),
    ("drei Meter", ["drei Meter | measure | 3"]),
    ("cinq kilomètres", ["cinq kilomètres | measure | 5000"]),
    ("diez metros", ["diez metros | measure | 10"]),
    ("500 mg per day", ["500 mg | measure | 0.0005"]),
    ("10 L of 5 l", ["10 L | measure | 0.01", "5 l | measure | 0.005"]),
]
DURATIONS = [
    ("30 days", ["30 days | duration | 2592000"]),
    ("a 30-day trial", ["30-day | duration | 2592000"]),
    ("thirty (30) days", ["thirty (30) days | duration | 2592000"]),
    ("2 weeks", ["2 weeks | duration | 1209600"]),
    ("18 months", ["18 months | duration | 18"]),
    ("two years and six months", ["two years and six months | duration | 30"]),
    ("1 h 30 min", ["1 h 30 min | duration | 5400"]),
    ("1h30m", ["1h30m | duration | 5400"]),
    ("an hour and 5 minutes", ["5 minutes | duration | 300"]),
    ("half an hour", ["half an hour | duration | 1800"]),
    ("5 business days", ["5 business days | duration | 5"]),
    ("a 5-year-old child", ["5-year-old | duration | 60"]),
    ("200 ms", ["200 ms | duration | 0.2"]),
    ("drei Wochen", ["drei Wochen | duration | 1814400"]),
    ("dix jours", ["dix jours | duration | 864000"]),
    ("cinco años", ["cinco años | duration | 60"]),
    ("anderthalb Stunden", ["anderthalb Stunden | duration | 5400"]),
    ("two decades", ["two decades | duration | 240"]),
]
DATES = [
    ("on 4 March 2026", ["4 March 2026 | date | 2026-3-4"]),
    ("on March 4, 2026", ["March 4, 2026 | date | 2026-3-4"]),
    ("on 4th of March 2026", ["4th of March 2026 | date | 2026-3-4"]),
    ("on Mar. 4", ["Mar. 4 | date | 0-3-4"]),
    ("in March 2026", ["March 2026 | date | 2026-3-0"]),
    ("in March", ["March | date | 0-3-0"]),
    ("They may march on.", []),
    ("May I come in?", []),
    ("2026-03-04", ["2026-03-04 | date | 2026-3-4"]),
    ("20260304T1200", ["20260304 | date | 2026-3-4"]),
    ("03/04/2026", ["03/04/2026 | date | 2026-3-4/2026-4-3"]),
    ("25/04/2026", ["25/04/2026 | date | 2026-4-25"]),
    ("25.04.2026", ["25.04.2026 | date | 2026-4-25"]),
    ("25.04.98", ["25.04.98 | date | 1998-4-25/2098-4-25"]),
    ("am 3. Mai 2020", ["3. Mai 2020 | date | 2020-5-3"]),
    ("am 3.5. war Schluss", ["3.5. | date | 0-5-3"]),
    ("le 1er avril 2019", ["1er avril 2019 | date | 2019-4-1"]),
    ("el 5 de mayo de 2020", ["5 de mayo de 2020 | date | 2020-5-5"]),
    ("2024年3月5日", ["2024年3月5日 | date | 2024-3-5"]),
    ("3月5日", ["3月5日 | date | 0-3-5"]),
    ("in 1998", ["1998 | date | 1998"]),
    ("the 1998 World Cup", ["1998 | date | 1998"]),
    ("1998 people", ["1998 | number | 1998"]),
    ("a 2006 film", ["2006 | date | 2006"]),
    ("the 1990s", ["1990s | date | 1990 decade"]),
    ("the 19th century", ["19th century | date | 19 century"]),
    ("im 19. Jahrhundert", ["19. Jahrhundert | date | 19 century"]),
    ("Q3 2024", ["Q3 2024 | date | q2024-3-0"]),
    ("the third quarter of 2024", ["third quarter of 2024 | date | q2024-3-0"]),
    ("31.02.2020 is none", []),
    ("at 3 pm", ["3 pm | time | 900"]),
    ("at 3:30 p.m.", ["3:30 p.m. | time | 930"]),
    ("at 15:30", ["15:30 | time | 930"]),
    ("at 3:30", ["3:30 | time | 210/930"]),
    ("at 09:00 UTC", ["09:00 UTC | time | 540 UTC"]),
    ("um 14 Uhr", ["14 Uhr | time | 840"]),
    ("um 14.30 Uhr", ["14.30 Uhr | time | 870"]),
    ("à 14h30", ["14h30 | time | 870"]),
    ("at noon", ["noon | time | 720"]),
    ("at midnight", ["midnight | time | 0"]),
    ("12 am", ["12 am | time | 0"]),
]
VERSIONS = [
    ("version 2.3", ["2.3 | version | 2.3"]),
    ("v1.2", ["v1.2 | version | 1.2"]),
    ("v10", ["v10 | version | 10"]),
    ("Release 1.4.2-rc1 is out", ["1.4.2-rc1 | version | 1.4.2-rc1"]),
    ("needs 3.11.4 or later", ["3.11.4 | version | 3.11.4 | at least"]),
]
RANGES = [
    ("3-5 km", ["3-5 km | range | 3000..5000"]),
    ("3 to 5 km", ["3 to 5 km | range | 3000..5000"]),
    ("between 5 and 10 percent", ["5 and 10 percent | range | 0.05..0.1"]),
    ("from 5 to 10 people", ["5 | number | 5", "10 | number | 10"]),
    ("$3-5 million", ["$3-5 million | range | 3/3000000 $..5000000 $"]),
    ("2019–2021", ["2019–2021 | range | 2019..2021"]),
    ("2019–21", ["2019–21 | range | 2019..2021"]),
    ("from March to May", ["March to May | range | 0-3-0..0-5-0 | more than"]),
    ("March 5-7", ["March 5-7 | range | 0-3-5..0-3-7"]),
    ("von 3 bis 5 Uhr", ["3 | number | 3", "5 Uhr | time | 300 | less than"]),
    ("zwischen 3 und 5 Jahren", ["3 und 5 Jahren | range | 36..60"]),
    ("entre 3 et 5 ans", ["3 et 5 ans | range | 36..60"]),
    ("9:00-17:00", ["9:00-17:00 | range | 540/1260..1020"]),
]
BOUNDS = [
    ("about 5 people", ["5 | number | 5 | about"]),
    ("roughly $5", ["$5 | money | 5 $ | about"]),
    ("~5 km", ["5 km | measure | 5000 | about"]),
    ("etwa 5 Leute", ["5 | number | 5 | about"]),
    ("environ 5 personnes", ["5 | number | 5 | about"]),
    ("aproximadamente 5", ["5 | number | 5 | about"]),
    ("more than 5", ["5 | number | 5 | more than"]),
    ("over 5 km", ["5 km | measure | 5000 | more than"]),
    ("> 5", ["5 | number | 5 | more than"]),
    ("mehr als 5", ["5 | number | 5 | more than"]),
    ("at least 5", ["5 | number | 5 | at least"]),
    ("no fewer than 5", ["5 | number | 5 | at least"]),
    ("≥5", ["5 | number | 5 | at least"]),
    ("5+ years", ["5 | number | 5 | at least"]),
    ("5 or more", ["5 | number | 5 | at least"]),
    ("mindestens 5", ["5 | number | 5 | at least"]),
    ("au moins 5", ["5 | number | 5 | at least"]),
    ("al menos 5", ["5 | number | 5 | at least"]),
    ("less than 5", ["5 | number | 5 | less than"]),
    ("fewer than 5", ["5 | number | 5 | less than"]),
    ("weniger als 5", ["5 | number | 5 | less than"]),
    ("up to 5", ["5 | number | 5 | at most"]),
    ("no more than 5", ["5 | number | 5 | at most"]),
    ("within 5 days", ["5 days | duration | 432000 | at most"]),
    ("bis zu 5", ["5 | number | 5 | at most"]),
    ("jusqu'à 5", ["5 | number | 5 | at most"]),
    ("after 2005", ["2005 | date | 2005 | more than"]),
    ("before 3 pm", ["3 pm | time | 900 | less than"]),
]
NONE = [
    "ISO 9001", "DIN EN 60601", "RFC 2616", "A4 paper", "COVID-19", "GPT-4", "B2B", "Section 4.2", "section 12", "§ 12",
    "Article 5", "Figure 3", "Table 10", "page 17", "pp. 17", "No. 5", "#123", "[12]", "[3, 4]", "Abschnitt 4",
    "Abb. 3", "Artikel 5", "n° 5", "artículo 5", "1. Wash.", "2) Rinse.", "- 3. Dry.", "# 4 Notes", "+49 30 1234567",
    "555-123-4567", "(030) 1234567", "192.168.0.1", "https://a.org/2019/5", "a1@b2.org", "10.1000/182", "3fa9",
    "978-3-16-148410-0", "123e4567-e89b-12d3-a456-426614174000", "abc_12", "x86", "utf8", "one of them", "No one came.",
    "one another", "the one who", "once upon a time", "They seize it.", "apartment 21B", "in his 30s", "some", "",
]  # fmt: skip
TABLE = [*NUMBERS, *ORDINALS, *RATES, *MONEY, *MEASURES, *DURATIONS, *DATES, *VERSIONS, *RANGES, *BOUNDS]


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[text for text, _ in TABLE])
def test_table(text: str, expected: list[str]) -> None:
    assert [shown(text, one) for one in find_quantities(text)] == expected


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_quantity(text: str) -> None:
    assert [shown(text, one) for one in find_quantities(text)] == []


@pytest.mark.parametrize("text", [*(text for text, _ in TABLE), *NONE])
def test_a_sentence_around_it_changes_nothing(text: str) -> None:
    """Spans are those of the whole text, whatever stands before."""
    before = "日本 \U0001f600 é\u0301: "
    moved = [one.span.shift(len(before)).of(before + text) for one in find_quantities(text)]
    assert moved == [one.span.of(text) for one in find_quantities(text)]


def test_precision_is_that_of_the_last_digit() -> None:
    steps = {text: find_quantities(text)[0].normals[0].step for text in ("5", "5.0", "1.2 million", "5 km", "50%")}
    assert steps == {
        "5": Decimal(1),
        "5.0": Decimal("0.1"),
        "1.2 million": Decimal(100_000),
        "5 km": Decimal(1000),
        "50%": Decimal("0.01"),
    }


def test_value_is_only_given_where_there_is_one() -> None:
    assert find_quantities("1,250 and 3.5")[0].value == 1250
    assert find_quantities("1,250")[0].value is None
    assert find_quantities("in 1998")[0].value is None


def test_a_bare_dollar_is_of_many_countries() -> None:
    (one,) = find_quantities("$5")
    assert {"USD", "CAD", "AUD"} <= one.currencies


@given(any_text())
def test_spans_are_in_order_and_inside(text: str) -> None:
    found = find_quantities(text)
    place = 0
    for one in found:
        assert place <= one.span.start < one.span.end <= len(text)
        assert one.span.of(text).strip() == one.span.of(text)
        place = one.span.end
        assert bool(one.normals) + bool(one.days) + bool(one.ends) + bool(one.label) == 1
        assert all(reading.step >= 0 for reading in one.normals)
        for end in one.ends:
            assert one.span.start <= end.span.start < end.span.end <= one.span.end


@given(
    st.lists(
        st.sampled_from(
            ["5", "1,250", "1.5", "3", " ", "-", "–", "%", "km", "million", "$", "€", "March", "2019", "and", "to",
             "two", "half", "of", "a", ":", "30", "pm", "/", ".", ",", "(", ")", "h", "x", "10", "^", "th",
             "Q3", "v", "ein",
             "hundert", "vingt", "und", "between", "in", "'", "½", "\n", "A", "ft", "12"]
        ),
        max_size=14,
    )
)  # fmt: skip
def test_any_mix_of_parts_is_read(parts: list[str]) -> None:
    for glue in ("", " "):
        text = glue.join(parts)
        for one in find_quantities(text):
            assert one.span.of(text)


@given(st.integers(0, 10**12))
def test_formats_of_a_whole_number(number: int) -> None:
    def only(text: str) -> set[Decimal]:
        (one,) = find_quantities(text)
        return {reading.value for reading in one.normals}

    assert only(f"x = {number:,} x") >= {Decimal(number)}
    assert only(f"= {number:_} parts".replace("_", "\u202f")) == {Decimal(number)}
    assert only(f"= {number:,} Teile und 1,5 %".replace(",", ".").replace("1.5 %", "km")) >= {Decimal(number)}
    assert only(f"$ {number}") == {Decimal(number)}
    arabic = str(number).translate({ord("0") + digit: 0x0660 + digit for digit in range(10)})
    assert only(f"= {arabic} ships") == {Decimal(number)}


@given(st.decimals(min_value=0, max_value=10**6, places=2))
def test_formats_of_a_decimal_number(number: Decimal) -> None:
    english, german = f"EUR {number:,.2f}", f"{number:,.2f} €".translate(str.maketrans(",.", ".,"))
    for text in (english, german):
        (one,) = find_quantities(text)
        assert (one.kind, one.value, one.currencies) == ("money", number, frozenset({"EUR"}))


ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()


def in_words(number: int) -> str:
    if number < 17:
        return ONES[number]
    if number < 20:
        return {17: "seventeen", 18: "eighteen", 19: "nineteen"}[number]
    if number < 100:
        tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()[number // 10 - 2]
        return f"{tens}-{ONES[number % 10]}" if number % 10 else tens
    if number < 1000:
        rest = f" and {in_words(number % 100)}" if number % 100 else ""
        return f"{ONES[number // 100]} hundred{rest}"
    scale, name = (10**6, "million") if number >= 10**6 else (1000, "thousand")
    rest = f" {in_words(number % scale)}" if number % scale else ""
    return f"{in_words(number // scale)} {name}{rest}"


@given(st.integers(2, 10**9 - 1))
def test_number_words(number: int) -> None:
    (one,) = find_quantities(f"There were {in_words(number)} ships.")
    assert one.value == number


@given(st.dates())
def test_formats_of_a_date(day: object) -> None:
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%d %B %Y", "%B %d, %Y", "%d/%m/%Y"):
        text = f"on {day:{form}}."
        if day.year < 1000:  # type: ignore[attr-defined]
            continue
        (one,) = find_quantities(text)
        assert (day.year, day.month, day.day) in one.days  # type: ignore[attr-defined]


HOSTILE = {
    "digits": "1", "marks": "1,", "points": "1.", "groups": "1 000 ", "slashes": "1/", "dashes": "1-", "colons": "1:",
    "words": "hundred ", "one": "one and ", "und": "einund", "hundert": "hundert", "units": "km ", "dollars": "$",
    "percent": "%", "months": "March ", "days": "5 March ", "ranges": "5-", "to": "5 to ", "brackets": "(5", "at": "a@",
    "mail": "a.", "web": "http://", "blanks": " ", "about": "about ", "more": "more than 5 ",
    "quarter": "Q3 ",
    "x": "5x", "fractions": "½", "feet": "5 ft ", "hours": "1h30m", "capitals": "ISO ", "phone": "+49 ",
    "lines": "1.\n",
    "labels": "Section ", "clock": "12:30 ", "zones": "12:30 UTC ", "minus": "-", "hash": "# 1", "zero": "\0",
}  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_time_is_linear(unit: str) -> None:
    assert growth(find_quantities, unit, 1_500) < 9
