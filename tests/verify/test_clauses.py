"""The parts of compound sentences. Each must follow from its sentence, so what is in doubt is left whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.verify.clauses import clauses_of, split_clauses
from tests.verify.support import texts

COMPOUND = [
    ("X was founded in 1990 and employs 300 people.", ["X was founded in 1990.", "X employs 300 people."]),
    (
        "The dam opened in May 1958 and the bridge was closed.",
        ["The dam opened in May 1958.", "The bridge was closed."],
    ),
    (
        "The dam opened in May, but the bridge was closed; the road stayed open.",
        ["The dam opened in May.", "The bridge was closed.", "The road stayed open."],
    ),
    ("The drug reduced pain but did not reduce fever.", ["The drug reduced pain.", "The drug did not reduce fever."]),
    (
        "In 1990, the firm moved to Delhi and opened a second office.",
        ["In 1990, the firm moved to Delhi.", "The firm opened a second office."],
    ),
    (
        "He wrote the novel in 1920 and it was published in 1925.",
        ["He wrote the novel in 1920.", "It was published in 1925."],
    ),
    (
        "Marie Curie, who was born in Warsaw in 1867, won two prizes.",
        ["Marie Curie won two prizes.", "Marie Curie was born in Warsaw in 1867."],
    ),
    (
        "She moved to Paris, which hosted the Olympics in 1900.",
        ["She moved to Paris.", "Paris hosted the Olympics in 1900."],
    ),
    ("The museum sells books and houses a collection.", ["The museum sells books.", "The museum houses a collection."]),
    (
        "The firm is not profitable and employs 300 people.",
        ["The firm is not profitable.", "The firm employs 300 people."],
    ),
    (
        "Employees receive 30 days of leave, and managers receive 35 days.",
        ["Employees receive 30 days of leave.", "Managers receive 35 days."],
    ),
    (
        "The kit includes a cable, a case and a bag.",
        ["The kit includes a cable.", "The kit includes a case.", "The kit includes a bag."],
    ),
    ("The policy covers theft and fire.", ["The policy covers theft.", "The policy covers fire."]),
    (
        "It is open on Monday, Tuesday, and Friday.",
        ["It is open on Monday.", "It is open on Tuesday.", "It is open on Friday."],
    ),
    ("Der Damm ist alt; die Brücke ist neu.", ["Der Damm ist alt.", "Die Brücke ist neu."]),
]
WHOLE = """
The dam opened in May.
In May, the dam opened.
Salt and pepper are sold here.
The dam and the bridge were closed in May.
If the dam breaks and floods the town, people die.
Critics said the film was slow and lacked humour.
Whether it rained and snowed is not known.
The museum sells books and houses in France.
The road runs between Rome and Milan.
Both the dam and the bridge are old.
Rome and Milan have 3 and 2 million inhabitants, respectively.
It does not cover theft, fire or floods.
The fee is 5 euros or 6 dollars.
The report covers research and development costs.
The bridge, which is 2 km long.
In May, June and July, the museum is closed.
Der Damm ist alt und die Brücke ist neu.
""".strip().splitlines()


@pytest.mark.parametrize(("text", "clauses"), COMPOUND, ids=lambda value: value if isinstance(value, str) else "")
def test_parts_of_a_compound_sentence(text: str, clauses: list[str]) -> None:
    assert clauses_of(text) == clauses


@pytest.mark.parametrize("text", WHOLE)
def test_sentences_left_whole(text: str) -> None:
    assert clauses_of(text) == [text]


def test_where_the_words_of_a_part_are() -> None:
    text = " Acme was sold in 1990 and hired Anna Lee, who lives in Delhi. "
    places = [clause.span.of(text) if clause.span else None for clause in split_clauses(text)]
    assert places == ["Acme was sold in 1990", "hired Anna Lee", "lives in Delhi."]
    text = "Anna Lee, who lives in Delhi, hired Bob."
    places = [clause.span.of(text) if clause.span else None for clause in split_clauses(text)]
    assert places == [None, "lives in Delhi"]
    text = "Acme was founded in 1990 and employs 300 people."
    places = [clause.span.of(text) if clause.span else None for clause in split_clauses(text)]
    assert places == ["Acme was founded in 1990", "employs 300 people."]


@given(
    texts
    | st.lists(st.sampled_from("Acme dam was sold and , ; which in May the has 3 but employs .".split())).map(" ".join)
)
def test_parts_are_made_of_the_words_of_the_sentence(text: str) -> None:
    words = set(text.replace(",", " ").replace(";", " ").replace(".", " ").lower().split())
    clauses = split_clauses(text)
    assert len(clauses) >= 1
    for clause in clauses:
        assert set(clause.statement.replace(",", " ").replace(";", " ").replace(".", " ").lower().split()) <= words
        if clause.span:
            assert clause.span.of(text) == clause.span.of(text).strip()


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 200_000 + "and b c d",
        "a b c d, " * 20_000,
        "The dam was sold and " * 90,
        ", which was " * 150,
        "The kit has " + "a b, " * 110 + "and a c",
    ],
    ids=lambda text: text[:12],
)
@pytest.mark.timeout(30)  # Quadratic time would take minutes.
def test_dividing_takes_linear_time(text: str) -> None:
    assert clauses_of(text)
