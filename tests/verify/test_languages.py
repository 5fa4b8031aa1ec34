"""Languages: which one a text is in, and what a model is trusted with."""

from __future__ import annotations

import pytest
from hypothesis import given

from halt_rag.nli.fake import FakeNLI
from halt_rag.verify.competence import languages_of, trusted
from halt_rag.verify.languages import competent, language_of
from halt_rag.verify.literal import stands_in
from tests.verify.support import texts

SENTENCES = """
en|The committee rejected the proposal after a long debate.
en|The Museo de la Plata in La Plata was opened by Los Amigos de Ida Brandt.
en|"Der Spiegel" and "Le Monde" are sold there.
en|Members may bring a guest.
de|Der Ausschuss lehnte den Vorschlag nach langer Debatte ab.
de|Gäste dürfen kostenlos mitgebracht werden.
fr|Le comité a rejeté la proposition après un long débat.
fr|Les intérêts sont versés chaque trimestre.
es|El envío tarda unos tres días hábiles.
es|Los socios pueden traer a un invitado gratis.
pt|A entrega leva cerca de três dias úteis.
pt|Os juros são pagos a cada trimestre.
it|La consegna richiede circa tre giorni lavorativi.
it|Gli animali sono vietati.
nl|De commissie verwierp het voorstel na een lang debat.
nl|Huisdieren zijn hier verboden.
pl|Zapora została otwarta w maju 1958 roku.
ru|Она родилась в 1951 году.
uk|Греблю відкрив мер у травні 1958 року.
ar|ولدت عام 1951 وكانت من هذه المدينة.
fa|این موزه در روز دوشنبه باز است.
hi|संग्रहालय सोमवार को बंद रहता है।
zh|博物馆星期一闭馆。
ja|博物館は月曜日に休館です。
ko|박물관은 월요일에 닫는다.
el|Το μουσείο είναι κλειστό.
he|המוזיאון סגור.
th|พิพิธภัณฑ์ปิด
und-Cyrl|Бөкебай
""".strip().splitlines()
TOO_SHORT = [
    "",
    "42",
    "Delhi",
    "Marie Curie, 1903",
    "Los Angeles",
    "max_retries = 5",
    "🎉",
    "| 1998 | 214 |",
    "Ph.D.",
    "De Gaulle",
]


@pytest.mark.parametrize("row", SENTENCES)
def test_languages_are_told_apart(row: str) -> None:
    tag, sentence = row.split("|")
    assert language_of(sentence) == tag


@pytest.mark.parametrize("text", TOO_SHORT)
def test_too_short_to_tell(text: str) -> None:
    assert language_of(text) is None


@given(texts)
def test_any_text_has_a_language_or_none(text: str) -> None:
    tag = language_of(text)
    assert tag is None or tag.removeprefix("und-").isalpha()


@pytest.mark.timeout(30)  # Quadratic time would take minutes.
def test_long_texts_take_linear_time() -> None:
    assert language_of("the dam is old. " * 50_000) == "en"
    assert language_of("a" * 500_000) is None
    assert language_of("а" * 500_000) == "und-Cyrl"


