"""Claims in the quantities of a passage: what is replaced, what is not, and what a verifier makes of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from halt_rag import HaltRagVerifier
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.verify.quantities import QuantityIndex
from halt_rag.verify.rewording import rewordings


def reworded(claim: str, *passages: str, hypothesis: str | None = None) -> dict[int, str]:
    found = rewordings(claim, hypothesis or claim, QuantityIndex(passages))
    return {position: one.text for position, one in found.items()}


@pytest.mark.parametrize(
    ("source", "claim", "expected"),
    [
        ("The trail is 2.4 km long.", "The trail is 2,400 metres long.", "The trail is 2.4 km long."),
        ("The warranty lasts two years.", "The warranty lasts 24 months.", "The warranty lasts two years."),
        ("It opened on 3 May 1998.", "It opened on 1998-05-03.", "It opened on 3 May 1998."),
        ("Patients took 0.5 g a day.", "Patients took 500 mg a day.", "Patients took 0.5 g a day."),
        ("Revenue was $1.2 billion.", "Revenue was 1,200 million dollars.", "Revenue was $1.2 billion."),
    ],
)
def test_a_converted_quantity_is_put_as_the_passage_puts_it(source: str, claim: str, expected: str) -> None:
    assert reworded(claim, source) == {0: expected}


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The trail is 2.4 km long.", "The trail is 2.4 km long."),
        ("The trail is 2.4 km long.", "The trail is 2,500 metres long."),
        ("The trail is 2.4 km long.", "The trail is long."),
        ("40 men and 35 women came.", "75 people came."),
    ],
)
def test_nothing_else_is_replaced(source: str, claim: str) -> None:
    assert reworded(claim, source) == {}


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The river is 1.25 km long.", "The river is 1,250 km long."),
        ("Revenue was $1.2 million.", "Revenue was $1,200 million."),
        ("The dose is 1.500 g a day.", "The dose is 1,500 g a day."),
        ("Fluss: 1,25 km", "Fluss: 1.250 km"),
        ("| Trail | Length (km) |\n|---|---|\n| Ridge trail | 2.4 |", "The ridge trail is 2.4 miles long."),
        ("The event was held in 1998 and people attended.", "1,998 people attended the event."),
        ("Sales rose 0.5 percent.", "Sales rose 50 basis points."),
        ("It lasts between 1 and 10 hours.", "It lasts about 9 hours."),
        ("It opened on 28 March 1998.", "It opened in early March 1998."),
        ("It opened on 3 January 1998.", "It opened in late 1998."),
        ("It opened on 5 March 1998.", "It opened on 05/03/1998."),
        ("The shop opens at 17:30.", "The shop opens at 5:30 in the morning."),
        ("The shop opens at 17:00.", "The shop opens at 5 pm EST."),
        ("The film cost $5 million.", "The film cost HK$5,000,000."),
        ("Group 3 finished the race.", "She finished the race third."),
        ("The tank holds 10 gallons.", "The tank holds 37.85 litres."),
        ("It rose by 5 °C.", "It rose by 41 °F."),
        ("The gap between them was 5 °C.", "The gap between them was 41 °F."),
        ("The trail is 2,437 m long.", "The trail is exactly 2.4 km long."),
    ],
)
def test_what_may_mean_something_else_is_not_replaced(source: str, claim: str) -> None:
    assert reworded(claim, source) == {}


@pytest.mark.parametrize(
    ("source", "claim", "expected"),
    [
        ("It fell to -5 °C.", "It fell to 23 °F.", "It fell to -5 °C."),
        ("The path is 5 to 10 km long.", "The path is 5,000-10,000 m long.", "The path is 5 to 10 km long."),
        ("The bus leaves at 17:00.", "The bus leaves at 5 pm.", "The bus leaves at 17:00."),
        ("Half of the members voted.", "50% of the members voted.", "Half of the members voted."),
        ("It lasts two\nyears.", "It lasts 24 months.", "It lasts two years."),
        (
            "The lease lasts two years and the loan 24 months.",
            "The lease lasts 24 months and the loan two years.",
            "The lease lasts two years and the loan 24 months.",
        ),
    ],
)
def test_what_is_sure_is_replaced_each_in_its_place(source: str, claim: str, expected: str) -> None:
    assert reworded(claim, source) == {0: expected}


def test_each_passage_has_its_own_wording_whatever_the_others_say() -> None:
    claim = "The trail is 2,400 metres long."
    passages = ["The trail is 2.4 km long.", "The trail is 2,400 metres long.", "The trail is 2400 m long."]
    alone = [reworded(claim, passage).get(0) for passage in passages]
    together = reworded(claim, *passages)
    assert [together.get(i) for i in range(3)] == alone
    assert alone[:2] == ["The trail is 2.4 km long.", None]


def test_only_what_stands_once_in_the_hypothesis_is_replaced() -> None:
    claim, source = "It lasted 24 months.", "It lasted two years."
    assert reworded(claim, source, hypothesis="The war lasted 24 months.") == {0: "The war lasted two years."}
    assert reworded(claim, source, hypothesis="The war of 24 months lasted 24 months.") == {}
    assert reworded(claim, source, hypothesis="The war lasted 124 months.") == {}


class Literal(FakeNLI):
    """A model that entails only what stands there word for word."""

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        rows = [[0.98, 0.01, 0.01] if p.hypothesis in p.premise else [0.02, 0.96, 0.02] for p in pairs]
        return NLIScores(np.array(rows, dtype=np.float32))


def test_a_claim_is_faithful_where_a_passage_supports_it_in_its_own_units() -> None:
    verifier = HaltRagVerifier(backend=Literal(), task=None)
    source = "The path is old. The trail is 2.4 km long. It is steep."
    right, wrong = (
        verifier.verify(source, f"The trail is {said} metres long.").claims[0] for said in ("2,400", "2,500")
    )
    assert right.label == "faithful"
    assert right.quantities[0].status == "converted"
    assert right.evidence[0].text == "The trail is 2.4 km long."
    assert wrong.label == "unfaithful"


def test_both_wordings_are_counted_as_read() -> None:
    verifier = HaltRagVerifier(backend=Literal(), task=None, locate_evidence=False)
    source = ["The trail is 2.4 km long.", "The path is old."]
    assert verifier.verify(source, "The trail is 2,400 metres long.").receipt.pairs_scored == 3
    assert verifier.verify(source, "The trail is 2.4 km long.").receipt.pairs_scored == 2
