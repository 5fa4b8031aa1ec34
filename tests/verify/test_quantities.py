"""What the sources say about the quantities of a claim: a table of pairs, and what holds for all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.text.spans import Span
from halt_rag.verify.findings import quantity_features
from halt_rag.verify.quantities import QuantityIndex, compare
from tests.text.strategies import any_text
from tests.text.timing import growth

# Claim, source, and the status of each quantity of the claim: m(atched), c(onverted), d(erived), x (contradicted),
# - (absent).
SAME = [
    ("The firm employs 4,210 people.", "The firm employs 4,210 people.", "m"),
    ("The firm employs 4210 people.", "The firm employs 4,210 people.", "c"),
    ("The firm employs 4,210 people.", "Die Firma hat 4.210 Mitarbeiter und 3,5 Mio. Euro Umsatz.", "c"),
    ("There are three kinds of rock.", "There are 3 kinds of rock.", "c"),
    ("There are 3 kinds of rock.", "There are three kinds of rock.", "c"),
    ("The town has 1.2 million inhabitants.", "The town has 1,200,000 inhabitants.", "c"),
    ("The town has 1.2 million inhabitants.", "The town has 1,234,000 inhabitants.", "c"),
    ("The town has about 1,200 inhabitants.", "The town has 1,187 inhabitants.", "c"),
    ("Half a million people live in the town.", "The town has 500,000 people.", "c"),
    ("A dozen ships sailed.", "Twelve ships sailed.", "c"),
    ("Three-quarters of voters agreed.", "75% of voters agreed.", "c"),
    ("Half of the voters agreed.", "50 percent of the voters agreed.", "c"),
    ("Two thirds of the voters agreed.", "66.7% of the voters agreed.", "c"),
    ("The rate rose by 5 percent.", "The rate rose by 5%.", "c"),
    ("The rate rose by 25 basis points.", "The rate rose by 0.25 percentage points.", "c"),
    ("The rate is 12%.", "The rate is 12.4%.", "c"),
    ("It costs $5.", "It costs 5 dollars.", "c"),
    ("It costs USD 5.", "It costs $5.", "c"),
    ("It costs €5 million.", "It costs EUR 5,000,000.", "c"),
    ("It costs five euros.", "Es kostet 5 € im Jahr.", "c"),
    ("The road is 5 km long.", "The road is 5,000 metres long.", "c"),
    ("The road is 5 miles long.", "The road is 8 km long.", "c"),
    ("The road is 5 miles long.", "The road is 8.05 km long.", "c"),
    ("The dose is 0.5 g.", "The dose is 500 mg.", "c"),
    ("It weighs 2.2 pounds.", "It weighs 1 kg.", "c"),
    ("It was 98.6 °F.", "It was 37 °C.", "c"),
    ("The trip takes 120 minutes.", "The trip takes 2 hours.", "c"),
    ("The trip takes an hour and 30 minutes.", "The trip takes an hour and 30 minutes.", "m"),
    ("The lease runs for 2 years.", "The lease runs for 24 months.", "c"),
    ("The lease runs for two weeks.", "The lease runs for 14 days.", "c"),
    ("It lasts 90 minutes.", "It lasts 1 h 30 min.", "c"),
    ("The meeting is at 3 pm.", "The meeting is at 15:00.", "c"),
    ("The meeting is at 3:30 p.m.", "Das Treffen ist um 15:30 Uhr.", "c"),
    ("The meeting is at 3 pm.", "The meeting is at 3:00.", "c"),
    ("The call is at 14:00 UTC.", "The call is at 15:00 CET.", "c"),
    ("It began on 4 March 2021.", "It began on March 4, 2021.", "c"),
    ("It began on 4 March 2021.", "It began on 2021-03-04.", "c"),
    ("It began on 4 March 2021.", "It began on 04.03.2021.", "c"),
    ("It began on 4 March 2021.", "Es begann am 4. März 2021.", "c"),
    ("It began in March 2021.", "It began on March 4, 2021.", "c"),
    ("It began in 2021.", "It began on March 4, 2021.", "c"),
    ("It began in the 1990s.", "It began in 1994.", "c"),
    ("It began in the 19th century.", "It began in 1854.", "c"),
    ("It began in the third quarter of 2020.", "It began in August 2020.", "c"),
    ("She came third in the race.", "She came 3rd in the race.", "c"),
    ("The third season of the show was short.", "Season 3 of the show was short.", "c"),
    ("It needs version 2.3.1.", "It needs v2.3.1.", "c"),
    ("The range is 3 to 5 km.", "The range is 3–5 km.", "c"),
    ("The show ran from 2019 to 2020.", "The show began in 2019 and ended in 2020.", "c"),
    ("More than 5 million people live there.", "5.3 million people live there.", "c"),
    ("At least 30 people came.", "32 people came.", "c"),
    ("Up to 5 people may enter.", "At most 5 people may enter.", "m"),
    ("About 5,000 people came.", "5,000 people came.", "c"),
    ("3月5日に開会した。", "3月5日に開会した。", "m"),
    ("El proyecto costó dos millones de euros.", "El proyecto costó 2.000.000 €.", "c"),
    ("La ville compte 1 250 habitants.", "La ville compte 1250 habitants.", "c"),
    ("Drei Viertel der Wähler stimmten zu.", "75 % der Wähler stimmten zu.", "c"),
]
OTHER = [
    ("Of these, 1,310 worked at the yard.", "Of these, 1,130 worked at the yard.", "x"),
    ("The dam is 40 m high.", "The dam is 50 m high.", "x"),
    ("The dam is 50 km high.", "The dam is 50 m high.", "x"),
    ("The rate rose by 2 percent.", "The rate rose by 2 percentage points.", "x"),
    ("The rate rose by 2 percentage points.", "The rate rose by 2 percent.", "x"),
    ("The ticket costs $5.", "The ticket costs €5.", "x"),
    ("The ticket costs £5 million.", "The ticket costs $5 million.", "x"),
    ("The fund holds $5 billion.", "The fund holds $5 million.", "x"),
    ("The dose is 500 g a day.", "The dose is 500 mg a day.", "x"),
    ("The dose is 5 ml a day.", "The dose is 5 mg a day.", "x"),
    ("The trip takes 2 hours.", "The trip takes 2 days.", "x"),
    ("Returns are accepted within 30 days.", "Returns are accepted within 14 days.", "x"),
    ("Returns are accepted within 5 days.", "Returns are accepted within 5 business days.", "x"),
    ("The contract was signed on 5 April 2021.", "The contract was signed on 5 March 2021.", "x"),
    ("The contract was signed in April.", "The contract was signed in March.", "x"),
    ("The bridge opened in 1985.", "The bridge opened in 1958.", "x"),
    ("The meeting starts at 3 am.", "The meeting starts at 3 pm.", "x"),
    ("The meeting starts at 16:00.", "The meeting starts at 15:00.", "x"),
    ("Team A scored 3 and Team B 5.", "Team A scored 5, Team B 3.", "xx"),
    ("Oslo has 5 branches.", "Oslo has 7 branches. Bergen has 5 branches.", "x"),
    ("She came third in the race.", "She came second in the race.", "x"),
    ("The tool needs version 2.4.", "The tool needs version 2.3.", "x"),
    ("The firm has 12 employees.", "The firm has 15 employees.", "x"),
    ("At least 30 people came to the fair.", "At most 30 people came to the fair.", "x"),
    ("Die Firma hat 12 Mitarbeiter.", "Die Firma hat 15 Mitarbeiter.", "x"),
    ("Le pont mesure 40 mètres de haut.", "Le pont mesure 50 mètres de haut.", "x"),
    ("El puente mide 40 metros de alto.", "El puente mide 50 metros de alto.", "x"),
    ("The speed limit is 60 mph.", "The speed limit is 60 km/h.", "x"),
]
DERIVED = [
    ("A total of 8 goals were scored.", "Team A scored 5 goals and Team B 3 goals.", "d"),
    ("Together they raised $7 million.", "The first raised $3 million; the second raised $4 million.", "d"),
    ("Sales grew by 25% over the year.", "Sales were $4 million in 2019 and $5 million in 2020.", "d"),
    ("Sales grew by $1 million.", "Sales grew from $4 million to $5 million.", "d"),
    ("The war lasted 6 years.", "The war began in 1939 and ended in 1945.", "d"),
    ("40% of the members voted.", "Of the 500 members, 200 voted.", "d"),
    ("The tickets cost $60 in total.", "They bought 4 tickets at $15 each. ", "d"),
    ("The shop is open for 8 hours.", "The shop is open from 9:00 am to 5:00 pm.", "d"),
    ("Support rose by 3 percentage points.", "Support rose from 40% to 43%.", "d"),
    ("Insgesamt wurden 8 Tore erzielt.", "Die Heimelf erzielte 5 Tore, die Gäste 3 Tore.", "d"),
]
NEITHER = [
    ("Oslo has 5 branches.", "Bergen has 7 branches.", "-"),
    ("The firm has 5 branches.", "The garden has 12 trees.", "-"),
    ("It rained on 5 days.", "The mayor resigned.", "-"),
    ("In 2021 the firm had 18 employees.", "In 2019 the firm had 12 employees.", "--"),
    ("The town has 1,300 inhabitants.", "The town has 1,310 inhabitants.", "-"),
    ("The lease runs for 30 days.", "The lease runs for one month.", "-"),
    ("It began on 4 March 2021.", "It began in March 2021.", "-"),
    ("It began in 2001.", "It ran from 2000 to 2004.", "-"),
    ("The firm does not have 12 employees.", "The firm has 15 employees.", "-"),
    ("Two scouts watched the harbour.", "He ate two apples under a tree.", "-"),
    ("More than 5 people came.", "5 people came.", "-"),
    ("The budget rose by $5 million.", "The budget is $80 million.", "-"),
    ("Sales were 12 units.", "Sales of 5 units were followed by sales of 7 units.", "-"),
    ("He bought at least one car.", "He bought two cars.", ""),
    ("See Section 4.", "See Section 5.", ""),
    ("ISO 9001 applies.", "ISO 14001 applies.", ""),
]
STATUS = {"m": "matched", "c": "converted", "d": "derived", "x": "contradicted", "-": "absent"}
PAIRS = [*SAME, *OTHER, *DERIVED, *NEITHER]
FIRM = "Halvorsen had 4,210 employees in 2019. Bergen has 7 branches and Oslo has 5. It rained for 3 weeks in May 2020."


@pytest.mark.parametrize(("claim", "source", "expected"), PAIRS, ids=[f"{c} | {s}" for c, s, _ in PAIRS])
def test_table(claim: str, source: str, expected: str) -> None:
    findings = compare(claim, [source])
    assert [finding.status for finding in findings] == [STATUS[letter] for letter in expected]


@pytest.mark.parametrize(("claim", "source", "expected"), PAIRS, ids=[f"{c} | {s}" for c, s, _ in PAIRS])
def test_a_text_states_its_own_quantities(claim: str, source: str, expected: str) -> None:
    for text in (claim, source):
        assert {finding.status for finding in compare(text, [text])} <= {"matched"}


@pytest.mark.parametrize(
    ("claim", "sources", "where"),
    [
        ("Oslo has 5 branches.", ["It rained.", "Oslo has five branches."], [(1, "five")]),
        ("Oslo has 5 branches.", ["It rained.", "Oslo has 7 branches."], [(1, "7")]),
        ("A total of 8 goals were scored.", ["A scored 5 goals and B 3 goals."], [(0, "5"), (0, "3")]),
        ("Oslo has 5 branches.", ["It rained."], []),
    ],
)
def test_the_places_that_were_compared(claim: str, sources: list[str], where: list[tuple[int, str]]) -> None:
    (finding,) = compare(claim, sources)
    assert [(place.source, place.span.of(sources[place.source])) for place in finding.sources] == where


@pytest.mark.parametrize(
    ("claim", "source", "detail"),
    [
        ("A total of 8 goals were scored.", "A scored 5 goals and B 3 goals.", "5 + 3 = 8"),
        (
            "Sales grew by 25%.",
            "Sales grew from $4 million to $5 million.",
            "($5 million − $4 million) / $4 million = 25%",
        ),
        ("The war lasted 6 years.", "The war began in 1939 and ended in 1945.", "1945 − 1939 = 6 yr"),
        ("Of the members, 40% voted.", "Of the 500 members, 200 voted.", "200 / 500 = 40%"),
        ("The four tickets cost $60 in total.", "They bought 4 tickets at $15 each.", "4 × $15 = 60 $"),
    ],
)
def test_arithmetic_is_shown(claim: str, source: str, detail: str) -> None:
    assert detail in [finding.detail for finding in compare(claim, [source])]


def test_details_name_both_sides() -> None:
    assert compare("The dam is 40 m high.", ["The dam is 50 m high."])[0].detail == "40 m ≠ 50 m"
    assert compare("The dam is 50 m high.", ["The dam is 5,000 cm high."])[0].detail == "50 m ← 5,000 cm"


@pytest.mark.parametrize(
    ("claim", "question", "source", "expected"),
    [
        ("12", "How many parks does Rome have?", "Rome has 12 parks.", "matched"),
        ("12", "How many parks does Rome have?", "Rome has 9 parks.", "contradicted"),
        ("12", "How many parks does Rome have?", "Rome is old.", "absent"),
        ("In 2019, it rained.", "What was the weather in 2019?", "It rained.", "matched"),
        ("In 2019, it rained.", None, "It rained.", "absent"),
    ],
)
def test_the_question_belongs_to_the_answer(claim: str, question: str | None, source: str, expected: str) -> None:
    assert [finding.status for finding in compare(claim, [source], question=question)] == [expected]


def test_a_list_is_no_contradiction_of_its_members() -> None:
    source = "The railway serves lines 707, 727, 757 and 767 airliners."
    assert [finding.status for finding in compare("It serves 757 airliners.", [source])] == ["matched"]


def test_spans_are_those_of_the_claim() -> None:
    claim = "日本 🙂 Oslo has 5 branches."
    (finding,) = compare(claim, ["Oslo has 5 branches."])
    assert finding.quantity.span == Span(14, 15)
    assert finding.quantity.span.of(claim) == "5"


def test_an_index_gives_the_same_findings() -> None:
    sources = [source for _, source, _ in PAIRS]
    index = QuantityIndex(sources)
    assert len(index) > len(sources)
    for claim, _, _ in PAIRS[::5]:
        assert compare(claim, index) == compare(claim, sources)


@given(
    st.sampled_from(PAIRS),
    st.lists(
        st.one_of(
            st.sampled_from([s for _, s, _ in PAIRS]), st.sampled_from([c for c, _, _ in PAIRS]), any_text(None, 40)
        ),
        max_size=4,
    ),
    st.integers(0, 4),
)
def test_one_source_more_takes_no_match_away(pair: tuple[str, str, str], more: list[str], place: int) -> None:
    claim, source, _ = pair
    alone = compare(claim, [source])
    after = compare(claim, [*more[:place], source, *more[place:]])
    for before, now in zip(alone, after, strict=True):
        if before.status in ("matched", "converted"):
            assert now.status in ("matched", "converted")
        assert list(STATUS.values()).index(now.status) <= list(STATUS.values()).index(before.status)


@given(any_text(), any_text())
def test_any_texts_are_compared(claim: str, source: str) -> None:
    for finding in compare(claim, [source, claim]):
        assert finding.quantity.span.end <= len(claim)
        assert finding.status in ("matched", "converted")
        for place in finding.sources:
            assert place.span.end <= len([source, claim][place.source])


@given(
    st.lists(
        st.sampled_from(
            ["5", "7", "km", "two", "Oslo", "and", "has", "12", "%", "in", "2019", ".", "not", "total", "more"]
        ),
        max_size=12,
    ).map(" ".join)
)
def test_hardly_any_words_are_compared(text: str) -> None:
    for finding in compare(text, [FIRM]):
        assert bool(finding.sources) is (finding.status != "absent")


def test_features() -> None:
    findings = compare("Halvorsen had 4,210 employees in 2019, 3,000 in 2018, 2,000 in 2017 and 1,000 in 2016.", [FIRM])
    assert quantity_features(findings) == {
        "quantities_contradicted": 0.0,
        "quantities_absent": 2.0,
        "quantities_found": 2.0,
        "quantities_derived": 0.0,
    }
    assert set(quantity_features([]).values()) == {0.0}
    assert compare("No quantity here.", [FIRM]) == []
    assert [finding.status for finding in compare("It has 5.", [])] == ["absent"]


@pytest.mark.parametrize(
    "unit", ["Oslo has 5 branches. ", "5 ", "Oslo ", "5 km and ", "in 2019 ", "1,2", "5-", "(5", "the 5 "]
)
def test_reading_the_sources_is_linear(unit: str) -> None:
    assert growth(lambda text: QuantityIndex([text]), unit, 1_500) < 9


@pytest.mark.parametrize("unit", ["Oslo has 5 branches. ", "5 ", "5 km and ", "in 2019 ", "Bergen 7 of 12. "])
def test_comparing_is_at_most_linear(unit: str) -> None:
    assert growth(lambda text: compare("Oslo has 6 branches and 12 parks in total.", [text]), unit, 1_500) < 9