#: English, though the names, titles and dishes in it are not.
ENGLISH_WITH_FOREIGN_WORDS = """
Pain au chocolat costs 3 euros.
Angela Merkel met Emmanuel Macron in Berlin.
Rio de Janeiro hosted the Olympics.
Le Monde praised La La Land.
Der Spiegel interviewed Wolfgang Schäuble.
Crème brûlée contains cream and eggs.
José María Aznar visited São Paulo.
The Château de Versailles is big.
Médecins Sans Frontières won the Nobel Prize.
Las Meninas hangs in Madrid.
Dulce de leche is sweet.
Deutsche Bank fired Josef Ackermann.
El Niño warms the Pacific.
Sagrada Família opens at nine.
Ludwig van Beethoven died in Vienna.
La Paz borders El Alto.
Côte d'Ivoire exports cocoa.
Los Angeles defeated San Francisco.
Vincent van Gogh painted Sunflowers.
Die Zeit appears weekly.
Jean-Claude Juncker chaired the Commission.
Coq au vin needs red wine.
Günter Grass wrote Die Blechtrommel.
Gabriel García Márquez wrote Cien años de soledad.
Il Postino won an Oscar.
Les Misérables opened in London.
Schadenfreude means joy at harm.
Das Boot was filmed in Munich.
Bayern München beat Real Madrid.
La Dolce Vita stars Marcello Mastroianni.
Gazeta Wyborcza employs Adam Michnik.
Universidad de Chile teaches law.
Banco do Brasil employs thousands.
Cosa Nostra ruled Palermo.
Carpe diem means seize the day.
Café con leche costs two euros.
Recep Tayyip Erdoğan visited İstanbul.
Håkan Nesser writes crime novels.
Václav Havel led Czechoslovakia.
Lech Wałęsa founded Solidarność.
Dante Alighieri wrote La Divina Commedia.
Société Générale hired Jérôme Kerviel.
Mikael Åkerfeldt sings in Opeth.
Der Rosenkavalier premiered in Dresden.
Buenos Aires is expensive.
Tarte aux pommes needs six apples.
Olaf Scholz met Pedro Sánchez in Toledo.
Santiago de Compostela attracts pilgrims.
Le Figaro backed La République.
Die Welt quoted Annalena Baerbock.
Pâté de foie gras is expensive.
Luiz Inácio Lula da Silva beat Jair Bolsonaro.
Notre-Dame de Paris burned in April.
Académie Française rejects new words.
El País sacked its editor.
Arroz con pollo feeds four people.
Commerzbank bought Dresdner Bank.
La Niña cools the ocean.
Santa Maria delle Grazie houses the painting.
Hildegard von Bingen composed hymns.
San José lies near Heredia.
Île de Ré has sandy beaches.
Las Vegas outgrew Reno.
Rembrandt van Rijn drew his wife.
Der Standard reported losses.
Ursula von der Leyen resigned.
Boeuf bourguignon simmers for hours.
Heinrich Böll wrote Ansichten eines Clowns.
Isabel Allende published La casa de los espíritus.
La Strada made Fellini famous.
Les Bleus lost to Argentina.
Zeitgeist entered English in the 1800s.
Das Kapital was published in Hamburg.
Paris Saint-Germain signed Neymar.
La vie en rose made Piaf rich.
Rzeczpospolita printed the leak.
Universidade de São Paulo ranks first.
Crédit Agricole cut jobs.
Opus Dei has many members.
Pan de sal costs five pesos.
Mustafa Kemal Atatürk founded Turkey.
Øresund links two countries.
Antonín Dvořák taught in New York.
Wisława Szymborska won the prize.
Umberto Eco wrote Il nome della rosa.
Gare du Nord serves Eurostar trains.
Piazza San Marco floods often.
Jalapeños taste hot.
""".strip().splitlines()
FOREIGN = """
Der Zug hatte Verspätung.
Sie trinkt gern Kaffee.
Die Brücke stürzte gestern ein.
Le train est en retard.
Elle boit du café.
Mon frère habite à Lyon.
El tren llegó tarde.
Ella bebe mucho café.
Mi hermano vive en Sevilla.
Il treno era in ritardo.
Lei beve molto caffè.
Mio fratello abita a Torino.
O comboio chegou atrasado.
Ela bebe muito café.
O meu irmão mora em Lisboa.
De trein was te laat.
Zij drinkt graag koffie.
Mijn broer woont in Utrecht.
Ona lubi pić kawę.
Mój brat mieszka w Krakowie.
Most zawalił się wczoraj.
Hon dricker gärna kaffe.
Min bror bor i Göteborg.
Anna Svensson leder företaget.
Kardeşim İzmir'de yaşıyor.
Ayşe Yılmaz şirketi yönetiyor.
Bugün Ankara'da yağmur yağıyor.
Ona ráda pije kávu.
Můj bratr bydlí v Brně.
Most se včera zřítil.
Min bror bor i Aarhus.
Broen styrtede sammen i går.
Aftalen udløber til sommer.
Broren min bor i Bergen.
Broen raste sammen i går.
Avtalen går ut til sommeren.
Ministeri erosi skandaalin jälkeen.
Hänen isoisänsä rakensi viuluja.
Kahvi sisältää kofeiinia ja piristää.
Fratele meu locuiește în Cluj.
Podul s-a prăbușit ieri.
Contractul se încheie vara aceasta.
A testvérem Szegeden lakik.
A híd tegnap leomlott.
A szerződés nyáron lejár.
Adik saya tinggal di Bandung.
Jembatan itu runtuh kemarin.
Menteri itu mundur setelah skandal.
Chuyến tàu bị trễ.
Anh trai tôi sống ở Huế.
Cây cầu đã sập hôm qua.
Река вышла из берегов в марте.
Річка вийшла з берегів у березні.
Ο ποταμός ξεχείλισε τον Μάρτιο.
فاض النهر في مارس.
הנהר עלה על גדותיו במרץ.
नदी मार्च में उफान पर थी।
河水三月泛滥。
川は三月に氾濫した。
강은 삼월에 범람했다.
แม่น้ำเอ่อล้นในเดือนมีนาคม
""".strip().splitlines()


