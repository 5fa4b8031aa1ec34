"""Units of measure: what they measure and how they convert.

Factors are exact by definition: the International System of Units (SI Brochure, 9th edition, 2019), NIST Special
Publication 811 (2008), Appendix B, and IEC 80000-13 for multiples of bytes. Where a name means several units (ton,
gallon, pint, KB), each is a reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

# dimension | symbols (case counts) | words (case does not) | factors to the base unit
_TABLE = """
length|mm|millimetre millimetres millimeter millimeters millimètre millimètres milímetro milímetros|0.001
length|cm|centimetre centimetres centimeter centimeters zentimeter centimètre centimètres centímetro centímetros|0.01
length|m|metre metres meter meters metern mètre mètres metro metros|1
length|km|kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetro kilómetros|1000
length|µm μm|micrometre micrometres micrometer micrometers micron microns mikrometer|0.000001
length|nm|nanometre nanometres nanometer nanometers|0.000000001
length|in.|inch inches zoll pouce pouces pulgada pulgadas|0.0254
length|ft ft.|foot feet fuß pied pieds|0.3048
length|yd|yard yards|0.9144
length|mi|mile miles meile meilen milla millas|1609.344
length|nmi|nautical_mile nautical_miles seemeile seemeilen mille_marin milles_marins milla_náutica millas_náuticas|1852
length|ly|light-year light-years light_year light_years lichtjahr lichtjahre lichtjahren|9460730472580800
area|mm² mm2||0.000001
area|cm² cm2|square_centimetres square_centimeters quadratzentimeter|0.0001
area|m² m2 sqm qm|square_metre square_metres square_meter square_meters quadratmeter quadratmetern mètre_carré mètres_carrés metro_cuadrado metros_cuadrados|1
area|km² km2|square_kilometre square_kilometres square_kilometer square_kilometers quadratkilometer quadratkilometern kilomètre_carré kilomètres_carrés kilómetro_cuadrado kilómetros_cuadrados|1000000
area|ha|hectare hectares hektar hectárea hectáreas|10000
area|ft² ft2 sqft|square_foot square_feet sq_ft quadratfuß pieds_carrés pies_cuadrados|0.09290304
area|mi²|square_mile square_miles sq_mi quadratmeile quadratmeilen milles_carrés millas_cuadradas|2589988.110336
area||acre acres|4046.8564224
volume|ml mL|millilitre millilitres milliliter milliliters mililitro mililitros|0.000001
volume|cl cL|centilitre centilitres centiliter centiliters zentiliter|0.00001
volume|dl dL|decilitre deciliter deziliter|0.0001
volume|l L|litre litres liter liters litern litro litros|0.001
volume|hl|hectolitre hectolitres hectoliter hectoliters hektoliter|0.1
volume|m³ m3|cubic_metre cubic_metres cubic_meter cubic_meters kubikmeter kubikmetern mètre_cube mètres_cubes metro_cúbico metros_cúbicos|1
volume|cm³ cm3 cc|cubic_centimetres cubic_centimeters kubikzentimeter|0.000001
volume|µl µL μl μL|microlitre microlitres microliter microliters|0.000000001
volume|ft³|cubic_foot cubic_feet|0.028316846592
volume|gal|gallon gallons gallone gallonen galón galones|0.003785411784 0.00454609
volume||pint pints|0.000473176473 0.00056826125
volume||quarts|0.000946352946 0.0011365225
volume|fl.oz|fl_oz fluid_ounce fluid_ounces|0.0000295735295625 0.0000284130625
volume|bbl|barrels_of_oil barrels baril barils barriles|0.158987294928
mass|µg μg mcg|microgram micrograms mikrogramm microgramme microgrammes microgramo microgramos|0.000000001
mass|mg|milligram milligrams milligramme milligrammes milligramm miligramo miligramos|0.000001
mass|g|gram grams gramme grammes gramm gramo gramos|0.001
mass|kg|kilogram kilograms kilogramme kilogrammes kilogramm kilo kilos kilogramo kilogramos|1
mass|t|tonne tonnes metric_ton metric_tons metric_tonnes tonelada toneladas|1000
mass|tons|ton tons tonnen|1000 907.18474 1016.0469088
mass|kt|kiloton kilotons kilotonne kilotonnes|1000000
mass|Mt|megaton megatons megatonne megatonnes|1000000000
mass|lb lbs|pound pounds|0.45359237
mass|oz|ounce ounces unze unzen onza onzas|0.028349523125
time|ns|nanosecond nanoseconds nanosekunden|0.000000001
time|µs μs|microsecond microseconds mikrosekunden|0.000001
time|ms|millisecond milliseconds millisekunde millisekunden milliseconde millisecondes milisegundo milisegundos|0.001
time|s sec secs|second seconds sekunde sekunden seconde secondes segundo segundos 秒|1
time|min min. mins|minute minutes minuten minuto minutos 分钟 分間 分鐘|60
time|h hr hrs|hour hours stunde stunden heure heures hora horas 小时 時間 小時|3600
time|d|day days tag tage tagen jour jours journée journées día días calendar_day calendar_days kalendertage kalendertagen jours_calendaires días_naturales 天 日間|86400
time|wk wks|week weeks woche wochen semaine semaines semana semanas 周 週間|604800
time||fortnight fortnights|1209600
months|mo mos|month months monat monate monaten mois mes meses 个月 か月 ヶ月|1
months||quarter-year|3
months|yr yrs|year years jahr jahre jahren ans année années año años year-old years_old|12
months||decade decades jahrzehnt jahrzehnte jahrzehnten décennie décennies década décadas|120
months||century centuries jahrhundert jahrhunderte jahrhunderten siècle siècles siglo siglos|1200
working days||business_day business_days working_day working_days work_days workdays werktag werktage werktagen arbeitstag arbeitstage arbeitstagen jour_ouvrable jours_ouvrables jours_ouvrés días_hábiles días_laborables|1
speed|m/s|metres_per_second meters_per_second meter_pro_sekunde mètres_par_seconde metros_por_segundo|1
speed|km/h kph kmh|kilometres_per_hour kilometers_per_hour kilometer_pro_stunde stundenkilometer kilomètres_par_heure kilomètres-heure kilómetros_por_hora|K
speed|mph|miles_per_hour meilen_pro_stunde miles_par_heure millas_por_hora|0.44704
speed|kn|knot knots knoten nœuds nudos|N
energy|J|joule joules|1
energy|kJ|kilojoule kilojoules|1000
energy|MJ|megajoule megajoules|1000000
energy|GJ|gigajoule gigajoules|1000000000
energy|Wh|watt-hour watt-hours watt_hours wattstunden|3600
energy|kWh|kilowatt-hour kilowatt-hours kilowatt_hour kilowatt_hours kilowattstunde kilowattstunden kilowattheures kilovatios_hora|3600000
energy|MWh|megawatt-hour megawatt-hours megawatt_hours megawattstunden mégawattheures|3600000000
energy|GWh|gigawatt-hours gigawatt_hours gigawattstunden gigawattheures|3600000000000
energy|TWh|terawatt-hours terawatt_hours terawattstunden|3600000000000000
energy|kcal|kilocalorie kilocalories kilokalorien|4184
energy||calorie calories kalorien calorías|4.184 4184
energy|BTU Btu||1055.05585262
energy|eV|electronvolt electronvolts|0.0000000000000000001602176634
power|mW|milliwatt milliwatts|0.001
power|W|watt watts vatios|1
power|kW|kilowatt kilowatts kilovatios|1000
power|MW|megawatt megawatts mégawatts megavatios|1000000
power|GW|gigawatt gigawatts gigavatios|1000000000
power|TW|terawatt terawatts|1000000000000
power|hp bhp|horsepower|745.69987158227022
power|PS|pferdestärken pferdestärke|735.49875
pressure|Pa|pascal pascals|1
pressure|hPa mbar|hectopascal hectopascals hektopascal millibar millibars|100
pressure|kPa|kilopascal kilopascals|1000
pressure|MPa|megapascal megapascals|1000000
pressure|bar||100000
pressure|atm|atmospheres|101325
pressure|psi||6894.757293168
pressure|mmHg||133.322387415
force|N|newton newtons|1
force|kN|kilonewton kilonewtons|1000
torque|Nm|newton_metres newton_meters newtonmeter|1
frequency|Hz|hertz|1
frequency|kHz|kilohertz|1000
frequency|MHz|megahertz|1000000
frequency|GHz|gigahertz|1000000000
rotation|rpm|revolutions_per_minute umdrehungen_pro_minute|1
current|mA|milliamp milliamps milliampere|0.001
current||amp amps ampere amperes amperios|1
charge|mAh|milliamp-hours|3.6
charge|Ah|amp-hours|3600
voltage|mV|millivolt millivolts|0.001
voltage|V|volt volts voltios|1
voltage|kV|kilovolt kilovolts|1000
resistance|Ω|ohm ohms|1
resistance|kΩ|kilohm kilohms|1000
data|bit bits||1
data|kbit kb|kilobit kilobits|1000
data|Mbit Mb|megabit megabits|1000000
data|Gbit Gb|gigabit gigabits|1000000000
data||byte bytes octets|8
data|kB KB|kilobyte kilobytes|8000 8192
data|MB Mo|megabyte megabytes mégaoctets|8000000 8388608
data|GB|gigabyte gigabytes gigaoctets|8000000000 8589934592
data|TB|terabyte terabytes téraoctets|8000000000000 8796093022208
data|PB|petabyte petabytes|8000000000000000 9007199254740992
data|KiB|kibibyte kibibytes|8192
data|MiB|mebibyte mebibytes|8388608
data|GiB|gibibyte gibibytes|8589934592
data|TiB|tebibyte tebibytes|8796093022208
data/time|kbps kbit/s|kilobits_per_second|1000
data/time|Mbps Mbit/s Mb/s|megabits_per_second|1000000
data/time|Gbps Gbit/s Gb/s|gigabits_per_second|1000000000
data/time|kB/s KB/s||8000 8192
data/time|MB/s|megabytes_per_second|8000000 8388608
data/time|GB/s|gigabytes_per_second|8000000000 8589934592
temperature|°C ℃|degrees_celsius degree_celsius grad_celsius degrés_celsius grados_celsius degrees_centigrade celsius|1
temperature|°F ℉|degrees_fahrenheit degree_fahrenheit grad_fahrenheit degrés_fahrenheit grados_fahrenheit fahrenheit|F
temperature|K|kelvin kelvins|T
amount|mmol||0.001
amount|µmol μmol||0.000001
amount|mol||1
activity|IU|international_units|1
sound|dB|decibel decibels dezibel décibels decibelios|1
pixels|px|pixel pixels píxeles|1
pixels|MP|megapixel megapixels mégapixels|1000000
"""  # noqa: E501 - one unit a line

_OFFSETS = {"F": Decimal("273.15") - Decimal(32) / Decimal("1.8"), "T": Decimal(0), "1": Decimal("273.15")}
_FACTORS = {"K": 1 / Decimal("3.6"), "N": Decimal(1852) / 3600, "F": 1 / Decimal("1.8"), "T": Decimal(1)}
_PER = re.compile(r" ?/ ?| (?:per|pro|par|por|je) ")
_WORD = re.compile(r"[^\W\d_]+(?:[-/][^\W\d_]+)*[²³23]?\.?|[°℃℉][CF]?|[µμ]?[^\W\d_]+[²³23]?")
_LATIN = re.compile(
    r"[\s\u00a0\u202f]?-?((?:[^\W\d_]|[°℃℉/²³.-]){1,24}(?:[23](?!\d))?(?: (?:[^\W\d_]|[°²³.-]){1,16}){0,2})"
)
_UNSPACED = re.compile(r" ?(秒|分钟|分間|分鐘|小时|時間|小時|天|日間|周|週間|个月|か月|ヶ月)")
# "5 in 2019", "3 l" and the like: a unit only where it cannot be a word.
_TIGHT = frozenset({"d", "t", "h", "s", "g", "m", "l", "L", "J", "N", "K", "V", "W"})


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure.

    Attributes:
        symbol: Its symbol or name, for people.
        dimension: What it measures.
        factors: What one of it is in the base unit of the dimension; several if the name has several meanings.
        offset: What is added after the factor: only temperatures, in kelvin, have one.
    """

    symbol: str
    dimension: str
    factors: tuple[Decimal, ...]
    offset: Decimal = Decimal(0)


