"""Words, numbers and names of a text."""

from __future__ import annotations

import pytest
from hypothesis import given

from halt_rag.verify.lexical import lexemes, recall, union
from tests.verify.support import texts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,250 people", "1250 people"),
        ("1.250 Personen", "1,250 Personen"),
        ("1,234,567", "1234567"),
        ("1250.0", "1250"),
        ("3,5 km", "3.5 km"),
        ("007", "7"),
        ("seven", "7"),
        ("twice", "2"),
        ("１２３", "123"),
        ("١٢٣", "123"),
        ("१२३", "123"),
        ("๑๒๓", "123"),
        ("x²", "x 2"),
        ("5%", "5 %"),
        ("$5.20", "5.20 USD"),
    ],
)
def test_one_number_in_several_forms(one: str, other: str) -> None:
    assert lexemes(one).numbers == lexemes(other).numbers != frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("999 million", "67 million"),
        ("0.500", "500"),
        ("0,125", "125"),
        ("1.5", "15"),
        ("10", "100"),
        ("3.10", "3.11"),
        ("-5", "-6"),
        ("1958", "1985"),
    ],
)
def test_other_numbers_differ(one: str, other: str) -> None:
    assert lexemes(one).numbers != lexemes(other).numbers


def test_scripts_without_spaces_are_compared_by_pairs_of_characters() -> None:
    assert lexemes("日本の首都").words == {"日本", "本の", "の首", "首都"}
    assert lexemes("山").words == {"山"}
    assert recall(lexemes("首都は東京").words, lexemes("東京は日本の首都です").words) == pytest.approx(2 / 4)


def test_scripts_are_told_apart_inside_a_word() -> None:
    assert lexemes("Linuxの父は").words == {"linux", "の父", "父は"}
    assert lexemes("2024年に").words == {"2024", "年に"}


def test_names_are_capitalised_words_inside_sentences() -> None:
    text = "Engineers met Anna Keller. Later they left for Rome: Every one of them."
    assert lexemes(text).names == {"anna", "keller", "rome"}


def test_common_words_do_not_count_and_endings_hardly() -> None:
    assert lexemes("the of and was").words == frozenset()
    assert lexemes("dams").words == lexemes("dam").words
    assert lexemes("constructed").words == lexemes("construction").words
    assert lexemes("Straße").words == lexemes("STRASSE").words
    assert lexemes("cafe\u0301").words == lexemes("café").words


def test_length_counts_repeats() -> None:
    assert lexemes("dam dam river").length == 3


@given(texts, texts)
def test_recall_is_a_share(claim: str, source: str) -> None:
    a, b = lexemes(claim), lexemes(source)
    assert 0 <= recall(a.words, b.words) <= 1
    assert recall(a.words, a.words) == 1
    assert recall(a.words, union([a, b]).words) == 1
    assert recall(frozenset(), b.words) == 1


@given(texts, texts)
def test_union_holds_the_parts_whatever_their_order(one: str, other: str) -> None:
    a, b = lexemes(one), lexemes(other)
    both = union([a, b])
    assert both == union([b, a])
    assert a.words <= both.words
    assert a.numbers | b.numbers == both.numbers
    assert union([]) == lexemes("")


@pytest.mark.parametrize(
    "text", ["a" * 500_000, "1," * 250_000, "A " * 250_000, " " * 500_000, "日" * 300_000], ids=lambda text: text[:2]
)
@pytest.mark.timeout(60)  # Quadratic time would take hours.
def test_linear_time(text: str) -> None:
    assert lexemes(text).length <= len(text)
