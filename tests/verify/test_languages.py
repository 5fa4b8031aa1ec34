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