@cache
def _tables() -> tuple[dict[str, Unit], dict[str, Unit]]:
    symbols: dict[str, Unit] = {}
    words: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        dimension, marks, names, factors = line.split("|")
        symbol = (marks.split() or [names.split()[0].replace("_", " ")])[0].removesuffix(".")
        offset = _OFFSETS[factors] if dimension == "temperature" else Decimal(0)
        numbers = tuple(_FACTORS[f] if f in _FACTORS else Decimal(f) for f in factors.split())
        unit = Unit(symbol, dimension, numbers, offset)
        symbols |= dict.fromkeys(marks.split(), unit)
        words |= {name.replace("_", " "): unit for name in names.split()}
    return symbols, words


def unit_named(name: str) -> Unit | None:
    """The unit of a symbol (case counts) or a word (it does not), or a quotient of two such as ``mg/ml``."""
    symbols, words = _tables()
    found = symbols.get(name) or words.get(name.lower())
    if found is None and name.endswith("."):
        return unit_named(name[:-1]) if len(name) > 1 else None
    return found or _quotient(name)


def _quotient(name: str) -> Unit | None:
    parts = _PER.split(name)
    if len(parts) != 2 or not all(parts):
        return None
    symbols, words = _tables()
    top, bottom = (symbols.get(part) or words.get(part.lower()) for part in parts)
    # "mg per day" stays "mg": "daily" and "a day" say the same and are no units.
    if top is None or bottom is None or bottom.dimension == "months" or bottom.symbol in ("d", "wk") or top.offset:
        return None
    if top.dimension in ("time", "months"):
        return None
    factors = tuple(one / other for one in top.factors for other in bottom.factors)
    return Unit(f"{top.symbol}/{bottom.symbol}", f"{top.dimension}/{bottom.dimension}", factors)