@pytest.mark.parametrize("sentence", ENGLISH_WITH_FOREIGN_WORDS)
def test_names_and_borrowed_words_make_no_foreign_sentence(sentence: str) -> None:
    assert competent(language_of(sentence), ["en"])


@pytest.mark.parametrize("sentence", FOREIGN)
def test_a_foreign_sentence_is_never_taken_for_english(sentence: str) -> None:
    assert not competent(language_of(sentence), ["en"])


@pytest.mark.parametrize("sentence", ["Le chat dort.", "Der Hund schläft.", "Gare du Nord", "Pain au chocolat"])
def test_three_words_may_be_a_name(sentence: str) -> None:
    assert language_of(sentence) is None


@pytest.mark.timeout(30)  # Quadratic time would take minutes.
@pytest.mark.parametrize("piece", ["\n", " ", ".", "é ", "de ", "De ", "a'", "A-", "\n,"])
def test_hostile_texts_take_linear_time(piece: str) -> None:
    language_of(piece * 100_000)


@pytest.mark.parametrize(
    ("language", "languages", "able"),
    [
        ("en", ["en"], True), ("en", ["en-GB"], True), ("de", ["en"], False), ("de", ["en", "de"], True),
        (None, ["en"], True), ("de", None, True), ("und-Cyrl", ["en"], False), ("und-Cyrl", ["ru"], True),
        ("de", [], False),
    ],
)  # fmt: skip
def test_competence(language: str | None, languages: list[str] | None, able: bool) -> None:
    assert competent(language, languages) is able


GERMAN = "Das Museum ist montags geschlossen. Der Eintritt kostet 5 Euro."


@pytest.mark.parametrize(
    ("claim", "stands"),
    [
        ("Das Museum ist montags geschlossen", True),
        ("das Museum ist montags geschlossen!", True),
        ("Der Eintritt kostet 5 Euro.", True),
        ("Ein Eintritt kostet 5 Euro.", True),
        ("Der Eintritt kostet 6 Euro.", False),
        ("Das Museum ist montags nicht geschlossen.", False),
        ("Das Museum ist geschlossen.", False),
        ("Montags geschlossen ist das Museum.", False),
        ("Der Eintritt kostet 5 Euro", True),
        ("5 Euro", False),
        ("Museum.", False),
        ("", False),
    ],
)
def test_a_claim_stands_in_a_text_only_as_a_whole_sentence(claim: str, stands: bool) -> None:
    assert stands_in(claim, [GERMAN, "Es regnet."]) == ([0] if stands else [])


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("वह लड़का घर का था।", "वह लड़की घर की थी।"),
        ("博物馆星期一闭馆。", "博物馆星期二闭馆。"),
        ("Le taux est de 5 % et non de 7.", "Le taux est de 5 % et non de 8."),
        ("Der Kurs fiel um 1,5 %.", "Der Kurs fiel um 15 %."),
        ("Es waren -5 Grad im Mai.", "Es waren +5 Grad im Mai."),
    ],
)
def test_no_letter_or_number_may_differ(sentence: str, changed: str) -> None:
    assert stands_in(sentence, [sentence]) == [0]
    assert stands_in(sentence, [changed]) == []


def test_part_of_a_sentence_is_no_support_for_the_rest_may_deny_it() -> None:
    assert stands_in("Le musée est ouvert le lundi.", ["Il est faux que le musée est ouvert le lundi."]) == []


WINDOWS = ["The museum is closed on Mondays and it is old.", GERMAN]
TAGS = [language_of(text) for text in WINDOWS]


@pytest.mark.parametrize(
    ("claim", "languages", "read"),
    [
        ("The museum is closed and it is old.", ["en"], [0]),
        ("The museum is closed and it is old.", ["en", "de"], [0, 1]),
        ("Das Museum ist alt und nicht geöffnet.", ["en"], []),
        ("Das Museum ist montags geschlossen.", ["en"], [1]),
        ("Das Museum ist alt und nicht geöffnet.", None, [0, 1]),
        ("42", ["en"], [0]),
    ],
)
def test_what_a_model_is_trusted_with(claim: str, languages: list[str] | None, read: list[int]) -> None:
    assert trusted(claim, language_of(claim), WINDOWS, TAGS, model_languages=languages) == read


def test_a_backend_that_declares_no_languages_is_trusted_with_all() -> None:
    assert languages_of(FakeNLI()) is None
