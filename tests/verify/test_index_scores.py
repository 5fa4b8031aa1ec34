"""What raises a window in the lexical index, and that nothing lowers what it holds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.verify.checking import TOO_LITTLE
from halt_rag.verify.index import WindowIndex, ranked
from halt_rag.verify.lexical import lexemes
from tests.verify.support import texts


def coverage(claim: str, *windows: str) -> list[float]:
    return [float(share) for share in WindowIndex([lexemes(w) for w in windows]).coverage(lexemes(claim))]


def order(claim: str, *windows: str) -> list[int]:
    return ranked(WindowIndex([lexemes(w) for w in windows]).coverage(lexemes(claim)))


def words(prefix: str, n: int) -> str:
    """So many different words that begin with a capital-free prefix and stem to themselves."""
    letters = "abcdefghij"
    return " ".join(f"{prefix}{letters[i // 10]}{letters[i % 10]}" for i in range(n))


@pytest.mark.parametrize(
    ("claim", "window"),
    [
        ("bike", "Biked."),
        ("film", "Filming."),
        ("mutate", "A mutation."),
        ("nominee", "A nomination."),
        ("act", "An actor."),
    ],
)
def test_a_word_that_stands_nowhere_is_found_by_words_that_begin_like_it(claim: str, window: str) -> None:
    other = "Bread is sold by noon."
    assert order(f"Keller saw {claim}.", other, window)[0] == 1
    assert coverage(claim, other, window)[0] == 0 < coverage(claim, other, window)[1] < 1


@pytest.mark.parametrize(
    ("claim", "window"),
    [
        ("1984", "1985"),
        ("19840", "19841"),
        ("film", "fill"),
        ("river", "rival"),
        ("of", "often"),
        ("水坝", "水利"),
    ],
)
def test_other_numbers_and_other_words_are_not_alike(claim: str, window: str) -> None:
    assert coverage(f"Keller {claim}", "Bread.", window)[1] == 0


def test_a_word_that_stands_somewhere_is_found_only_there() -> None:
    assert coverage("film", "A film.", "Filming.", "Bread.") == [1, 0, 0]


def test_of_windows_that_hold_as_much_a_short_one_comes_before_a_long_one() -> None:
    short, long = f"dam {words('k', 60)}", f"dam {words('q', 100)}"
    assert order("The dam was built by Franco.", long, short) == [1, 0]
    held = coverage("The dam was built by Franco.", long, short, *["Bread."] * 9)
    assert held[0] < held[1] < 1.42 * held[0]


def test_among_windows_of_a_few_words_length_is_nothing() -> None:
    short, longer = coverage("The dam was built.", "dam", f"dam {words('k', 40)}")
    assert short == longer


@pytest.mark.parametrize(
    ("window", "refers"),
    [
        ("He also hosts a talk show.", True),
        ("  'Their films won prizes.", True),
        ("In 2014, she received a prize.", True),
        ("The Getty, Los Angeles, is a museum; it opened in 1997.", False),
        ("Itaipu is a dam.", False),
        ("Keller says he left.", False),
        ("", False),
    ],
)
def test_a_window_that_opens_with_a_pronoun_refers(window: str, refers: bool) -> None:
    assert lexemes(window).refers is refers


def test_a_window_that_opens_with_a_pronoun_may_be_about_the_names_of_a_claim() -> None:
    windows = ["Bread is sold by noon.", "He baked bread in Rome.", "Keller drove a van.", *["Fish swims."] * 20]
    claim = "Jay Keller has a job."
    assert order(claim, *windows)[:3] == [2, 1, 0], "a name that is held comes first"
    held = coverage(claim, *windows)
    assert held[0] == 0 < held[1] < TOO_LITTLE, "a pronoun alone is no reason to call a claim not read"
    assert coverage("a job", *windows)[1] == 0, "a claim without names"


@given(st.lists(texts, min_size=1, max_size=5), texts)
def test_no_score_is_below_the_plain_share(windows: list[str], claim: str) -> None:
    """So that what the score rules out is ruled out by the weight of the words held, too."""
    said, held = lexemes(claim), [lexemes(w) for w in windows]
    terms = [part.words | part.numbers for part in held]
    weights = {}
    for term in said.words | said.numbers:
        holding = sum(term in some for some in terms)
        factor = 2 if term in said.numbers | said.names else 1
        weights[term] = factor * math.log1p((len(windows) - holding + 0.5) / (holding + 0.5))
    for some, score in zip(terms, coverage(claim, *windows), strict=True):
        share = sum(w for term, w in weights.items() if term in some) / sum(weights.values()) if weights else 1
        assert share - 1e-9 <= score <= 1