def unit_after(text: str, end: int) -> tuple[Unit, int] | None:
    """The longest unit that follows a numeral, and where it ends."""
    match = _LATIN.match(text, end)
    if match is None:
        unspaced = _UNSPACED.match(text, end)
        found = unit_named(unspaced[1]) if unspaced else None
        return (found, unspaced.end()) if unspaced and found else None
    start, phrase = match.start(1), match[1]
    cuts = [len(phrase), *(at for at in range(len(phrase) - 1, 0, -1) if phrase[at] == " " or phrase[at] in "/.-")]
    for cut in cuts:
        name = phrase[:cut]
        if name[-1] in "-/":
            continue
        found = unit_named(name)
        if found is not None and _stands_alone(text, end, start, start + cut, name):
            stop = start + cut
            return found, stop - 1 if name.endswith(".") and name not in _tables()[0] else stop
    return None


def _stands_alone(text: str, end: int, start: int, stop: int, name: str) -> bool:
    """Whether a unit's name is not a part of a longer word and not a word of the sentence."""
    after = text[stop : stop + 1]
    if after and (after.isalnum() or after == "_") and name[-1] != "." and after.isascii():
        return False
    if name in _TIGHT and (text[end:start] == "-" or after in ("'", "’")):
        return False
    return name != "in." or text[stop : stop + 1] in ("", " ", ",", ")", "\n")
